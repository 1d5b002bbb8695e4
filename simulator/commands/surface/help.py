"""Help that can be read at 80 columns: sections of commands, options with their meaning beside."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from simulator.commands.surface.plain_values import plain_parameters
from simulator.commands.surface.spellings import (
    move_connection_options,
    rewrite_format,
    rewrite_json_flag,
)

NAME_WIDTH_MAX = 26
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
OPTIONS = "Options"
TYPE = re.compile(r" <.*>$")
WORDS = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"<(int|float)( range)?>", "NUMBER"),
        (r"<(str|list\[str\])>", "TEXT"),
        (r"<(path|file|list\[Path\])>", "FILE"),
        (r"<([a-z]+(?:\|[a-z]+)+)>", r"\1"),
        (r"\s*\[(default: no-[a-z-]+|default: |required)\]", ""),
        (r"(; |)x>=[0-9.]+(?=\])", ""),
        (r"\s*\[\]", ""),
    )
)
HELP_OPTION = "help"
# The library for types begins its own messages with it.
LIBRARY_PREFIX, EXPECTED_PREFIX = "Value error, ", "Input should be "


def _with_input(error: typer.BadParameter) -> str:
    """What is wrong about a value; where the library for types says only what was expected, what
    came too.
    """
    found: list[Any] = getattr(error.__cause__, "errors", list)()
    if not (found and error.message.startswith(EXPECTED_PREFIX)):
        return str(error.message)
    from simulator.domain.masking.masking import mask_text

    expected = str(error.message).removeprefix(EXPECTED_PREFIX).partition(", unable")[0]
    return f"expected {expected}, got {mask_text(repr(found[0]['input']))}"


class SandgateCommand(TyperCommand):
    """A command; `forms` names the options that took over a value of its old `--format`."""

    forms: dict[str, str] = {}

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, old spellings too."""
        options = {name for each in self.params for name in each.opts}
        known = rewrite_format(args, self.forms)
        try:
            return super().parse_args(ctx, rewrite_json_flag(known, options))
        except typer.BadParameter as error:
            error.message = _with_input(error).removeprefix(LIBRARY_PREFIX)
            raise

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters; those that are plain do without the library for types."""
        return plain_parameters(super().get_params(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Name the parts of a call; one that may be left out has brackets."""
        arguments = [each for each in self.get_params(ctx) if each.param_type_name == "argument"]
        return [self.options_metavar or "", *map(_usage_of, arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, in the sections that they name."""
        write_parameters(self.get_params(ctx), ctx, formatter)


class SandgateGroup(TyperGroup):
    """A command that has commands of its own; `loaders` import those that are only listed."""

    loaders: Mapping[str, Callable[[], Any]] = {}

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters; those that are plain do without the library for types."""
        return plain_parameters(super().get_params(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is called, and import it if it is only listed."""
        name, listed, rest = super().resolve_command(ctx, args)
        load = self.loaders.get(listed.name or "") if listed else None
        return name, load() if load else listed, rest

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; options of the connection belong to the command behind them."""
        return super().parse_args(ctx, move_connection_options(args))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, then the options."""
        write_commands([self.commands[name] for name in self.list_commands(ctx)], formatter)
        write_parameters(self.get_params(ctx), ctx, formatter)


def write_commands(commands: Iterable[Any], formatter: Any) -> None:
    """Write what each command does, section by section."""
    shown = [each for each in commands if not each.hidden]
    width = max((len(each.name) for each in shown), default=0)
    for section, members in groupby(shown, key=lambda each: each.rich_help_panel or "Commands"):
        rows = [(each.name.ljust(width), summary_of(each)) for each in members]
        with formatter.section(section):
            formatter.write_dl(rows, col_max=NAME_WIDTH_MAX)


def write_parameters(parameters: Iterable[Any], ctx: Any, formatter: Any) -> None:
    """Write arguments and options with what they mean; `--help` stands last."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for each in sorted(parameters, key=lambda each: each.name == HELP_OPTION):
        record = each.get_help_record(ctx)
        if record is not None:
            name, meaning = map(_in_words, record)
            default = OPTIONS
            if each.param_type_name == "argument":
                default, name = "Arguments", TYPE.sub("", record[0])
            sections.setdefault(each.rich_help_panel or default, []).append((name, meaning))
    for section in sorted(sections, key=lambda name: name == OPTIONS):
        with formatter.section(section):
            formatter.write_dl(sections[section], col_max=NAME_WIDTH_MAX)


def _usage_of(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    if name.startswith("["):
        return str(name)
    text = name if argument.nargs == 1 or name.endswith("...") else f"{name}..."
    return text if argument.required else f"[{text}]"


def summary_of(command: Any) -> str:
    """The first sentence of a command's help."""
    return " ".join(_first_paragraph(command.help or ""))


def _in_words(text: str) -> str:
    """A part of typer's help in the words of a manual page."""
    for pattern, words in WORDS:
        text = pattern.sub(words, text)
    return text


def _first_paragraph(text: str) -> Iterator[str]:
    for line in text.strip().splitlines():
        if not line.strip():
            return
        yield line.strip()
