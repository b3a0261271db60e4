#!/bin/sh
# Makes the cubins of this folder from its sources. $1 is a folder with one toolchain (or a link to one) a version
# below it, each with its programs in bin/.
# The older versions have no nvcc: their ptxas gets the PTX of 13.0.88 with a lower .version.
set -eu
cd "$(dirname "$0")"
toolchains=$1

build() { # FRONT-END PTXAS ARCH SOURCE PTX-VERSION CUBIN OPTION
  "$toolchains/$1/bin/nvcc" -std=c++17 -ptx -arch="$3" -o "$4.ptx" "$4.cu"
  sed -i "s/^\.version .*/.version $5/" "$4.ptx"
  "$toolchains/$2/bin/ptxas" -v -arch="$3" "$7" -o "$6" "$4.ptx"
  rm "$4.ptx"
}

build 13.0.88 11.8.89 sm_75   scale 7.8 scale-11.8.89-sm_75.cubin   -O3
build 13.0.88 12.9.86 sm_90   scale 8.8 scale-12.9.86-sm_90.cubin   -O3
build 13.0.88 13.0.88 sm_120a scale 9.0 scale-13.0.88-sm_120a.cubin -O3
build 13.5.37 13.5.37 sm_100a scale 9.0 scale-13.5.37-sm_100a.cubin -O3
build 13.0.88 13.0.88 sm_75   calls 9.0 calls-13.0.88-sm_75-g.cubin   -g
build 13.0.88 13.0.88 sm_120a calls 9.0 calls-13.0.88-sm_120a-g.cubin -g
build 13.0.88 12.0.76 sm_90   calls 8.0 calls-12.0.76-sm_90.cubin    -O3
