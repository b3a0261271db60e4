#include "harness/base/error.h"
#include "harness/ptx/syntax.h"

#include "tests/ptx/sample_modules.h"
#include <gtest/gtest.h>

namespace harness::ptx {
namespace {

constexpr std::string_view kHead = ".version 8.7\n.target sm_90a\n.address_size 64\n"; // three lines

Module parse(const std::string& items) {
  return parseModule(std::string(kHead) + items, "t.ptx");
}

template <typename T> T only(const std::string& item) {
  Module module = parse(item);
  EXPECT_EQ(module.items.size(), 1u) << item;
  return std::get<T>(std::move(module.items.at(0)));
}

std::vector<Statement> body(const std::string& statements) {
  return std::move(only<Function>(".func f () {\n" + statements + "\n}").body->statements);
}

Instruction instruction(const std::string& text) {
  return std::get<Instruction>(body(text + ";").at(0));
}

Operand operand(const std::string& text) {
  return instruction("mov.b32 " + text).operands.at(0);
}

std::string errorOf(const std::string& text, const ParseLimits& limits = {}) {
  try {
    parseModule(text, "t.ptx", limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    return error.what();
  }
  return "no error";
}

std::string itemError(const std::string& item, const ParseLimits& limits = {}) {
  return errorOf(std::string(kHead) + item, limits);
}

TEST(PtxParser, Header) {
  Module module = parseModule(".version 9.10\n.target sm_120f, debug\n.address_size 32", "t.ptx");
  EXPECT_EQ(module.versionMajor, 9u);
  EXPECT_EQ(module.versionMinor, 10u);
  EXPECT_EQ(module.targets, (std::vector<std::string>{"sm_120f", "debug"}));
  EXPECT_EQ(module.addressSize, 32u);
}

TEST(PtxParser, ZeroBytesAtTheEnd) {
  EXPECT_EQ(errorOf(std::string(kHead) + std::string(3, '\0')), "no error");
}

TEST(PtxParser, Samples) {
  for (std::string_view sample : test::sampleModules()) {
    std::string printed = print(parseModule(sample, "sample"));
    EXPECT_EQ(print(parseModule(printed, "printed")), printed);
  }
}

TEST(PtxParser, Instructions) {
  Instruction one = instruction("\n@!%p1 ld.global.L2::128B.v2.u32 {%r1, _}, [%rd1+-4]");
  EXPECT_EQ(one.line, 6u);
  ASSERT_TRUE(one.guard);
  EXPECT_EQ(one.guard->name, "%p1");
  EXPECT_TRUE(one.guard->negated);
  EXPECT_EQ(one.opcode, "ld");
  EXPECT_EQ(one.modifiers, (std::vector<std::string>{"global", "L2::128B", "v2", "u32"}));
  ASSERT_EQ(one.operands.size(), 2u);
  EXPECT_EQ(one.operands[0].kind, Operand::Kind::Vector);
  EXPECT_EQ(one.operands[0].elements.at(1).name, "_");
  EXPECT_EQ(one.operands[1].kind, Operand::Kind::Address);
  EXPECT_EQ(one.operands[1].name, "%rd1");
  EXPECT_EQ(one.operands[1].offset, -4);
  EXPECT_EQ(print(one), "@!%p1 ld.global.L2::128B.v2.u32 {%r1, _}, [%rd1-4]");
  EXPECT_TRUE(instruction("ret").operands.empty());
}

TEST(PtxParser, Names) {
  EXPECT_EQ(operand("%tid.x").name, "%tid.x");
  EXPECT_EQ(operand("%tid.x").selector, "");
  EXPECT_EQ(operand("v.x").name, "v");
  EXPECT_EQ(operand("v.x").selector, "x");
  EXPECT_EQ(operand("%r1.b0").selector, "b0");
  EXPECT_TRUE(operand("!p").negated);
  EXPECT_FALSE(operand("!p").minus);
  EXPECT_TRUE(operand("-%r1.h1").minus);
  EXPECT_EQ(operand("table+4-12").name, "table");
  EXPECT_EQ(operand("table+4-12").offset, -8);
}

TEST(PtxParser, Numbers) {
  auto number = [](const std::string& text) { return operand(text).number; };
  EXPECT_EQ(number("-3").bits, static_cast<std::uint64_t>(-3));
  EXPECT_EQ(number("-3").kind, Number::Kind::Signed);
  EXPECT_EQ(number("12U").kind, Number::Kind::Unsigned);
  EXPECT_EQ(number("0x8000000000000000").kind, Number::Kind::Unsigned);
  EXPECT_EQ(number("0b101").bits, 5u);
  EXPECT_EQ(number("0777").bits, 0777u);
  EXPECT_EQ(number("0F3f800000").kind, Number::Kind::Single);
  EXPECT_EQ(number("0F3f800000").bits, 0x3f800000u);
  EXPECT_EQ(number("0d3FF0000000000000").bits, 0x3FF0000000000000u);
  EXPECT_EQ(number("1.5").kind, Number::Kind::Double);
  EXPECT_EQ(number("1.5").bits, 0x3FF8000000000000u);
  EXPECT_EQ(number("-.5e1").bits, 0xC014000000000000u);
  EXPECT_EQ(number("WARP_SZ").bits, 32u);
}

/// The values are those that ptxas 13.0.88 puts into a .u64.
TEST(PtxParser, ConstantExpressions) {
  struct Row {
    const char* text;
    std::int64_t value;
  };
  for (const Row& row : {Row{"-5 % 3", 2},
                         {"(.u64)-1 / 3", 0x5555555555555555},
                         {"-1 < 1U", 0},
                         {"-1 < 1", 1},
                         {"-8 >> 1", -4},
                         {"-8U >> 1", 0x7ffffffffffffffc},
                         {"~0 >> 60", 15},
                         {"!5", 0},
                         {"!0", 1},
                         {"3 > 2 ? 10 : 20", 10},
                         {"0 ? 1 : -1", -1},
                         {"1 << 3 | 2", 10},
                         {"1|2^3&4", 3},
                         {"1 + 2 * 3 - 4", 3},
                         {"-9223372036854775808 / 3", 0x2aaaaaaaaaaaaaaa},
                         {"5 && 0", 0},
                         {"5 || 0", 1},
                         {"1 == 1 != 0", 1},
                         {"-(3)", -3},
                         {"WARP_SZ * 2", 64},
                         {"-7 / 2", -3},
                         {"-7U / 2", 0x7ffffffffffffffc},
                         {"(1 ? -1 : 1U) >> 1", -1},
                         {"1 << 63 >> 63", -1},
                         {"(.s64)0xFFFFFFFFFFFFFFFF >> 63", -1},
                         {"1?2:3?4:5", 2},
                         {"- -7", 7},
                         {"1.0<2.0?3:4", 3}})
    EXPECT_EQ(static_cast<std::int64_t>(operand(row.text).number.bits), row.value) << row.text;
  EXPECT_EQ(operand("1.0/3.0").number.bits, 0x3FD5555555555555u);
}

TEST(PtxParser, OtherOperands) {
  Instruction copy = instruction("cp [%r1], [map, {%r2, %r3}], [mbar]");
  EXPECT_EQ(copy.operands.at(1).name, "map");
  EXPECT_EQ(copy.operands[1].elements.at(0).kind, Operand::Kind::Vector);
  EXPECT_EQ(operand("[64]").offset, 64);
  EXPECT_EQ(operand("[64]").name, "");
  Operand pair = operand("%p1|_");
  EXPECT_EQ(pair.kind, Operand::Kind::Pair);
  EXPECT_EQ(pair.elements.at(1).name, "_");
  EXPECT_EQ(operand("{a, b}|p").elements.at(0).kind, Operand::Kind::Vector);
}

TEST(PtxParser, Calls) {
  Instruction call = instruction("call (r), f, (a, (1+2)), proto");
  ASSERT_EQ(call.operands.size(), 4u);
  EXPECT_EQ(call.operands[0].kind, Operand::Kind::List);
  EXPECT_EQ(call.operands[1].name, "f");
  EXPECT_EQ(call.operands[2].elements.at(1).number.bits, 3u);
  EXPECT_EQ(instruction("call f").operands.size(), 1u);
  EXPECT_TRUE(instruction("call f, ()").operands.at(1).elements.empty());
}

TEST(PtxParser, Statements) {
  std::vector<Statement> all = body("L: .loc 1 2 3, function_name a+4, inlined_at 1 5 6\n"
                                    "t: .branchtargets L, M; p: .callprototype ()_ (.param .b32 _) .noreturn;"
                                    ".pragma \"x\"; { .reg .b32 %r<3>, s; }");
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(std::get<Label>(all[0]).name, "L");
  EXPECT_EQ(std::get<Location>(all[1]).column, 3u);
  EXPECT_EQ(std::get<Location>(all[1]).rest, ", function_name a + 4, inlined_at 1 5 6");
  EXPECT_EQ(std::get<Targets>(all[2]).targets, (std::vector<std::string>{"L", "M"}));
  EXPECT_EQ(std::get<Prototype>(all[3]).attributes, ".noreturn");
  EXPECT_EQ(std::get<Prototype>(all[3]).parameters.at(0).name, "_");
  EXPECT_EQ(std::get<Remark>(all[4]).text, ".pragma \"x\"");
  const Scope& inner = *std::get<std::unique_ptr<Scope>>(all[5]);
  ASSERT_EQ(inner.statements.size(), 2u);
  EXPECT_EQ(std::get<Variable>(inner.statements[0]).count, 3u);
  EXPECT_FALSE(std::get<Variable>(inner.statements[1]).count);
}

TEST(PtxParser, Functions) {
  Function f =
      only<Function>(".visible .entry k (.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 b[24])\n"
                     ".maxntid 32, 2, 1 .explicitcluster { ret; }");
  EXPECT_TRUE(f.entry);
  EXPECT_EQ(f.linkage, "visible");
  EXPECT_EQ(f.parameters.at(0).pointer, "ptr global align 16");
  EXPECT_EQ(f.parameters.at(1).dimensions, (std::vector<std::uint64_t>{24}));
  EXPECT_EQ(f.directives, (std::vector<std::string>{".maxntid 32, 2, 1", ".explicitcluster"}));
  EXPECT_TRUE(f.body);
  EXPECT_FALSE(only<Function>(".extern .func (.param .b32 r) g (.param .b64 a) ;").body);
}

TEST(PtxParser, Initialisers) {
  Variable v = only<Variable>(".global .align 8 .u64 v[4] = {generic(a)+4, 0xff00(b), 7};");
  EXPECT_EQ(v.align, 8u);
  ASSERT_EQ(v.initialisers.size(), 3u);
  EXPECT_TRUE(v.initialisers[0].generic);
  EXPECT_EQ(std::get<SymbolOffset>(v.initialisers[0].value).offset, 4);
  EXPECT_EQ(v.initialisers[1].mask, 0xff00u);
  EXPECT_EQ(std::get<Number>(v.initialisers[2].value).bits, 7u);
}

TEST(PtxParser, InnerBracesLeaveElementsOut) {
  Variable v = only<Variable>(".global .u32 v[3][2][2] = {{}, {{7}, {8, 9}}};");
  ASSERT_EQ(v.initialisers.size(), 3u);
  EXPECT_EQ(v.initialisers[0].index, 4u);
  EXPECT_EQ(v.initialisers[1].index, 6u);
  EXPECT_EQ(v.initialisers[2].index, 7u);
  Variable flat = only<Variable>(".global .v2 .u32 v[2] = {{1, 2}, {3, 4}};");
  EXPECT_EQ(flat.initialisers.at(3).index, 3u);
}

TEST(PtxParser, ListsAndOpaqueTypes) {
  Module module = parse(".global .align 4 .u32 a, b = 5, c[3];");
  ASSERT_EQ(module.items.size(), 3u);
  EXPECT_TRUE(std::get<Variable>(module.items[1]).initialised);
  EXPECT_EQ(std::get<Variable>(module.items[2]).align, 4u);
  EXPECT_EQ(only<Variable>(".global .texref t;").opaque, "texref");
  EXPECT_EQ(only<Remark>(".section .debug_x\n{\n.b8 1 // c\n}").text, ".section .debug_x\n{\n.b8 1 // c\n}");
}

TEST(PtxParser, ErrorsNameTheLine) {
  EXPECT_EQ(errorOf(""), "t.ptx:1: '.version' at the start of a module expected, not the end of the text");
  EXPECT_EQ(errorOf("\n.version 9"), "t.ptx:2: a version such as 8.7 after '.version' expected, not '9'");
  EXPECT_EQ(itemError("\n.func f () { add x y; }"), "t.ptx:5: ';' after an instruction expected, not 'y'");
  EXPECT_EQ(itemError(".func f () {\n{\n}\n"), "t.ptx:4: this '{' is never closed");
  EXPECT_EQ(itemError("/* x"), "t.ptx:4: this /* comment has no end");
  EXPECT_EQ(itemError(".pragma \"x\n\";"), "t.ptx:4: this string has no end");
  EXPECT_EQ(itemError(std::string("\0.x", 3)), "t.ptx:4: the byte 0x00 has no meaning here");
  EXPECT_EQ(itemError("\xc3\xa4"), "t.ptx:4: the byte 0xc3 has no meaning here");
  EXPECT_EQ(itemError(".nonsense 1;"), "t.ptx:4: '.nonsense' is no directive, or no part of a declaration");
  EXPECT_EQ(itemError(".global .u64 a = 18446744073709551616;"),
            "t.ptx:4: the number 18446744073709551616 needs more than 64 bits");
  EXPECT_EQ(itemError(".global .u32 a = 1/0;"), "t.ptx:4: division by zero in a constant expression");
  EXPECT_EQ(itemError(".global .u32 a[2] = {1,2,3};"), "t.ptx:4: more initialisers than elements");
  EXPECT_EQ(itemError(".global .align 3 .u32 a;"), "t.ptx:4: an alignment must be a power of 2");
  EXPECT_EQ(itemError(".section .x { .b8 1"), "t.ptx:4: this section has no end");
}

TEST(PtxParser, Limits) {
  EXPECT_EQ(itemError(".func f () { .reg .b32 %r<2147483648>; }"),
            "t.ptx:4: 2147483648 registers in one declaration; at most 1048576 are accepted");
  EXPECT_EQ(itemError(".global .b8 a[4294967296][4294967296];"),
            "t.ptx:4: 'a' is larger than 4294967296 bytes");
  std::string nested(100'000, '{');
  EXPECT_EQ(itemError(".func f () " + nested), "t.ptx:4: more than 64 nested scopes or braces");
  EXPECT_EQ(itemError(".func f () { mov x, " + nested), "t.ptx:4: more than 64 nested scopes or braces");
  EXPECT_EQ(itemError(".global .b8 a[] = " + nested),
            "t.ptx:4: an initialiser has more braces than the variable has dimensions");
  EXPECT_EQ(itemError(".global .u32 a = " + std::string(100'000, '(')),
            "t.ptx:4: this expression is nested too deeply");
  EXPECT_EQ(itemError(".global .u32 a = " + std::string(100'000, '-')),
            "t.ptx:4: this expression is nested too deeply");
  EXPECT_EQ(
      itemError(".func f () { a: b: c: d: }", {.treeBytes = 1000}),
      "t.ptx:4: the statements, operands and initialisers up to here need more than the 1000 bytes of memory "
      "that a module may have");
  EXPECT_EQ(errorOf(std::string(kHead), {.bytes = 10}), "t.ptx: 45 bytes of PTX; at most 10 are read");
}

/// Prefixes of the samples are taken or refused with Error(Usage).
TEST(PtxParser, TruncatedFiles) {
  for (std::string_view sample : test::sampleModules())
    for (std::size_t size = 0; size < sample.size(); size += 5)
      errorOf(std::string(sample.substr(0, size)));
}

} // namespace
} // namespace harness::ptx
