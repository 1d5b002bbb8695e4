"""What a start prints, in a window that is narrow."""

from pathlib import Path

import pytest

from simulator.banner import ROWS, print_banner

LONG = "http://127.0.0.1:8080/console/invitations/" + 64 * "a"


def test_nothing_of_an_address_is_cut_and_what_is_pasted_stands_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = {key: f"<{key * 8}>" for _, key in ROWS}

    print_banner({**shown, "console_url": LONG, "tls_url": "https://h/"}, ca=Path("ca.pem"))

    printed = capsys.readouterr().out
    assert LONG in printed.splitlines()
    # Without the frame and the folds, each value is there whole.
    bare = "".join(printed.replace("\u2502", "").split())
    assert [key for key, value in shown.items() if key != "tls_url" and value not in bare] == []


@pytest.mark.parametrize("fact", ["token", "live_token"])
def test_where_no_token_is_active_the_page_that_issues_one_is_printed(
    fact: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    facts = {key: f"<{key}>" for _, key in ROWS} | {"console_url": LONG, "tls_url": "https://h/"}
    facts |= {"sandbox_id": "7d"}
    del facts[fact]

    print_banner(facts, ca=Path("ca.pem"))

    printed = capsys.readouterr().out
    assert "none is active: http://127.0.0.1:8080/console/7d/tokens issues one" in printed
    assert ("curl" in printed) == (fact != "token")
    assert f"SANDGATE_{fact.upper()}=" not in printed


def test_an_address_for_other_machines_stands_where_there_is_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    facts = {key: key for _, key in ROWS} | {"console_url": LONG, "tls_url": "https://h/"}
    without = {key: text for key, text in facts.items() if key != "shared_url"}
    for each in (facts | {"shared_url": "https://192.0.2.7:8443/"}, without):
        print_banner(each, ca=Path("ca.pem"))

    with_one, with_none = capsys.readouterr().out.split("Sandgate is ready")[1:]

    assert "https://192.0.2.7:8443/" in with_one
    assert "other machines" not in with_none
