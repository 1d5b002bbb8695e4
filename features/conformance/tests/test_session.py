"""What the process of a run wrote is read to its last whole line."""

import msgspec

from features.conformance.pacing import ignore_wait
from features.conformance.session import results_in
from reports.tests.streams import passed


def test_a_result_that_was_cut_off_as_it_was_written_is_none() -> None:
    line = msgspec.json.encode({"case": passed(), "paced_s": 0.5}) + b"\n"

    found = [*results_in([line, line[: len(line) // 2]], ignore_wait)]

    assert found == [(passed(), 0.5)]
