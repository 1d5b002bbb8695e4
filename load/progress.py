"""How a long run reports its progress: a function that takes one line of text."""

from collections.abc import Callable

Progress = Callable[[str], None]
