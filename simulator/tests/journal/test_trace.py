"""The trace of a payment: messages in order, as text and as a diagram."""

import re
from datetime import timedelta
from threading import get_ident
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from simulator.catalogue.results import RESULTS
from simulator.domain.acquiring.messages import ANSWERS
from simulator.domain.journal.diagram import trace_svg
from simulator.domain.journal.entries import (
    ExchangeEntry,
    Message,
    Party,
    SimulatorEntry,
    WebhookEntry,
)
from simulator.domain.journal.trace import EMPTY, Arrow, Trace, trace_of, trace_text
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.making import NOON
from simulator.web.control import journal

SECOND = timedelta(seconds=1)
PAYMENT = "8" * 31 + "a"
MEANING = RESULTS["000.100.110"].text


def an_exchange(ndc: str = "n", *, at: int = 0, until: int = 0, **more: object) -> ExchangeEntry:
    fields = {
        "method": "POST",
        "path": "/v1/payments",
        "status": 200,
        "code": "000.100.110",
        **more,
    }
    fields.setdefault("request", {"paymentType": "DB", "amount": "92.00", "currency": "EUR"})
    return ExchangeEntry(
        ndc=ndc, at=NOON + at * SECOND, until=NOON + until * SECOND, duration_ms=1.0, **fields
    )


def a_simulator_entry(
    ndc: str = "n", *, at: int = 0, near_misses: tuple[str, ...] = ()
) -> SimulatorEntry:
    when = NOON + at * SECOND
    messages = (
        Message(at=when, sender=Party.GATEWAY, receiver=Party.ACQUIRER, label="DB 92.00 EUR"),
        Message(at=when, sender=Party.ACQUIRER, receiver=Party.GATEWAY, label="000.100.110"),
    )
    return SimulatorEntry(
        ndc=ndc, at=when, messages=messages, decided_by="test card", near_misses=near_misses
    )


def a_webhook(*, at: int, number: int = 1, **ended: object) -> WebhookEntry:
    return WebhookEntry(
        ndc="n", at=NOON + at * SECOND, event="PAYMENT CREATED", event_id="e", number=number,
        url="http://127.0.0.1:9/hook", **ended,
    )  # fmt: skip


def traced(*entries: object) -> Trace:
    return trace_of(PAYMENT, (), list(enumerate(entries, 1)))


def ways(trace: Trace) -> list[str]:
    """Who to whom, by the first letters."""
    return [f"{arrow.sender[0]}{arrow.receiver[0]}" for arrow in trace.arrows]


def test_what_happens_in_the_course_of_an_exchange_stands_between_request_and_answer():
    assert ways(traced(a_simulator_entry(), an_exchange())) == ["mg", "ga", "ag", "gm"]


def test_exchanges_at_the_same_instant_of_a_frozen_clock_keep_their_order():
    trace = traced(
        a_simulator_entry("n"), an_exchange("n"), a_simulator_entry("o"), an_exchange("o")
    )
    assert ways(trace) == ["mg", "ga", "ag", "gm"] * 2


def test_exchanges_that_overlap_stand_in_the_order_of_sandbox_time():
    trace = traced(
        a_simulator_entry("n", at=0),
        a_simulator_entry("o", at=1),
        an_exchange("o", at=1, until=2),
        an_exchange("n", at=0, until=3),
    )
    assert ways(trace) == ["mg", "ga", "ag", "mg", "ga", "ag", "gm", "gm"]


def test_a_webhook_that_comes_later_stands_after_the_answer():
    trace = traced(a_simulator_entry(), an_exchange(), a_webhook(at=5, status=503),
                   a_webhook(at=65, number=2, error="refused"))  # fmt: skip

    assert ways(trace) == ["mg", "ga", "ag", "gm", "gw", "wg", "gw"]
    sent, answered, again = trace.arrows[-3:]
    assert (sent.label, sent.bad) == ("PAYMENT CREATED", False)
    assert (answered.label, answered.bad) == ("503", True)
    assert (again.label, again.bad) == ("PAYMENT CREATED, attempt 2", True)
    assert again.notes == ("http://127.0.0.1:9/hook", "no answer: refused")


def test_who_decided_and_what_nearly_did_are_noted_with_short_ids():
    _, asked, answered, _ = traced(
        a_simulator_entry(near_misses=(f"script {PAYMENT}: amount: expected 1.00",)), an_exchange()
    ).arrows
    assert asked.notes == ("near miss: script 888888...: amount: expected 1.00",)
    assert answered.notes == ("decided by test card",)


def test_reads_that_repeat_are_shown_once_and_counted():
    reads = [
        an_exchange(str(n), at=n, until=n, method="GET", path=f"/v1/payments/{PAYMENT}", request={})
        for n in range(7)
    ]
    trace = traced(*reads, an_exchange("x", at=9, until=9))

    assert [arrow.label for arrow in trace.arrows] == [
        "GET /v1/payments/888888... (7 times)", "200 000.100.110",
        "DB 92.00 EUR", "200 000.100.110",
    ]  # fmt: skip


def test_the_text_names_each_way_and_each_time_once():
    text = trace_text(traced(a_simulator_entry(), an_exchange(status=400, rules=("D-02 bogus",))))

    assert re.sub(" +", " ", text).splitlines() == [
        f"{PAYMENT}: no payment came about",
        "",
        "2026-11-20 12:00:00.000 merchant -> gateway DB 92.00 EUR",
        " gateway -> acquirer DB 92.00 EUR",
        f" acquirer -> gateway 000.100.110 {MEANING}",
        " decided by test card",
        f" gateway -> merchant 400 000.100.110 {MEANING}",
        " D-02 bogus",
    ]


def test_a_trace_without_entries_says_why():
    assert EMPTY in trace_text(traced())
    assert EMPTY in trace_svg(traced())


@pytest.mark.parametrize(
    ("label", "meaning"),
    [(code, known.text) for code, known in list(RESULTS.items())[:20]]
    + [("200 000.100.110", MEANING), ("503", "Service Unavailable"), ("DB 92.00 EUR", "")],
)
def test_a_code_stands_beside_its_meaning_in_text_and_diagram(label: str, meaning: str):
    arrow = Arrow(NOON, Party.GATEWAY, Party.ACQUIRER, label)
    trace = Trace(PAYMENT, (), (arrow,))

    assert f"{label}  {meaning}".rstrip() in trace_text(trace).splitlines()[-1]
    assert " ".join([label, meaning]).strip() in " ".join(texts_of(drawn(trace)))


@pytest.mark.parametrize("kind", sorted({*ANSWERS, *ANSWERS.values()}))
def test_each_type_of_card_message_has_a_meaning(kind: str):
    assert Arrow(NOON, Party.GATEWAY, Party.ACQUIRER, kind).meaning


def test_what_prepares_a_payment_does_not_look_like_one():
    request, _ = traced(an_exchange(path="/v1/checkouts")).arrows
    assert request.label == "/v1/checkouts DB 92.00 EUR"


def test_the_diagram_scales_with_its_window():
    svg = drawn(traced(an_exchange()))
    assert svg.get("viewBox") == f"0 0 {svg.get('width')} {svg.get('height')}"
    assert svg.get("style") == f"min-width: {float(svg.get('width')) * 0.7:.0f}px"
    assert "max-width: 100%; height: auto" in trace_svg(traced(an_exchange()))


def test_columns_are_those_who_take_part():
    assert traced(an_exchange()).parties == [Party.MERCHANT, Party.GATEWAY]
    assert traced(a_simulator_entry(), a_webhook(at=1, status=200)).parties == [
        Party.MERCHANT, Party.GATEWAY, Party.ACQUIRER, Party.WEBHOOK,
    ]  # fmt: skip


HOSTILE = "<script>alert(1)</script>&\"' \u202e" + "x" * 300


def drawn(trace: Trace) -> ElementTree.Element:
    return ElementTree.fromstring(trace_svg(trace))


def texts_of(svg: ElementTree.Element) -> list[str]:
    return ["".join(each.itertext()) for each in svg.iter("{http://www.w3.org/2000/svg}text")]


def test_the_diagram_shows_what_the_text_shows():
    trace = traced(
        a_simulator_entry(near_misses=("script 1: no",)), an_exchange(), a_webhook(at=9, status=200)
    )

    texts = texts_of(drawn(trace))

    for arrow in trace.arrows:
        assert arrow.label in texts
        assert all(note in texts for note in arrow.notes)
        assert arrow.meaning in " ".join(texts)
    assert {"merchant", "gateway", "acquirer", "webhook endpoint"} <= set(texts)
    assert [each for each in texts if each.startswith("12:00")] == ["12:00:00.000", "12:00:09.000"]


def test_the_diagram_needs_nothing_from_elsewhere_and_knows_light_and_dark():
    svg = trace_svg(traced(an_exchange()))

    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    assert "prefers-color-scheme: dark" in svg
    assert not re.search(r"<(script|image|foreignObject|use)|@import|url\(", svg)


def test_what_others_wrote_is_text_in_the_diagram_and_nothing_else():
    svg = drawn(traced(an_exchange(status=400, error=HOSTILE, request={"paymentType": HOSTILE})))

    names = {each.tag.rpartition("}")[2] for each in svg.iter()}
    assert names <= {"svg", "title", "style", "g", "rect", "line", "path", "text"}


def test_whatever_sign_others_wrote_the_diagram_can_be_read():
    """Some signs stand in no XML at all, not even as a reference: a browser would show nothing."""
    signs = "".join(map(chr, [*range(0x10000), 0x1FFFE, 0x1FFFF, 0x10FFFF]))
    rows = [signs[start : start + 256] for start in range(0, len(signs), 256)]
    entries = [
        an_exchange(str(number), at=number, request={"paymentType": row}, error=row, status=400)
        for number, row in enumerate(rows)
    ]
    shown = " ".join(texts_of(drawn(traced(*entries))))
    assert all(each in shown for each in ("abc", "\\ufffe\\uffff", "\\ud800", "\U0001fffe"))


@pytest.mark.parametrize("sign", ["\ufffe", "\uffff", "\x0b", "\x1b", "\x85"])
def test_odd_paths_of_a_client_leave_the_picture_readable(gateway: Gateway, sign: str):
    paid = gateway.post().json["id"]
    gateway.read(f"{paid}{quote(sign)}")
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    svg = gateway.control("GET", f"/sandboxes/{sandbox}/payments/{paid}/trace.svg").text
    assert "GET" in " ".join(texts_of(ElementTree.fromstring(svg)))


@pytest.mark.parametrize("times", [1, 40])
def test_everything_drawn_lies_within_the_picture(times: int):
    trace = traced(*[an_exchange(str(n), at=n, error=HOSTILE, request={}) for n in range(times)])
    svg = drawn(trace)
    width, height = float(svg.get("width")), float(svg.get("height"))

    downwards = [
        float(re.fullmatch(r"translate\(0 ([0-9.]+)\)", each.get("transform"))[1])
        for each in svg.iter("{http://www.w3.org/2000/svg}g")
        if each.get("transform")
    ]
    assert all(20 < y < height - 20 for y in downwards)
    assert downwards == sorted(downwards)
    assert all(
        float(each.get("x")) < width for each in svg.iter("{http://www.w3.org/2000/svg}text")
    )


def test_a_long_label_is_cut_and_shows_itself_when_pointed_at():
    svg = drawn(traced(an_exchange(method="GET", path="/v1/" + "p" * 200, request={})))
    (title,) = svg.findall(".//{http://www.w3.org/2000/svg}text/{http://www.w3.org/2000/svg}title")
    assert title.text == "GET /v1/" + "p" * 200


def sandbox_of(gateway: Gateway) -> str:
    return gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]


def test_the_trace_of_any_payment_of_a_tree_is_that_of_the_whole_tree(gateway: Gateway) -> None:
    paid = gateway.post(paymentType="PA").json["id"]
    capture = gateway.refer(paid, "CP", amount="92.00", currency="EUR").json["id"]
    refund = gateway.refer(capture, "RF", amount="2.00", currency="EUR").json["id"]
    gateway.refer(capture, "RF", amount="90.01", currency="EUR")
    gateway.post()
    base = f"/sandboxes/{sandbox_of(gateway)}/payments"

    texts = {
        gateway.control("GET", f"{base}/{each}/trace").text for each in (paid, capture, refund)
    }

    assert len(texts) == 1
    text = texts.pop()
    assert [line.split(",")[0] for line in text.splitlines()[:3]] == [
        "PA 92.00 EUR", "CP 92.00 EUR", "RF 2.00 EUR",
    ]  # fmt: skip
    assert text.count("merchant -> gateway") == 4
    assert text.count("gateway -> acquirer") == 3
    assert "RF: expected at most 90.00 EUR" in text
    assert "4200000000000000" not in text


def test_a_pending_payment_shows_its_end_and_who_ended_it(gateway: Gateway) -> None:
    sandbox = f"/sandboxes/{sandbox_of(gateway)}"
    gateway.control("POST", f"{sandbox}/scripts", {"behaviour": "pending"})
    gateway.control("PUT", f"{sandbox}/clock", {"mode": "frozen", "at": "2027-01-31T12:00:00Z"})
    payment = gateway.post().json["id"]
    gateway.control("POST", f"{sandbox}/clock/advance", {"by": "30m"})

    text = gateway.control("GET", f"{sandbox}/payments/{payment}/trace").text

    lines = [" ".join(line.split()) for line in text.splitlines()]
    expired = " ".join(RESULTS["100.396.103"].text.split())
    assert f"2027-01-31 12:30:00.000 gateway -> gateway 100.396.103 {expired}" in lines
    assert lines[-1] == "decided by pending for 30 minutes"


def test_a_refused_request_has_a_trace_under_the_id_of_its_answer(gateway: Gateway) -> None:
    refused = gateway.post(**{"card.number": "4200000000000001"}).json["id"]
    base = f"/sandboxes/{sandbox_of(gateway)}/payments"

    assert "no payment came about" in gateway.control("GET", f"{base}/{refused}/trace").text
    svg = gateway.control("GET", f"{base}/{refused}/trace.svg")
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert gateway.control("GET", f"{base}/{'8' * 32}/trace.svg").status_code == 404


@pytest.mark.parametrize("form", ["trace", "trace.svg", "trace.json"])
def test_a_trace_is_drawn_while_others_are_served(gateway: Gateway, form: str, monkeypatch) -> None:
    drawn_in: list[int] = []
    for name in ("trace_text", "trace_svg", "trace_document"):
        draw = getattr(journal, name)
        monkeypatch.setattr(
            journal, name, lambda trace, draw=draw: drawn_in.append(get_ident()) or draw(trace)
        )
    payment = gateway.post().json["id"]
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]

    answer = gateway.control("GET", f"/sandboxes/{sandbox}/payments/{payment}/{form}")

    assert answer.status_code == 200
    assert drawn_in and get_ident() not in drawn_in
