#!/usr/bin/env python3
"""Makes the cubins of this folder and nvdisasm.table from fill.cu:

    make.py NVCC NVDISASM

A line of the table is an instruction: high word, low word, text as nvdisasm prints it, with targets of branches
relative to the instruction ($+0x10). Some cubins are patched after ptxas: in `unknown` an executed instruction is one
that the table names but no executor has, in `illegal` it is one that the table lacks, in `padding` one behind the
kernel's end is; in `hazard` the sum does not wait for the value that was loaded.
"""

import pathlib
import re
import struct
import subprocess
import sys

nvcc, nvdisasm = sys.argv[1:3]
here = pathlib.Path(__file__).parent
VARIANTS = [("right", "sm_80"), ("right", "sm_90"), ("wrong", "sm_80"), ("unwritten", "sm_80"), ("input", "sm_80"),
            ("outside", "sm_80"), ("forever", "sm_80")]
UNKNOWN = (0x00000000deadbeef, 0x000fc00000000000)
ILLEGAL = (0xffffffffffffffff, 0xffffffffffffffff)


def instructions(cubin):
    """(address, low, high, text) of every instruction."""
    lines = subprocess.run([nvdisasm, "-hex", "-c", cubin], check=True, capture_output=True, text=True).stdout
    found, labels, waiting = [], {}, []
    for line in lines.splitlines():
        if label := re.match(r"(\.L_x_\d+):", line):
            waiting.append(label[1])
        elif first := re.match(r"\s+/\*([0-9a-f]+)\*/\s+(.*?)\s*;\s+/\* (0x[0-9a-f]+) \*/", line):
            address = int(first[1], 16)
            labels |= dict.fromkeys(waiting, address)
            waiting = []
            found.append([address, int(first[3], 16), None, first[2]])
        elif second := re.match(r"\s+/\* (0x[0-9a-f]+) \*/", line):
            found[-1][2] = int(second[1], 16)
    for one in found:
        one[3] = re.sub(r"`\((\.L_x_\d+)\)", lambda label: f"${labels[label[1]] - one[0]:+#x}", one[3])
    return found


table = {(UNKNOWN[1], UNKNOWN[0]): "FROB.X R2, R3"}
for variant, arch in VARIANTS:
    cubin = here / f"{variant}-{arch}.cubin"
    subprocess.run([nvcc, "-std=c++17", "-cubin", f"-arch={arch}", f"-D{variant.upper()}", "-o", cubin,
                    here / "fill.cu"], check=True)
    listing = instructions(cubin)
    table |= {(high, low): text for _, low, high, text in listing}
    if (variant, arch) == ("right", "sm_80"):
        low, high, text = next(one[1:] for one in listing if one[3].startswith("IADD3 R7"))
        WAIT = 0x3F << 52
        table[high & ~WAIT, low] = text
        patches = [("hazard", "IADD3 R7", (low, high & ~WAIT))]
        for name, victim, words in (*patches, ("unknown", "STG", UNKNOWN), ("illegal", "STG", ILLEGAL), ("padding", "BRA", ILLEGAL)):
            low, high = next((low, high) for _, low, high, text in listing if text.startswith(victim))
            bytes_ = cubin.read_bytes()
            old = struct.pack("<QQ", low, high)
            assert bytes_.count(old) == 1
            (here / f"{name}-{arch}.cubin").write_bytes(bytes_.replace(old, struct.pack("<QQ", *words)))
(here / "nvdisasm.table").write_text(
    "".join(f"{high:016x} {low:016x} {text}\n" for (high, low), text in sorted(table.items())))
