"""Values of the command line that need no conversion: texts, words, and what was not given.

typer loads its library for types with the first value of a command, even with one that was not
given. That takes as long as the rest of many a command.
"""

from collections.abc import Iterable
from typing import Any, Literal, get_args, get_origin

from typer.core import TyperArgument, TyperOption


class PlainOption(TyperOption):
    """An option whose text is taken as it is."""

    def process_value(self, ctx: Any, value: Any) -> Any:
        """What the command gets for what was given."""
        if is_plain(self, value):
            return _given(self, ctx, value)
        return super().process_value(ctx, value)


class PlainArgument(TyperArgument):
    """An argument whose text is taken as it is."""

    def process_value(self, ctx: Any, value: Any) -> Any:
        """What the command gets for what was given."""
        if is_plain(self, value):
            return _given(self, ctx, value)
        return super().process_value(ctx, value)


# typer makes the parameters, and takes no classes for them.
PLAIN: dict[type, type] = {TyperOption: PlainOption, TyperArgument: PlainArgument}


def plain_parameters(parameters: Iterable[Any]) -> list[Any]:
    """The parameters, each of its plain class."""
    found = list(parameters)
    for each in found:
        each.__class__ = PLAIN.get(type(each), type(each))
    return found


def is_plain(parameter: Any, value: Any) -> bool:
    """Whether a value needs no conversion and no check."""
    descriptor = parameter.type_descriptor
    if descriptor.parameter_info.parser is not None or parameter.nargs != 1:
        return False
    if value is None:
        return not parameter.required
    # The library refuses bytes that are no UTF-8.
    if not isinstance(value, str) or not value.isascii():
        return False
    if get_origin(descriptor.annotation) is Literal:
        return value in get_args(descriptor.annotation)
    return descriptor.annotation is str and not (descriptor.is_choice or descriptor.is_path)


def _given(parameter: Any, ctx: Any, value: Any) -> Any:
    if value is None and parameter.multiple:
        value = ()
    return value if parameter.callback is None else parameter.callback(ctx, parameter, value)
