#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Instructions that a misplaced compiler argument lets in, on which older processors crash: instructions.py BUILD

Of the library on x86-64: kernels for AVX2 have nothing of AVX-512, kernels for SSE2 and all other code nothing of SSE3 and later. Only
what is chosen when the program runs has more. instructions.py --self-test gives each rule lines that break it."""

import pathlib
import re
import subprocess
import sys

LINE = re.compile(r"^ +[0-9a-f]+:\t(?:(?:lock|rep[nz]*|bnd|notrack|cs|ds|data16) )*(\w+)(.*)$")
LATER = re.compile(
    r"v(?!er[rw])\w+|k(mov|and|or|xor|xnor|not|add|shift|test|unpck|ortest)\w*"  # AVX and later
    r"|addsubp[sd]|h(add|sub)p[sd]|lddqu|mov(sh|sl|d)dup|fisttp\w*"  # SSE3
    r"|pshufb|palignr|pabs\w+|ph(add|sub)\w+|pmaddubsw|pmulhrsw|psign[bwd]"  # SSSE3
    r"|p?blend\w+|round[ps][sd]|dpp[sd]|(extract|insert)ps|p(insr|extr)[bdq]|p(max|min)(sb|sd|uw|ud)|pmov[sz]x\w+|ptest|pcmpeqq"
    r"|packusdw|pmuldq|pmulld|mpsadbw|phminposuw|movntdqa"  # SSE4.1
    r"|pcmpgtq|pcmp[ei]str[im]|crc32\w*|popcnt\w*"  # SSE4.2
    r"|andn|bextr|bls\w+|bzhi|mulx|pdep|pext|rorx|sarx|sh[lr]x|lzcnt\w*|movbe\w*|adcx|adox|aes\w+|pclmul\w+|sha(1|256)\w+")
AVX512 = re.compile(r"%zmm|%k[0-7]|%[xy]mm(1[6-9]|2\d|3[01])\b|^(vfn?m(add|sub)|vcvtp[hs]2p[hs]$|v4fn?madd)")
# The folder of the objects: what no instruction may match, and whether operands are looked at, too.
RULES = {"libabut.a.p": (LATER.fullmatch, False), "libabut-kernels-sse2.a.p": (LATER.fullmatch, False),
         "libabut-kernels-avx2.a.p": (AVX512.search, True)}

NEWER = {"libabut.a.p": ["vaddps %xmm0,%xmm1,%xmm2", "haddps %xmm0,%xmm1", "pshufb %xmm0,%xmm1", "roundsd $1,%xmm0,%xmm1", "popcnt %eax,%ebx",
                         "kmovb %k1,%eax", "shlx %eax,%ebx,%ecx", "pextrd $1,%xmm0,%eax", "lock vmovd %xmm0,%eax"],
         "libabut-kernels-avx2.a.p": ["vaddps %zmm0,%zmm1,%zmm2", "vaddps %ymm16,%ymm1,%ymm2", "vcmpps $1,%ymm0,%ymm1,%k1",
                                      "vfmadd213ps %ymm0,%ymm1,%ymm2"]}
OLDER = {"libabut.a.p": ["addps %xmm0,%xmm1", "pextrw $1,%xmm0,%eax", "pminub %xmm0,%xmm1", "rep stos %al,%es:(%rdi)", "tzcnt %eax,%ebx"],
         "libabut-kernels-avx2.a.p": ["vaddps %ymm0,%ymm1,%ymm15", "vcvtps2pd %xmm0,%ymm1"]}


def newer(folder, lines):
    """The instructions among these lines of objdump that a rule forbids, and how many instructions there are."""
    forbidden, with_operands = RULES[folder]
    found = [match for match in map(LINE.match, lines) if match]
    return [match[1] + match[2] for match in found if forbidden(match[1] + match[2] if with_operands else match[1])], len(found)


def disassembled(objects):
    done = subprocess.run(["objdump", "--disassemble", "--no-show-raw-insn", *objects], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def self_test():
    wrong = [line for folder, lines in NEWER.items() for line in lines if not newer(folder, [f"   1a:\t{line}"])[0]]
    wrong += [line for folder, lines in OLDER.items() for line in lines if newer(folder, [f"   1a:\t{line}"]) != ([], 1)]
    return [f"misjudged: {line}" for line in wrong]


def main():
    if sys.argv[1] == "--self-test":
        problems = self_test()
    else:
        problems = []
        for folder in RULES:
            objects = sorted(map(str, (pathlib.Path(sys.argv[1]) / "src" / folder).glob("*.o")))
            found, count = newer(folder, disassembled(objects)) if objects else ([], 0)
            print(f"{folder}: {count} instructions")
            problems += [f"{folder}: {line}" for line in sorted(set(found))]
            problems += [f"{folder}: no instructions"] if count == 0 else []
    print(*problems, sep="\n")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
