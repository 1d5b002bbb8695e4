"""What a gateway may do while it is read back after a run."""

from http.client import BadStatusLine

import pytest

from load.closing import RETRY_S_MAX, BooksNotClosed, closing, wait_s

NOW = 784111777.0  # Sun, 06 Nov 1994 08:49:37 GMT


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        ("3", 3), ("", 1), ("soon", 1), ("-1", 1), ("9" * 5000, RETRY_S_MAX),
        ("Sun, 06 Nov 1994 08:49:41 GMT", 4), ("Sun, 06 Nov 1994 08:49:30 GMT", 0),
        ("Sun, 06 Nov 2094 08:49:41 GMT", RETRY_S_MAX),
    ],
)  # fmt: skip
def test_a_wait_is_asked_for_in_seconds_or_as_a_date(asked, seconds):
    assert wait_s(asked, NOW) == seconds


@pytest.mark.parametrize("error", [BadStatusLine("x"), ConnectionResetError(), ValueError("x")])
def test_a_gateway_that_cannot_be_read_after_a_run_is_said_so(error):
    with pytest.raises(BooksNotClosed, match="expected a gateway that can be read"), closing():
        raise error
