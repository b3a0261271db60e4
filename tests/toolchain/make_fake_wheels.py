"""Makes tiny toolchains out of shell scripts, as wheels and as requirement files:

    make_fake_wheels.py WHEELS_DIR REQUIREMENTS_DIR NAME=BUILD=KIND…

KIND is nvcc, nvrtc or nvdisasm. The scripts print what the real ones print where the harness reads it, so that a
test needs neither network nor compilers. What a wheel gets wrong on purpose: cicc lies in bin/, as in 13.0.48, and
one program lacks its executable bit.
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

wheels_dir, requirements_dir = map(pathlib.Path, sys.argv[1:3])

# @BUILD@ and @MINOR@ are filled in when a script is written.
VERSION = """Copyright (c) 2005-2025 NVIDIA Corporation
Cuda compilation tools, release @MINOR@, V@BUILD@
Build cuda_@MINOR@.r@MINOR@/compiler.12345678_0
"""

# The compiler proper: writes PTX with the head that real ones write. FAKE_HANG names a file that it makes before it
# sleeps, FAKE_FAIL makes it fail.
COMPILER = """
[ -n "$FAKE_HANG" ] && { : >"$FAKE_HANG"; exec sleep 60; }
[ -n "$FAKE_FAIL" ] && { echo "smoke.cu(5): error: no such feature"; exit 1; }
cat >"$output" <<END
//
// Compiler Build ID: CL-12345678
// Cuda compilation tools, release @MINOR@, V@BUILD@
//
.version 9.0
END
"""

READ_OUTPUT = """
while [ $# -gt 0 ]; do
  case $1 in -o|--out) output=$2; shift;; esac
  shift
done
"""

NVCC = """#!/bin/sh
[ "$1" = --version ] && { cat <<END
nvcc: NVIDIA (R) Cuda compiler driver
@VERSION@END
exit; }
here=$(dirname "$0")
[ -x "$here/../nvvm/bin/cicc" ] || { echo "nvcc: cicc not found"; exit 1; }
""" + READ_OUTPUT + COMPILER

PTXAS = """#!/bin/sh
case $1 in
--version) cat <<END
ptxas: NVIDIA (R) Ptx optimizing assembler
@VERSION@END
exit;;
--help) cat <<END
--gpu-name <gpu name>                               (-arch)
        Allowed values for this option:  'compute_75','compute_90a','lto_75','sm_100',
        'sm_90a','sm_75','sm_80'.
        Default value:  'sm_75'.
END
exit;;
esac
for word in "$@"; do case $word in *.ptx) input=$word;; esac; done
if grep -q "99.9" "$input"; then
  echo "ptxas $input, line 1; fatal   : Unsupported .version 99.9; current version is '9.0'" >&2
  exit 255
fi
""" + READ_OUTPUT + """echo cubin >"$output"
"""

NVDISASM = """#!/bin/sh
cat <<END
nvdisasm: NVIDIA (R) CUDA disassembler
@VERSION@END
"""

NVRTC_HELPER = """#!/bin/sh
""" + READ_OUTPUT + COMPILER

HEADERS = {"cuda_runtime.h": "// runtime\n", "cuda_fp16.h": "// fp16\n", "nv/target": "// target\n"}


def wheel(package, version, files):
    """Writes one wheel; `files` is {path: (text, executable)}. Returns its requirement line."""
    stem = f"{package.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    files = dict(files)
    files[f"{info}/METADATA"] = (f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n", False)
    files[f"{info}/WHEEL"] = ("Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n", False)
    record = ""
    for path, (text, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        record += f"{path},sha256={digest},{len(text)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n", False)
    target = wheels_dir / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(target, "w") as archive:
        for path, (text, executable) in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(entry, text)
    return f"{package}=={version} \\\n    --hash=sha256:{hashlib.sha256(target.read_bytes()).hexdigest()}\n"


def make(name, build, kind):
    """Writes the wheels and the requirement file of one toolchain."""
    def script(text):
        text = text.replace("@VERSION@", VERSION)
        return text.replace("@BUILD@", build).replace("@MINOR@", ".".join(build.split(".")[:2]))

    root = "nvidia/cu"
    headers = {f"{root}/include/{path}": (text, False) for path, text in HEADERS.items()}
    lines = [f"# {kind} {build} (made up)\n"]
    if kind == "nvcc":
        lines.append(wheel("nvidia-cuda-nvcc", build, {
            f"{root}/bin/nvcc": (script(NVCC), True),
            f"{root}/bin/nvcc.profile": ("TOP = $(_HERE_)/..\n", False),
            f"{root}/bin/cicc": ("#!/bin/sh\n", True),
            f"{root}/bin/ptxas": (script(PTXAS), False),
            f"{root}/nvvm/libdevice/libdevice.10.bc": ("bitcode", False),
        }))
        lines.append(wheel("nvidia-cuda-runtime", build, headers))
    elif kind == "nvrtc":
        lines.append(wheel("nvidia-cuda-nvcc-cu12", build, {f"{root}/bin/ptxas": (script(PTXAS), True)}))
        lines.append(wheel("nvidia-cuda-nvrtc-cu12", build, {
            f"{root}/lib/libnvrtc.so.12": ("library", False),
            f"{root}/lib/libnvrtc.alt.so.12": ("other library", False),
            f"{root}/lib/libnvrtc-builtins.so.12.9": ("builtins", False),
        } | headers))
        helper = wheels_dir / "harness-nvrtc"
        helper.write_text(script(NVRTC_HELPER))
        helper.chmod(0o755)
    else:
        lines.append(wheel("nvidia-cuda-nvdisasm", build, {f"{root}/bin/nvdisasm": (script(NVDISASM), True)}))
    (requirements_dir / f"{name}.txt").write_text("".join(lines))


for directory in (wheels_dir, requirements_dir):
    directory.mkdir(parents=True, exist_ok=True)
for argument in sys.argv[3:]:
    make(*argument.split("="))
