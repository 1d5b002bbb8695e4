"""The shell: a line is typed, completed from the table of commands, and run in this sandbox."""

from simulator.service.console.shell import COMMANDS, completions, run_command
from simulator.web.console.rendering import ShownPage
from simulator.web.console.visits import ConsoleVisit


def show_shell(visit: ConsoleVisit) -> ShownPage:
    """The commands, and a line to type one."""
    return _page(visit, "", None)


def run_line(visit: ConsoleVisit) -> ShownPage:
    """Run what was typed, and show what it prints."""
    line = visit.form.get("line", "").strip()
    return _page(visit, line, run_command(visit.console, visit.sandbox().id, line))


def _page(visit: ConsoleVisit, line: str, result: object) -> ShownPage:
    values = {
        "sandbox": visit.sandbox(),
        "line": line,
        "result": result,
        "commands": COMMANDS,
        "known": completions(sorted(visit.console.behaviours)),
    }
    return ShownPage("shell.html", values)
