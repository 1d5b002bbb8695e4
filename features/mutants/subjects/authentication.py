"""Faults of who is let in: tokens, entities, and what belongs to another merchant."""

from dataclasses import replace
from urllib.parse import unquote

from features.mutants.changes import as_success, changing
from features.mutants.mutant import EVERYWHERE, fault
from features.mutants.proxy import Asked, Sound
from simulator.client import Answer


@fault("AUTH-01", caught_by=("A request without credentials is refused",))
def takes_requests_without_credentials(asked: Asked, sound: Sound) -> Answer:
    """Who shows no credentials is let in."""
    answer = sound.answer(asked)
    return as_success(answer) if "authorization" not in asked.headers else answer


@fault("AUTH-03", caught_by=("Credentials that are no bearer token are refused",))
def tells_an_unreadable_header_with_403(asked: Asked, sound: Sound) -> Answer:
    """An unreadable header is answered like an unknown token."""
    answer = sound.answer(asked)
    return replace(answer, status=403) if answer.status == 401 else answer


@fault("AUTH-04", caught_by=("A token that was never issued is refused",))
def tells_an_unknown_token_with_401(asked: Asked, sound: Sound) -> Answer:
    """An unknown token and an unreadable header have one status."""
    answer = sound.answer(asked)
    return replace(answer, status=401) if answer.status == 403 else answer


@fault(
    "AUTH-04",
    caught_by=("A token that differs in its last character is refused",),
    doors=EVERYWHERE,
)
def compares_tokens_by_their_beginning(asked: Asked, sound: Sound) -> Answer:
    """A token that lacks its last character is as good as the whole."""
    answer = sound.answer(asked)
    for merchant in answer.at("entities.merchants") or []:
        sound.seen[f"Bearer {merchant['token']}"[:-1]] = merchant["token"]
    whole = sound.seen.get(asked.headers.get("authorization", ""))
    if whole is None:
        return answer
    shown = {**asked.headers, "authorization": f"Bearer {whole}"}
    return sound.answer(replace(asked, headers=shown))


@fault("AUTH-07", caught_by=("A token sent as a parameter identifies nobody",))
def takes_tokens_as_parameters(asked: Asked, sound: Sound) -> Answer:
    """A token identifies whoever sends it, as a parameter too."""
    sent = asked.sent
    names = ("accessToken", "authentication.accessToken", "Authorization")
    token = next((sent[name] for name in names if name in sent), None)
    if token is None:
        return sound.answer(asked)
    bare = asked.with_sent(dict.fromkeys(names, ""))
    return sound.answer(replace(bare, headers={**bare.headers, "authorization": f"Bearer {token}"}))


@fault("AUTH-02", caught_by=("A payment names its entity by 32 lowercase hex digits",))
def takes_entities_in_capitals(asked: Asked, sound: Sound) -> Answer:
    """An entity may be written in any way."""
    answer = sound.answer(asked)
    wrong = any(error["name"] == "entityId" for error in answer.parameter_errors)
    return as_success(answer) if wrong else answer


@fault("AUTH-06", caught_by=("A merchant cannot read the payment of another",))
def shows_payments_to_anybody(asked: Asked, sound: Sound) -> Answer:
    """A payment is read with the token of another merchant."""
    answer = sound.answer(asked)
    hidden = asked.method == "GET" and answer.status == 404
    return sound.shown.get(asked.place.rpartition("/")[2], answer) if hidden else answer


@fault("AUTH-06", caught_by=("Another merchant's registration is not known",))
def shows_registrations_to_anybody(asked: Asked, sound: Sound) -> Answer:
    """A registration is read, and removed, with the token of another merchant."""
    answer = sound.answer(asked)
    of_registration = asked.place.startswith("v1/registrations/")
    return whoever_asks(asked, sound, answer) if of_registration else answer


@fault("AUTH-06", caught_by=("Another merchant does not read how a checkout ended",))
def tells_outcomes_to_anybody(asked: Asked, sound: Sound) -> Answer:
    """How a checkout ended is told with the token of another merchant."""
    answer = sound.answer(asked)
    if "checkouts/" not in asked.place:
        return answer
    if asked.method == "POST" and answer.status == 200:
        sound.seen[asked.place] = answer
    hidden = asked.method == "GET" and answer.status == 404
    return sound.seen.get(asked.place, answer) if hidden else answer


@fault("AUTH-06", "END-10", caught_by=("A report shows nothing of another merchant",))
def reports_to_anybody(asked: Asked, sound: Sound) -> Answer:
    """A report of a payment is given with the token of another merchant."""
    answer = sound.answer(asked)
    reports = asked.place.startswith("v1/query/")
    return whoever_asks(asked, sound, answer) if reports else answer


@fault("AUTH-06", caught_by=("A merchant cannot capture the payment of another",))
def captures_for_anybody(asked: Asked, sound: Sound) -> Answer:
    """A payment is captured with the token of another merchant."""
    answer = sound.answer(asked)
    known = asked.place.rpartition("/")[2] in sound.shown
    return as_success(answer) if answer.status == 404 and known else answer


@fault("AUTH-06", caught_by=("A merchant cannot pay in the name of another",), doors=EVERYWHERE)
def lets_merchants_pay_for_others(asked: Asked, sound: Sound) -> Answer:
    """A merchant may name the entity of another."""
    answer = sound.answer(asked)
    known = asked.sent.get("entityId") in sound.seen
    if answer.status == 200:
        sound.seen[asked.sent.get("entityId", "")] = True
    for merchant in answer.at("entities.merchants") or []:
        sound.seen[merchant["channels"][0]["id"]] = True
    return as_success(answer) if answer.status == 403 and known else answer


@fault(
    "AUTH-03",
    "AUTH-04",
    caught_by=("The gateway tells neither the token nor its beginning in a refusal",),
)
def tells_the_token(asked: Asked, sound: Sound) -> Answer:
    """A refusal repeats the token that nobody knows."""
    answer = sound.answer(asked)
    said = f"unknown: {unquote(asked.headers.get('authorization', ''))}"
    refused = answer.status == 403
    return changing(answer, "result.description", lambda _: said) if refused else answer


def whoever_asks(asked: Asked, sound: Sound, answer: Answer) -> Answer:
    """What was shown of an id before, where the sound gateway hides it now."""
    hidden = answer.status in (400, 404)
    return sound.shown.get(asked.place.rpartition("/")[2], answer) if hidden else answer
