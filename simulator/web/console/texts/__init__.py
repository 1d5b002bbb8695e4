"""The texts of the console: one file for each language, with a section for each page.

A text is looked up by section and name (`payments.trace`). `{name}` stands for a value, which is
escaped; what stands between backticks is shown as code.
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
def texts_of(language: str) -> Mapping[str, Markup]:
    """Every text of a language, by section and name, ready for a page."""
    sections = tomllib.loads((files(__package__) / f"{language}.toml").read_text("utf-8"))
    return {
        f"{section}.{name}": Markup(CODE.sub(r"<code>\1</code>", str(escape(text))))
        for section, found in sections.items()
        for name, text in found.items()
    }


def say(key: str, /, **values: object) -> Markup:
    """A text, with values in their places. Raises KeyError for one that there is not."""
    return texts_of(LANGUAGE)[key].format(**values)
