"""Gateways that are broken on purpose: each passes requests on to a sound one and spoils one thing.

All of them are served by one listener. The first part of the path names the one that answers, so a
judge is shown a broken gateway by nothing but its base address.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

from simulator.client import Answer, Connection, form_of

FORM = "application/x-www-form-urlencoded"
JSON = {"content-type": "application/json;charset=UTF-8"}
KEPT = ("authorization", "content-type")


@dataclass(frozen=True)
class Asked:
    """One request as it came: `path` with its query and without a slash before it."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def sent(self) -> dict[str, str]:
        """The parameters of the body, the last of each name."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    def sending(self, **changed: str) -> "Asked":
        """The same request with some parameters changed; one without a value is left out."""
        named = {name.replace("__", "."): value for name, value in changed.items()}
        kept = {name: value for name, value in {**self.sent, **named}.items() if value}
        return replace(self, body=form_of(kept)) if self.body else self


@dataclass(frozen=True)
class Sound:
    """The sound gateway behind, and every payment it has ever shown, by id."""

    base_url: str
    shown: dict[str, Answer]

    def answer(self, asked: Asked) -> Answer:
        """What the sound gateway says to a request."""
        link = Connection(self.base_url)
        headers = {name: asked.headers[name] for name in KEPT if name in asked.headers}
        try:
            answer = link.ask(asked.method, asked.path, headers=headers, body=asked.body or None)
        finally:
            link.close()
        self.shown.setdefault(answer.id, answer)
        return answer


Broken = Callable[[Asked, Sound], Answer]


@contextmanager
def served(sound_url: str, gateways: Mapping[str, Broken]) -> Iterator[str]:
    """The address under which every gateway is served by its name, until the end of the block."""
    sound = Sound(sound_url, {})

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def answer_one(self) -> None:
            name, _, path = self.path.removeprefix("/").partition("/")
            length = int(self.headers.get("Content-Length") or 0)
            headers = {key.lower(): value for key, value in self.headers.items()}
            asked = Asked(self.command, path, headers, self.rfile.read(length))
            self.put(gateways[name](asked, sound))

        do_GET = do_POST = do_PUT = do_DELETE = answer_one  # noqa: N815

        def put(self, answer: Answer) -> None:
            body = answer.body if isinstance(answer.body, bytes) else as_json(answer.body)
            self.send_response(answer.status)
            for header in ("content-type", "www-authenticate"):
                if header in answer.headers:
                    self.send_header(header, answer.headers[header])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Nothing: a judge that sees a fault says so itself."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def as_json(body: Any) -> bytes:
    """A body as it travels."""
    return b"" if body is None else json.dumps(body).encode()


def none_at_all(asked: Asked, sound: Sound) -> Answer:
    """A gateway with no fault: what the judge says of it shows that the listener adds none."""
    return sound.answer(asked)


def takes_what_was_never_authorised(asked: Asked, sound: Sound) -> Answer:
    """A capture over the sum succeeds."""
    answer = sound.answer(asked)
    return as_success(answer) if answer.code == "700.400.100" else answer


def charges_back_twice(asked: Asked, sound: Sound) -> Answer:
    """A second chargeback of a payment is booked like the first."""
    answer = sound.answer(asked)
    return as_success(answer) if answer.code == "700.300.500" else answer


def names_no_account_to_pay_to(asked: Asked, sound: Sound) -> Answer:
    """Answers about bank accounts do not show the merchant's."""
    return with_members(sound.answer(asked), merchant=None)


def takes_any_iban(asked: Asked, sound: Sound) -> Answer:
    """Check digits of an IBAN are not looked at."""
    answer = sound.answer(asked)
    return as_success(answer) if answer.code == "100.100.101" else answer


def tells_a_decline_with_200(asked: Asked, sound: Sound) -> Answer:
    """A declined payment has the status of a success."""
    answer = sound.answer(asked)
    declined = answer.status == 400 and answer.code.startswith("800.100.")
    return replace(answer, status=200) if declined else answer


def forgets_the_ndc(asked: Asked, sound: Sound) -> Answer:
    """Answers have no request id."""
    return with_members(sound.answer(asked), ndc=None)


def repeats_the_ndc(asked: Asked, sound: Sound) -> Answer:
    """Every answer has the same request id."""
    return with_members(sound.answer(asked), ndc="8a" * 16)


def refuses_long_names(asked: Asked, sound: Sound) -> Answer:
    """A name over 48 characters is refused instead of cut."""
    names = ("customer.givenName", "customer.surname")
    long = [name for name in names if len(asked.sent.get(name, "")) > 48]
    answer = sound.answer(asked)
    return naming(answer, *long) if long else answer


def takes_three_decimals(asked: Asked, sound: Sound) -> Answer:
    """92.000 is an amount."""
    whole, dot, decimals = asked.sent.get("amount", "").partition(".")
    odd = len(decimals) == 3
    return sound.answer(asked.sending(amount=f"{whole}.{decimals[:2]}") if odd else asked)


def shows_payments_to_anybody(asked: Asked, sound: Sound) -> Answer:
    """A payment is read with the token of another merchant."""
    answer = sound.answer(asked)
    identity = asked.path.rpartition("/")[2].partition("?")[0]
    hidden = asked.method == "GET" and answer.status == 404
    return sound.shown.get(identity, answer) if hidden else answer


def repeats_secrets(asked: Asked, sound: Sound) -> Answer:
    """A refusal shows the card number that was wrong."""
    answer = sound.answer(asked)
    for error in answer.parameter_errors:
        error["value"] = asked.sent.get(str(error["name"]))
    return answer


def shows_card_numbers(asked: Asked, sound: Sound) -> Answer:
    """A success shows the whole card number."""
    answer = sound.answer(asked)
    if answer.at("card.bin"):
        answer.body["card"]["number"] = asked.sent.get("card.number")
    return answer


def declares_plain_text(asked: Asked, sound: Sound) -> Answer:
    """Answers are JSON and do not say so."""
    return replace(sound.answer(asked), headers={"content-type": "text/plain"})


def shows_a_page_for_404(asked: Asked, sound: Sound) -> Answer:
    """What does not exist is told in HTML."""
    answer = sound.answer(asked)
    page = Answer(404, {"content-type": "text/html"}, b"<html><h1>Not Found</h1></html>")
    return page if answer.status == 404 else answer


def tells_an_unknown_token_with_401(asked: Asked, sound: Sound) -> Answer:
    """An unknown token and an unreadable header have one status."""
    answer = sound.answer(asked)
    return replace(answer, status=401) if answer.status == 403 else answer


def shortens_ids(asked: Asked, sound: Sound) -> Answer:
    """A payment id has 31 characters."""
    answer = sound.answer(asked)
    return with_members(answer, id=answer.id[:31] or None)


def closes_gaps(asked: Asked, sound: Sound) -> Answer:
    """An index that starts at 1 means the one that starts at 0."""
    body = asked.body if b"items[0]" in asked.body else asked.body.replace(b"items[1]", b"items[0]")
    return sound.answer(replace(asked, body=body))


def names_one_fault_at_a_time(asked: Asked, sound: Sound) -> Answer:
    """Of several wrong parameters the first is named."""
    answer = sound.answer(asked)
    return naming(answer, *[str(error["name"]) for error in answer.parameter_errors[:1]])


def tells_what_a_capture_refers_to(asked: Asked, sound: Sound) -> Answer:
    """The id of the earlier payment stands in the answer."""
    answer = sound.answer(asked)
    earlier = asked.path.rpartition("/")[2]
    refers = asked.method == "POST" and len(earlier) == 32
    return with_members(answer, referencedId=earlier) if refers else answer


def takes_longer_streets(asked: Asked, sound: Sound) -> Answer:
    """A street may have any length."""
    street = asked.sent.get("billing.street1", "")
    return sound.answer(asked.sending(billing__street1=street[:95]) if street else asked)


def fails_on_terminals(asked: Asked, sound: Sound) -> Answer:
    """What comes from a terminal is answered with a fault of the gateway."""
    answer = sound.answer(asked)
    return replace(answer, status=500) if "pos.terminalId" in asked.sent else answer


def sends_shoppers_without_parameters(asked: Asked, sound: Sound) -> Answer:
    """A redirect without parameters has no list of them."""
    answer = sound.answer(asked)
    redirect = answer.at("redirect")
    return with_members(answer, redirect={"url": redirect["url"]}) if redirect else answer


def sends_shoppers_away_for_good(asked: Asked, sound: Sound) -> Answer:
    """Nobody has to say where a shopper who was sent away comes back to."""
    lost = "paymentBrand" in asked.sent and "shopperResultUrl" not in asked.sent
    return sound.answer(asked.sending(shopperResultUrl="https://a.example") if lost else asked)


def is_curt_when_throttled(asked: Asked, sound: Sound) -> Answer:
    """A throttled request is not told that it may come back."""
    answer = sound.answer(asked)
    curt = {"code": answer.code, "description": "refused"}
    return with_members(answer, result=curt) if answer.code == "800.120.100" else answer


def lets_one_too_many_through(asked: Asked, sound: Sound) -> Answer:
    """The first request beyond the limit is let through."""
    answer = sound.answer(asked)
    if answer.code != "800.120.100" or asked.headers["authorization"] in sound.shown:
        return answer
    sound.shown[asked.headers["authorization"]] = answer
    return as_success(answer)


def charges_what_was_removed(asked: Asked, sound: Sound) -> Answer:
    """A registration that was removed is charged all the same."""
    answer = sound.answer(asked)
    return as_success(answer) if answer.code == "100.150.202" else answer


def forgets_to_tell_registrations(asked: Asked, sound: Sound) -> Answer:
    """A payment leaves a registration and does not say which."""
    return with_members(sound.answer(asked), registrationId=None)


def gives_references_to_everybody(asked: Asked, sound: Sound) -> Answer:
    """A payment that began no series has the reference of one."""
    answer = sound.answer(asked)
    series = answer.at("standingInstruction")
    told = {**series, "initialTransactionId": "1"} if isinstance(series, dict) else None
    return with_members(answer, standingInstruction=told) if told else answer


def turns_answers_round(asked: Asked, sound: Sound) -> Answer:
    """The members of an answer come in another order."""
    answer = sound.answer(asked)
    if not isinstance(answer.body, dict):
        return answer
    return replace(answer, body=dict(reversed(answer.body.items())))


def tells_the_money_of_declines(asked: Asked, sound: Sound) -> Answer:
    """A declined payment shows the amount that was not paid."""
    answer = sound.answer(asked)
    declined = answer.status == 400 and answer.at("card") is not None
    return with_members(answer, amount="92.00") if declined else answer


def takes_a_second_payment(asked: Asked, sound: Sound) -> Answer:
    """A checkout that was paid is paid again."""
    answer = sound.answer(asked)
    is_again = asked.method == "POST" and asked.path.endswith("/payment") and answer.status == 404
    return as_success(answer) if is_again else answer


def lets_the_form_change_the_price(asked: Asked, sound: Sound) -> Answer:
    """An amount that is sent to a checkout is taken in place of the one that was fixed."""
    answer = sound.answer(asked)
    named = [error["name"] for error in answer.parameter_errors]
    return as_success(answer) if "checkouts/" in asked.path and "amount" in named else answer


def as_success(answer: Answer) -> Answer:
    """The same answer, claiming success."""
    taken = {"code": "000.100.110", "description": "taken"}
    return replace(with_members(answer, result=taken), status=200)


def naming(answer: Answer, *names: str) -> Answer:
    """A refusal that names exactly these parameters; the answer itself where there are none."""
    if not names:
        return answer
    errors = [{"name": name, "value": None, "message": "not as expected"} for name in names]
    result = {"code": "200.300.404", "description": "wrong", "parameterErrors": errors}
    return replace(with_members(answer, result=result), status=400)


def with_members(answer: Answer, **members: Any) -> Answer:
    """The same answer with some members of its body changed; one that is None is left out."""
    if not isinstance(answer.body, dict):
        return answer
    body = {**answer.body, **members}
    return replace(answer, body={name: value for name, value in body.items() if value is not None})
