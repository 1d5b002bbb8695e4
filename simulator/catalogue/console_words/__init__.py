"""The words of the console: a file for each language, a section for each page. Choice: D-630.

A text is looked up by section and name (`payments.trace`). `{name}` stands for a value; what stands
between backticks is shown as code.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from markupsafe import Markup, escape

LANGUAGE = "en"
CODE = re.compile("`([^`]+)`")


@cache
def words_of(language: str) -> Mapping[str, str]:
    """Every text of a language, by section and name."""
    sections = tomllib.loads((files(__package__) / f"{language}.toml").read_text("utf-8"))
    return {
        f"{section}.{name}": text
        for section, found in sections.items()
        for name, text in found.items()
    }


@cache
def texts_of(language: str) -> Mapping[str, Markup]:
    """The same, ready for a page."""
    return {
        key: Markup(CODE.sub(r"<code>\1</code>", str(escape(text))))
        for key, text in words_of(language).items()
    }


def say(key: str, /, **values: object) -> Markup:
    """A text for a page, with values in their places, escaped. Raises KeyError for one that there
    is not.
    """
    return texts_of(LANGUAGE)[key].format(**values)


def plain(key: str, /, **values: object) -> str:
    """A text that is no part of a page yet, such as what an error expected. Raises KeyError."""
    return words_of(LANGUAGE)[key].format(**values)
