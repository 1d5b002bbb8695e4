#!/usr/bin/env python3
"""As much of curl as the documentation uses, for machines without one."""

import argparse
import contextlib
import ssl
import sys
import urllib.error
import urllib.request


def main() -> None:
    """Send one request and print the body of its answer, whatever its status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("-H", dest="headers", action="append", default=[])
    parser.add_argument("-d", dest="data", action="append", default=[])
    parser.add_argument("-X", dest="method")
    parser.add_argument("-s", dest="silent", action="store_true")
    parser.add_argument("--cacert")
    asked = parser.parse_args()
    body = "&".join(asked.data).encode() if asked.data else None
    request = urllib.request.Request(asked.url, data=body, method=asked.method)
    for header in asked.headers:
        name, _, value = header.partition(":")
        request.add_header(name, value.strip())
    context = ssl.create_default_context(cafile=asked.cacert) if asked.cacert else None
    with contextlib.ExitStack() as stack:
        try:
            answer = stack.enter_context(urllib.request.urlopen(request, context=context))
        except urllib.error.HTTPError as error:
            answer = error
        sys.stdout.write(answer.read().decode())


if __name__ == "__main__":
    main()
