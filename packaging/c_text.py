# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""The parts of C that the amalgamation needs: tokens, conditionals, declarations, renaming.

This is not a parser: it relies on how this tree is written and formatted. A mistake gives a file that does not compile.
"""
import re
from typing import NamedTuple

TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<space>\s+|\\\n)
  | (?P<mark>->|\.\.\.|.)
""", re.S | re.M | re.X)
DIRECTIVE = re.compile(r"\s*#\s*(\w+)\s*(.*)", re.S)
PASTING = re.compile(r"(\w+)\((\w+)\)\s+(?:(\w+)\s*##\s*\2|\2\s*##\s*(\w+))")
QUALIFIERS = {"const", "volatile", "restrict", "static", "inline", "extern", "_Atomic"}
UNNAMED = ("comment", "space", "directive")


class Token(NamedTuple):
    kind: str
    text: str


class Failure(Exception):
    """The text has a form that this module does not understand."""


def tokens_of(text):
    return [Token(found.lastgroup, found[0]) for found in TOKEN.finditer(text)]


def text_of(tokens):
    return "".join(token.text for token in tokens)


def directive(token):
    """(word, rest) of a directive, ("", "") of anything else."""
    if token.kind != "directive":
        return "", ""
    found = DIRECTIVE.match(token.text)
    return found[1], found[2]


def without_guard(tokens):
    """The header `tokens` without its include guard."""
    at = [i for i, token in enumerate(tokens) if token.kind == "directive"]
    first, second, last = (directive(tokens[i]) for i in (at[0], at[1], at[-1])) if len(at) > 2 else [("", "")] * 3
    if first[0] != "ifndef" or second != ("define", first[1]) or last[0] != "endif":
        raise Failure("a header without an include guard")
    return tokens[:at[0]] + tokens[at[1] + 1:at[-1]]


def without_comments(tokens):
    """`tokens` as text without comments and without empty lines."""
    text = text_of(Token("space", " ") if token.kind == "comment" else token for token in tokens)
    text = re.sub(r"[ \t]+(?=\n)", "", text)
    return re.sub(r"\n{2,}", "\n", text)


def truth(condition, prefix, defined):
    """Whether `condition` holds, where it only tests names that begin with `prefix`; `defined`: those that are defined."""
    bare = re.sub(r"//.*|/\*.*?\*/|\\\n", " ", condition, flags=re.S)
    python = re.sub(rf"defined\s*(\(\s*)?({prefix}\w+)(?(1)\s*\))", lambda found: str(found[2] in defined), bare)
    python = python.replace("&&", " and ").replace("||", " or ").replace("!", " not ")
    if re.search(r"[^\s()]", re.sub(r"\b(True|False|and|or|not)\b", "", python)):
        raise Failure(f"a condition on {prefix}... and other things: {condition}")
    return bool(eval(python.strip(), {"__builtins__": {}}))


def decided(tokens, prefix, defined):
    """`tokens` with the conditionals on names with `prefix` resolved: only the branches that hold are left."""
    out, chain = [], []  # for each open conditional: None if it is kept, or [a branch was taken, this branch holds]
    for token in tokens:
        word, rest = directive(token)
        ours = bool(chain) and chain[-1] is not None
        if word in ("if", "ifdef", "ifndef"):
            if prefix in rest:
                holds = truth(rest if word == "if" else f"{'!' * (word == 'ifndef')}defined({rest})", prefix, defined)
                chain.append([holds, holds])
                continue
            chain.append(None)
        elif word == "endif":
            if not chain:
                raise Failure("an #endif without an #if")
            chain.pop()
            if ours:
                continue
        elif word in ("elif", "else") and ours:
            holds = not chain[-1][0] and (word == "else" or truth(rest, prefix, defined))
            chain[-1] = [chain[-1][0] or holds, holds]
            continue
        elif word == "elif" and prefix in rest:
            raise Failure(f"an #elif tests {prefix}... where the #if does not")
        if all(link is None or link[1] for link in chain):
            out.append(token)
    return out


def pasting_macros(tokens):
    """{macro: (before, after)} for the macros that `tokens` define as `before##name##after`, one of them empty."""
    defined = (PASTING.fullmatch(rest.strip()) for word, rest in map(directive, tokens) if word == "define")
    return {found[1]: (found[3] or "", found[4] or "") for found in defined if found}


def with_pasted(tokens, pasting):
    """(`tokens` with calls of these macros replaced by the names they make, and without their definitions; those names)"""
    out, made, tokens = [], set(), iter(tokens)
    for token in tokens:
        if token.kind == "name" and token.text in pasting:
            opening, name, closing = next(tokens), next(tokens), next(tokens)
            if opening.text + closing.text != "()" or name.kind != "name":
                raise Failure(f"{token.text} without a name")
            token = Token("name", name.text.join(pasting[token.text]))
            made.add(token.text)
        word, rest = directive(token)
        if word != "define" or re.match(r"\w+", rest)[0] not in pasting:
            out.append(token)
    return out, made


def at_top(tokens):
    """(token, whether it is outside of all conditionals) for each token."""
    depth = 0
    for token in tokens:
        word = directive(token)[0]
        depth -= word == "endif"
        yield token, depth == 0
        depth += word in ("if", "ifdef", "ifndef")


class Item(NamedTuple):
    """A declaration or definition at file scope: tokens[first:end], and the texts of its tokens without space and comments."""
    first: int
    end: int
    words: list
    is_body: bool


def is_macro_call(words):
    """Whether these are the words of a macro call at file scope, such as FIELDS(name)."""
    return len(words) > 2 and words[0].isupper() and words[1] == "(" and words[-1] == ")"


def items_of(tokens):
    items, first, words, depth, is_body = [], None, [], 0, False
    for at, token in enumerate(tokens):
        if token.kind in UNNAMED:
            continue
        first = at if first is None else first
        if token.text in "({[":
            is_body = is_body or (depth == 0 and token.text == "{" and words[-1] == ")" and "=" not in words)
            depth += 1
        elif token.text in ")}]":
            depth -= 1
        words.append(token.text)
        if depth == 0 and (token.text == ";" or (token.text == "}" and is_body) or is_macro_call(words)):
            items.append(Item(first, at + 1, words, is_body))
            first, words, is_body = None, [], False
    if depth or words:
        raise Failure("a bracket is not closed")
    return items


def matching(words, at):
    """The index of the bracket that closes words[at]."""
    depth = 0
    for end in range(at, len(words)):
        depth += (words[end] in "({[") - (words[end] in ")}]")
        if depth == 0:
            return end
    raise Failure("a bracket is not closed")


def is_name(word):
    return re.fullmatch(r"[A-Za-z_]\w*", word) is not None


def tags_and_enumerators(item):
    words = item.words
    for at, word in enumerate(words):
        if word in ("struct", "union", "enum"):
            open_at = at + 1 + is_name(words[at + 1])
            if open_at == at + 2 and (words[open_at] == "{" or (open_at == 2 and words[open_at] == ";")):
                yield words[at + 1]
            if word == "enum" and words[open_at] == "{":
                body = words[open_at:matching(words, open_at)]
                yield from (name for before, name in zip(body, body[1:]) if before in "{," and is_name(name))


def declarators(item):
    """The names that the item declares, of functions, variables or types."""
    words, at, expected = item.words, 0, False
    while at < len(words):
        word = words[at]
        if word in ("struct", "union", "enum"):
            at += 1 + is_name(words[at + 1])
            at = matching(words, at) + 1 if words[at] == "{" else at
            expected = True
        elif word == "=":
            while words[at] not in (",", ";"):
                at = matching(words, at) + 1 if words[at] in ("(", "{", "[") else at + 1
        elif word == "(" and words[at + 1] == "*":
            group = words[at:matching(words, at)]
            yield next(name for name in group if is_name(name) and name not in QUALIFIERS)
            at = matching(words, at) + 1
            at = matching(words, at) + 1 if words[at] == "(" else at
        elif is_name(word) and word not in QUALIFIERS:
            after = words[at + 1]
            if expected and after in ("(", "[", "=", ",", ";"):
                yield word
                if after == "(":
                    return
            expected = True
            at += 1
        elif word == "[":
            at = matching(words, at) + 1
        else:
            at += 1


def declared(item):
    """(names that the item introduces, whether they have external linkage)"""
    words = item.words
    if words[0] == "_Static_assert" or is_macro_call(words):
        return set(), False
    names = set(tags_and_enumerators(item)) if not item.is_body else set()
    objects = set(declarators(item))
    linked = bool(objects) and not {"typedef", "static", "inline"} & set(words[:words.index(next(iter(objects)))])
    return names | objects, linked


def macros(tokens):
    """The names of all macros that `tokens` define."""
    return {re.match(r"\w+", rest)[0] for word, rest in map(directive, tokens) if word == "define"}


def renamed(tokens, new):
    """`tokens` with each name of the dictionary `new` replaced, except members of structures."""
    out, before, braces = [], ["", ""], []
    words = [(at, token) for at, token in enumerate(tokens) if token.kind not in UNNAMED]
    after = {at: tokens[next_at].text for (at, _), (next_at, _) in zip(words, words[1:])}
    for at, token in enumerate(tokens):
        if token.kind == "directive":
            out.append(Token("directive", renamed_directive(token.text, new)))
            continue
        if token.kind in UNNAMED:
            out.append(token)
            continue
        if token.text in ("{", "(", "["):
            is_struct = token.text == "{" and {"struct", "union"} & set(before)
            braces.append("members" if is_struct else token.text)
        elif token.text in ("}", ")", "]"):
            braces.pop()
        elif token.text in new:
            member = before[-1] in (".", "->")
            if braces and braces[-1] == "members":
                member = member or after[at] in (";", ",", "[", ":")
            token = token if member else Token("name", new[token.text])
        out.append(token)
        before = [before[-1], token.text]
    return out


def renamed_directive(text, new):
    start = DIRECTIVE.match(text).start(2)
    body = [token for token in tokens_of(text[start:])]
    return text[:start] + text_of(renamed(body, new) if body else body)
