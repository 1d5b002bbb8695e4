"""The names of countries in the languages of the hosted form.

A row is an ISO 3166-1 code, a column a language by its tag. The names are those of Unicode CLDR,
which is too large to depend on for a list. Source: Billing address; FORM-03.
"""

import csv
from functools import cache
from importlib.resources import files

from simulator.catalogue.form_words.languages import LanguageRow

FILE = "countries.csv"


@cache
def country_names(language: LanguageRow) -> tuple[tuple[str, str], ...]:
    """Codes and names of all countries in a language, by code."""
    text = files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    _, *lines = text.splitlines()
    return tuple((row["code"], row[language.tag]) for row in csv.DictReader(lines))
