"""Answers with a list that may be long: made and sent piece by piece, so that no client waits for
all of it to be made. Choice: D-175.
"""

from collections.abc import Iterable, Iterator
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
    opened = b'%b,"%b":[' % (to_json(opening)[:-1], name.encode())
    send_pieces(resp, _pieces(opened, items, b"]," + to_json(closing)[1:]))


def send_items(resp: Response, name: str, items: Iterable[Any]) -> None:
    """A document that has the items under `name`, and nothing else."""
    resp.content_type = CONTENT_TYPE
    send_pieces(resp, _pieces(b'{"%b":[' % name.encode(), items, b"]}"))


def send_pieces(resp: Response, pieces: Iterator[bytes]) -> None:
    """A body in pieces, in one where there is one."""
    first = next(pieces, b"")
    following = next(pieces, None)
    if following is None:
        resp.data = first
    else:
        resp.stream = chain((first, following), pieces)


def _pieces(opening: bytes, items: Iterable[Any], closing: bytes) -> Iterator[bytes]:
    """A JSON object in pieces of about 16 KiB."""
    piece, between = bytearray(opening), b""
    for each in items:
        piece += between + to_json(each)
        between = b","
        if len(piece) >= PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece + closing)
