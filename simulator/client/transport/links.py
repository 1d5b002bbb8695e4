"""Connections of `http.client` that wait for the answer behind interim ones.

A server may send some before its answer, such as 103 with hints (RFC 9110, 15.2). `http.client`
skips 100 alone, and takes any other for the answer.
"""

import http.client
import ssl
import urllib.request
from http import HTTPStatus
from typing import Any

INTERIM_MAX = 20


class FinalResponse(http.client.HTTPResponse):
    """The answer behind the interim ones. Raises http.client.HTTPException where there are more
    than INTERIM_MAX of these.
    """

    def _read_status(self) -> tuple[str, int, str]:
        for _ in range(INTERIM_MAX + 1):
            found: tuple[str, int, str] = super()._read_status()  # type: ignore[misc]
            if not 100 <= found[1] < 200 or found[1] == HTTPStatus.SWITCHING_PROTOCOLS:
                return found
            http.client.parse_headers(self.fp)
        raise http.client.HTTPException(
            f"expected an answer after at most {INTERIM_MAX} interim ones, got one more"
        )


def plain_link(host: str, port: int | None = None, **options: Any) -> http.client.HTTPConnection:
    """A connection whose answers are final."""
    link = http.client.HTTPConnection(host, port, **options)
    link.response_class = FinalResponse
    return link


def tls_link(host: str, port: int | None = None, **options: Any) -> http.client.HTTPConnection:
    """The same over TLS."""
    link = http.client.HTTPSConnection(host, port, **options)
    link.response_class = FinalResponse
    return link


class LinkHandler(urllib.request.AbstractHTTPHandler):
    """Opens addresses over such connections."""

    http_request = https_request = urllib.request.AbstractHTTPHandler.do_request_

    def __init__(self, tls: ssl.SSLContext | None):
        super().__init__()
        self._tls = tls

    def http_open(self, asked: urllib.request.Request) -> http.client.HTTPResponse:
        """The answer at an http address."""
        return self.do_open(plain_link, asked)

    def https_open(self, asked: urllib.request.Request) -> http.client.HTTPResponse:
        """The answer at an https address."""
        return self.do_open(tls_link, asked, context=self._tls)
