# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors

"""Calls of a world that are under way, and what Python raises while C code calls it."""

import functools
import sys
import threading

from .errors import Error


class Call:
    """A call that is under way, while a `with` runs. handle.calls has the frame of each: Ctrl-C may end a `with` before the
    first line of __exit__, or after the last of __enter__, so a call whose frame no thread runs is over as well."""

    asks = False  # whether the library reads the world while Python is called

    def __init__(self, handle):
        self.handle, self.thread = handle, threading.get_ident()

    def begin(self, frame):
        self.handle.calls[self] = frame

    def end(self):
        self.handle.calls.pop(self, None)


def runs(frame):
    """Whether any thread is within the function of this frame."""
    for inner in sys._current_frames().values():
        while inner is not None:
            if inner is frame:
                return True
            inner = inner.f_back
    return False


class Change(Call):
    """One call at a time changes a world: none of another thread, and none while an `accept` is asked, when the library
    reads it. What a thread calls within its own call the library refuses."""

    def __init__(self, handle, call):
        super().__init__(handle)
        self.call = call

    def __enter__(self):
        self.begin(sys._getframe(1))
        for other, frame in list(self.handle.calls.items()):  # those that began earlier
            if other is self:
                break
            if not runs(frame):
                other.end()
            elif other.asks or other.thread != self.thread:
                self.end()
                raise Error("ABUT_ERROR_BUSY", self.call)
        return self.handle

    def __exit__(self, *_):
        self.end()


class Caught:
    """Has methods that C code calls between listen() and reraise(), which raises their first exception: C code cannot be
    unwound. They catch what they call. What Python raises before their first line, as for Ctrl-C, only
    sys.unraisablehook gets; signals are handled in the main thread."""

    raised = hook = None

    def listen(self):
        self.raised = None
        if threading.current_thread() is threading.main_thread():
            self.hook = sys.unraisablehook = functools.partial(self.unraisable, sys.unraisablehook)

    def unraisable(self, before, args):
        """From Python 3.13 on args has no object, but its description."""
        if getattr(args.object, "__self__", None) is not self and repr(self) not in (args.err_msg or ""):
            before(args)
        elif self.raised is None:
            self.raised = args.exc_value

    def reraise(self):
        if self.hook is not None and sys.unraisablehook is self.hook:
            sys.unraisablehook = self.hook.args[0]
        raised, self.raised, self.hook = self.raised, None, None
        if raised is not None:
            raise raised
