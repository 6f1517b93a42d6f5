# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Small wrong variants of a C source: one place, written differently.

What a careless hand could have written: a comparison the wrong way round, a bound off by one, `or` for `and`, a sign, a
number, a slack that is gone, a branch that is never taken. Left alone are prefetches, and which of two equal values a
minimum takes (`a < b ? a : b`), as no answer depends on them. Sizes of arrays and enumerators are left alone (a size with a
name changes everywhere at once, which is another program and not a wrong one), and so are assertions and what the
preprocessor reads.
"""

import re
from typing import NamedTuple

KINDS = {
    "comparison": "a comparison the wrong way round",
    "bound": "a bound off by one",
    "logic": "`or` for `and`, `and` for `or`",
    "sign": "plus for minus, minus for plus",
    "number": "a whole number off by one",
    "slack": "a slack that is gone",
    "branch": "a branch that is never taken",
    "loop": "a loop that is left at once",
}

OTHER_WAY = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
OFF_BY_ONE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OTHER_LOGIC = {"&&": "||", "||": "&&"}
OTHER_SIGN = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}

TOKEN = re.compile(r"""
    (?P<skip>/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<number>(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?\d+)?|\.?\d[\d.]*(?:[eE][+-]?\d+)?)[a-zA-Z]*)
  | (?P<mark>->|\+\+|--|<<=?|>>=?|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^!~<>=?:;,.(){}\[\]])
""", re.S | re.M | re.X)
UNCHANGED = ("assert", "_Static_assert", "static_assert", "sizeof", "offsetof")
TINY = re.compile(r"0x[\d.]+p-\d+f?|\d[\d.]*e-\d+f?")
WHOLE = re.compile(r"\d+")


class Variant(NamedTuple):
    path: str  # from src/
    line: int
    kind: str
    start: int
    end: int
    new: str

    def apply(self, text):
        return text[:self.start] + self.new + text[self.end:]

    def lines(self, text):
        """The line as it is and as it would be."""
        first = text.rfind("\n", 0, self.start) + 1
        last = text.find("\n", self.end)
        last = len(text) if last < 0 else last
        return text[first:last].strip(), (text[first:self.start] + self.new + text[self.end:last]).strip()


def closing(tokens, i):
    """The index of the bracket that closes the one at i."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    opening, depth = tokens[i].group(), 0
    for k in range(i, len(tokens)):
        depth += (tokens[k].group() == opening) - (tokens[k].group() == pairs[opening])
        if depth == 0:
            return k
    return len(tokens) - 1


def is_declared(tokens, i):
    """Whether the name at i is that of a variable where it is declared: `int a`, or the b of `int a = f(x, y), b`."""
    before = tokens[i - 1]
    if before.lastgroup == "word":
        return before.group() not in ("return", "else")
    if before.group() != ",":
        return False
    depth, k = 0, i - 1
    while k >= 0 and depth >= 0 and tokens[k].group() != ";":
        depth += (tokens[k].group() in (")", "]", "}")) - (tokens[k].group() in ("(", "[", "{"))
        k -= 1
    first = tokens[k + 2:k + 4] if depth < 0 else tokens[k + 1:k + 3]
    return len(first) == 2 and first[0].lastgroup == first[1].lastgroup == "word" and first[0].group() != "return"


def left_alone(tokens):
    """Indices of tokens inside enumerations, assertions, prefetches and the sizes of arrays that are declared."""
    alone = set()
    for i, token in enumerate(tokens):
        word = token.group()
        if (word in UNCHANGED or word.startswith("ABUT_PREFETCH")) and i + 1 < len(tokens):
            if tokens[i + 1].group() == "(":
                alone.update(range(i, closing(tokens, i + 1) + 1))
        elif word == "enum":
            k = i + 1 + (i + 1 < len(tokens) and tokens[i + 1].group() != "{")
            if k < len(tokens) and tokens[k].group() == "{":
                alone.update(range(i, closing(tokens, k) + 1))
        elif word == "[" and i >= 2:
            of_more = tokens[i - 1].group() == "]" and i - 1 in alone
            if of_more or tokens[i - 1].lastgroup == "word" and is_declared(tokens, i - 1):
                alone.update(range(i, closing(tokens, i) + 1))
    return alone


def is_binary(tokens, i):
    """Whether the sign at i stands between two operands."""
    before = tokens[i - 1]
    return before.lastgroup in ("word", "number") and before.group() not in ("return", "case") or \
        before.group() in (")", "]")


def of_condition(tokens, i, make):
    """A variant of the condition in the brackets after an `if`: never true."""
    if i + 1 < len(tokens) and tokens[i + 1].group() == "(":
        opening, end = tokens[i + 1], tokens[closing(tokens, i + 1)]
        text = opening.string[opening.end():end.start()]
        if "\n" not in text:
            make("branch", opening.end(), end.start(), f"({text}) && false")


def until(tokens, i, marks):
    """What is written from token i to the first of these marks outside brackets, as a list of words and marks."""
    texts, depth = [], 0
    for token in tokens[i:]:
        text = token.group()
        if depth == 0 and text in marks or text == ";" or depth < 0:
            break
        depth += (text in ("(", "[")) - (text in (")", "]"))
        texts.append(text)
    return texts


def is_choice(tokens, i):
    """Whether the comparison at i chooses between its own operands: a < b ? a : b, or a < b ? b : a."""
    right = until(tokens, i + 1, ("?", ")", ","))
    first = until(tokens, i + 2 + len(right), (":", ")", ","))
    second = until(tokens, i + 3 + len(right) + len(first), (")", ",", "]", "}", ":"))
    left = second if first == right else first
    begin = i - len(left)
    return bool(left) and right in (first, second) and [t.group() for t in tokens[begin:i]] == left and \
        tokens[begin - 1].group() in ("=", "(", ",", "return", "[", "{", "?", ":")


def of_mark(tokens, i, make):
    token = tokens[i]
    mark = token.group()
    replace = lambda kind, new: make(kind, token.start(), token.end(), new)
    if mark in OTHER_WAY:
        replace("comparison", OTHER_WAY[mark])
    if mark in OFF_BY_ONE and not is_choice(tokens, i):
        replace("bound", OFF_BY_ONE[mark])
    if mark in OTHER_LOGIC:
        replace("logic", OTHER_LOGIC[mark])
    if mark in ("+", "-") and is_binary(tokens, i) or mark in ("+=", "-="):
        replace("sign", OTHER_SIGN[mark])


def of_number(tokens, i, make):
    token = tokens[i]
    number = token.group()
    if TINY.fullmatch(number):
        make("slack", token.start(), token.end(), "0.0f" if number.endswith("f") else "0.0")
    elif WHOLE.fullmatch(number):
        make("number", token.start(), token.end(), str(int(number) + 1))


def of_loop(tokens, i, make):
    """A variant of `for (...; condition; ...)` whose condition is never true."""
    if i + 1 >= len(tokens) or tokens[i + 1].group() != "(":
        return
    end, marks = closing(tokens, i + 1), []
    for k in range(i + 2, end):
        if tokens[k].group() == ";":
            marks.append(k)
    if len(marks) == 2:
        start, stop = tokens[marks[0]].end(), tokens[marks[1]].start()
        text = tokens[i].string[start:stop].strip()
        if text and "\n" not in text:
            make("loop", start, stop, f" ({text}) && false")


def variants_of(path, text):
    """All variants of a source, in the order of their places."""
    tokens = [t for t in TOKEN.finditer(text) if t.lastgroup != "skip"]
    alone, found, depth = left_alone(tokens), [], 0

    def make(kind, start, end, new):
        found.append(Variant(path, text.count("\n", 0, start) + 1, kind, start, end, new))

    for i, token in enumerate(tokens):
        word = token.group()
        depth += (word == "{") - (word == "}")
        if i in alone:
            continue
        if token.lastgroup == "mark" and depth > 0:
            of_mark(tokens, i, make)
        elif token.lastgroup == "number" and (depth > 0 or TINY.fullmatch(word)):
            of_number(tokens, i, make)
        elif word == "if":
            of_condition(tokens, i, make)
        elif word == "for":
            of_loop(tokens, i, make)
    return found
