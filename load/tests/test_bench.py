"""The bench runs, and its figures have the shape that is kept. How fast, it alone says."""

import pytest
import typer

from load.bench.__main__ import ITEMS, main, measure
from load.bench.order import ORDER, form, payments
from load.bench.plan import QUICK
from load.figure import Figure
from load.machine import facts


def test_the_measured_payment_has_forty_parameters():
    assert len(form("8" * 32).split("&")) == 40
    assert "entityId" not in ORDER


def test_a_prepared_request_states_its_length():
    request = payments("http://127.0.0.1:8080/", token="t", entity_id="8" * 32).numbered(1)
    head, _, body = request.partition(b"\r\n\r\n")

    assert f"Content-Length: {len(body)}".encode() in head


def test_quick_figures_have_values_and_units():
    figures = measure(["sandboxes", "idle", "disk"], QUICK)

    assert all(isinstance(figure, Figure) and figure.values for figure in figures)
    assert {figure.name: figure.unit for figure in figures} == {
        "new sandbox": "ms", "reset of a sandbox": "ms", "sync of 8 KiB": "ms",
        "memory an idle sandbox": "KiB", "files of idle sandboxes": "open files",
    }  # fmt: skip


def test_an_unknown_item_is_refused_with_the_known_ones():
    with pytest.raises(typer.BadParameter, match=f"nothing; known: {', '.join(ITEMS)}"):
        main(only=["nothing"], quick=True)


def test_the_machine_is_told_by_its_parts():
    told = facts("python -m load.bench")

    assert set(told) == {"command", "date", "machine", "versions"}
    assert set(told["machine"]) >= {"processor", "cores", "memory (GiB)", "system"}
    assert told["versions"]["falcon"]
