"""A step about all lines of a file, or about what an answer lacks, demands lines and an answer."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from features.reconciling.settlement_csv import header
from features.steps.payments.reports import (
    finds_none,
    holds_amounts,
    holds_count,
    holds_record_count,
    own_report_holds,
    pages_hold_amounts,
)
from features.steps.payments.settlement import breaks_nothing, has_reason
from features.steps.payments.settlement_lines import lines_have_ids, lines_name_entities
from features.support.assertions import ConformanceAssertionError, Judge
from features.support.settlement import SettledMerchant
from simulator.client import Answer

JUDGE = Judge({"RCN-08": "the sums agree"})
PAID = Answer(200, {}, {"id": "p1", "result": {"code": "000.100.110"}})
STEPS: dict[str, Callable[[SettledMerchant], None]] = {
    "no line breaks a rule": lambda settled: breaks_nothing(settled, JUDGE, "RCN-08"),
    "no line has a reason": lambda settled: has_reason(settled, PAID, JUDGE, whether="no line"),
    "every line names the entities": lambda settled: lines_name_entities(settled, JUDGE),
    "every line has an id": lambda settled: lines_have_ids(settled, JUDGE),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_file_without_lines_passes_no_step_about_all_of_them(tmp_path: Path, step: str) -> None:
    path = tmp_path / "day.csv"
    path.write_bytes(f"{header()}\r\n".encode())
    shown: Any = SimpleNamespace(
        sandbox=lambda _: {"psp": "psp", "division": "div"}, entity="merchant"
    )
    settled = SettledMerchant(shown, shown, shown, tmp_path, "Sandgate Bank", files=[path])

    with pytest.raises(ConformanceAssertionError, match="lines of the file"):
        STEPS[step](settled)


@pytest.mark.parametrize(
    ("other", "own", "holds"),
    [
        (Answer(404, {}, {"result": {"code": "700.400.580"}}), "p1", True),
        (Answer(404, {}, {"result": {"code": "700.400.580"}}), "", False),
        (Answer(500, {}, {"result": {"code": "600.100.100"}}), "p1", False),
        (Answer(200, {}, None), "p1", False),
    ],
)
def test_a_report_that_shows_nothing_is_an_answer_beside_the_own_report(
    other: Answer, own: str, *, holds: bool
) -> None:
    report = Answer(200, {}, {"id": own})
    merchant: Any = SimpleNamespace(client=SimpleNamespace(get=lambda _: report))

    if holds:
        own_report_holds(merchant, other, PAID, JUDGE)
        return
    with pytest.raises(ConformanceAssertionError):
        own_report_holds(merchant, other, PAID, JUDGE)


REPORTS: dict[str, Callable[[Answer], None]] = {
    "no transactions": lambda answer: holds_count(answer, JUDGE, 0),
    "no records": lambda answer: holds_record_count(answer, JUDGE, 0),
    "no amounts": lambda answer: holds_amounts(answer, JUDGE, ""),
    "pages without amounts": lambda answer: pages_hold_amounts(answer, JUDGE, ""),
    "finds no transaction": lambda answer: finds_none(answer, JUDGE),
}
NO_REPORT = (
    Answer(500, {}, {"result": {"code": "600.100.100"}}),
    Answer(500, {}, {"payments": [], "records": []}),
    Answer(200, {}, {"result": {"code": "000.000.100"}}),
    Answer(200, {}, {"payments": {}, "records": ""}),
    Answer(401, {}, {"result": {"code": "800.900.300"}}),
    Answer(200, {}, None),
)
UNKNOWN = Answer(400, {}, {"result": {"code": "700.400.580"}})


@pytest.mark.parametrize("step", REPORTS)
def test_a_report_of_nothing_is_a_list_without_entries(step: str) -> None:
    REPORTS[step](Answer(200, {}, {"payments": [], "records": []}))

    for answer in NO_REPORT:
        with pytest.raises(ConformanceAssertionError, match="of the report"):
            REPORTS[step](answer)


def test_a_report_by_an_unknown_reference_may_be_refused() -> None:
    finds_none(UNKNOWN, JUDGE)

    with pytest.raises(ConformanceAssertionError, match="transactions found"):
        finds_none(Answer(200, {}, {"payments": [{"id": "p1"}]}), JUDGE)
    with pytest.raises(ConformanceAssertionError, match="of the report"):
        holds_count(UNKNOWN, JUDGE, 0)
