"""Answers with a list that may be long: made and sent piece by piece, so that no client waits for
all of it to be made. Choice: D-175.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from falcon import Response

from simulator.web.http.answers import CONTENT_TYPE, result_body, to_json
from simulator.web.http.context import Exchange

FOUND = "000.000.100"
# Made in less than two milliseconds.
PIECE_BYTES = 16 * 1024


def send_list(
    resp: Response, exchange: Exchange, name: str, items: Iterable[Any], **about: Any
) -> None:
    """The result of a report, `about`, and the items under `name`."""
    resp.content_type = CONTENT_TYPE
    closing = result_body(exchange, FOUND)
    opening = {"result": closing.pop("result"), **about}
    pieces = _pieces(opening, name, items, closing)
    first = next(pieces)
    following = next(pieces, None)
    if following is None:
        resp.data = first
    else:
        resp.stream = chain((first, following), pieces)


def _pieces(
    opening: Mapping[str, Any], name: str, items: Iterable[Any], closing: Mapping[str, Any]
) -> Iterator[bytes]:
    """A JSON object in pieces of about 16 KiB."""
    piece, between = bytearray(b'%b,"%b":[' % (to_json(opening)[:-1], name.encode())), b""
    for each in items:
        piece += between + to_json(each)
        between = b","
        if len(piece) >= PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece + b"]," + to_json(closing)[1:])
