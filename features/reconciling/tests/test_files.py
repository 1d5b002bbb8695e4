"""Keys and results that cannot be read are refused with place and reason; results in many forms."""

import json
from pathlib import Path

import pytest

from features.reconciling.key import KeyFormatError, read_key
from features.reconciling.result import ResultColumns, ResultFormatError, read_result

LINE = (
    '{"kind":"line","file":"a.csv","settlementTxId":"tx","truth":{"status":"MATCHED",'
    '"payments":["p"]}}'
)


@pytest.mark.parametrize(
    ("content", "said"),
    (
        ("", "expected lines of a settlement run"),
        ("\n\n", "expected lines of a settlement run"),
        ("no json\n", ":1: expected a line of an answer key"),
        (f'{LINE}\n{{"kind":"other"}}\n', ":2: expected a line of an answer key"),
        (LINE.replace("MATCHED", "MAYBE"), ":1: expected a line of an answer key"),
        (LINE.replace('"p"', "1"), ":1: expected a line of an answer key"),
        ('{"kind":"line","settlementTxId":"' + "x" * 70_000 + '"}', "at most 65536 bytes"),
        ('{"kind":"payout","date":"","amount":"","currency":""}', "expected lines"),
    ),
)
def test_a_file_that_is_no_key_is_refused(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "KEY.jsonl"
    path.write_text(content)

    with pytest.raises(KeyFormatError) as refused:
        read_key(path)

    assert said in str(refused.value)


@pytest.mark.parametrize("delimiter", (",", ";", "\t", "|"))
@pytest.mark.parametrize("mark", ("", "\ufeff"))
def test_a_result_is_read_with_any_delimiter(tmp_path: Path, delimiter: str, mark: str) -> None:
    path = tmp_path / "r.csv"
    rows = (("settlementTxId", "payments", "verdict", "difference"), ("tx", "a b", "matched", ""))
    path.write_text(mark + "\r\n".join(delimiter.join(row) for row in rows), encoding="utf-8")

    (only,) = read_result(path, ResultColumns())

    assert (only.line, only.payments, only.verdict) == ("tx", {"a", "b"}, "MATCHED")


def test_columns_may_have_other_names_and_the_result_may_be_json(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps([{"Id": "tx", "Ids": ["a"], "State": "Not matched", "Diff": None}]))

    (only,) = read_result(path, ResultColumns("Id", "Ids", "State", "Diff"))

    assert only.is_alarm and only.payments == {"a"}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    (
        ("r.csv", b"a,b\n1,2\n", "expected the columns settlementTxId and verdict"),
        ("r.csv", b"settlementTxId,verdict\ntx,MAYBE\n", "row 1: verdict: expected MATCHED"),
        ("r.csv", b"settlementTxId,verdict\n,MISSING\n", "expected settlementTxId or payments"),
        ("r.csv", b"settlementTxId,verdict\n\xff\xfe,MATCHED\n", "expected CSV in UTF-8"),
        ("r.csv", b"settlementTxId,verdict\n" + b"x" * 70_000 + b",MATCHED\n", "expected CSV"),
        ("r.json", b"{}", "expected a JSON list"),
        ("r.json", b"[1]", "expected a JSON list"),
        ("r.json", b"[" * 5000, "expected a JSON list"),
    ),
)
def test_a_file_that_is_no_result_is_refused(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(ResultFormatError) as refused:
        list(read_result(path, ResultColumns()))

    assert said in str(refused.value)
