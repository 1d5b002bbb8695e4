"""Old spellings of arguments: they work for one release, with a note that names the new one."""

from collections.abc import Collection, Mapping

import typer

# Options of the gateway that is asked: they used to stand before the command of a group.
CONNECTION_OPTIONS = ("--sandbox", "--control-url", "--control-key", "--ca-file")


def rewrite_json_flag(arguments: list[str], options: Collection[str]) -> list[str]:
    """Write `--json` as `--format json` where a command has the one option and not the other."""
    if "--json" not in arguments or "--json" in options or "--format" not in options:
        return arguments
    _note("--json", "--format json")
    return ["--format=json" if each == "--json" else each for each in arguments]


def rewrite_format(arguments: list[str], forms: Mapping[str, str]) -> list[str]:
    """Write `--format hex` as the option of `forms` that now takes this value."""
    written: list[str] = []
    words = iter(arguments)
    for word in words:
        name, sign, value = word.partition("=")
        if name != "--format":
            written.append(word)
            continue
        value = value if sign else next(words, "")
        option = forms.get(value, name)
        if option != name:
            _note(f"--format {value}", f"{option} {value}")
        written += [option, value] if value else [option]
    return written


def move_connection_options(arguments: list[str]) -> list[str]:
    """Move options of the connection from before the command of a group to its end."""
    moved: list[str] = []
    rest = list(arguments)
    while rest and rest[0].partition("=")[0] in CONNECTION_OPTIONS:
        count = 1 if "=" in rest[0] else 2
        moved += rest[:count]
        rest = rest[count:]
    if moved and rest:
        _note(f"{moved[0]} before {rest[0]}", f"{rest[0]} {moved[0]}")
    return [*rest, *moved]


def _note(old: str, new: str) -> None:
    typer.echo(f"sandgate: {old} is deprecated and goes with the next release: {new}", err=True)
