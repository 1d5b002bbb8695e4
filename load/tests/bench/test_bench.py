"""The bench runs and its figures have values and units. Their size is not tested here."""

import pytest
import typer

from load.bench.__main__ import ITEMS, main, measure
from load.bench.payment import PARAMETERS, encode_form, payment_requests
from load.bench.plan import QUICK
from load.figures.figure import Figure
from load.figures.machine import describe_run


def test_the_measured_payment_has_forty_parameters():
    assert len(encode_form("8" * 32).split("&")) == 40
    assert "entityId" not in PARAMETERS


def test_a_prepared_request_states_its_length():
    request = payment_requests(
        "http://127.0.0.1:8080/", token="t", entity_id="8" * 32
    ).format_request(1)
    head, _, body = request.partition(b"\r\n\r\n")

    assert f"Content-Length: {len(body)}".encode() in head


def test_quick_figures_have_values_and_units():
    figures = measure(["sandboxes", "idle", "disk", "forms"], QUICK)

    assert all(isinstance(figure, Figure) and figure.values for figure in figures)
    assert {figure.name: figure.unit for figure in figures} == {
        "new sandbox": "ms", "reset of a sandbox": "ms", "sync of 8 KiB": "ms",
        "memory an idle sandbox": "KiB", "files of idle sandboxes": "open files",
        "openings of a form": "requests/s", "opening against bare application": "ratio",
        "p95, opening a form": "ms", "p95, opening against a payment": "ratio",
    }  # fmt: skip


def test_an_unknown_item_is_refused_with_the_known_ones():
    with pytest.raises(
        typer.BadParameter, match=f"expected some of {', '.join(ITEMS)}, got nothing"
    ):
        main(only=["nothing"], quick=True)


def test_the_machine_is_described_by_its_parts():
    described = describe_run("python -m load.bench")

    assert set(described) == {"command", "date", "machine", "versions"}
    assert set(described["machine"]) >= {"processor", "cores", "memory (GiB)", "system"}
    assert described["versions"]["falcon"]
