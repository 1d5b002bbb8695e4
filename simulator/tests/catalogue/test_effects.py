"""Every request field has an effect, an echo, or is accepted on purpose; `explain` says which."""

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.effects import EFFECTS, effects_of
from simulator.catalogue.fields.parameters import TABLES
from simulator.derive.explain.fields import explain_field
from simulator.domain.core.parameters import NEVER_ONWARD, onward
from simulator.grammar.choices import choose
from simulator.grammar.effects import ACCEPTED, ACTS
from simulator.grammar.parameters import REQUEST

FIELDS = [row for table in TABLES for row in table.rows if row.direction == REQUEST]
CHOSEN = choose(CHOICES, "specification")


def test_something_becomes_of_every_field() -> None:
    for row in FIELDS:
        effects = effects_of(row)
        assert effects, row.name
        shown = [*explain_field(row.name, CHOSEN)]
        for effect in effects:
            assert any("effect" in line and effect in line for line in shown), shown


def test_every_row_is_about_some_field_that_needs_it() -> None:
    for effect in EFFECTS:
        covered = [row for row in FIELDS if effect.covers(row.name)]
        assert any(effect.kind == ACTS or not row.echo for row in covered), effect.name


def test_what_is_said_to_travel_does_and_nothing_that_is_secret() -> None:
    said = "accepted: travels to the acquirer"
    rows = [row for row in FIELDS if said in effects_of(row)]
    names = [name for row in rows for name in row.concrete_names]
    assert len(names) > 10
    assert onward(dict.fromkeys(names, "1")) == dict.fromkeys(names, "1")
    assert "merchantInvoiceId" in NEVER_ONWARD


def test_a_secret_that_nothing_comes_of_is_said_to_travel_nowhere() -> None:
    quiet = [row for row in FIELDS if row.secret and any("accepted" in e for e in effects_of(row))]
    assert {row.name for row in quiet} >= {"risk.accountToken"}
    for row in quiet:
        assert effects_of(row) == ("accepted: travels nowhere: it is a secret",)


def test_an_effect_is_of_a_known_kind() -> None:
    assert {each.kind for each in EFFECTS} == {ACTS, ACCEPTED}
