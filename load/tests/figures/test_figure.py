"""Figures: the median is compared with the goal, and no missed goal is hidden."""

import json

import pytest

from load.figures import figure
from load.figures.figure import (
    AT_LEAST,
    AT_MOST,
    Figure,
    Goal,
    format_markdown,
    format_value,
    missed_names,
)

RATIO = Goal(AT_LEAST, must=0.4, aim=0.6)
SECONDS = Goal(AT_MOST, must=5, aim=3)


@pytest.mark.parametrize(
    ("goal", "value", "verdict"),
    [
        (RATIO, 0.60, "aim met"),
        (RATIO, 0.59, "must met"),
        (RATIO, 0.40, "must met"),
        (RATIO, 0.39, "missed"),
        (SECONDS, 3, "aim met"),
        (SECONDS, 3.1, "must met"),
        (SECONDS, 5.1, "missed"),
    ],
)
def test_a_goal_is_met_up_to_its_limit(goal, value, verdict):
    assert Figure("any", "any", (value,), goal).verdict == verdict


def test_one_bad_round_among_good_ones_does_not_decide():
    assert Figure("rate", "ratio", (0.1, 0.5, 0.5), RATIO).verdict == "must met"


def test_a_figure_without_a_goal_is_never_missed():
    assert missed_names(
        [Figure("only to read", "ms", (9.0,)), Figure("slow", "s", (9.0,), SECONDS)]
    ) == ["slow"]


def test_a_document_has_the_spread_the_goal_and_every_round():
    document = Figure("rate", "ratio", (0.5, 0.41, 0.45), RATIO).document()

    assert json.loads(json.dumps(document)) == {
        "name": "rate", "unit": "ratio", "min": 0.41, "median": 0.45, "max": 0.5,
        "sense": "at least", "must": 0.4, "aim": 0.6, "verdict": "must met",
        "values": [0.5, 0.41, 0.45],
    }  # fmt: skip


def test_a_page_begins_with_where_its_figures_come_from():
    facts = {"command": "python -m load.bench", "machine": {"cores": 2}}

    page = format_markdown("Figures", facts, [Figure("rate", "requests/s", (3000.4,))])

    assert page.startswith("# Figures\n\n- command: python -m load.bench\n- machine: cores 2\n")
    assert "| rate | requests/s | 3,000 | 3,000 | 3,000 | 1 |  |  |  |" in page


@pytest.mark.parametrize(
    ("value", "text"), [(0.12345, "0.123"), (12, "12"), (99.5, "99.5"), (123_456.7, "123,457")]
)
def test_a_value_is_formatted_with_its_significant_digits(value, text):
    assert format_value(value) == text


def test_figures_are_stored_beside_this_module():
    assert figure.FOLDER.name == "figures"
