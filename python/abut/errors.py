# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""The library's errors."""

from .library import lib


class Error(Exception):
    """A call that the library refused; nothing has changed.

    code: the result's name, such as "ABUT_ERROR_HANDLE"; types.h explains each.
    index: the element of a batch that was at fault, where that is known; otherwise None."""

    __module__ = "abut"

    def __init__(self, code, call, index=None):
        super().__init__(code, call, index)
        self.code, self.call, self.index = code, call, index

    def __str__(self):
        at = "" if self.index is None else f", element {self.index}"
        return f"{self.code} ({self.call}{at})"


def check(result, call, index=None):
    if result != 0:
        raise Error(lib.abut_result_name(result).decode(), call, index)
