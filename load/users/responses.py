"""What a virtual user reads of an answer: as much as any answer has, in bounded time."""

from collections.abc import Iterator

import gevent
from geventhttpclient import client
from geventhttpclient.response import HTTPParseError, HTTPSocketPoolResponse
from locust.contrib.fasthttp import FastResponse

from load.traffic.contents import RefusedContentError, joined
from simulator.client.browser import BY_TARGET_FILE, failure_reason

CONTENT_S_MAX = 120.0
PIECE_BYTES = 64 * 1024
HEAD_BYTES_MAX = 128 * 1024
FINAL_STATUS_MIN = 200


def cause_of(error: BaseException | None) -> str:
    """Why a request had no response; it may repeat what the gateway wrote."""
    return failure_reason(error or "the connection was closed", trust=BY_TARGET_FILE)


class BoundedHead(HTTPSocketPoolResponse):
    """An answer that is refused where its head, interim answers and trailers are too long:
    HTTPParseError.
    """

    _head_bytes = 0

    def feed(self, data: str | bytes) -> None:
        """Read a piece of it. Raises HTTPParseError."""
        if not self.headers_complete or self.status_code < FINAL_STATUS_MIN:
            self._count(len(data))
        super().feed(data)

    def _on_header_field(self, string: str) -> None:
        self._count(len(string))
        super()._on_header_field(string)

    def _on_header_value(self, string: str) -> None:
        self._count(len(string))
        super()._on_header_value(string)

    def _count(self, received: int) -> None:
        self._head_bytes += received
        if self._head_bytes > HEAD_BYTES_MAX:
            raise HTTPParseError(f"expected a head of at most {HEAD_BYTES_MAX} bytes")


# The library reads heads without a limit and has no place for another class of answers.
client.HTTPSocketPoolResponse = BoundedHead  # type: ignore[attr-defined]


class BoundedResponse(FastResponse):
    """An answer whose content is refused where it is too long or takes too long: HTTPParseError,
    and no content from then on.
    """

    def _content(self) -> bytes:
        self._cached_content = b""
        if self.headers is None:
            return b""
        coding = str(self.headers.get("content-encoding") or "identity").lower()
        late = HTTPParseError(f"expected all of an answer within {CONTENT_S_MAX:g} s")
        try:
            with gevent.Timeout(CONTENT_S_MAX, late):
                return joined(self._pieces(), coding)
        except RefusedContentError as error:
            raise HTTPParseError(str(error)) from error
        finally:
            self.release()

    def _pieces(self) -> Iterator[bytes]:
        response = self._response
        while response is not None and (piece := response.read(PIECE_BYTES)):
            yield piece
            gevent.sleep(0)
