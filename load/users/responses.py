"""What a virtual user reads of an answer: as much as any answer has, in bounded time."""

from collections.abc import Iterator

import gevent
from geventhttpclient.response import HTTPParseError
from locust.contrib.fasthttp import FastResponse

from load.traffic.contents import RefusedContentError, joined

CONTENT_S_MAX = 120.0
PIECE_BYTES = 64 * 1024


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
