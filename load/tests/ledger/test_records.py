"""A ledger is decoded as it was written."""

import pytest

from load.ledger.records import (
    LedgerBuffer,
    LedgerFormatError,
    decode_lines,
)
from load.tests.records import (
    BUSY,
    RUN,
)


def test_a_ledger_is_read_as_it_was_written():
    buffer = LedgerBuffer()
    for line in (RUN[0], BUSY[0]):
        buffer.add(line)

    assert list(decode_lines(buffer.take_lines().splitlines())) == [RUN[0], BUSY[0]]
    assert buffer.take_lines() == b""
    with pytest.raises(LedgerFormatError, match="line 1: expected a line of a ledger"):
        list(decode_lines([b'["request"']))
