"""Every command of the documentation runs, and answers what is shown below it.

In a block marked `console`, a line that begins with `$ ` is a command, one that ends with a
backslash goes on, and the rest is what it prints. The commands of one document run in one shell, in
their order: a second terminal in which nothing is activated, after the line was pasted that a
gateway prints which is served from the wheel, outside the repository.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from simulator.banner import first_payment
from simulator.cli import SECTIONS
from simulator.tests.kit.picture import draw_trace
from simulator.tests.kit.running import Serving, serving
from simulator.tests.kit.trees import ROOT, sources
from simulator.tests.kit.wheel import Installed
from simulator.tests.project.settings_table import markdown_table

# Begun with those that take longest: all of them are done by one worker, alone at the end.
pytestmark = pytest.mark.timeout(180)

DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "examples").rglob("*.md")])
DOCUMENTS = [
    path.relative_to(ROOT).as_posix()
    for path in PAGES
    if "```console\n" in path.read_text(encoding="utf-8")
]
# Its load runs last a minute in all: `make proof` runs them.
LONG = ("docs/how-to/load.md",)
INDEX = DOCS / "index.md"
LINK = re.compile(r"\]\((?!https?:)([^)]+)\)")
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"\b[0-9]{3}\.[0-9]{3}\.[0-9]{3}\b")
MEMBER = re.compile(r'"(\w+)":')
BARE_PATH = "/usr/bin:/bin"
MARK = "=== end of command {} with status "


class Step(NamedTuple):
    """A command and what the document shows of its output."""

    command: str
    shown: str


def steps_of(document: str) -> Iterator[Step]:
    """The commands of a document, in order."""
    for block in BLOCK.findall((ROOT / document).read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command = re.match(r"(?:.*\\\n)*.*", part)[0]
            yield Step(command, part[len(command) :].strip())


def named(first_word: str, documents: list[str] = DOCUMENTS) -> list[str]:
    commands = [step.command for document in documents for step in steps_of(document)]
    return sorted({command for command in commands if command.startswith(first_word)})


@pytest.fixture(scope="module")
def gateway(tmp_path_factory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("documented") / "data") as running:
        yield running


class Terminal(NamedTuple):
    """A second terminal, in which nothing is activated: the line that was pasted, and a folder."""

    line: str
    environment: dict[str, str]
    folder: Path


@pytest.fixture(scope="module")
def banner(installed: Installed) -> Iterator[str]:
    """What a gateway prints that is served from the wheel, outside the repository."""
    command = installed.command("serve", "--port", "0", "--data", str(installed.folder / "docs"))
    process = subprocess.Popen(
        command, cwd=installed.folder, env=installed.variables, stdout=subprocess.PIPE, text=True
    )
    with process:
        try:
            printed = ""
            while not re.search(r"^export .*\n", printed, re.MULTILINE):
                printed += (line := process.stdout.readline())
                assert line, f"the gateway ended with status {process.wait()}:\n{printed}"
            yield printed
        finally:
            process.terminate()


@pytest.fixture
def terminal(banner: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """A second terminal, where the line that the banner ends with is pasted."""
    programs = tmp_path / "programs"
    programs.mkdir()
    if shutil.which("curl", path=BARE_PATH) is None:
        (programs / "curl").symlink_to(Path(__file__).parents[1] / "kit" / "small_curl.py")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    # As in a checkout: tests of the repository are configured in folders above the examples.
    for name in ("conftest.py", "pyproject.toml", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path)
    home = tmp_path_factory.mktemp("home")
    environment = {"PATH": f"{BARE_PATH}{os.pathsep}{programs}", "HOME": str(home)}
    return Terminal(banner.splitlines()[-1], environment, tmp_path)


def run_all(commands: list[str], terminal: Terminal) -> list[tuple[int, str]]:
    """Status and output of commands that run one after the other in one shell."""
    script = terminal.line + "\n"
    script += "".join(
        f"{command}\nprintf '\\n{MARK.format(number)}%s\\n' $?\n"
        for number, command in enumerate(commands)
    )
    ran = subprocess.run(
        ["sh", "-c", script],
        cwd=terminal.folder, env=terminal.environment, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=100,
    )  # fmt: skip
    parts = re.split(MARK.format("[0-9]+") + r"([0-9]+)\n", ran.stdout)
    return [(int(parts[n + 1]), parts[n]) for n in range(0, len(parts) - 1, 2)]


def is_run(command: str) -> bool:
    return not command.startswith(("make ", "sandgate serve"))


@pytest.mark.parametrize(
    "document",
    [pytest.param(each, marks=[pytest.mark.proof] * (each in LONG)) for each in DOCUMENTS],
)
def test_every_command_of_a_document_runs_and_answers_as_shown(document, terminal):
    steps = [step for step in steps_of(document) if is_run(step.command)]
    git(terminal.folder, "init", "--quiet")
    git(terminal.folder, "add", ".")

    ran = run_all([step.command for step in steps], terminal)

    # Some have tokens in them.
    assert git(terminal.folder, "ls-files", "--others", "--exclude-standard") == ""
    assert len(ran) == len(steps)
    for step, (status, output) in zip(steps, ran, strict=True):
        assert status == 0, f"{step.command}\n{output}"
        assert "is deprecated" not in output, f"{step.command}\n{output}"
        assert missing_of(step.shown, output) == [], f"{step.command}\n{output}"


def git(folder: Path, *command: str) -> str:
    """What git prints in a folder."""
    ran = subprocess.run(
        ["git", *command], cwd=folder, capture_output=True, text=True, check=True, timeout=60
    )
    return ran.stdout


def missing_of(shown: str, output: str) -> list[str]:
    """What a document shows and the output has not: codes and members of JSON, lines of text."""
    if shown.startswith(("{", "[")):
        printed = [*CODE.findall(shown), *(f'"{name}":' for name in MEMBER.findall(shown))]
        return [word for word in printed if word not in output.replace('": ', '":')]
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    printed = " ".join(output.split())
    return [line for line in lines if line not in ("", "...") and line not in printed]


def test_what_a_document_shows_wrongly_is_noticed():
    assert missing_of('{"id": "1", "code": "000.100.110"}', '{"code":"800.100.153"}') == [
        "000.100.110", '"id":',
    ]  # fmt: skip
    assert missing_of("port 8080\n...", "host\nport 9090") == ["port 8080"]


@pytest.mark.parametrize("command", named("make "))
def test_every_make_command_of_the_documents_is_a_target(command):
    target = command.split()[1]

    assert re.search(rf"^{target}:.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    planned = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True)
    assert planned.returncode == 0, planned.stderr


@pytest.mark.parametrize("command", named("sandgate serve"))
def test_every_serve_command_of_the_documents_has_known_options(command, terminal):
    asked = command.replace("sandgate serve", "sandgate config", 1)

    [(status, output)] = run_all([asked], terminal)

    assert status == 0, output


def test_the_line_that_the_banner_prints_takes_a_payment(banner, terminal):
    (line,) = re.findall("^curl .*", banner, re.MULTILINE)

    [(status, output)] = run_all([line], terminal)

    assert status == 0, output
    assert CODE.findall(output) == ["000.100.110"]


def test_the_line_is_one_line_and_quotes_what_a_shell_would_read():
    facts = {"base_url": "http://h/", "tls_url": "https://h/", "control_url": "https://h/_/"}

    line = first_payment({**facts, "token": "t", "entity_id": "e"}, ca=Path("/a b/ca.pem"))

    assert line.startswith("curl --cacert '/a b/ca.pem' https://h/v1/payments -H ")
    assert "\n" not in line


def test_the_table_of_options_is_the_one_the_settings_print():
    page = (DOCS / "reference" / "configuration.md").read_text(encoding="utf-8")

    assert markdown_table() in page, (
        "paste what python -m simulator.tests.project.settings_table prints"
    )


def test_every_page_is_linked_and_every_link_leads_somewhere():
    links = {
        (page, (page.parent / target.partition("#")[0]).resolve())
        for page in PAGES
        for target in LINK.findall(page.read_text(encoding="utf-8"))
    }
    linked = {target for _, target in links}

    assert [f"{page.name}: {target}" for page, target in links if not target.exists()] == []
    assert [page.name for page in DOCS.rglob("*.md") if page not in linked | {INDEX}] == []


def test_every_command_is_in_the_table_of_commands():
    page = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \| [a-z]", page, re.MULTILINE)

    # The table of exit statuses has some of them again.
    assert set(listed) == {row.name for section in SECTIONS.values() for row in section}


def test_every_anchor_of_a_link_is_a_heading():
    missing = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if "#" in target and not is_heading(page, *target.split("#"))
    ]

    assert missing == []


def test_every_page_that_the_sources_name_exists():
    named = {
        (source.path, name)
        for source in sources()
        for name in re.findall(r"\bdocs/[\w/-]+\.(?:md|svg)\b", source.text)
    }

    assert [f"{path}: {name}" for path, name in named if not (ROOT / name).exists()] == []


def is_heading(page: Path, target: str, anchor: str) -> bool:
    """Whether `anchor` is made from a heading, or set by hand, in the page `target` leads to."""
    text = (page.parent / target if target else page).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    made = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return anchor in made or f'id="{anchor}"' in text or f'name="{anchor}"' in text


def test_the_picture_of_a_trace_is_the_one_the_gateway_draws(gateway):
    stored = (DOCS / "images" / "trace.svg").read_text(encoding="utf-8")

    command = "python -m simulator.tests.kit.picture > docs/images/trace.svg"
    assert draw_trace(gateway.facts) == stored, f"run {command}"


def test_the_machine_line_is_one_json_object_with_the_promised_keys(gateway):
    assert set(json.loads(json.dumps(gateway.facts))) == {
        "base_url", "tls_url", "live_url", "control_url", "control_key", "token", "live_token",
        "entity_id", "sandbox_id", "profile", "throttle", "live_throttle", "acs_url", "card_host",
        "openapi_url", "console_url", "sftp", "sftp_fingerprint",
    }  # fmt: skip


def test_no_document_cuts_json_by_position():
    cut = re.compile(r"""cut -d '"'|sed ['"]s[^|]*":""")

    assert [
        f"{document}: {step.command}"
        for document in DOCUMENTS
        for step in steps_of(document)
        if cut.search(step.command)
    ] == []
