"""The shell: a line is typed, completed from the table of commands, and run in this sandbox."""

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.masking.masking import mask_text
from simulator.service.console.shell import (
    COMMANDS,
    ShellResult,
    completions,
    read_line,
    run_command,
)
from simulator.web.console.hosts import refuse_command
from simulator.web.console.rendering import ShownPage
from simulator.web.console.resources import refusal, values_of
from simulator.web.console.visits import ConsoleVisit


def show_shell(visit: ConsoleVisit) -> ShownPage:
    """The commands, and a line to type one."""
    return _page(visit, "", None)


def run_line(visit: ConsoleVisit) -> ShownPage:
    """Run what was typed, and show what it prints."""
    line = visit.form.get("line", "").strip()
    try:
        refuse_command(visit, *read_line(line))
        identity, has_left = visit.sandbox().id, visit.has_left
        result = run_command(visit.console, identity, line, by=visit.name, has_left=has_left)
        return _page(visit, line, result)
    except InvalidInputError as error:
        said = ShellResult([refusal(400, "invalid", **values_of(error)).advice], True)
        return _page(visit, line, said)._replace(status=400)


def _page(visit: ConsoleVisit, line: str, result: object) -> ShownPage:
    values = {
        "sandbox": visit.sandbox(),
        "line": line if mask_text(line) == line else "",
        "result": result,
        "commands": COMMANDS,
        "known": completions(sorted(visit.console.behaviours)),
    }
    return ShownPage("shell.html", values)
