#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the abut authors
"""Serves several folders as one, to this machine only; the first that has a file wins. FILE.gz beside FILE is FILE, compressed.
Without a port argument it uses the first free port from 8000 on."""

import argparse
import errno
import http.server
import os
import sys

ADDRESS = "127.0.0.1"
PORTS = range(8000, 8100)


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".mjs": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
    }
    folders = []

    def translate_path(self, path):
        for self.directory in self.folders:
            found = super().translate_path(path)
            if os.path.exists(found):
                break
        return found

    def send_head(self):
        path = self.translate_path(self.path)
        accepted = self.headers.get("Accept-Encoding", "")
        if "gzip" not in accepted or not os.path.isfile(path) or not os.path.isfile(path + ".gz"):
            return super().send_head()
        packed = open(path + ".gz", "rb")
        self.send_response(http.HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(os.fstat(packed.fileno()).st_size))
        self.end_headers()
        return packed

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *message):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = os.name != "nt"  # there it would also allow a port on which another server listens

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):  # the browser closed the connection
            super().handle_error(request, client_address)


def server_at_first(ports):
    for port in ports:
        try:
            return Server((ADDRESS, port), Handler)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            reason = error.strerror
    which = f"port {ports[0]}" if len(ports) == 1 else f"ports {ports[0]} to {ports[-1]}"
    sys.exit(f"serve.py: {which}: {reason}; name another one")


def port_number(text):
    port = int(text)
    if not 0 <= port <= 65535:
        raise ValueError
    return port


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=port_number, help="0: any that is free")
    parser.add_argument("folder", nargs="+")
    arguments = parser.parse_args()
    Handler.folders = arguments.folder
    server = server_at_first(PORTS if arguments.port is None else [arguments.port])
    print(f"http://{ADDRESS}:{server.server_address[1]}/ (Ctrl-C ends it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
