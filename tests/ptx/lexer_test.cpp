#include "harness/ptx/lexer.h"

#include <gtest/gtest.h>

#include <vector>

namespace harness::ptx {
namespace {

std::vector<Token> tokens(std::string_view text) {
  Lexer lexer(text, "t.ptx");
  std::vector<Token> all;
  while (lexer.peek().kind != Token::Kind::End)
    all.push_back(lexer.next());
  return all;
}

TEST(PtxLexer, Kinds) {
  struct Row {
    std::string_view text, token;
    Token::Kind kind;
  };
  using enum Token::Kind;
  for (const Row& row : {Row{"%r1", "%r1", Name},
                         {"$L__BB0_1:", "$L__BB0_1", Name},
                         {"_", "_", Name},
                         {".mbarrier::complete_tx::bytes", "mbarrier::complete_tx::bytes", Modifier},
                         {".2d", "2d", Modifier},
                         {".16x256b.x1", "16x256b", Modifier},
                         {"0x1F,", "0x1F", Number},
                         {"1.5;", "1.5", Number},
                         {"12U", "12U", Number},
                         {"\"a\\\"", "\"a\\\"", Text},
                         {"<<1", "<<", Punctuation},
                         {"% 3", "%", Punctuation}}) {
    Token token = tokens(row.text).at(0);
    EXPECT_EQ(token.kind, row.kind) << row.text;
    EXPECT_EQ(token.text, row.token);
  }
}

TEST(PtxLexer, CommentsAndLines) {
  std::vector<Token> all = tokens("a // b\n/* c\n d */ e\r\n\tf");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].line, 1u);
  EXPECT_EQ(all[1].line, 3u);
  EXPECT_EQ(all[2].line, 4u);
}

TEST(PtxLexer, LooksTwoAhead) {
  Lexer lexer("a b c", "t.ptx");
  EXPECT_EQ(lexer.peekSecond().text, "b");
  EXPECT_EQ(lexer.next().text, "a");
  EXPECT_EQ(lexer.peek().text, "b");
  EXPECT_EQ(lexer.peekSecond().text, "c");
  lexer.next();
  lexer.next();
  EXPECT_EQ(lexer.next().kind, Token::Kind::End);
  EXPECT_EQ(lexer.next().kind, Token::Kind::End);
}

TEST(PtxLexer, FractionsAndModifiers) {
  std::vector<Token> all = tokens("tex.2d x, .5, -.25");
  EXPECT_EQ(all.at(1).kind, Token::Kind::Modifier);
  EXPECT_EQ(all.at(4).kind, Token::Kind::Number);
  EXPECT_EQ(all.at(7).number.bits, 0x3FD0000000000000u);
}

TEST(PtxLexer, RefusesWhatIsNoNumber) {
  for (std::string_view text :
       {"08", "0x", "0b2", "12abc", "12u", "0f123", "0d3FF", "0f3F8000000", "1e999", "1.5x"})
    EXPECT_ANY_THROW(tokens(text)) << text;
}

} // namespace
} // namespace harness::ptx
