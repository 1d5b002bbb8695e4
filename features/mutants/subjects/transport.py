"""Faults at the door: paths, bytes, hosts and limits."""

from collections.abc import Mapping
from dataclasses import replace

from features.mutants.changes import as_success, changing, lost, naming, refusing, with_members
from features.mutants.mutant import fault
from features.mutants.proxy import Asked, Sound
from simulator.client import Answer, form_of

THROTTLED = "800.120.100"
FORM = "application/x-www-form-urlencoded; charset=UTF-8"


def without_slash(target: Mapping[str, str]) -> dict[str, str]:
    """A description in which the address of the live host ends without a slash."""
    return {**target, "live_url": target["live_url"].rstrip("/")}


def in_the_clear(target: Mapping[str, str]) -> dict[str, str]:
    """A description in which TLS is said to be spoken where it is not."""
    return {**target, "tls_url": target["base_url"].replace("http:", "https:", 1)}


@fault(
    "TRN-01", caught_by=("A plain request is refused where TLS is required",),
    describe=in_the_clear,
)  # fmt: skip
def answers_in_the_clear(asked: Asked, sound: Sound) -> Answer:
    """Where TLS is required a plain request is answered like any other."""
    return sound.answer(asked)


@fault("HOST-02", caught_by=("Every base address ends with a slash",), describe=without_slash)
def writes_addresses_without_a_slash(asked: Asked, sound: Sound) -> Answer:
    """The address of the live host is told without the slash at its end."""
    return sound.answer(asked)


@fault("TRN-04", caught_by=("Answers are JSON in UTF-8 by their own header",))
def declares_plain_text(asked: Asked, sound: Sound) -> Answer:
    """Answers are JSON and do not say so."""
    answer = sound.answer(asked)
    return replace(answer, headers={**answer.headers, "content-type": "text/plain"})


@fault("END-09", caught_by=("A path that does not exist has no page",))
def shows_a_page_for_404(asked: Asked, sound: Sound) -> Answer:
    """What does not exist is told in HTML."""
    answer = sound.answer(asked)
    page = Answer(404, {"content-type": "text/html"}, b"<html><h1>Not Found</h1></html>")
    return page if answer.status == 404 else answer


@fault("VER-01", "VER-03", caught_by=("A version that does not exist has no page",))
def answers_under_any_version(asked: Asked, sound: Sound) -> Answer:
    """A version that does not exist is the first one."""
    other = asked.path.startswith(("v0/", "v2/"))
    return sound.answer(replace(asked, path=f"v1/{asked.path[3:]}") if other else asked)


@fault("END-09", caught_by=("A path that does not exist has no page",))
def answers_mistyped_paths(asked: Asked, sound: Sound) -> Answer:
    """A path with a typing error is understood."""
    path = asked.path.replace("paymnets", "payments").replace("Payments", "payments")
    return sound.answer(replace(asked, path=path))


@fault("TRN-03", caught_by=("A form is accepted with every content type that clients send",))
def takes_one_content_type(asked: Asked, sound: Sound) -> Answer:
    """A form is taken with one spelling of its content type alone."""
    other = asked.method == "POST" and asked.headers.get("content-type") != FORM
    answer = sound.answer(asked)
    return refusing(answer, 415, "200.300.404") if other else answer


@fault("TRN-02", caught_by=("Values beyond ASCII travel as UTF-8",))
def reads_another_encoding(asked: Asked, sound: Sound) -> Answer:
    """Values beyond ASCII are read as the letters of western Europe."""

    def garbled(sent: dict[str, str]) -> dict[str, str]:
        return {name: text.encode().decode("latin-1") for name, text in sent.items()}

    return changing(sound.answer(asked), "customParameters", garbled)


@fault("TRN-02", caught_by=("Bytes that are no text are refused",))
def takes_broken_text(asked: Asked, sound: Sound) -> Answer:
    """Bytes that are no text are left out."""
    answer = sound.answer(asked)
    broken = b"%FF" in asked.body or b"%C3" in asked.body
    return as_success(answer) if broken and answer.status == 400 else answer


@fault("TRN-02", caught_by=("Names and values that cannot be meant are refused",))
def takes_the_last_of_two(asked: Asked, sound: Sound) -> Answer:
    """Of a parameter that is sent twice the last one counts."""
    twice = asked.is_payment and asked.body.count(b"amount=") > 1
    return sound.answer(replace(asked, body=form_of(asked.sent)) if twice else asked)


@fault("TRN-06", caught_by=("Indexes start at 0 and leave no gap",))
def closes_gaps(asked: Asked, sound: Sound) -> Answer:
    """An index that starts at 1 means the one that starts at 0."""
    body = asked.body if b"items[0]" in asked.body else asked.body.replace(b"items[1]", b"items[0]")
    return sound.answer(replace(asked, body=body))


@fault("TRN-07", caught_by=("A map without a key is refused",))
def takes_maps_without_a_key(asked: Asked, sound: Sound) -> Answer:
    """A map without a key is left out."""
    body = asked.body.replace(b"&customParameters[]=a", b"")
    return sound.answer(replace(asked, body=body))


@fault("TRN-07", caught_by=("Maps take their keys in square brackets",))
def loses_every_key_but_one(asked: Asked, sound: Sound) -> Answer:
    """Of a map the last entry comes back."""

    def last(sent: dict[str, str]) -> dict[str, str]:
        return dict(list(sent.items())[-1:])

    return changing(sound.answer(asked), "customParameters", last)


@fault("ERR-04", "ERR-05", caught_by=("A throttled request is told what it needs to know",))
def is_curt_when_throttled(asked: Asked, sound: Sound) -> Answer:
    """A throttled request is not told that it may come back."""
    answer = sound.answer(asked)
    curt = {"code": answer.code, "description": "refused"}
    return with_members(answer, result=curt) if answer.code == THROTTLED else answer


@fault("ERR-04", caught_by=("A throttled request is told what it needs to know",))
def numbers_no_throttled_requests(asked: Asked, sound: Sound) -> Answer:
    """A throttled request has no id."""
    answer = sound.answer(asked)
    return with_members(answer, id=None) if answer.code == THROTTLED else answer


@fault("LIM-01", "LIM-02", caught_by=("An operation takes its limit in a minute, and no more",))
def lets_one_too_many_through(asked: Asked, sound: Sound) -> Answer:
    """The first request beyond the limit is let through."""
    answer = sound.answer(asked)
    if answer.code != THROTTLED or asked.headers["authorization"] in sound.seen:
        return answer
    sound.seen[asked.headers["authorization"]] = True
    return as_success(answer)


@fault("LIM-01", caught_by=("Reads of one payment are limited",))
def has_no_limits(asked: Asked, sound: Sound) -> Answer:
    """Nobody is throttled."""
    answer = sound.answer(asked)
    return as_success(answer) if answer.code == THROTTLED else answer


@fault("LIM-02", caught_by=("The next minute takes the limit again",))
def throttles_for_good(asked: Asked, sound: Sound) -> Answer:
    """Who was throttled stays throttled when the next minute has begun."""
    token = asked.headers.get("authorization", "")
    answer = sound.answer(asked)
    if answer.code == THROTTLED:
        sound.seen[token] = answer
    return sound.seen.get(token, answer)


@fault("LIM-01", caught_by=("The test host and the live host have limits of their own",))
def throttles_one_host_for_both(asked: Asked, sound: Sound) -> Answer:
    """What the live host allows is what the test host allows."""
    if asked.door != "live":
        return sound.answer(asked)
    entity = asked.sent.get("entityId", "")
    taken = sound.seen.get(entity, 0)
    sound.seen[entity] = taken + 1
    answer = sound.answer(asked)
    return refusing(answer, 429, THROTTLED) if taken else answer


@fault("HOST-01", caught_by=("A payment of the live host is not known to the test host",))
def has_one_store_for_both_hosts(asked: Asked, sound: Sound) -> Answer:
    """What was paid on one host is read on the other."""
    answer = sound.answer(asked)
    hidden = asked.method == "GET" and answer.status == 404
    return sound.shown.get(asked.place.rpartition("/")[2], answer) if hidden else answer


@fault("HOST-03", "AUTH-04", caught_by=("A token of the test host is not known to the live host",))
def takes_any_token_on_the_live_host(asked: Asked, sound: Sound) -> Answer:
    """The live host takes the tokens of the test host."""
    answer = sound.answer(asked)
    return as_success(answer) if asked.door == "live" and answer.status == 403 else answer


@fault("HOST-01", "HOST-03", caught_by=("A payment is taken on the live host",))
def takes_nothing_live(asked: Asked, sound: Sound) -> Answer:
    """The live host does not know what can be paid there."""
    answer = sound.answer(asked)
    return lost(answer) if asked.door == "live" else answer


@fault("END-10", caught_by=("A report of one transaction",))
def finds_no_reports(asked: Asked, sound: Sound) -> Answer:
    """What was paid is in no report."""
    answer = sound.answer(asked)
    return lost(answer) if asked.place.startswith("v1/query") else answer


@fault("END-02", caught_by=("Reads are understood as clients send them",))
def refuses_unknown_content_types_of_reads(asked: Asked, sound: Sound) -> Answer:
    """A read may declare no content type."""
    declared = asked.method == "GET" and "content-type" in asked.headers
    return naming(sound.answer(asked), "content-type", when=declared)
