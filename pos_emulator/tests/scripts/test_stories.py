"""Stories of a terminal: those that are shipped end as they say, and others fail as they should."""

import json
import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pos_emulator.card_numbers import has_card_number
from pos_emulator.ecr.zvt.server import serve_zvt
from pos_emulator.scripts.cli import main
from pos_emulator.scripts.scripted import ScriptedTerminal, scripted_terminal
from pos_emulator.scripts.stories import (
    STORY_BYTES_MAX,
    TerminalStoryError,
    read_story,
    shipped_stories,
)
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.zvt.till import ZvtTill
from simulator.client import GatewayAccess, SandboxClient

NAMES = ("currency", "dip", "host-down", "reversal", "tap-over-the-limit", "wrong-pin")
# What the library that reads documents says of them.
FOREIGN = re.compile(r"`|\$|\b(Expected|Object|Invalid|str|int|enum|array)\b")
SALE = '{order: sale, amount: "92.00", holder: [{insert: gold}, {pin: "1234"}]%s}'

# Six lines that write out a million values.
ALIASES = "title: A\na0: &a0 [x]\n" + "".join(
    f"a{n + 1}: &a{n + 1} [{', '.join(10 * [f'*a{n}'])}]\n" for n in range(6)
)


def story_of(*steps: str) -> str:
    return "title: A story\nsteps:\n" + "".join(f"  - {step}\n" for step in steps)


def problems_in(terminal: ScriptedTerminal, *steps: str) -> list[str]:
    played = list(terminal.play(read_story(story_of(*steps))))
    assert len(played) == len(steps)
    return [problem for outcome in played for problem in outcome.problems]


def test_the_shipped_stories_are_those_of_trainers() -> None:
    assert tuple(shipped_stories()) == NAMES
    assert all(story.title and story.steps for story in shipped_stories().values())


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_story_ends_as_it_says(
    sandgate_sandbox: SandboxClient, tmp_path: Path, name: str
) -> None:
    with scripted_terminal(sandgate_sandbox, tmp_path / "t") as terminal:
        played = list(terminal.play(shipped_stories()[name]))

    assert [each.problems for each in played] == [()] * len(played)
    books = sandgate_sandbox.control.books(sandgate_sandbox.id)
    assert books["agree"], books


def test_work_tries_also_what_was_tried_just_now(sandgate_terminal: ScriptedTerminal) -> None:
    assert problems_in(
        sandgate_terminal,
        "{network: unplugged}",
        '{order: sale, amount: "9.00", holder: [{insert: offline}], expect: {offline: true}}',
        "{work: true, expect: {open: 1}}",
        "{network: plugged}",
        "{work: true, expect: {open: 0}}",
    ) == []  # fmt: skip


def test_what_is_not_as_expected_is_said(sandgate_terminal: ScriptedTerminal) -> None:
    wrong = ", expect: {ending: declined, status: NEVER, offline: true, display: WELCOME}"

    said = problems_in(sandgate_terminal, SALE % wrong)

    assert said[0] == "ending: expected declined, got approved"
    assert said[1] == "status: expected NEVER, got APPROVED"
    assert said[2] == "offline: expected True, got False"
    assert said[3].startswith("display: expected WELCOME, got ")


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ('{order: sale, amount: "92.00"}', "asks for a card, and the script ends here"),
        ('{order: sale, amount: "92.00", holder: [{insert: gold}]}', "asks for a PIN, and"),
        ('{order: sale, amount: "92.00", holder: [{pin: "1234"}]}', "a card, the script has pin"),
        ('{order: sale, amount: "92.00", holder: [{tap: dead-chip}]}', "cannot be tapped"),
        ('{order: sale, amount: "92.00", holder: [{insert: silver}]}', "expected one of gold,"),
        ("{order: void, of: lunch}", "expected the name of an earlier order, got 'lunch'"),
        (SALE.replace("]", ", {swipe: gold}]") % "", "the terminal did not ask for: swipe"),
    ],
)
def test_people_who_do_something_else_are_said(
    sandgate_terminal: ScriptedTerminal, step: str, said: str
) -> None:
    (problem,) = problems_in(sandgate_terminal, step)
    assert said in problem
    assert "1234" not in problem


def test_a_void_of_a_part_is_refused_in_words(sandgate_terminal: ScriptedTerminal) -> None:
    sale = "{order: sale, amount: '6.00', name: a, holder: [{insert: gold}, {pin: '1234'}]}"

    (problem,) = problems_in(sandgate_terminal, sale, "{order: void, of: a, amount: '5.00'}")

    assert problem == "amount: expected none, as a void is of the whole payment; received 5.00"


def test_who_is_offered_a_currency_chooses_one_of_the_two(
    sandgate_terminal: ScriptedTerminal,
) -> None:
    rates = "conversion: {rates: {EUR: '1', USD: '1.2'}}\n"
    sale = "{order: sale, amount: '6.00', currency: USD, holder: [{insert: gold}%s]}"
    written = rates + story_of(sale % "", sale % ", {choose: CHF}", sale % ", {press: cancel}")

    played = list(sandgate_terminal.play(read_story(written)))

    assert [each.problems for each in played] == [
        ("the terminal asks for a choice of USD or EUR, and the script ends here",),
        ("expected a choice of USD or EUR, got CHF",),
        (),
    ]
    assert played[2].entry.ending.name == "CANCELED"


def test_each_story_has_its_own_rates_or_those_of_the_terminal(
    sandgate_terminal: ScriptedTerminal,
) -> None:
    rates = "conversion: {rates: {EUR: '1', USD: '1.2'}}\n"
    sale = "{order: sale, amount: '6.00', currency: USD, holder: [{insert: gold}%s]}"
    offered = rates + story_of(sale % ", {choose: EUR}, {pin: '1234'}")
    other = rates.replace("1.2", "1.5") + story_of(sale % ", {choose: EUR}, {pin: '1234'}")
    plain = story_of(sale % ", {pin: '1234'}")

    charged = []
    for written in (offered, plain, other, other):
        (played,) = sandgate_terminal.play(read_story(written))
        assert played.problems == ()
        chosen = played.entry.conversion
        charged.append(None if chosen is None else str(chosen.amount))

    assert charged == ["5.18", None, "4.14", "4.14"]


def test_a_story_moves_a_terminal_with_gps_and_no_other(
    sandgate_terminal: ScriptedTerminal, sandgate_sandbox: SandboxClient, tmp_path: Path
) -> None:
    move = "{position: '52.520008,13.404954'}"
    with scripted_terminal(sandgate_sandbox, tmp_path / "p", model="PORTABLE") as portable:
        assert problems_in(portable, move) == []
        assert str(portable.terminal.gps.position) == "52.520008,13.404954"

    assert problems_in(sandgate_terminal, move) == [
        "position: expected a terminal with GPS, got COUNTERTOP"
    ]


def test_an_order_of_an_earlier_day_is_the_one_that_was_named(
    sandgate_terminal: ScriptedTerminal,
) -> None:
    named = SALE.replace("order: sale", "order: sale, name: %s")

    said = problems_in(
        sandgate_terminal,
        named % ("lunch", ""),
        "{order: refund, of: lunch, amount: '2.00'}",
        "{close: true}",
        named % ("tea", ""),
        "{order: void, of: lunch, expect: {approved: '90.00'}}",
        "{order: void, of: tea, expect: {approved: '92.00'}}",
    )

    assert said == []


def test_a_story_restarts_and_steers_the_gateway(sandgate_terminal: ScriptedTerminal) -> None:
    steps = "{acquirer: {decline: {code: 800.100.152}}}"
    decline = f"{{name: declines, title: d, description: d, steps: {steps}}}"

    assert not problems_in(
        sandgate_terminal,
        SALE % ", name: first, expect: {ending: approved}",
        "{restart: true}",
        f"{{arm: {decline}}}",
        SALE % ", expect: {ending: declined, result: 800.100.152}",
        "{advance: 1m}",
        '{order: refund, of: first, amount: "2.00", expect: {ending: approved}}',
        "{close: true, expect: {open: 0, differences: 0}}",
    )


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("title: A story\nsteps: [{}]", "expected exactly one of order, network"),
        (story_of("{order: sale, work: true}"), "expected exactly one of order, network"),
        (story_of("{order: sale, holder: [{}]}"), "expected exactly one of insert, tap"),
        (story_of("{order: sale, holder: [{tap: a, pin: b}]}"), "got 2"),
        (
            story_of("{order: sell}"),
            "steps[0].order: expected one of capture, pre-authorization, refund, sale, void "
            "(nearest: sale), got 'sell'",
        ),
        (story_of("{order: [sale]}"), "steps[0].order: expected one of capture, "),
        (story_of("{work: yes please}"), "steps[0].work: expected true, got 'yes please'"),
        (
            story_of("{order: sale, holder: [{pin: 1234}]}"),
            "steps[0].holder[0].pin: expected a text in quotes, got a number",
        ),
        (
            story_of("{order: sale, expect: {code: 51}}"),
            "steps[0].expect.code: expected a text in quotes, got a number",
        ),
        (story_of("{order: sale, holder: {pin: '1'}}"), "expected a list, got a mapping"),
        ('title = "A"\n[[steps]]\norder = "sale"', "document: expected a mapping, got a text"),
        ('title = "A"', "document: expected a mapping, got a text"),
        ("- title: A", "document: expected a mapping, got a list"),
        (story_of("{order: sale, amount: much}"), "steps[0].amount: expected an amount such as"),
        (story_of("{order: sale, colour: red}"), "steps[0].colour: expected one of order, network"),
        (story_of("{order: sale, expect: {ended: yes}}"), "expect.ended: expected one of ending"),
        (story_of("{order: sale, expect: {ending: aproved}}"), "(nearest: approved), got"),
        (story_of("{order: sale, expect: {stage: done}}"), "stage: expected one of started, asked"),
        (story_of("{order: sale, holder: [{tap: gold, fault: fire}]}"), "got 'fire'"),
        ("title: A\nmodel: TOASTER\nsteps: []", "expected one of COUNTERTOP,"),
        ("title: A\nconversion: {rates: {EUR: nothing}}\nsteps: []", "rates"),
        ("title: A\nconversion: {rates: {EUR: '-1'}}\nsteps: []", "rates.EUR: expected more than"),
        ("title: A\nconversion: {markup: .nan}\nsteps: []", "markup"),
        (story_of("{position: here}"), "position: expected latitude and longitude"),
        ("title: 2026-13-01\nsteps: []", "month must be in 1..12"),
        (ALIASES, "expected no alias, got *a0"),
        ("title: [", "expected"),
        ("", "document: expected a mapping, got nothing"),
        ("title: A\nsteps: [" + "{work: true}, " * 201 + "]", "at most 200 steps, got 201"),
        ("#" * (STORY_BYTES_MAX + 1), "expected at most 65536 bytes"),
        ("[" * 5000, "expected at most 20 lists and mappings in each other"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_story_is_refused(written: str, said: str) -> None:
    with pytest.raises(TerminalStoryError) as refused:
        read_story(written)
    assert said in str(refused.value)
    assert not FOREIGN.search(str(refused.value))


NUMBER = "4012-8888-8888-1881"


@pytest.mark.parametrize(
    "written",
    [
        story_of(f"{{order: {NUMBER}}}"),
        story_of(f"{{{NUMBER}: 1}}"),
        story_of(f"{{order: sale, holder: [{{insert: gold, fault: {NUMBER}}}]}}"),
        story_of(f"{{order: sale, expect: {{ending: {NUMBER}}}}}"),
        story_of(f"{{position: {NUMBER}}}"),
        f"title: A\nmodel: {NUMBER}\nsteps: []",
        f"title: A\na: *{NUMBER}",
        f"title: A\na: [{NUMBER}",
    ],
)
def test_no_error_of_a_story_shows_a_card_number(written: str) -> None:
    with pytest.raises(TerminalStoryError) as error:
        read_story(written)

    assert not has_card_number(str(error.value))


def test_no_step_and_no_command_shows_a_card_number(sandgate_terminal: ScriptedTerminal) -> None:
    sale = f'{{order: sale, amount: "9.00", holder: [{{type: {NUMBER}}}]}}'
    wrong = f"{{order: capture, of: {NUMBER}}}"
    problems = problems_in(sandgate_terminal, sale, wrong)
    command = typer.Typer()
    command.command()(main)
    refused = CliRunner().invoke(command, [NUMBER])

    assert "1881" in problems[0] and "1881" in problems[-1] and "1881" in refused.stderr
    assert not has_card_number("\n".join([*problems, refused.output, refused.stderr]))


def test_a_behaviour_that_is_none_is_a_problem_of_its_step(
    sandgate_terminal: ScriptedTerminal,
) -> None:
    (problem,) = problems_in(sandgate_terminal, "{arm: no-such-behaviour}")

    assert "no-such-behaviour" in problem


@pytest.mark.sandgate_terminal(model="SANDGATE_UNATTENDED", method="TDES")
def test_a_test_has_a_terminal_of_its_own(sandgate_terminal: ScriptedTerminal) -> None:
    sold = sandgate_terminal.sale("9.20", tap="gold")
    part = sandgate_terminal.refund("2.00", of=sold)
    held = sandgate_terminal.pre_authorize("92.00", insert="gold", pin="1234")
    taken = sandgate_terminal.capture(held, "20.00")

    endings = [each.ending.name for each in (sold, part, held, taken) if each.ending]
    assert endings == ["APPROVED"] * 4
    assert sandgate_terminal.terminal.identity.model == "UNATTENDED"
    assert sandgate_terminal.terminal.close_batch().differences == ()


def test_people_are_planned_for_the_order_of_a_till(sandgate_terminal: ScriptedTerminal) -> None:
    sandgate_terminal.plan(insert="gold", pin="1234")

    with serve_zvt(sandgate_terminal.terminal, ANY_PORT) as address, ZvtTill(address) as till:
        assert till.pay(6000)[-1] == "060f00"


def test_the_command_plays_lists_and_names_what_is_wrong(
    sandgate_gateway: GatewayAccess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDGATE_URL", sandgate_gateway.url)
    monkeypatch.setenv("SANDGATE_CONTROL_URL", sandgate_gateway.control_url)
    monkeypatch.setenv("SANDGATE_CONTROL_API_KEY", sandgate_gateway.control_key)
    command = typer.Typer()
    command.command()(main)
    run = CliRunner().invoke
    (tmp_path / "no.yaml").write_text("title: Mine")
    (tmp_path / "odd.yaml").write_bytes(b"title: \xff")
    file = tmp_path / "mine.yaml"
    file.write_text(story_of(SALE % ", expect: {ending: declined}"))

    listed = run(command, ["--list"])
    assert [each.split()[0] for each in listed.stdout.splitlines()] == list(NAMES)
    played = run(command, [str(file)])
    assert played.exit_code == 1
    assert "not as expected: ending: expected declined, got approved" in played.stdout
    assert "1234" not in played.stdout
    printed = run(command, ["dip", "--format", "json"])
    documents = [json.loads(line) for line in printed.stdout.splitlines()]
    assert printed.exit_code == 0
    assert [each["step"] for each in documents] == [1, 2, 3]
    for name, said in (
        ("nope", "expected a file or one of currency, dip,"),
        ("dipp", "(nearest: dip), got dipp"),
        (str(tmp_path / "no.yaml"), "no.yaml: steps: expected a list, got nothing"),
        (str(tmp_path / "odd.yaml"), "odd.yaml: expected a text in UTF-8, got another"),
        (str(tmp_path), "expected a story to read, got: Is a directory"),
    ):
        refused = run(command, [name])
        assert refused.exit_code == 2
        assert said in refused.stderr


@pytest.mark.parametrize("text", [r'"\e[1A\e[2K"', r'"\x9b31m"', r'"\u202e"', r'"a\rb"'])
def test_a_sign_that_steers_a_window_is_in_no_story(text: str) -> None:
    story = 'title: "A"\nsteps: [{close: true, say: "B"}]'
    assert read_story(story).title == "A"
    for place in ('"A"', '"B"'):
        with pytest.raises(TerminalStoryError, match="printable"):
            read_story(story.replace(place, text))


@pytest.mark.parametrize("value", ['timestamp "x"', 'bool "x"', 'int ""', 'int "-"', 'float ""'])
def test_a_value_that_its_tag_does_not_fit_is_no_story(value: str) -> None:
    with pytest.raises(TerminalStoryError, match="expected values that can be read"):
        read_story(f"title: !!{value}")
