"""What is wrong with a document is said in one way, for every struct that the control API reads."""

import re
from time import process_time

import msgspec
import pytest

from simulator.client.shown.misfits import nearest_name
from simulator.domain.core.entities import Channel
from simulator.domain.core.errors import InvalidInputError, UnknownMemberError
from simulator.domain.documents import as_record
from simulator.domain.merchants.hierarchy import AskedClock, AskedSandbox
from simulator.domain.terminals.loading import AskedKeys, AskedRollover
from simulator.grammar.throttles import ThrottleTable
from simulator.tests.kit.gateway import Gateway
from simulator.web.control.description.schemas import ASKED

STRUCTS = (*ASKED, Channel)
FIELDS = [
    (kind, field.encode_name)
    for kind in STRUCTS
    for field in msgspec.structs.fields(kind)
    # Throttle tables are read by rules of their own.
    if "throttle" not in field.name
]
# How the library that converts documents names kinds; people who write JSON know others.
FOREIGN = re.compile(r"`|\$|\b(str|int|bool|float|array|Expected|Invalid|enum|RFC3339|decimal)\b")
NUMBER = "4200000000000000"


class Tables(msgspec.Struct):
    """What has a table of limits, or none."""

    throttle: ThrottleTable | None = None


def refusal_of(document: object, kind: type, where: str = "") -> InvalidInputError:
    with pytest.raises(InvalidInputError) as caught:
        as_record(document, kind, where)
    return caught.value


@pytest.mark.parametrize("kind", STRUCTS, ids=lambda kind: kind.__name__)
def test_an_unknown_field_names_the_nearest_and_every_known_one(kind: type) -> None:
    known = [field.encode_name for field in msgspec.structs.fields(kind)]
    typo = f"{known[0]}s"

    error = refusal_of({typo: 1}, kind)

    assert isinstance(error, UnknownMemberError)
    assert (error.where, error.got) == (typo, f"unknown field '{typo}'")
    meant = re.escape(f"unknown field '{typo}'; did you mean ") + f"({'|'.join(known)})"
    assert re.match(meant, str(error)), str(error)
    assert all(name in error.expected for name in known)


SECRET = "Passw0rd!xyzzy77"


@pytest.mark.parametrize(
    "holder",
    [
        {"password": SECRET},
        {"merchants": [{"channels": [{"name": "Shop", "password": SECRET}]}]},
        {"passwords": ["short", [SECRET]]},
        {"clock": {"a": {"b": {"apiKey": SECRET}}}},
    ],
    ids=["beside it", "in a list", "in a list of secrets", "deep"],
)
@pytest.mark.parametrize("wrong", [{"seed": f"x{SECRET}"}, {SECRET: 1}], ids=["value", "name"])
def test_no_refused_member_repeats_a_secret_wherever_it_stands(wrong: dict, holder: dict) -> None:
    error = refusal_of({**wrong, **holder}, AskedSandbox)
    assert SECRET not in str(error) and "***" in error.got


def test_secrets_are_sought_in_the_first_members_of_a_document_alone() -> None:
    many = [{"password": f"{SECRET}{number}"} for number in range(200_000)]
    before = process_time()
    refusal_of({"seed": "x", "merchants": many}, AskedSandbox)
    assert process_time() - before < 0.3


@pytest.mark.parametrize("name", ["na`me", "`", "name`", "a - at `$.name`"])
def test_an_unknown_field_is_named_as_it_was_written(name: str) -> None:
    assert refusal_of({name: 1}, AskedSandbox).got == f"unknown field '{name}'"
    (where,) = {refusal_of({"clock": {name: 1}}, AskedSandbox).where}
    assert where == f"clock.{name}"


def fits(kind: type, name: str, value: object) -> bool:
    try:
        msgspec.convert({name: value}, kind)
    except msgspec.ValidationError as error:
        return f"$.{name}" not in str(error)
    return True


@pytest.mark.parametrize(
    ("kind", "name"), FIELDS, ids=[f"{kind.__name__}.{name}" for kind, name in FIELDS]
)
def test_a_value_of_another_kind_is_refused_in_words_by_its_place(kind: type, name: str) -> None:
    wrong = [each for each in ([[]], {"": []}, "fast", 1.5, None) if not fits(kind, name, each)]

    assert wrong
    for value in wrong:
        error = refusal_of({name: value}, kind, "merchants[0]")
        assert error.where.startswith(f"merchants[0].{name}"), error
        assert not FOREIGN.search(f"{error.expected} {error.got}"), str(error)


def test_a_word_that_is_not_in_the_list_is_answered_with_the_list() -> None:
    error = refusal_of({"mode": "fast"}, AskedClock)

    assert str(error) == "mode: expected frozen, offset, real or scaled; got 'fast'"


@pytest.mark.parametrize(
    ("document", "kind", "said"),
    [
        ({"certificate": "", "nonce": "0a" * 32}, AskedKeys, "nonce: expected 32 hex digits"),
        ({"pin": "0a" * 10, "data": "0a" * 8}, AskedRollover, "pin: expected 16 hex digits"),
        ({"pin": "0a" * 8}, AskedRollover, "data: expected it, 16 hex digits"),
    ],
)
def test_hex_digits_of_another_length_are_answered_with_how_many_are_expected(
    document: object, kind: type, said: str
) -> None:
    assert str(refusal_of(document, kind)).startswith(said)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"clock": {"mode": "fast"}}, "clock.mode: expected frozen, offset, real or scaled"),
        ({"clock": {"mode": "real", "rate": 2}}, "clock.mode: expected frozen"),
        ({"clock": {"mode": "frozen", "at": "x"}}, "clock.at: expected an instant"),
        (
            {"merchants": [{"name": ""}]},
            "merchants[0].name: expected a text of 1 to 255 characters",
        ),
        ({"merchants": [{"channels": []}]}, "merchants[0].channels: expected a list of 1 to 100"),
        (
            {"merchants": [{"channels": [{}, {"3ds": {}}]}]},
            "unknown field '3ds'; did you mean three_d_secure?",
        ),
        (
            {"merchants": [{"channels": [{"brands": ["VIZA"]}]}]},
            "merchants[0].channels[0].brands: expected a brand",
        ),
        (
            {"merchants": [{"channels": [{"default_behaviour": "aprove"}]}]},
            "merchants[0].channels[0].default_behaviour: expected one of",
        ),
        ({"seed": "x"}, "seed: expected a whole number"),
        ([], "body: expected an object; got a list"),
        ({"throttle": {"nme": "x"}}, "unknown field 'nme'; did you mean name?"),
        ({"overrides": {"D-14": 1}}, "overrides: expected values that are a text"),
    ],
)
def test_a_document_of_a_sandbox_is_refused_by_the_place_of_what_is_wrong(
    gateway: Gateway, document: object, said: str
) -> None:
    answer = gateway.control("POST", "/sandboxes", document)

    assert answer.status_code == 400
    assert answer.json["resultDetails"]["ExtendedDescription"].startswith(said)


def test_a_misspelled_behaviour_is_named_before_the_one_that_is_missing(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json["id"]

    error = gateway.control("POST", f"/sandboxes/{made}/scripts", {"behavior": "decline"}).json

    assert error["error"] == {
        "where": "behavior",
        "expected": "one of behaviour, match, times (nearest: behaviour)",
        "got": "unknown field 'behavior'",
    }


def test_no_error_repeats_a_card_number(gateway: Gateway) -> None:
    for document in (
        {NUMBER: 1},
        {"profile": NUMBER},
        {"clock": {"mode": NUMBER}},
    ):
        assert NUMBER not in gateway.control("POST", "/sandboxes", document).text
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    for document in ({"behaviour": NUMBER}, {NUMBER: 1}, {"behaviour": "decline", "times": NUMBER}):
        answer = gateway.control("POST", f"/sandboxes/{made}/scripts", document)
        assert answer.status_code == 400
        assert NUMBER not in answer.text


def test_the_nearest_name_is_found_in_other_spellings() -> None:
    known = [field.encode_name for field in msgspec.structs.fields(Channel)]

    assert nearest_name("3ds", known) == "three_d_secure"
    assert nearest_name("threeDSecure", known) == "three_d_secure"
    assert nearest_name("defaultBehavior", known) == "default_behaviour"
    assert nearest_name("zzz", known) is None
    assert refusal_of({"zzz": 1}, AskedSandbox).got == "unknown field 'zzz'"


@pytest.mark.parametrize("name", [True, 5, None, []])
def test_a_member_of_a_table_of_limits_is_named_as_any_other(name: object) -> None:
    sandbox = {"throttle": {"name": name, "limits": []}}

    with pytest.raises(InvalidInputError, match=r"throttle\.name: expected a text"):
        as_record(sandbox, Tables)


# In the words of the library a place follows the name; who sends a document chooses the name.
NAMES_LIKE_PLACES = (
    "a - at .b", "a` - at `$.b", "a` - at `$.name", "a` - at `$[0]", "a` - at `$.merchants[0].b",
    "a` - at `key in `$.name", "a` - at `$" + ".a[0]" * 100_000,
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES_LIKE_PLACES, ids=lambda name: name[:32])
@pytest.mark.parametrize("kind", STRUCTS, ids=lambda kind: kind.__name__)
def test_a_name_in_the_words_of_the_library_is_refused_as_any_other(kind: type, name: str) -> None:
    error = refusal_of({name: 1}, kind)
    assert len(str(error)) < 3000
