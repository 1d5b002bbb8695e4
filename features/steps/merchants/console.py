"""Steps about the console: the people who look after merchants, and what they see of tokens."""

import re
from collections.abc import Iterator
from contextlib import suppress

from pytest_bdd import given, parsers, then, when

from features.support.assertions import Judge
from features.support.console import ConsolePerson, text_of
from features.support.merchant import Merchant
from features.target.records import Target
from simulator.client import Answer, Connection, Control, ControlError, Interceptor

SHOWS = re.compile(r'action="(/console/[^"]+/reveal)"')


@given(parsers.parse("a person at the console in the role {role}"), target_fixture="person")
def invite_person(
    control: Control,
    merchant: Merchant,
    target: Target,
    around: Interceptor | None,
    *,
    role: str,
) -> Iterator[ConsolePerson]:
    # As many digits as a card number has are refused in a name.
    name = f"{role[:6]}-{merchant.sandbox[-8:]}"
    link = control.invite_person(name, role)["link"]
    connection = Connection(target.base_url, ca_file=target.ca_file or None, around=around)
    person = ConsolePerson(connection)
    person.join(link)
    yield person
    connection.close()
    # The last administrator stays; the password was drawn, and is gone.
    with suppress(ControlError):
        control.remove_person(name)


@when("the person opens the access tokens of the merchant", target_fixture="answer")
def open_tokens(person: ConsolePerson, merchant: Merchant) -> Answer:
    return person.open(f"/console/{merchant.sandbox}/tokens")


@when("the person asks for the value of the access token", target_fixture="answer")
def ask_for_value(person: ConsolePerson, merchant: Merchant, control: Control) -> Answer:
    shown = text_of(person.open(f"/console/{merchant.sandbox}/tokens"))
    found = SHOWS.search(shown)
    return person.send(found[1] if found else _path_of_first(control, merchant), {})


@then("the page shows the access token of the merchant")
def shows_token(judge: Judge, answer: Answer, merchant: Merchant) -> None:
    is_shown = merchant.client.token in text_of(answer)
    judge.holds("the page", answer, is_shown, expected="the access token in it", came="none")


@then("the page shows the last digits of the access token and not the token")
def shows_last_digits(judge: Judge, answer: Answer, merchant: Merchant) -> None:
    text, token = text_of(answer), merchant.client.token
    judge.holds("the page", answer, token[-4:] in text, expected="the last digits", came="none")
    judge.holds("the page", answer, token not in text, expected="no token", came="the token")


@then("the value of the access token is refused")
def refuses_value(judge: Judge, answer: Answer, merchant: Merchant) -> None:
    judge.same("the status", answer, expected=403, came=answer.status)
    is_hidden = merchant.client.token not in text_of(answer)
    judge.holds("the page", answer, is_hidden, expected="no token", came="the token")


def _path_of_first(control: Control, merchant: Merchant) -> str:
    """Where a form would lead that the page does not have for this person."""
    entity = control.sandbox(merchant.sandbox)["merchants"][0]["id"]
    token = control.tokens(merchant.sandbox, entity)[0]["id"]
    return f"/console/{merchant.sandbox}/merchants/{entity}/tokens/{token}/reveal"
