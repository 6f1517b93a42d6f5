#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Parts of fast-math: fast_math.py TOP SCRATCH COMPILER. Each is refused by the compiler (compiler.h), or noticed when a world,
a hull or a mesh is made (base/arithmetic.c), or changes nothing. Usual options are neither refused nor noticed. And with
contraction off nothing is fused, and nothing that is rounded to float goes on in double: gcc's vectoriser, which compiler.h turns
off, would do both."""

import pathlib
import subprocess
import sys

PROGRAM = """#include "base/compiler.h"
#include "base/arithmetic.h"
#include <stdio.h>
int main(void) {
    puts(abut_arithmetic_is_exact() ? "exact" : "noticed");
    return 0;
}
"""
NEIGHBOURS = """#include "base/compiler.h"
void neighbours(double *r, const double *a, const double *b, const double *c) {
    double x = a[0] * b[0] - c[0], y = a[1] * b[1] + c[1];
    r[0] = x;
    r[1] = y;
}
"""
ROUNDED = """#include "base/compiler.h"
#include <stdio.h>
struct pair { float x, y; };
__attribute__((noinline)) static void rounded(struct pair *p, const double *d, double k, double *out) {
    p->x = (float)(d[0] * k);
    p->y = (float)(d[1] * k);
    out[0] = (double)p->x + 1;
    out[1] = (double)p->y + 1;
}
__attribute__((noinline)) static void row(float *restrict p, const double *restrict d, double k, double *restrict out) {
    for (int i = 0; i < 64; i++) {
        p[i] = (float)(d[i] * k);
        out[i] = (double)p[i] + 1;
    }
}
int main(void) {
    struct pair p;
    double d[64], out[64];
    float f[64];
    for (int i = 0; i < 64; i++) {
        d[i] = 1 + i;
    }
    rounded(&p, d, 0.1, out);
    int well = out[0] == 1 + (double)0.1f && out[1] == 1 + (double)0.2f;
    row(f, d, 0.1, out);
    for (int i = 0; i < 64; i++) {
        volatile float kept = (float)(d[i] * 0.1);
        well &= out[i] == 1 + (double)kept;
    }
    puts(well ? "rounded" : "not rounded");
    return 0;
}
"""
UNSAFE = ["-ffast-math", "-Ofast", "-funsafe-math-optimizations", "-freciprocal-math",
          "-fassociative-math -fno-signed-zeros -fno-trapping-math"]
SAFE = ["", "-fno-math-errno", "-fno-trapping-math", "-march=native", "-march=native -ffp-contract=on"]
ROUNDING = ["-O2", "-O3", "-O3 -march=native"]


def verdict(top, scratch, compiler, options, program_text=PROGRAM):
    source, program = scratch / "fast_math.c", scratch / "fast_math"
    source.write_text(program_text, encoding="utf-8")
    command = [*compiler, "-std=c17", "-O2", *options.split(), f"-I{top / 'src'}", str(source), str(top / "src/base/arithmetic.c"),
               "-o", str(program), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return "refused" if "must not be compiled with fast-math" in done.stderr else done.stderr
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.strip()


def fuses(top, scratch, compiler):
    """Whether the compiler fuses an addition beside a subtraction; False where it knows no such instructions."""
    source = scratch / "neighbours.c"
    source.write_text(NEIGHBOURS, encoding="utf-8")
    command = [*compiler, "-std=c17", "-O3", "-mavx2", "-mfma", "-ffp-contract=off", f"-I{top / 'src'}", "-S", "-o", "-", str(source)]
    return "vfm" in subprocess.run(command, capture_output=True, text=True, check=False).stdout


def main():
    top, scratch, compiler = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    scratch.mkdir(parents=True, exist_ok=True)
    bad = []
    for options in UNSAFE:
        answer = verdict(top, scratch, compiler, options)
        print(f"{options}: {answer}")
        bad += [options] if answer not in ("refused", "noticed") else []
    for options in SAFE:
        answer = verdict(top, scratch, compiler, "-ffp-contract=off " + options)
        print(f"{options or 'usual'}: {answer}")
        bad += [options] if answer != "exact" else []
    for options in ROUNDING:
        answer = verdict(top, scratch, compiler, "-ffp-contract=off " + options, ROUNDED)
        print(f"{options}: {answer}")
        bad += [options] if answer != "rounded" else []
    bad += ["-mfma"] if fuses(top, scratch, compiler) else []
    print(*(f"wrong: {options}" for options in bad), sep="\n")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
