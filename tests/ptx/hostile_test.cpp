// Modules that nobody means well with: one clear error or an orderly end, in bounded time and memory.

#include "harness/base/error.h"
#include "harness/ptx/executor.h"
#include "harness/ptx/quote.h"

#include "tests/ptx/fuzz_kernels.h"
#include "tests/ptx/sample_modules.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <ctime>

namespace harness::ptx {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

#ifdef __SANITIZE_ADDRESS__
constexpr double kSeconds = 60;
constexpr long kKilobytes = 16L << 20;
#else
constexpr double kSeconds = 4;
constexpr long kKilobytes = 2L << 20;
#endif

/// Of a module's life: processor time and the process's memory.
class Bounded {
public:
  ~Bounded() {
    EXPECT_LT(static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC, kSeconds);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    EXPECT_LT(usage.ru_maxrss, kKilobytes);
  }

private:
  std::clock_t start_ = std::clock();
};

struct Answer {
  std::string error; ///< empty: it was executed
  ExecutionEnd end = ExecutionEnd::Completed;
  std::string message;
};

constexpr const char* kHead = ".version 8.8\n.target sm_90\n.address_size 64\n";

Answer runModule(const std::string& text, std::uint32_t threads = 1, std::uint64_t limit = 1'000'000) {
  Bounded bounded;
  try {
    Program program(parseModule(text, "t.ptx"), "t.ptx");
    Launch launch;
    launch.block = {threads, 1, 1};
    for (std::size_t size : program.parameterSizes("k"))
      launch.args.emplace_back(size);
    GlobalMemory memory;
    ExecutionOptions options;
    options.maxWarpInstructions = limit;
    ExecutionResult result = execute(program, "k", launch, memory, options);
    return {"", result.end, result.message};
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage) << error.what();
    EXPECT_LT(std::string_view(error.what()).size(), 1000u);
    return {error.what(), {}, ""};
  }
}

/// Items, then a kernel with this body; the kernel's line is 5 if the items have one.
std::string module(const std::string& items, const std::string& body) {
  return kHead + items + "\n.entry k() {\n" + body + "\n}\n";
}

std::string errorOf(const std::string& items, const std::string& body = "") {
  return runModule(module(items, body)).error;
}

std::string repeated(std::size_t count, std::string (*piece)(std::size_t)) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += piece(i);
  return text;
}

TEST(PtxHostile, Registers) {
  EXPECT_EQ(errorOf("", ".reg .b32 %r<2147483648>;"),
            "t.ptx:6: 2147483648 registers in one declaration; at most 1048576 are accepted");
  std::string many =
      repeated(5, [](std::size_t i) { return ".reg .b32 %" + std::string(i + 1, 'r') + "<1048576>;\n"; });
  EXPECT_EQ(errorOf("", many), "t.ptx:9: the function has more than 4194304 registers");
  std::string million =
      repeated(100'000, [](std::size_t i) { return ".reg .b64 x" + std::to_string(i) + ";"; });
  EXPECT_EQ(runModule(module("", million)).end, ExecutionEnd::Completed);
  Answer wide = runModule(module("", ".reg .b64 x<1048576>; mov.u64 x9, 1;"), 1024);
  EXPECT_EQ(wide.end, ExecutionEnd::Unsupported);
  EXPECT_THAT(wide.message,
              HasSubstr("registers and local memory of the block's threads need more than 1 GiB"));
  EXPECT_EQ(runModule(module("", ".reg .b64 x<40000>; mov.u64 x9, 1;"), 1024).end, ExecutionEnd::Completed);
}

TEST(PtxHostile, Variables) {
  EXPECT_EQ(errorOf(".global .b8 x[1099511627776];"),
            "t.ptx:4: the size of an array is 1099511627776; at most 4294967296 is accepted");
  EXPECT_EQ(
      errorOf(".global .b8 x[4294967296], y[4294967296];"),
      "t.ptx:4: with 'x' the variables of the module need 4294967296 bytes; at most 1073741824 are accepted");
  std::string many =
      repeated(2000, [](std::size_t i) { return ".global .b8 x" + std::to_string(i) + "[1048576];\n"; });
  EXPECT_THAT(errorOf(many),
              HasSubstr("t.ptx:1028: with 'x1024' the variables of the module need 1074790400 bytes"));
  EXPECT_THAT(errorOf("", ".global .b8 x[2147483648];"), HasSubstr("t.ptx:6: with 'x' the variables"));
  EXPECT_THAT(errorOf(".shared .b8 x[1048577];"),
              HasSubstr("t.ptx:4: the module has more than 1 MiB of shared"));
  EXPECT_THAT(errorOf("", ".shared .b8 x[1048577];"), HasSubstr("more shared memory"));
  EXPECT_THAT(errorOf("", ".local .b8 x[1048577];"),
              HasSubstr("t.ptx:6: the function has more than 1 MiB of local"));
  EXPECT_THAT(errorOf(".const .align 1073741824 .b8 x;"), "");
  std::string table = ".const .b8 x[] = {0";
  for (int i = 0; i < 200'000; ++i)
    table += ",1";
  EXPECT_EQ(runModule(module(table + "};", "")).end, ExecutionEnd::Completed);
  std::string names =
      repeated(100'000, [](std::size_t i) { return ".global .b8 x" + std::to_string(i) + ";"; });
  EXPECT_EQ(runModule(module(names, "")).end, ExecutionEnd::Completed);
}

TEST(PtxHostile, LocalMemory) {
  Answer wide = runModule(module("", ".local .b8 x[600000]; st.local.u8 [x], 1;"));
  EXPECT_EQ(wide.end, ExecutionEnd::Fault);
  EXPECT_THAT(wide.message, HasSubstr("512 KiB of local memory"));
  Answer all = runModule(module("", ".local .b8 x[520000]; .reg .b64 r<2000>; st.local.u8 [x], 1;"), 1024);
  EXPECT_EQ(all.end, ExecutionEnd::Unsupported);
  EXPECT_EQ(runModule(module("", ".local .b8 x[200000]; st.local.u8 [x], 1;"), 512).end,
            ExecutionEnd::Completed);
}

TEST(PtxHostile, Initialisers) {
  EXPECT_EQ(errorOf(".global .u64 x = nothing;"),
            "t.ptx:4: the initialiser of 'x' names 'nothing', which is no variable or function");
  EXPECT_EQ(errorOf(".global .u64 x = y, y = x, z = z;"), ""); // addresses may lead in a circle
  EXPECT_EQ(errorOf(".global .u64 x = 1 / 0;"), "t.ptx:4: division by zero in a constant expression");
  EXPECT_EQ(errorOf(".global .u64 x = 1 << 64;"),
            "t.ptx:4: a constant is shifted by less than 0 or more than 63 bits");
  EXPECT_EQ(errorOf(".global .u64 x[] = {(0 - 9223372036854775807 - 1) / -1};"), "");
  EXPECT_EQ(errorOf(".global .u32 x = 1.5;"),
            "t.ptx:4: 'x' is initialised with a number that its type cannot take");
  EXPECT_THAT(errorOf(".global .u32 x[1] = {1, 2};"), HasSubstr("t.ptx:4: more initialisers than elements"));
  EXPECT_EQ(errorOf(".global .u32 x[][4] = {{1}, {2}};", ".reg .b32 r; ld.global.u32 r, [x+28];"), "");
}

TEST(PtxHostile, Nesting) {
  EXPECT_EQ(errorOf("", std::string(10'000, '{')), "t.ptx:6: more than 64 nested scopes or braces");
  EXPECT_EQ(errorOf("", "mov.b32 x, " + std::string(10'000, '(')),
            "t.ptx:6: this expression is nested too deeply");
  EXPECT_EQ(errorOf("", std::string(60, '{') + std::string(60, '}')), "");
}

TEST(PtxHostile, ManyOfOneToken) {
  constexpr std::size_t kSize = std::size_t{1} << 17;
  for (std::string_view piece :
       {"a", "a ", ".a", ".a ", "1 ",  "1", "\"", "\"\"", "{",  "}",    "(", "[",  "%", "%r0", ";",
        ":", "a:", ",",  "@",   "@p ", "/", "//", "/*",   "\n", "\r\n", "-", "<<", "=", "0f",  "::"}) {
    std::string text;
    while (text.size() < kSize)
      text += piece;
    EXPECT_THAT(errorOf(text), testing::AnyOf("", testing::StartsWith("t.ptx:")))
        << piece; // ; and blanks are none
    runModule(module("", text));
    runModule(module(".global .b32 x[] = {" + text, ""));
    runModule(module("", "add.u32 " + text));
  }
}

TEST(PtxHostile, ManyInstructions) {
  std::string text;
  for (int i = 0; i < 200'000; ++i)
    text += "a;";
  Answer answer = runModule(module("", text));
  EXPECT_EQ(answer.end, ExecutionEnd::Unsupported);
  EXPECT_THAT(answer.message, HasSubstr("line 6 'a'"));
}

TEST(PtxHostile, ManyNumbers) {
  std::string text = ".reg .u32 r;";
  for (int i = 0; i < 50'000; ++i)
    text += "mov.u32 r," + std::to_string(i) + ";";
  EXPECT_EQ(runModule(module("", text)).end, ExecutionEnd::Completed);
}

TEST(PtxHostile, ManyBranches) {
  std::string ladder = ".reg .pred p; .reg .b32 r; mov.u32 r, %tid.x; setp.lt.u32 p, r, 3;\n";
  std::string down, nested, into;
  for (std::size_t i = 0; i < 30'000; ++i) {
    std::string n = std::to_string(i);
    down += "@p bra L" + n + "; L" + n + ":";
    nested += "@p bra L" + n + ";";
    into += "L" + n + ": @p bra L" + std::to_string((i * 7919) % 30'000) + ";";
  }
  for (std::size_t i = 30'000; i-- > 0;)
    nested += "L" + std::to_string(i) + ": add.u32 r, r, 1;";
  EXPECT_EQ(runModule(module("", ladder + down), 32, 1'000'000).end, ExecutionEnd::Completed);
  EXPECT_EQ(runModule(module("", ladder + nested), 32, 1'000'000).end, ExecutionEnd::Completed);
  EXPECT_EQ(runModule(module("", ladder + into), 32, 100'000).end, ExecutionEnd::Timeout);
}

TEST(PtxHostile, ManyLabelsAndTargets) {
  std::string labels = repeated(100'000, [](std::size_t i) { return "L" + std::to_string(i) + ":"; });
  EXPECT_EQ(runModule(module("", labels)).end, ExecutionEnd::Completed);
  std::string table = "T: .branchtargets L";
  for (int i = 0; i < 100'000; ++i)
    table += ",L";
  std::string jumps = ".reg .b32 r; mov.u32 r, 99999; L: " + table + ";";
  for (int i = 0; i < 20'000; ++i)
    jumps += "brx.idx r, T;";
  EXPECT_EQ(runModule(module("", jumps), 32, 1000).end, ExecutionEnd::Timeout);
  Answer beyond = runModule(module("", ".reg .b32 r; mov.u32 r, 100001; L: " + table + "; brx.idx r, T;"));
  EXPECT_EQ(beyond.end, ExecutionEnd::Fault);
  EXPECT_THAT(beyond.message,
              HasSubstr("brx.idx with index 100001 of 100001 targets at line 6 'brx.idx r, T'"));
  EXPECT_EQ(errorOf("", ".reg .b32 r; T: .branchtargets NO; brx.idx r, T;"),
            "t.ptx:6: there is no label 'NO'");
}

TEST(PtxHostile, ManyFunctions) {
  std::string text = repeated(20'000, [](std::size_t i) {
    return ".func f" + std::to_string(i) + "() { call f" + std::to_string(i ? i - 1 : 0) +
           "; T: .branchtargets T2; T2: }\n";
  });
  Answer deep = runModule(module(text, "call f19999;"));
  EXPECT_EQ(deep.end, ExecutionEnd::Fault);
  EXPECT_THAT(deep.message, HasSubstr("calls are nested more than 4,096 deep"));
  std::string kernels =
      repeated(1000, [](std::size_t i) { return ".entry e" + std::to_string(i) + "() { }\n"; });
  EXPECT_THAT(runModule(kHead + kernels).error,
              MatchesRegex("t.ptx has no kernel 'k'; it has e0, e1, .* and 980 more"));
}

TEST(PtxHostile, Recursion) {
  Answer own = runModule(module(".func f() { call f; }", "call f;"), 64);
  EXPECT_EQ(own.end, ExecutionEnd::Fault);
  EXPECT_THAT(own.message,
              HasSubstr("the stack is full: calls are nested more than 4,096 deep at line 4 'call f'"));
  Answer mutual = runModule(
      module(".func g; .func f() { .local .b8 x[60000]; call g; } .func g() { call f; }", "call f;"), 64);
  EXPECT_EQ(mutual.end, ExecutionEnd::Fault);
  EXPECT_THAT(mutual.message, HasSubstr("512 KiB of local memory"));
  Answer wide = runModule(module(".func f() { .reg .b64 x<100000>; call f; }", "call f;"), 64);
  EXPECT_EQ(wide.end, ExecutionEnd::Unsupported);
  // Calls and returns that fill large frames count for what they are.
  Answer slow =
      runModule(module(".func f() { .reg .b64 x<20000>; ret; }", "L: call f; bra L;"), 32, 1'000'000);
  EXPECT_EQ(slow.end, ExecutionEnd::Timeout);
}

TEST(PtxHostile, LoopsAndBarriers) {
  EXPECT_EQ(runModule(module("", "L: bra L;"), 1024).end, ExecutionEnd::Timeout);
  EXPECT_THAT(runModule(module("", "L: nanosleep.u32 10; bra L;"), 1024).message,
              HasSubstr("more than 1000000 warp instructions at line 6"));
  std::string half = ".reg .pred p; .reg .b32 r; mov.u32 r, %tid.x; setp.eq.u32 p, r, 0;";
  Answer alone = runModule(
      module("", half + "@p bra L; bar.warp.sync -1; L: @!p bra L; bar.warp.sync -1; M: bra M;"), 64);
  EXPECT_EQ(alone.end, ExecutionEnd::Timeout);
  Answer never = runModule(module("", "bar.sync 0, 128;"), 64);
  EXPECT_EQ(never.end, ExecutionEnd::Timeout);
  EXPECT_THAT(never.message,
              HasSubstr("deadlock: no thread can go on; lanes 0xffffffff of warp 0 wait at line 6"));
  EXPECT_EQ(runModule(module("", ".reg .b32 r; mov.u32 r, 4000000000; bar.sync r;")).end,
            ExecutionEnd::Fault);
  EXPECT_EQ(runModule(module("", "bar.sync 0, 33;")).end, ExecutionEnd::Fault);
}

TEST(PtxHostile, CopiesUnderWay) {
  std::string items = ".shared .align 16 .b8 s[16]; .global .align 16 .b8 g[16];";
  Answer answer = runModule(module(items, "L: cp.async.ca.shared.global [s], [g], 4; bra L;"), 32);
  EXPECT_EQ(answer.end, ExecutionEnd::Unsupported);
  EXPECT_THAT(answer.message, HasSubstr("more than 65536 copies of a warp are under way"));
}

TEST(PtxHostile, Names) {
  EXPECT_EQ(errorOf(".alias a, b; .alias b, a;"), "t.ptx:4: 'b' is no function");
  EXPECT_EQ(errorOf(".func a; .func b; .alias a, b; .alias b, a;", "call a;"), "");
  EXPECT_EQ(errorOf(".func f() { } .extern .shared .b8 x[]; .alias x, f;"),
            "t.ptx:4: 'x' is an alias and something else too");
  EXPECT_EQ(errorOf(".entry k() { ret; }"), "t.ptx:5: 'k' has two bodies");
  EXPECT_EQ(errorOf(".global .b32 k;"), "t.ptx:5: 'k' is declared twice");
  EXPECT_EQ(errorOf("", ".reg .b32 a; .reg .b64 a;"), "t.ptx:6: 'a' is declared twice in one scope");
  EXPECT_EQ(errorOf("", "bra nowhere;"), "t.ptx:6: there is no label 'nowhere'");
  EXPECT_EQ(errorOf("", ".reg .b32 a; add.u32 a, b, a;"), "t.ptx:6: nothing declares 'b'");
  std::string longName(100'000, 'x');
  EXPECT_THAT(errorOf(".global .b32 " + longName + ";"),
              HasSubstr("has 100000 characters; at most 65536 are accepted"));
  longName.resize(60'000);
  EXPECT_EQ(errorOf("", "bra " + longName + ";"),
            "t.ptx:6: there is no label '" + longName.substr(0, 120) + "…'");
  std::string digits = "%r" + std::string(60'000, '1');
  EXPECT_THAT(errorOf("", ".reg .b32 %r<10>; add.u32 %r1, %r1, " + digits + ";"), "");
  EXPECT_THAT(errorOf("\"\x1b[31m\x80\";"), "t.ptx:4: a directive expected, not '\"\\x1b[31m\\x80\"'");
  EXPECT_THAT(errorOf(".global .attribute(" + longName + ") .b32 a, b;"),
              "t.ptx:4: an attribute of more than 256 characters");
  EXPECT_EQ(quote("a\tb\xff", 3), "'a\\x09b…'");
}

TEST(PtxHostile, Parameters) {
  EXPECT_THAT(errorOf(".func f(.reg .b32 %r<5>) { }"),
              HasSubstr("t.ptx:4: '%r' is no parameter of a function"));
  EXPECT_THAT(errorOf(".func f(.global .b8 x[4096]) { }"),
              HasSubstr("t.ptx:4: 'x' is no parameter of a function"));
  EXPECT_THAT(runModule(std::string(kHead) + ".entry k(.reg .b32 a) { }").error,
              HasSubstr("is no parameter of a kernel"));
  EXPECT_THAT(runModule(std::string(kHead) + ".entry k(.param .b8 a[32768]) { }").error,
              HasSubstr("32,764 bytes"));
  EXPECT_EQ(runModule(std::string(kHead) + ".entry k(.param .b8 a[]) { }").error, "");
  std::string zero = ".func (.param .b8 r[]) f(.param .b8 x[]) { ret; }";
  EXPECT_EQ(runModule(module(zero, "{ .param .b8 a[]; .param .b8 b[]; call (b), f, (a); }"), 32).end,
            ExecutionEnd::Completed);
  Answer beyond =
      runModule(std::string(kHead) + ".entry k(.param .b32 a) { .reg .b64 r; ld.param.u64 r, [a]; }");
  EXPECT_EQ(beyond.end, ExecutionEnd::Fault);
  EXPECT_THAT(beyond.message, HasSubstr("parameter memory"));
  Answer counts = runModule(module(".func f(.reg .b32 x) { }", "call f;"));
  EXPECT_EQ(counts.end, ExecutionEnd::Fault);
  EXPECT_THAT(counts.message, HasSubstr("a call with 0 arguments and 0 results of 'f', which has 1 and 0"));
  Answer sizes = runModule(module(".func f(.param .b64 x) { }", "{ .param .b32 a; call f, (a); }"));
  EXPECT_EQ(sizes.end, ExecutionEnd::Fault);
  EXPECT_THAT(sizes.message, HasSubstr("passes 4 bytes for parameter 0 of 'f', which has 8"));
  EXPECT_THAT(runModule(".version 7.0\n.target sm_80\n.address_size 32\n.entry k() { }").error,
              HasSubstr("addresses of 32 bits are not supported"));
  EXPECT_EQ(runModule(module(".extern .func f;", "call f;")).end, ExecutionEnd::Unsupported);
  EXPECT_EQ(runModule(module(".entry e() { }", "call e;")).end, ExecutionEnd::Unsupported);
  Answer wild =
      runModule(module("", ".reg .b64 f; mov.u64 f, 0x7fd000100000; P: .callprototype _ (); call f, (), P;"));
  EXPECT_EQ(wild.end, ExecutionEnd::Fault);
}

TEST(PtxHostile, Forms) {
  EXPECT_EQ(
      runModule(module("",
                       ".reg .b32 r; .reg .b64 x; mov.u32 r, 7; div.s32 r, r, 0; rem.u32 r, r, 0;\n"
                       "shl.b32 r, r, 4294967295; shr.s32 r, r, 4294967295; mov.b64 x, 1; shl.b64 x, x, 64;"))
          .end,
      ExecutionEnd::Completed);
  std::string items = ".global .b32 g; .const .b32 c; .shared .b32 s; .func f() { } .extern .shared .b8 d[];";
  EXPECT_EQ(
      runModule(
          module(items,
                 ".local .b32 l; .reg .b64 x; .reg .b32 y; mov.u64 x, g+4; mov.u64 x, c; mov.u64 x, s;"
                 "mov.u64 x, f; mov.u64 x, d; mov.u64 x, l+4; mov.u32 y, s; mov.u64 x, -1; mov.u32 y, l;"))
          .end,
      ExecutionEnd::Completed);
  for (const char* body :
       {"mov.u32 %r0, k+1;", "mov.v2.u32 {%r0, %r1, %r2}, %r0;", "add.u32 [%r0], %r1, %r1;",
        "setp.lt.u32 [_], %r0, %r1;", "setp.lt.u32 _+4, %r0, %r1;", "ld.global.v8.b64 {%r0, %r1}, [%r0];",
        "st.global.b32 [%r0], [%r0];", "bar.sync;", "ret %r0;", "add.u32;",
        "lop3.b32 %r0, %r1, %r1, %r1, 256;", "cvt.u32.u32.u32 %r0, %r1;"})
    EXPECT_EQ(runModule(module("", std::string(".reg .b32 %r<4>;") + body)).end, ExecutionEnd::Unsupported)
        << body;
}

TEST(PtxHostile, Bytes) {
  std::string text = module(".global .b32 x;", "ret;");
  std::string dos;
  for (char c : text)
    dos += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(runModule(dos).error, "");
  EXPECT_EQ(runModule(text + std::string(10, '\0')).error, "");
  EXPECT_EQ(runModule("\xef\xbb\xbf" + text).error, "t.ptx:1: the byte 0xef has no meaning here");
  EXPECT_EQ(runModule(std::string("\0", 1) + text).error, "t.ptx:1: the byte 0x00 has no meaning here");
  EXPECT_EQ(runModule("").error,
            "t.ptx:1: '.version' at the start of a module expected, not the end of the text");
  EXPECT_THAT(runModule("\x7f"
                        "ELF\x02\x01\x01")
                  .error,
              HasSubstr("t.ptx:1: the byte 0x7f"));
}

/// Prefixes of a module with all families.
TEST(PtxHostile, Truncated) {
  std::string all;
  std::size_t number = 0;
  for (std::string_view piece : test::fuzzPieces()) {
    for (char c : piece)
      all += c == '@' && !all.empty() && std::isalnum(static_cast<unsigned char>(all.back()))
                 ? "_" + std::to_string(number)
                 : std::string(1, c);
    ++number;
  }
  std::string text = test::kernelOf(all);
  for (std::size_t size = 0; size < text.size(); size += 61)
    runModule(text.substr(0, size), 32, 1000);
}

} // namespace
} // namespace harness::ptx
