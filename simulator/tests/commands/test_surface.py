"""The command line as one surface: help, formats, completion, old spellings, closed output."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from simulator.cli import SECTIONS, command_line
from simulator.commands.surface.application import load_command
from simulator.commands.surface.spellings import CONNECTION_OPTIONS, move_connection_options
from simulator.grammar.version import __version__
from simulator.tests.kit.running import clean_environment
from simulator.tests.kit.trees import ROOT

WIDTH = 80
ROWS = [row for section in SECTIONS.values() for row in section]
# Commands that print no data: they change or start something, or print a document of one form.
WITHOUT_FORMAT = {
    "serve": "it serves; --ready-json prints its addresses",
    "run": "what it runs prints",
    "wait": "its exit status is the answer",
    "demo": "a story for people",
    "shop": "pages for people",
    "terminal run": "a page for people; --ready-json prints its addresses",
    "sandbox delete": "its exit status is the answer",
    "sandbox snapshot": "writes a file",
    "clock drain": "its exit status is the answer",
    "script disarm": "its exit status is the answer",
    "console open": "prints an address",
    "console remove": "its exit status is the answer",
    "webhooks remove": "its exit status is the answer",
    "webhooks listen": "prints JSON already",
    "webhooks decrypt": "prints JSON already",
    "webhooks events": "a page of the documentation; the OpenAPI documents have the schemas",
    "reconcile key": "prints JSON lines already",
    "reference": "a page of the documentation; catalogue --format json has the rows",
    "openapi": "prints JSON already",
    "behaviours check": "its exit status is the answer",
    "behaviours magic-values": "a page of the documentation; behaviours list has the rows",
    "target": "prints TOML, as `sandgate check` reads it",
    "report": "writes files; --json is one of them",
    "completion": "a script of a shell",
    "member": "prints one value of a JSON document",
}


def run(*arguments: str, **environ: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "simulator", *arguments],
        cwd=ROOT, env={**clean_environment(), "COLUMNS": str(WIDTH), **environ},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip


@cache
def commands() -> dict[str, Any]:
    """Every command that does something, by the words that call it."""
    return dict(_commands())


def _commands() -> Iterator[tuple[str, Any]]:
    for row in ROWS:
        loaded = load_command(row)
        members = getattr(loaded, "commands", None)
        if members is None:
            yield row.name, loaded
        else:
            for name, member in members.items():
                load = loaded.loaders.get(name)
                yield f"{row.name} {name}", load() if load else member


def shown_help(words: str) -> str:
    """The help of a command, as a terminal of 80 columns shows it."""
    command = commands()[words]
    with command.make_context(words, [], resilient_parsing=True) as context:
        context.terminal_width = WIDTH - 2
        return context.get_help()


def test_the_help_of_all_commands_has_a_section_for_each_group() -> None:
    shown = run("--help").stdout

    assert run("-h").stdout == shown
    for section, rows in SECTIONS.items():
        block = shown.partition(f"\n{section}:\n")[2].partition("\n\n")[0]
        listed = [line.split()[0] for line in block.splitlines() if line[2] != " "]
        assert listed == [row.name for row in rows if not row.is_hidden]


def test_the_version_is_printed_by_an_option_and_by_a_command() -> None:
    assert run("--version").stdout == run("version").stdout == f"sandgate {__version__}\n"


@pytest.mark.parametrize("words", sorted(commands()))
def test_every_help_fits_80_columns_and_says_what_each_part_means(words: str) -> None:
    lines = shown_help(words).splitlines()

    assert [line for line in lines if len(line) > WIDTH] == []
    assert [each for each in lines if "│" in each or "─" in each] == []
    nameless = [
        each.opts for each in commands()[words].params
        if not getattr(each, "hidden", False) and not (each.help or "").strip()
    ]  # fmt: skip
    assert nameless == []


@pytest.mark.parametrize("words", sorted(commands()))
def test_what_a_help_says_begins_in_the_left_half(words: str) -> None:
    indents = [len(line) - len(line.lstrip()) for line in shown_help(words).splitlines()]

    assert max(indents) < WIDTH / 2


@pytest.mark.parametrize("words", sorted(commands()))
def test_every_command_that_shows_data_has_a_format(words: str) -> None:
    formats = [each for each in commands()[words].params if "--format" in each.opts]

    if words in WITHOUT_FORMAT:
        assert formats == []
    else:
        (option,) = formats
        assert list(option.type_descriptor.choices)[:2] == ["text", "json"]


@pytest.mark.parametrize("words", sorted(commands()))
def test_options_of_the_connection_are_options_of_the_command_itself(words: str) -> None:
    options = {name for each in commands()[words].params for name in each.opts}

    if "--control-url" in options:
        assert {"--control-key", "--ca-file"} <= options


def test_a_group_has_no_options_of_its_own() -> None:
    loaded = [load_command(row) for row in ROWS]
    groups = [each for each in loaded if hasattr(each, "commands")]

    assert [group.name for group in groups if group.params] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("config",), ("catalogue",), ("explain", "PA"), ("throttles", "list"), ("states",),
        ("throttles", "show", "field"), ("behaviours", "list"), ("behaviours", "show", "decline"),
        ("decisions",), ("decisions", "--records"), ("version",), ("steps", "refund"),
        ("check", "--list"), ("check-merchant", "--list"), ("doctor", "--port", "0"),
        ("terminal", "play", "--list"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_json_is_one_document_alone_on_standard_output(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, "--format", "json")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)


def test_the_old_json_flag_still_works_and_names_the_new_one() -> None:
    old, new = run("catalogue", "--json"), run("catalogue", "--format", "json")

    assert old.stdout == new.stdout
    assert "--json is deprecated" in old.stderr
    assert "--format json" in old.stderr
    assert new.stderr == ""


def test_options_before_the_command_of_a_group_still_work_and_name_the_new_place(
    capsys: pytest.CaptureFixture,
) -> None:
    moved = move_connection_options(["--sandbox", "1", "--control-key=k", "list", "--failed"])

    assert moved == ["list", "--failed", "--sandbox", "1", "--control-key=k"]
    assert "list --sandbox" in capsys.readouterr().err
    assert move_connection_options(["list", *CONNECTION_OPTIONS]) == ["list", *CONNECTION_OPTIONS]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("sandb",), {"sandbox"}),
        (("sandbox", ""), {"create", "list", "show", "reset", "delete", "snapshot", "restore"}),
        (("clock", "set", "fr"), {"frozen"}),
        (("serve", "--tls"), {"--tls-port"}),
        (("catalogue", "--format", ""), {"text", "json"}),
        (("completion", "z"), {"zsh"}),
        (("serve", "--profile", ""), {"specification", "field"}),
        (("run", "--durability", "d"), {"disk"}),
        (("demo", "first"), {"first-payment"}),
        (("script", "arm", "insuff"), {"insufficient-funds"}),
        (("behaviours", "show", "decl"), {"decline"}),
        (("throttles", "show", ""), {"off", "sandbox", "field"}),
        (("wallet", "token", "--fault", "s"), {"signature", "stale"}),
        (("webhooks", "trigger", "payment"), {"payment.updated"}),
        (("terminal", "play", "w"), {"wrong-pin"}),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_bash_completes_commands_options_and_values(
    words: tuple[str, ...], expected: set[str], tmp_path: Path
) -> None:
    script = (
        'eval "$(sandgate completion bash)"\n'
        f"COMP_WORDS=(sandgate {' '.join(words[:-1])} {words[-1]!r}); COMP_CWORD={len(words)}\n"
        '_sandgate_completion sandgate; printf "%s\\n" "${COMPREPLY[@]}"\n'
    )

    done = in_shell("bash", script, tmp_path)

    assert set(done.stdout.split()) >= expected, done.stderr
    assert done.returncode == 0


def in_shell(shell: str, script: str, folder: Path) -> subprocess.CompletedProcess:
    """A script in a shell that finds `sandgate`."""
    program = folder / "sandgate"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m simulator "$@"\n')
    program.chmod(0o755)
    environment = clean_environment()
    environment["PATH"] = f"{folder}{os.pathsep}{environment['PATH']}"
    return subprocess.run(
        [shell, "-c", script], cwd=ROOT, env=environment,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_zsh_and_fish_complete_commands_with_their_meaning(shell: str) -> None:
    assert "sandgate" in run("completion", shell).stdout

    done = run(
        _SANDGATE_COMPLETE=f"complete_{shell}", _TYPER_COMPLETE_ARGS="sandgate sandb",
        _TYPER_COMPLETE_FISH_ACTION="get-args",
    )  # fmt: skip

    assert "sandbox" in done.stdout
    assert "Create, list, show, reset and delete" in done.stdout


@pytest.mark.parametrize(
    ("given", "prints"),
    [({"SANDGATE_ENTITY_ID": "8a"}, "SANDGATE_TOKEN, as `sandgate serve` prints it"),
     ({}, "SANDGATE_TOKEN, SANDGATE_ENTITY_ID, as `sandgate serve` prints them")],
)  # fmt: skip
def test_a_target_without_a_variable_says_which_is_missing(
    given: dict[str, str], prints: str
) -> None:
    assert (
        f"expected {prints}; got nothing" in run("target", SANDGATE_URL="http://h", **given).stderr
    )


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("load --shape ", ("flat", "ramp", "spike", "soak", "step")),
        ("load --arrival ", ("closed", "open")),
        ("terminal new --method ", ("AES", "TDES")),
    ],
)
def test_the_values_of_options_are_completed(words: str, values: tuple[str, ...]) -> None:
    done = run(
        _SANDGATE_COMPLETE="complete_fish", _TYPER_COMPLETE_ARGS=f"sandgate {words}",
        _TYPER_COMPLETE_FISH_ACTION="get-args",
    )  # fmt: skip

    assert [*done.stdout.split()] == [*values]


@pytest.mark.parametrize(
    "words", [("clock", "set", "yesterday"), ("sandbox", "create", "--profile", "x")]
)
def test_a_word_that_is_none_of_the_known_is_answered_without_the_name_of_an_exception(
    words: tuple[str, ...],
) -> None:
    done = run(*words)

    assert done.returncode == 2
    assert f"'{words[-1]}' is not one of" in done.stderr
    assert "Value error" not in done.stderr


@pytest.mark.cost
def test_completion_imports_no_command_that_is_only_listed() -> None:
    program = (
        "import os, sys; os.environ |= {'_SANDGATE_COMPLETE': 'complete_zsh',"
        " '_TYPER_COMPLETE_ARGS': 'sandgate '}\n"
        "from simulator.cli import run\n"
        "try:\n    run()\nexcept SystemExit:\n    pass\n"
        "print(sorted({name.split('.')[0] for name in sys.modules}"
        " & {'features', 'load', 'gevent', 'locust', 'falcon'}))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=clean_environment(),
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert done.stdout.endswith("[]\n"), done.stdout + done.stderr


PIPED = [
    ("catalogue",), ("reference",), ("decisions",), ("openapi",), ("behaviours", "magic-values"),
    ("check", "--list"), ("steps",), ("coverage",), ("config",), ("doctor", "--port", "0"),
    ("explain", "amount"), ("throttles", "list"), ("--help",), ("serve", "--help"),
]  # fmt: skip


@pytest.mark.parametrize("arguments", PIPED, ids=" ".join)
def test_a_reader_that_ends_first_ends_the_command_quietly(arguments: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    done = subprocess.run(
        [sys.executable, "-m", "simulator", *arguments], cwd=ROOT, env=clean_environment(),
        stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60,
    )  # fmt: skip
    os.close(writing)

    assert (done.returncode, done.stderr) == (141, "")


def test_a_full_disk_is_named_as_what_it_is() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "simulator", "catalogue"], cwd=ROOT, env=clean_environment(),
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
        )  # fmt: skip

    assert done.returncode == 1
    assert done.stderr == "sandgate: standard output: No space left on device\n"


def test_an_unknown_command_names_the_nearest() -> None:
    done = run("sandboxes")

    assert done.returncode == 2
    assert "'sandbox'" in done.stderr


def test_the_help_of_run_shows_the_defaults_that_run_uses() -> None:
    shown = " ".join(run("run", "--help").stdout.split())

    assert "Port of plain HTTP; 0 takes free ports for every listener. [default: 0]" in shown
    assert "debug, info, warning or error. [default: warning]" in shown
    assert "[default: a temporary folder]" in shown
    assert "8080" not in shown


def test_the_application_is_made_of_rows_alone() -> None:
    assert list(command_line().commands) == [row.name for row in ROWS]


@pytest.mark.parametrize(
    "arguments",
    [("config",), ("doctor", "--port", "0"), ("doctor", "--port", "http"), ("explain", "card.cvv"),
     ("explain", "unknown-name"), ("throttles", "list"), ("behaviours", "list")],
    ids=" ".join,
)  # fmt: skip
def test_no_line_break_of_a_text_is_shown_as_an_escape(arguments: tuple[str, ...]) -> None:
    assert "\\n" not in run(*arguments).stdout
