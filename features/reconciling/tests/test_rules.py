"""The reader takes the file as the specification writes it; each broken rule is named."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from features.reconciling.rules import broken_rules
from features.reconciling.settlement_csv import SettlementCsvError, columns, read_records

# Written by hand from the table of the specification.
HEADER = (
    "ReconciliationType;PaymentType;Cashflow;ClearingInstituteMerchantId;MerchantAccountId;"
    "MerchantAccountName;PspId;DivisionId;MerchantId;SettlementTxId;UniqueID;ShortId;"
    "ConnectorTxId1;ConnectorTxId2;ConnectorTxId3;Amount;Currency;Brand;TxRequestTime;"
    "SettlementAmount;SettlementCurrency;SettlementFee;SettlementFxRate;SettlementDate;"
    "SettlementStatus;Descriptor;AccountNumberLast4;BankCode;AccountHolder;ReasonCode;ReasonDesc;"
    "SettlementFileFormat;ClearingInsitituteName;MatchingStatus;MatchedTransactions;ChargebackId"
)
SALE = (
    "SETTLED;DEBIT;POS;12345;acc;;psp;div;mer;tx1;p1;;000000000001;123456;;92.00;EUR;VISA;"
    "2030-01-02 12:00:00;92.00;EUR;1.20;1.00;2030-01-03;SUCCESS;;1111;;Jane Jones;;;SGCSV;"
    "Sandgate Clearing;MATCHED;p1;"
)
RETURNED = (
    "CHARGEBACK;DEBIT;NEG;12345;acc;;psp;div;mer;tx2;p2;;;;;10.00;EUR;;;10.00;EUR;;1.00;"
    '2030-01-03;SUCCESS;;7890;DEUTDEFF;"Jones; Jane";000.100.203;not enough money;SGCSV;'
    "Sandgate Clearing;MATCHED;p2;c2"
)
PAYOUT = (
    "FEE;BATCH;POS;12345;acc;;psp;;mer;tx3;;;;;;80.80;EUR;;;80.80;EUR;;1.00;2030-01-03;SUCCESS;"
    ";;;;;;SGCSV;Sandgate Clearing;;;"
)
LINES = (HEADER, SALE, RETURNED, PAYOUT)


def written(folder: Path, *lines: str) -> Path:
    """A file of these lines."""
    path = folder / "day.csv"
    path.write_bytes("".join(f"{line}\r\n" for line in lines).encode())
    return path


def changed(line: str, cells: Mapping[str, str]) -> str:
    """A line with other values in some columns."""
    names = HEADER.split(";")
    held = dict(zip(names, line.replace('"Jones; Jane"', "Jane").split(";"), strict=True))
    return ";".join((held | cells).values())


def test_the_columns_are_the_36_of_the_specification() -> None:
    assert [column.name for column in columns()] == HEADER.split(";")
    assert len(columns()) == 36


def test_a_file_that_obeys_breaks_no_rule(tmp_path: Path) -> None:
    records = list(read_records(written(tmp_path, *LINES)))

    assert list(broken_rules(records)) == []
    assert [record["AccountHolder"] for record in records] == ["Jane Jones", "Jones; Jane", ""]
    assert [record.number for record in records] == [2, 3, 4]


@pytest.mark.parametrize(
    ("line", "cells", "requirement", "column"),
    (
        (SALE, {"ReconciliationType": "SETTLEMENT"}, "RCN-02", "ReconciliationType"),
        (SALE, {"PaymentType": "SALE"}, "RCN-02", "PaymentType"),
        (SALE, {"Cashflow": "+"}, "RCN-02", "Cashflow"),
        (SALE, {"SettlementStatus": "success"}, "RCN-02", "SettlementStatus"),
        (SALE, {"ClearingInstituteMerchantId": "1234"}, "RCN-01", "ClearingInstituteMerchantId"),
        (SALE, {"AccountNumberLast4": "41111"}, "RCN-01", "AccountNumberLast4"),
        (SALE, {"UniqueID": "x" * 33}, "RCN-01", "UniqueID"),
        (SALE, {"Amount": "92"}, "RCN-08", "Amount"),
        (SALE, {"Amount": "92.000"}, "RCN-08", "Amount"),
        (SALE, {"SettlementFxRate": "1"}, "RCN-08", "SettlementFxRate"),
        (SALE, {"SettlementFee": "1.2"}, "RCN-08", "SettlementFee"),
        (SALE, {"SettlementAmount": "-92.00"}, "RCN-08", "SettlementAmount"),
        (SALE, {"SettlementAmount": "92.01"}, "RCN-08", "SettlementAmount"),
        (SALE, {"SettlementFee": "1.21"}, "RCN-08", "SettlementAmount"),
        (SALE, {"Cashflow": "NEG"}, "RCN-08", "SettlementAmount"),
        (SALE, {"SettlementDate": "03.01.2030"}, "RCN-09", "SettlementDate"),
        (SALE, {"TxRequestTime": "noon"}, "RCN-09", "TxRequestTime"),
        (SALE, {"Currency": "EUX"}, "RCN-01", "Currency"),
        (SALE, {"SettlementCurrency": "EUX"}, "RCN-01", "SettlementCurrency"),
        (SALE, {"SettlementDate": "2027-02-30"}, "RCN-09", "SettlementDate"),
        (SALE, {"SettlementDate": "0000-01-01"}, "RCN-09", "SettlementDate"),
        (SALE, {"TxRequestTime": "2027-02-30 12:00:00"}, "RCN-09", "TxRequestTime"),
        (SALE, {"TxRequestTime": "2027-02-28T24:00:00Z"}, "RCN-09", "TxRequestTime"),
        (SALE, {"PspId": ""}, "RCN-10", "PspId"),
        (PAYOUT, {"SettlementFxRate": ""}, "RCN-10", "SettlementFxRate"),
        (SALE, {"MatchingStatus": "MAYBE", "MatchedTransactions": ""}, "RCN-02", "MatchingStatus"),
        (SALE, {"MatchedTransactions": ""}, "RCN-05", "MatchedTransactions"),
        (SALE, {"MatchedTransactions": "p1,p2"}, "RCN-05", "MatchedTransactions"),
        (SALE, {"MatchingStatus": "MULTIPLE_MATCHES"}, "RCN-05", "MatchedTransactions"),
        (SALE, {"MatchingStatus": "NOT_MATCHED"}, "RCN-05", "MatchedTransactions"),
        (SALE, {"ReasonCode": "000.100.203"}, "RCN-07", "ReasonCode"),
        (SALE, {"ReasonDesc": "words"}, "RCN-07", "ReasonDesc"),
        (RETURNED, {"ChargebackId": ""}, "RCN-06", "ChargebackId"),
        (SALE, {"ChargebackId": "c1"}, "RCN-06", "ChargebackId"),
    ),
)
def test_one_wrong_column_is_named_with_its_requirement(
    tmp_path: Path, line: str, cells: Mapping[str, str], requirement: str, column: str
) -> None:
    lines = [changed(each, cells) if each == line else each for each in LINES]

    found = list(broken_rules(read_records(written(tmp_path, *lines))))

    assert (requirement, column) in {(each.requirement, each.column) for each in found}


@pytest.mark.parametrize(
    "cells",
    (
        {"SettlementDate": "2028-02-29"},
        {"TxRequestTime": "2028-02-29T23:59:59.123+01:00"},
        {"TxRequestTime": "2030-01-02 12:00:00 CET"},
        {"Currency": "JPY"},
    ),
)
def test_days_of_the_calendar_and_codes_of_the_list_break_no_rule(
    tmp_path: Path, cells: Mapping[str, str]
) -> None:
    lines = [changed(each, cells) if each == SALE else each for each in LINES]

    assert list(broken_rules(read_records(written(tmp_path, *lines)))) == []


FAILED = {"SettlementStatus": "FAILED"}
OF_BEFORE = changed(PAYOUT, {"SettlementAmount": "7.10", "SettlementTxId": "tx4"})
REJECTED = changed(OF_BEFORE, FAILED | {"SettlementDate": "2030-01-02", "SettlementTxId": "tx5"})
SURPLUS = changed(PAYOUT, {"SettlementTxId": "tx6"})


@pytest.mark.parametrize(
    ("payouts", "earlier", "is_whole"),
    [
        ([changed(PAYOUT, FAILED)], [], True),
        ([OF_BEFORE, PAYOUT], [REJECTED], True),
        ([PAYOUT, OF_BEFORE], [REJECTED], True),
        ([OF_BEFORE, changed(PAYOUT, FAILED)], [REJECTED], True),
        ([changed(OF_BEFORE, FAILED), PAYOUT], [REJECTED], True),
        ([OF_BEFORE, PAYOUT], [], False),
        ([PAYOUT, SURPLUS], [], False),
        ([PAYOUT, SURPLUS], [REJECTED], False),
        ([changed(PAYOUT, FAILED), SURPLUS], [], False),
        ([OF_BEFORE, changed(OF_BEFORE, {"SettlementTxId": "tx7"}), PAYOUT], [REJECTED], False),
        ([OF_BEFORE], [], False),
        ([OF_BEFORE], [REJECTED], False),
        ([], [], False),
    ],
)
def test_payouts_are_the_net_once_beside_those_that_repeat_rejected_ones(
    tmp_path: Path, payouts: list[str], earlier: list[str], *, is_whole: bool
) -> None:
    before = [*read_records(written(tmp_path, HEADER, *earlier))]
    lines = [each for each in LINES if each != PAYOUT] + payouts

    broken = broken_rules(read_records(written(tmp_path, *lines)), before)

    assert {each.requirement for each in broken} == (set() if is_whole else {"RCN-08"})


def test_a_file_may_have_nothing_but_a_payout_that_repeats_a_rejected_one(tmp_path: Path) -> None:
    before = [*read_records(written(tmp_path, HEADER, REJECTED))]
    records = [*read_records(written(tmp_path, HEADER, OF_BEFORE))]

    assert [*broken_rules(records, before)] == []
    assert {each.requirement for each in broken_rules(records)} == {"RCN-08"}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_earlier_files_may_come_in_any_order(tmp_path: Path, order: tuple[int, int]) -> None:
    repeated = changed(PAYOUT, {"SettlementDate": "2030-01-02", "SettlementTxId": "tx8"})
    rejected = changed(PAYOUT, FAILED | {"SettlementDate": "2030-01-01", "SettlementTxId": "tx9"})
    files = [
        [*read_records(written(tmp_path, HEADER, rejected))],
        [*read_records(written(tmp_path, HEADER, repeated))],
    ]
    earlier = [record for each in order for record in files[each]]

    assert [*broken_rules(read_records(written(tmp_path, *LINES)), earlier)] == []


def test_a_payout_too_many_names_the_option_for_earlier_files(tmp_path: Path) -> None:
    (broken,) = broken_rules(read_records(written(tmp_path, *LINES, SURPLUS)))

    assert "--before" in broken.expected


def test_payouts_that_failed_for_days_are_due_once(tmp_path: Path) -> None:
    days = [
        changed(PAYOUT, {"SettlementDate": f"2030-01-0{day}", "SettlementTxId": f"d{day}"} | status)
        for day, status in ((3, FAILED), (4, FAILED), (7, {}))
    ]

    assert [*broken_rules(read_records(written(tmp_path, *LINES[:-1], *days)))] == []


def test_two_payouts_may_not_have_one_id(tmp_path: Path) -> None:
    other = changed(PAYOUT, {"SettlementAmount": "0.00"})

    broken = [*broken_rules(read_records(written(tmp_path, *LINES, other)))]

    assert [(each.requirement, each.number, each.column) for each in broken] == [
        ("RCN-08", 5, "SettlementTxId")
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    (
        (b"", "expected the header"),
        (HEADER.encode(), "that end with CR LF"),
        (b"\xef\xbb\xbf" + HEADER.encode() + b"\r\n", "without a byte order mark"),
        (HEADER.replace("ClearingInsititute", "ClearingInstitute").encode() + b"\r\n", "header"),
        (HEADER.replace(";", ",").encode() + b"\r\n", "expected the header"),
        (HEADER.encode() + b"\r\n" + SALE.encode() + b"\n", "that end with CR LF"),
        (HEADER.encode() + b"\r\n" + SALE.encode() + b";\r\n", "expected 36 columns, got 37"),
        (HEADER.encode() + b"\r\n\xff\r\n", "expected UTF-8"),
        (HEADER.encode() + b"\r\n" + b"x" * 70_000 + b"\r\n", "at most 65536 bytes"),
    ),
)
def test_a_file_of_another_form_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "day.csv"
    path.write_bytes(content)

    with pytest.raises(SettlementCsvError) as refused:
        list(read_records(path))

    assert said in str(refused.value)
