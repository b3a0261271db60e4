# shellcheck shell=bash
# What the scripts of ci/ share; they source it. $root is the checkout, $harness the program it builds.
# Nothing here prints anything about what is already in place.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
harness=$root/build/release/bin/harness

say() {
  printf '%s: %s\n' "ci/$(basename "$0")" "$*" >&2
}

# fail LOG WHAT: shows the file LOG, says that WHAT failed, and ends the script.
fail() {
  cat "$1" >&2
  say "$2 failed (above)"
  exit 3
}

# build PRESET [-DNAME=VALUE…] [-- TARGET…]: configures build/PRESET if it is new or options are given, and brings
# the targets up to date (default: all).
build() {
  local preset=$1 directory=$root/build/$1 options=()
  shift
  while [[ $# -gt 0 && $1 != -- ]]; do
    options+=("$1")
    shift
  done
  [[ $# -eq 0 ]] || shift
  if [[ ! -f $directory/build.ninja || ${#options[@]} -gt 0 ]]; then
    if command -v ccache >/dev/null; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
    mkdir -p "$directory"
    cmake -S "$root" --preset "$preset" "${options[@]}" >"$directory/configure.log" 2>&1 </dev/null ||
      fail "$directory/configure.log" "cmake --preset $preset"
  fi
  # What it does is shown on failure only; that it has something to do, at once.
  ninja -C "$directory" "$@" </dev/null 2>&1 |
    awk -v file="$directory/build.log" -v line="ci/$(basename "$0"): building build/$preset (log: build/$preset/build.log)" '
      BEGIN { printf "" >file }
      /^\[[0-9]+\/[0-9]+\] (Building|Linking)/ && !said { print line >"/dev/stderr"; fflush("/dev/stderr"); said = 1 }
      { print >file; fflush(file) }' || fail "$directory/build.log" "the build"
}

# installToolchains NAME…: of matrix/toolchains; a line for each that was not there.
installToolchains() {
  "$harness" --root "$root" toolchain install "$@" 2>&1 </dev/null | sed -u '/ is installed$/d' >&2
}
