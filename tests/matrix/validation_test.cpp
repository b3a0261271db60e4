#include "harness/base/files.h"
#include "harness/matrix/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace harness {
namespace {

using testing::HasSubstr;
using Status = ValidationCheck::Status;
using Json = nlohmann::ordered_json;

/// A case of one input and one output of eight bytes.
class ValidationTest : public testing::Test {
protected:
  ValidationTest() : cache_(directory_.path() / "cache") { write("k.cu", "__global__ void k();\n"); }

  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((directory_.path() / "case" / name).parent_path());
    writeFileAtomically(directory_.path() / "case" / name, text);
  }
  CaseManifest load(const std::function<void(Json&)>& change = {}) {
    Json manifest = Json::parse(R"({"title": "t", "source": "k.cu", "kernel": "k", "grid": [1], "block": [8],
      "buffers": {"in": {"type": "u8", "count": 8}, "out": {"type": "u8", "count": 8, "output": true}},
      "args": ["in", "out"], "reference": "reference.cpp"})");
    if (change) change(manifest);
    write("case.json", manifest.dump());
    return CaseManifest::load(directory_.path() / "case");
  }
  ValidationCheck reference(const std::string& body, const std::function<void(Json&)>& change = {}) {
    write("reference.cpp", "#include \"harness/reference.h\"\n#include <cstdlib>\n#include <ctime>\n"
                           "extern \"C\" void reference(const HarnessLaunch*, void* const* args) {\n"
                           "  auto* out = static_cast<unsigned char*>(args[1]);\n  (void)out;\n" +
                               body + "\n}\n");
    return checkReference(load(change), cache_);
  }
  ValidationCheck expectations(const Json& expect) {
    write("reference.cpp", "");
    return checkExpectations(load([&](Json& manifest) { manifest["expect"] = expect; }),
                             {Version{{12, 9, 86}}, Version{{13, 0, 88}}}, {"sm_80", "sm_90a"});
  }

  TempDir directory_{"validation"};
  ArtifactCache cache_;
};

TEST_F(ValidationTest, AReferenceThatWritesAll) {
  ValidationCheck check = reference("for (int i = 0; i < 8; ++i) out[i] = 0xaa;");
  EXPECT_EQ(check.status, Status::Ok) << check.detail;
  EXPECT_EQ(check.detail, "twice the same 8 bytes of output, all written");
}

TEST_F(ValidationTest, AReferenceThatLeavesBytesAlone) {
  ValidationCheck check = reference("out[3] = 1;");
  EXPECT_EQ(check.status, Status::Note);
  EXPECT_THAT(check.detail, HasSubstr("7 of them left as they were"));
  EXPECT_EQ(reference("").status, Status::Failed);
  EXPECT_THAT(reference("").detail, HasSubstr("it writes nothing"));
  auto isInitialised = [](Json& manifest) { manifest["buffers"]["out"]["init"] = "zero"; };
  EXPECT_EQ(reference("", isInitialised).status, Status::Ok) << "what it holds is defined";
}

TEST_F(ValidationTest, AReferenceThatDependsOnPoison) {
  ValidationCheck check = reference("for (int i = 0; i < 8; ++i) out[i] = i == 5 ? out[i] + 1 : 0;");
  EXPECT_EQ(check.status, Status::Failed);
  EXPECT_THAT(check.detail, HasSubstr("byte 5 of 'out' depends on what"));
}

TEST_F(ValidationTest, AReferenceThatGivesAnotherAnswerEachTime) {
  ValidationCheck check = reference("timespec now; timespec_get(&now, TIME_UTC);\n"
                                    "for (int i = 0; i < 8; ++i) out[i] = now.tv_nsec >> i;");
  EXPECT_EQ(check.status, Status::Failed);
  EXPECT_THAT(check.detail, HasSubstr("another answer each time"));
}

TEST_F(ValidationTest, AReferenceThatIsNone) {
  EXPECT_THAT(reference("std::abort();").detail, HasSubstr("signal 6"));
  EXPECT_THAT(reference("no C++").detail, HasSubstr("does not compile"));
  EXPECT_EQ(reference("", [](Json& manifest) { manifest.erase("reference"); }).status, Status::Note);
}

TEST_F(ValidationTest, SharedFiles) {
  write("common.h", "");
  write("k.cu", "#include \"common.h\"\n");
  write("reference.cpp", "#include \"harness/reference.h\"\n");
  EXPECT_EQ(checkIndependence(load()).status, Status::Ok);
  write("reference.cpp", "// more\n#include \"common.h\"\n");
  EXPECT_THAT(checkIndependence(load()).detail, HasSubstr("includes 'common.h', which the kernel's source"));
  write("reference.cpp", "#include \"./k.cu\"\n");
  EXPECT_EQ(checkIndependence(load()).status, Status::Failed);
  write("reference.cpp", readFile(directory_.path() / "case/k.cu"));
  EXPECT_THAT(checkIndependence(load()).detail, HasSubstr("the reference is the file 'k.cu'"));
}

TEST_F(ValidationTest, ExpectationsThatMatchSomething) {
  EXPECT_EQ(expectations(Json::array()).status, Status::Ok);
  Json good = {{"nvcc", "<13.1"},
               {"ptxas", "13.0"},
               {"arch", "sm_9*"},
               {"opt", {"O?", "G", "O3+fmad=false"}},
               {"verdict", "mismatch"}};
  EXPECT_EQ(expectations(Json::array({good})).status, Status::Ok) << expectations(Json::array({good})).detail;
  struct {
    const char *key, *value, *says;
  } wrong[] = {{"nvcc", "9.9", "/expect/1 matches nothing"},
               {"ptxas", ">13.0,<13.1", "/expect/1 matches nothing"},
               {"arch", "sm_91", "/expect/1 matches nothing"},
               {"opt", "O9", ""}};
  for (const auto& [key, value, says] : wrong) {
    Json bad = good;
    bad[key] = value;
    ValidationCheck check = expectations(Json::array({good, bad}));
    EXPECT_EQ(check.status, Status::Failed) << key;
    EXPECT_THAT(check.detail, HasSubstr(says)) << key;
  }
}

TEST_F(ValidationTest, Manifests) {
  write("reference.cpp", "");
  EXPECT_EQ(checkManifest(load()).detail, "1 shape, 2 buffers (1 output), 2 arguments, 0 expectations");
  EXPECT_EQ(checkManifest(load([](Json& manifest) { manifest["title"] = "TODO: one"; })).status,
            Status::Note);
}

} // namespace
} // namespace harness
