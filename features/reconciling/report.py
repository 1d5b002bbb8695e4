"""The reports of a measure: text for people, HTML, JUnit for build servers, JSON for programs."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from features.reconciling.checker import FaultClass, Measured, Miss
from reports.words import readable
from simulator.client.shown.masking import without_numbers

TEMPLATES = Path(__file__).parent / "templates"
SHOWN_MAX = 10
# The id of a line: an institute, the day of its file, and a number, which may pass the check of a
# card number. It is no such number: none begins with letters, or has 17 digits.
LINE_ID = re.compile(r"[A-Z]{3}[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{11}")
COLUMNS = ("fault", "planted", "found", "missed", "false alarms")


def as_shown(measured: Measured) -> Measured:
    """The measure as it may leave in a report: key and result may hold card numbers in any text."""
    classes: dict[str, FaultClass] = {}
    for name, counted in measured.classes.items():
        classes.setdefault(without_numbers(name), FaultClass()).add(counted)
    return replace(
        measured, classes=classes, misses=[_shown_miss(miss) for miss in measured.misses]
    )


def text_of(measured: Measured) -> Iterator[str]:
    """The lines for people: each class, the shares, the first misses with their reasons."""
    rows = [COLUMNS, *((name, *_counts(each)) for name, each in sorted(measured.classes.items()))]
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        yield "  ".join(str(cell).ljust(width) for cell, width in cells).rstrip()
    yield headline_of(measured)
    for miss in measured.misses[:SHOWN_MAX]:
        yield readable(f"  {miss.kind}: {miss.about} ({miss.fault}): {miss.why}")
    if measured.miss_count > SHOWN_MAX:
        yield f"  and {measured.miss_count - SHOWN_MAX} more"


def headline_of(measured: Measured) -> str:
    """One line: the shares of what was found and matched, and how many misses there are."""
    return (
        f"faults: precision {measured.precision:.4f}, recall {measured.recall:.4f}; "
        f"matches: precision {measured.match_precision:.4f}, recall {measured.match_recall:.4f}; "
        f"misses: {measured.miss_count}"
    )


def document_of(measured: Measured) -> dict[str, Any]:
    """The measure as a JSON document."""
    return {
        "passed": measured.is_perfect,
        "faults": {"precision": measured.precision, "recall": measured.recall},
        "matches": {"precision": measured.match_precision, "recall": measured.match_recall},
        "classes": msgspec.to_builtins(dict(sorted(measured.classes.items()))),
        "miss_count": measured.miss_count,
        "misses": msgspec.to_builtins(measured.misses),
    }


def page_of(measured: Measured) -> str:
    """One HTML page that needs nothing but itself."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    classes = sorted(measured.classes.items())
    headline = headline_of(measured)
    template = environment.get_template("page.html")
    return template.render(measured=measured, classes=classes, headline=headline)


def junit_of(measured: Measured) -> bytes:
    """The XML document: one case for each class of faults, one for the matches."""
    cases = [_case(name, measured) for name in sorted({*measured.classes, "none"})]
    failed = sum(case.find("failure") is not None for case in cases)
    counts = {"tests": str(len(cases)), "failures": str(failed), "errors": "0"}
    root = Element("testsuites", {"name": "sandgate reconcile check", "time": "0.000", **counts})
    suite = SubElement(root, "testsuite", {"name": "reconciliation", "skipped": "0", **counts})
    suite.extend(cases)
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _case(fault: str, measured: Measured) -> Element:
    case = Element("testcase", {"name": readable(fault), "classname": "reconciliation"})
    misses = [miss for miss in measured.misses if miss.fault == fault]
    counted = measured.classes.get(fault, FaultClass())
    if misses or counted.missed or counted.false_alarms:
        message = f"{counted.missed} missed, {counted.false_alarms} false alarms"
        failure = SubElement(case, "failure", {"message": message, "type": "Reconciliation"})
        lines = (f"{miss.kind}: {miss.about}: {miss.why}" for miss in misses[:SHOWN_MAX])
        failure.text = readable("\n".join(lines))
    return case


def _shown_miss(miss: Miss) -> Miss:
    about = miss.about if LINE_ID.fullmatch(miss.about) else without_numbers(miss.about)
    return Miss(miss.kind, about, without_numbers(miss.fault), without_numbers(miss.why))


def _counts(counted: FaultClass) -> tuple[int, int, int, int]:
    return counted.planted, counted.found, counted.missed, counted.false_alarms
