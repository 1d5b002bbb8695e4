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
