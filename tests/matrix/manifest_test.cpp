#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/matrix/manifest.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace harness {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

const char* const kGood = R"json({
  "title": "A case", "source": "k.cu", "kernel": "k",
  "shapes": [{"name": "small", "rows": 4, "cols": 64}, {"name": "large", "rows": 130, "cols": 160}],
  "grid": ["ceildiv(rows * cols / 32, 8)", 2], "block": [256], "shared": "rows * 4",
  "buffers": {
    "w": {"type": "e4m3", "count": "rows * cols", "init": {"random": {"seed": 1}}},
    "s": {"type": "f32", "count": 3, "init": {"values": [0.5, "0x7fc00000", -2]}},
    "out": {"type": "u8", "count": "rows * cols / 32 * 34", "output": true, "record": 34}
  },
  "args": ["w", "s", "out", {"u32": "rows"}, {"i32": -8}, {"f32": 1.5}, {"i32": "0xffffffff"}],
  "reference": "r.cpp",
  "expect": [{"ptxas": "<13.1", "arch": "sm_1*", "opt": ["O0", "O3"], "verdict": "mismatch", "blame": "ptxas", "why": "w"},
             {"nvcc": ["12.9", "13.0"], "verdict": "fault"}]
})json";

/// A folder "a-case" that holds a good case, to be changed and loaded.
class ManifestTest : public testing::Test {
protected:
  ManifestTest() : dir_("manifest"), folder_(dir_.path() / "a-case") {
    fs::create_directories(folder_);
    writeFileAtomically(folder_ / "k.cu", "// kernel");
    writeFileAtomically(folder_ / "r.cpp", "// reference");
  }

  CaseManifest load(const std::string& text) {
    writeFileAtomically(folder_ / "case.json", text);
    return CaseManifest::load(folder_);
  }

  CaseManifest loadChanged(const std::function<void(Json&)>& change) {
    Json document = Json::parse(kGood);
    change(document);
    return load(document.dump());
  }

  /// The error's text after the file's name.
  std::string errorOf(const std::string& text) {
    try {
      load(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage) << error.what();
      std::string file = (folder_ / "case.json").string(), message = error.what();
      EXPECT_TRUE(message.starts_with(file + ":")) << message;
      return message.substr(std::min(message.size(), file.size() + 1));
    }
    ADD_FAILURE() << "loaded " << text;
    return "";
  }

  std::string errorOfChange(const std::function<void(Json&)>& change) {
    Json document = Json::parse(kGood);
    change(document);
    return errorOf(document.dump());
  }

  TempDir dir_;
  fs::path folder_;
};

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(ManifestTest, ReadsEverything) {
  CaseManifest manifest = load(kGood);
  EXPECT_EQ(manifest.id, "a-case");
  EXPECT_EQ(manifest.kernel, "k");
  EXPECT_TRUE(manifest.source.file.is_absolute());
  ASSERT_EQ(manifest.shapes.size(), 2u);
  const CaseShape& large = manifest.shapes[1];
  EXPECT_EQ(large.name, "large");
  EXPECT_EQ(large.grid, (std::array<std::uint32_t, 3>{82, 2, 1}));
  EXPECT_EQ(large.block, (std::array<std::uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(large.shared, 520u);
  ASSERT_EQ(large.buffers.size(), 3u);
  EXPECT_EQ(large.buffers[0].name, "w");
  EXPECT_EQ(large.buffers[2].byteSize(), 650u * 34);
  EXPECT_TRUE(large.buffers[2].output);
  EXPECT_EQ(large.buffers[2].record, 34u);
  ASSERT_EQ(large.args.size(), 7u);
  EXPECT_EQ(large.args[1].buffer, "s");
  EXPECT_EQ(large.args[3].value, std::string("\x82\0\0\0", 4));
  EXPECT_EQ(large.args[4].value, "\xf8\xff\xff\xff");
  EXPECT_EQ(large.args[5].value, std::string("\0\0\xc0\x3f", 4));
  EXPECT_EQ(large.args[6].value, "\xff\xff\xff\xff");
}

/// The good case with that one as its last argument.
std::function<void(Json&)> lastArgument(const std::string& argument) {
  return [argument](Json& json) { json["args"].push_back(Json::parse(argument)); };
}

TEST_F(ManifestTest, AStructureByValue) {
  CaseManifest manifest = loadChanged([](Json& json) {
    json["args"] = Json::parse(R"(["w", {"struct": [{"u8": 1}, "out", {"i32": [-1, "rows"]}, {"zero": 2},
                                                    {"struct": [{"f32": 1.5}, "s"], "align": 16}]}])");
  });
  const CaseShape& large = manifest.shapes[1];
  ASSERT_EQ(large.args.size(), 2u);
  const ArgSpec& arg = large.args[1];
  EXPECT_EQ(arg.buffer, "");
  EXPECT_EQ(arg.value, std::string("\x01") + std::string(15, '\0') + "\xff\xff\xff\xff" +
                           std::string("\x82\0\0\0", 4) + std::string(8, '\0') +
                           std::string("\0\0\xc0\x3f", 4) + std::string(12, '\0'));
  ASSERT_EQ(arg.pointers.size(), 2u);
  EXPECT_EQ(arg.pointers[0].offset, 8u);
  EXPECT_EQ(arg.pointers[0].buffer, "out");
  EXPECT_EQ(arg.pointers[1].offset, 40u);
  EXPECT_EQ(arg.pointers[1].buffer, "s");
  EXPECT_TRUE(arg.pointsTo("s"));
  EXPECT_FALSE(arg.pointsTo("w"));
}

TEST_F(ManifestTest, WhereAPointerStandsIsOfTheHash) {
  auto hashOf = [&](const std::string& argument) { return loadChanged(lastArgument(argument)).hash; };
  std::string one = hashOf(R"({"struct": ["w", {"u64": 0}]})");
  EXPECT_NE(one, hashOf(R"({"struct": [{"u64": 0}, "w"]})"));
  EXPECT_NE(one, hashOf(R"({"struct": ["s", {"u64": 0}]})"));
  EXPECT_EQ(one, hashOf(R"({"struct": ["w", {"zero": 8}]})"));
}

TEST_F(ManifestTest, StructuresThatAreNone) {
  for (const auto& [argument, error] : std::vector<std::pair<std::string, std::string>>{
           {R"({"struct": []})", "/args/7/struct: a structure has at least one member"},
           {R"({"struct": 1})", "/args/7/struct: an array is expected here"},
           {R"({"struct": ["x"]})", "/args/7/struct/0: there is no buffer 'x'"},
           {R"({"struct": [{"u32": 1, "u8": 2}]})", "/args/7/struct/0: a member is a buffer's name, {"},
           {R"({"struct": [{"u33": 1}]})", "/args/7/struct/0/u33: unknown type 'u33'; did you mean 'u32'?"},
           {R"({"struct": [{"u8": [1, 256]}]})", "/args/7/struct/0/u8/1: "},
           {R"({"struct": [{"zero": 0}]})", "/args/7/struct/0/zero: 0 is not within 1"},
           {R"({"struct": [{"zero": 32764}, {"u8": 1}]})",
            "/args/7/struct/1: the structure is larger than the 32764"},
           {R"({"struct": [{"u8": 1}], "align": 3})",
            "/args/7/align: 3 is no power of two from 1, which the members need, to 128"},
           {R"({"struct": [{"u8": 1}], "align": 256})", "/args/7/align: 256 is no power"},
           {R"({"struct": [{"u64": 1}], "align": 4})", "/args/7/align: 4 is no power of two from 8"},
           {R"({"struct": [{"u8": []}]})", "/args/7/struct/0/u8: a list has at least one value"},
           {R"({"struct": [5]})", "/args/7/struct/0: a member is a buffer's name, {"},
           {R"({"struct": [{"u32": {}}]})", "/args/7/struct/0/u32: a number or a string is expected here"},
           {R"([3])", "/args/7: an argument is a buffer's name, {"},
           {R"("x\u0000\ny")", "there is no buffer 'x\\x00\\x0ay'"},
           {R"({"struct": [{"u8": 1}], "algn": 8})", "did you mean 'align'?"}})
    EXPECT_HAS(errorOfChange(lastArgument(argument)), error);
}

TEST_F(ManifestTest, InitialContents) {
  CaseManifest manifest = load(kGood);
  std::vector<std::string> contents = manifest.shapes[0].initialContents(0x55);
  ASSERT_EQ(contents.size(), 3u);
  EXPECT_EQ(contents[0].size(), 256u);
  EXPECT_EQ(contents[1], std::string("\0\0\0\x3f\0\0\xc0\x7f\0\0\0\xc0", 12));
  EXPECT_EQ(contents[2], std::string(8 * 34, '\x55'));
  // An output that names its contents starts with them.
  manifest = loadChanged([](Json& json) { json["buffers"]["out"]["init"] = "zero"; });
  EXPECT_EQ(manifest.shapes[0].initialContents(0x55)[2], std::string(8 * 34, '\0'));
}

TEST_F(ManifestTest, InitForms) {
  for (const char* init : {R"("zero")", R"("edges")", R"({"fill": 1.5})", R"({"fill": "0x3f800000"})",
                           R"({"iota": {}})", R"({"iota": {"start": 1, "step": 0.5}})", R"({"values": [1]})",
                           R"({"random": {"seed": 7, "min": 0, "max": 1}})"}) {
    CaseManifest manifest =
        loadChanged([&](Json& json) { json["buffers"]["s"]["init"] = Json::parse(init); });
    EXPECT_EQ(manifest.shapes[0].initialContents(0xaa)[1].size(), 12u) << init;
  }
  writeFileAtomically(folder_ / "data.bin", "123456789abc");
  CaseManifest manifest =
      loadChanged([&](Json& json) { json["buffers"]["s"]["init"] = {{"file", "data.bin"}}; });
  EXPECT_EQ(manifest.shapes[0].initialContents(0xaa)[1], "123456789abc");
}

TEST_F(ManifestTest, SourceMayLieElsewhere) {
  fs::create_directories(dir_.path() / "elsewhere/include");
  writeFileAtomically(dir_.path() / "elsewhere/k.ptx", "");
  CaseManifest manifest = loadChanged([&](Json& json) {
    json["source"] = "../elsewhere/k.ptx";
    json["include"] = {"../elsewhere/include"};
    json["define"] = {"N=4", "FAST"};
  });
  EXPECT_EQ(manifest.source.file, fs::canonical(dir_.path() / "elsewhere/k.ptx"));
  EXPECT_EQ(manifest.source.include.at(0), fs::canonical(dir_.path() / "elsewhere/include"));
  EXPECT_EQ(manifest.source.defines, (std::vector<std::string>{"N=4", "FAST"}));
}

TEST_F(ManifestTest, SyntaxErrorsHaveALine) {
  // The position is where the unexpected token ends.
  EXPECT_HAS(errorOf("{\n  \"title\": \"x\",\n  \"source\" \"k.cu\"\n}"), "3:17: syntax error");
  EXPECT_HAS(errorOf(""), "1:1: ");
  EXPECT_HAS(errorOf("{\"title\": \"\xff\"}"), "1:");
  EXPECT_HAS(errorOf(std::string(100, '[')), "nested more than");
  EXPECT_HAS(errorOf(R"({"title": 1e999})"), "1e999");
}

TEST_F(ManifestTest, UnknownKeysNameTheNearest) {
  EXPECT_EQ(errorOfChange([](Json& json) { json["bufers"] = 1; }),
            " /bufers: unknown key; did you mean 'buffers'?");
  EXPECT_EQ(errorOfChange([](Json& json) { json["buffers"]["out"]["typ"] = "u8"; }),
            " /buffers/out/typ: unknown key; did you mean 'type'?");
  EXPECT_EQ(errorOfChange([](Json& json) { json["expect"][0]["verdikt"] = "pass"; }),
            " /expect/0/verdikt: unknown key; did you mean 'verdict'?");
  EXPECT_HAS(errorOfChange([](Json& json) { json["buffers"]["s"]["init"] = {{"randon", 1}}; }),
             "/buffers/s/init/randon: unknown key; did you mean 'random'?");
  EXPECT_HAS(errorOfChange([](Json& json) { json["a~/b"] = 1; }),
             " /a~0~1b: unknown key; known are title, source");
}

TEST_F(ManifestTest, DuplicateKeys) {
  EXPECT_EQ(errorOf(R"({"title": "a", "buffers": {"out": 1, "s": 2, "out": 3}})"),
            " /buffers/out: the key 'out' is given twice");
  EXPECT_EQ(errorOf(R"({"expect": [{}, [1], {"why": 1, "why": 2}]})"),
            " /expect/2/why: the key 'why' is given twice");
}

TEST_F(ManifestTest, MissingKeys) {
  for (const char* key : {"title", "source", "kernel", "grid", "block", "buffers", "args"})
    EXPECT_EQ(errorOfChange([&](Json& json) { json.erase(key); }),
              std::string(" /: '") + key + "' is missing");
  EXPECT_HAS(errorOfChange([](Json& json) { json["buffers"]["s"].erase("type"); }),
             "/buffers/s: 'type' is missing");
  EXPECT_HAS(errorOfChange([](Json& json) { json["expect"][1].erase("verdict"); }),
             "/expect/1: 'verdict' is missing");
}

TEST_F(ManifestTest, MissingFiles) {
  EXPECT_HAS(errorOfChange([](Json& json) { json["source"] = "none.cu"; }), "/source: there is no file");
  EXPECT_HAS(errorOfChange([](Json& json) { json["source"] = "r.cpp"; }), "/source: a .cu or a .ptx");
  EXPECT_HAS(errorOfChange([](Json& json) { json["reference"] = "none.cpp"; }),
             "/reference: there is no file");
  EXPECT_HAS(errorOfChange([](Json& json) { json["include"] = "none"; }), "/include: there is no directory");
  EXPECT_HAS(errorOfChange([](Json& json) { json["define"] = "-o x"; }), "/define: '-o x'");
  EXPECT_THROW(CaseManifest::load(dir_.path() / "nowhere"), Error);
}

TEST_F(ManifestTest, Buffers) {
  EXPECT_EQ(errorOfChange([](Json& json) { json["args"][2] = "oot"; }),
            " /args/2: there is no buffer 'oot'; did you mean 'out'?");
  EXPECT_HAS(errorOfChange([](Json& json) { json["args"].erase(1); }), "/args: the buffer 's' is not among");
  EXPECT_HAS(errorOfChange([](Json& json) {
               json["buffers"]["out"].erase("output");
               json["buffers"]["out"].erase("record");
             }),
             "/buffers: no buffer has");
  EXPECT_HAS(errorOfChange([](Json& json) { json["buffers"]["s"]["type"] = "f33"; }),
             "/buffers/s/type: unknown type 'f33'; did you mean");
  EXPECT_HAS(errorOfChange([](Json& json) { json["buffers"]["s"]["record"] = 4; }),
             "only an output has records");
  EXPECT_HAS(errorOfChange([](Json& json) { json["buffers"]["out"]["compare"] = {{"ulp", 1}}; }),
             "compared by bytes");
  EXPECT_HAS(errorOfChange([](Json& json) { json["buffers"]["out"]["output"] = "yes"; }), "true or false");
  EXPECT_HAS(errorOfChange([](Json& json) { json["buffers"]["a/b"] = json["buffers"]["s"]; }),
             "/buffers/a~1b: ");
  EXPECT_HAS(errorOfChange([](Json& json) { json["buffers"] = Json::array(); }), "/buffers: an object");
}

TEST_F(ManifestTest, Sizes) {
  auto count = [](Json value) { return [value](Json& json) { json["buffers"]["out"]["count"] = value; }; };
  EXPECT_HAS(errorOfChange(count("rows * 18446744073709551615")), "does not fit 64 bits (shape 'small')");
  EXPECT_HAS(errorOfChange(count(2147483648)), "is not within 1 … 1073741824");
  EXPECT_HAS(errorOfChange(count("rows - 4")), "0 is not within");
  EXPECT_HAS(errorOfChange(count(-1)), "/buffers/out/count: a whole number");
  EXPECT_HAS(errorOfChange(count(1.5)), "a whole number");
  EXPECT_HAS(errorOfChange(count("row")), "did you mean 'rows'?");
  EXPECT_HAS(errorOfChange([](Json& json) {
               json["buffers"]["out"]["type"] = "f64";
               json["buffers"]["out"]["count"] = 134217729;
             }),
             "more than 1 GiB");
  EXPECT_HAS(errorOfChange([](Json& json) {
               for (int i = 0; i < 5; ++i)
                 json["buffers"]["big" + std::to_string(i)] = {{"type", "u8"}, {"count", 1 << 30}};
             }),
             "larger than 4 GiB together");
  EXPECT_HAS(errorOfChange([](Json& json) { json["block"] = {32, 33}; }), "/block: 1056 threads a block");
  EXPECT_HAS(errorOfChange([](Json& json) { json["block"] = {1, 1, 65}; }),
             "/block/2: 65 is not within 1 … 64");
  EXPECT_HAS(errorOfChange([](Json& json) { json["grid"] = {1, 65536}; }), "/grid/1: 65536");
  EXPECT_HAS(errorOfChange([](Json& json) { json["grid"] = {0}; }), "/grid/0: 0 is not within");
  EXPECT_HAS(errorOfChange([](Json& json) { json["grid"] = {1, 1, 1, 1}; }), "/grid: one to three");
  EXPECT_HAS(errorOfChange([](Json& json) { json["shared"] = 232449; }), "/shared: ");
  EXPECT_HAS(errorOfChange([](Json& json) { json["buffers"]["out"]["record"] = 4097; }),
             "/buffers/out/record: ");
}

TEST_F(ManifestTest, Shapes) {
  EXPECT_HAS(errorOfChange([](Json& json) { json["shapes"][1]["name"] = "small"; }),
             "/shapes/1/name: two shapes");
  EXPECT_HAS(errorOfChange([](Json& json) { json["shapes"][1]["rows"] = -4; }),
             "/shapes/1/rows: a whole number");
  EXPECT_HAS(errorOfChange([](Json& json) { json["shapes"][1].erase("rows"); }),
             "/grid/0: in the expression 'ceildiv(rows * cols / 32, 8)': unknown variable 'rows'");
  EXPECT_HAS(errorOfChange([](Json& json) { json["shapes"] = Json::array(); }), "/shapes: at least one");
  EXPECT_HAS(errorOfChange([](Json& json) { json["shapes"][0]["a b"] = 1; }), "no name for a variable");
}

TEST_F(ManifestTest, Values) {
  auto init = [](const char* text) {
    return [text](Json& json) { json["buffers"]["s"]["init"] = Json::parse(text); };
  };
  EXPECT_HAS(errorOfChange(init(R"({"fill": 1e39})")),
             "/buffers/s/init: the value 1e+39 does not fit the type f32");
  EXPECT_HAS(errorOfChange(init(R"({"fill": "abc"})")), "'abc' is no value of the type f32");
  EXPECT_HAS(errorOfChange(init(R"({"fill": true})")),
             "/buffers/s/init/fill: a number or a string is expected");
  EXPECT_HAS(errorOfChange(init(R"({"values": [1, 2, 3, 4]})")), "4 values for 3 elements");
  EXPECT_HAS(errorOfChange(init(R"({"values": []})")), "must not be empty");
  EXPECT_HAS(errorOfChange(init(R"({"iota": {"start": 0, "step": 3e38}})")), "does not fit");
  EXPECT_HAS(errorOfChange(init(R"({"random": {"seed": 1, "min": 0}})")), "both min and max");
  EXPECT_HAS(errorOfChange(init(R"({"random": {}})")), "'seed' is missing");
  EXPECT_HAS(errorOfChange(init(R"({"fill": 1, "iota": {}})")), "exactly one of");
  EXPECT_HAS(errorOfChange(init(R"({})")), "exactly one of");
  EXPECT_HAS(errorOfChange(init(R"("one")")), "unknown init 'one'");
  EXPECT_HAS(errorOfChange(init(R"({"file": "none.bin"})")), "cannot read");
  EXPECT_HAS(errorOfChange(init(R"({"file": "k.cu"})")), "has 9 bytes, but the buffer has 12");
}

TEST_F(ManifestTest, Scalars) {
  auto scalar = [](Json value) { return [value](Json& json) { json["args"][3] = value; }; };
  EXPECT_HAS(errorOfChange(scalar({{"u8", 256}})), "/args/3/u8: the value 256 does not fit the type u8");
  EXPECT_HAS(errorOfChange(scalar({{"u8", "rows * 2"}})), "the value 260 does not fit the type u8");
  EXPECT_HAS(errorOfChange(scalar({{"u33", 1}})), "/args/3/u33: unknown type 'u33'");
  EXPECT_HAS(errorOfChange(scalar({{"u32", 1}, {"u8", 1}})), "/args/3: a scalar is written");
  EXPECT_HAS(errorOfChange(scalar(7)), "/args/3: an argument is a buffer's name, {");
  EXPECT_HAS(errorOfChange(scalar({{"f32", "rows"}})), "'rows' is no value of the type f32");
}

TEST_F(ManifestTest, Expectations) {
  auto expect = [](const char* key, Json value) {
    return [key, value](Json& json) { json["expect"][0][key] = value; };
  };
  EXPECT_HAS(errorOfChange(expect("verdict", "wrong")), "/expect/0/verdict: unknown verdict 'wrong'");
  EXPECT_HAS(errorOfChange(expect("blame", "nvidia")), "/expect/0/blame: unknown blame 'nvidia'");
  EXPECT_HAS(errorOfChange(expect("ptxas", "newest")), "/expect/0/ptxas: ");
  EXPECT_HAS(errorOfChange(expect("arch", "[a")), "/expect/0/arch: bad pattern");
  EXPECT_HAS(errorOfChange(expect("opt", Json::array())), "/expect/0/opt: an empty list");
}

TEST_F(ManifestTest, TheFirstMatchingExpectationHolds) {
  CaseManifest manifest = load(kGood);
  auto verdict = [&](const char* nvcc, const char* ptxas, const char* arch, const char* opt) -> std::string {
    const Expectation* found =
        expectationFor(manifest, Version::parse(nvcc).value(), Version::parse(ptxas).value(), arch, opt);
    return found ? found->verdict : "none";
  };
  EXPECT_EQ(verdict("13.0.88", "13.0.88", "sm_120a", "O3"), "mismatch");
  EXPECT_EQ(verdict("13.0.88", "13.0.88", "sm_120a", "O1"), "fault");
  EXPECT_EQ(verdict("13.0.88", "13.1.80", "sm_120a", "O3"), "fault");
  EXPECT_EQ(verdict("13.1.80", "13.1.80", "sm_120a", "O3"), "none");
  EXPECT_EQ(verdict("12.9.86", "12.9.86", "sm_90", "O3"), "fault");
  EXPECT_EQ(verdict("11.8.89", "11.8.89", "sm_90", "O3"), "none");
  EXPECT_EQ(manifest.expect[1].blame, "unknown");
}

TEST_F(ManifestTest, HashFollowsInputsAndLaunchOnly) {
  std::string hash = load(kGood).hash;
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_EQ(loadChanged([](Json& json) {
              json["title"] = "Other";
              json["expect"] = Json::array();
              json["buffers"]["s"]["count"] = "1 + 2";
            }).hash,
            hash);
  std::vector<std::function<void(Json&)>> changes = {
      [](Json& json) { json["kernel"] = "k2"; },
      [](Json& json) { json["block"] = {128}; },
      [](Json& json) { json["args"][5] = {{"f32", 1.25}}; },
      [](Json& json) { json["buffers"]["w"]["init"]["random"]["seed"] = 2; },
      [](Json& json) { json["buffers"]["s"]["init"]["values"][0] = 0.25; },
      [](Json& json) { json["buffers"]["out"]["init"] = "zero"; },
      [](Json& json) { json["shapes"].erase(1); }};
  for (const auto& change : changes)
    EXPECT_NE(loadChanged(change).hash, hash);
}

TEST_F(ManifestTest, HashFollowsAnInputFilesBytes) {
  auto useFile = [](Json& json) { json["buffers"]["s"]["init"] = {{"file", "data.bin"}}; };
  writeFileAtomically(folder_ / "data.bin", "123456789abc");
  std::string hash = loadChanged(useFile).hash;
  writeFileAtomically(folder_ / "data.bin", "123456789abd");
  EXPECT_NE(loadChanged(useFile).hash, hash);
}

TEST_F(ManifestTest, TwoCasesOfOneIdAreRefused) {
  load(kGood);
  EXPECT_EQ(loadCases({dir_.path()}).size(), 1u);
  fs::create_directories(dir_.path() / "other");
  fs::copy(folder_, dir_.path() / "other/a-case", fs::copy_options::recursive);
  try {
    loadCases({dir_.path(), dir_.path() / "other"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_HAS(std::string(error.what()), "two cases are named 'a-case'");
  }
  EXPECT_THROW(loadCases({dir_.path() / "nowhere"}), Error);
}

TEST(Cases, ThoseOfTheProjectLoad) {
  fs::path root = HARNESS_SOURCE_DIR;
  std::vector<CaseManifest> cases = loadCases({root / "repros", root / "cu"});
  std::map<std::string, const CaseManifest*> byId;
  for (const CaseManifest& manifest : cases)
    byId[manifest.id] = &manifest;
  for (const char* id : {"halfstore", "halfstore-u16", "fp8-block-dequant", "fp8-block-dequant-u16"})
    ASSERT_TRUE(byId.contains(id)) << id;
  EXPECT_EQ(byId["fp8-block-dequant"]->shapes.size(), 3u);
  EXPECT_EQ(byId["halfstore"]->shapes[0].buffers[1].byteSize(), 12u * 34);
}

} // namespace
} // namespace harness
