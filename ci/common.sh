# shellcheck shell=bash
# What the scripts of ci/ share; they source it. $root is the checkout, $harness the program it builds.
# Nothing here prints anything about what is already in place.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
harness=$root/build/release/bin/harness

say() {
  printf '%s: %s\n' "ci/$(basename "$0")" "$*" >&2
}

# quietly LOG COMMAND…: COMMAND's output goes to the file LOG and is shown only if it fails; then the script ends.
quietly() {
  local log=$1 status=0
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  [[ $status -eq 0 ]] && return
  cat "$log" >&2
  say "failed with $status: $*"
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
    quietly "$directory/configure.log" cmake -S "$root" --preset "$preset" "${options[@]}"
  fi
  if [[ $(ninja -C "$directory" -n "$@" 2>&1) != *"no work to do"* ]]; then
    say "building build/$preset (log: build/$preset/build.log)"
  fi
  quietly "$directory/build.log" ninja -C "$directory" "$@"
}

# installToolchains NAME…: of matrix/toolchains; a line for each that was not there.
installToolchains() {
  "$harness" --root "$root" toolchain install "$@" 2>&1 </dev/null | sed -u '/ is installed$/d' >&2
}
