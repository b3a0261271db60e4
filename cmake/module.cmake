# Flags every target of the project is compiled with.
add_library(harness_flags INTERFACE)
target_compile_options(harness_flags INTERFACE -Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 raises -Wrestrict falsely on std::string concatenation (GCC bug 105651).
  target_compile_options(harness_flags INTERFACE -Wno-restrict)
endif()
if(HARNESS_WERROR)
  target_compile_options(harness_flags INTERFACE -Werror)
endif()
if(HARNESS_SANITIZE)
  target_compile_options(harness_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(harness_flags INTERFACE -fsanitize=address,undefined)
endif()
target_include_directories(harness_flags INTERFACE ${PROJECT_SOURCE_DIR})

# LLVM as a system library, so that its headers raise no warnings of ours.
add_library(harness_llvm INTERFACE)
target_include_directories(harness_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(harness_llvm INTERFACE LLVM)
target_link_directories(harness_llvm INTERFACE ${LLVM_LIBRARY_DIRS})

# harness_module(NAME [EXECUTES] SOURCES … DEPENDS …): one folder of harness/ as a static library harness_NAME.
# Dependencies are named module by module: what is not named cannot be linked, so they stay one way. EXECUTES: it
# runs more than it is compiled, also where sanitizers build without optimisation.
function(harness_module name)
  cmake_parse_arguments(ARG "EXECUTES" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(harness_${name} STATIC ${ARG_SOURCES})
  if(ARG_EXECUTES AND HARNESS_SANITIZE)
    target_compile_options(harness_${name} PRIVATE -O1)
  endif()
  target_link_libraries(harness_${name} PUBLIC harness_flags harness_llvm Threads::Threads ${ARG_DEPENDS})
endfunction()

# All tests but those of whole runs.
add_custom_target(module_tests)

# harness_test(NAME SOURCES … DEPENDS … [LABEL …]): one GoogleTest binary for one module, its tests found at build time.
function(harness_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SOURCES;DEPENDS" ${ARGN})
  set(labels "")
  if(ARG_LABEL)
    set(labels LABELS ${ARG_LABEL})
  endif()
  add_executable(${name}_test ${ARG_SOURCES})
  if(NOT ARG_LABEL STREQUAL "program")
    add_dependencies(module_tests ${name}_test)
  endif()
  # Tests are compiled more often than they run.
  target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(${name}_test PRIVATE harness_flags GTest::gtest_main GTest::gmock ${ARG_DEPENDS})
  gtest_discover_tests(${name}_test DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300 ${labels})
endfunction()

# harness_code_version(HEADER NAME MODULES …): writes HEADER with `inline constexpr std::string_view harness::NAME`, a
# hash of the sources of these modules. Part of the keys of what is remembered, so that a change of the code that
# computes it computes it anew.
function(harness_code_version header name)
  set(hashes "")
  foreach(module ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/harness/${module}/*.cpp ${PROJECT_SOURCE_DIR}/harness/${module}/*.h)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
    foreach(source ${sources})
      file(SHA256 ${source} hash)
      string(APPEND hashes ${hash})
    endforeach()
  endforeach()
  string(SHA256 version "${hashes}")
  string(SUBSTRING ${version} 0 16 version)
  file(CONFIGURE OUTPUT ${header} CONTENT [[
#pragma once

#include <string_view>

namespace harness {
inline constexpr std::string_view @name@ = "@version@";
} // namespace harness
]] @ONLY)
endfunction()
