"""Steps about messages of 3-D Secure that are wrong, to the directory server or the gateway."""

from urllib.parse import urlsplit

from pytest_bdd import given, parsers, then, when

from features.support.assertions import Judge
from features.support.shopper import Shopper
from simulator.client import Answer, Connection

JSON = {"Content-Type": "application/json;charset=UTF-8"}
NO_SECRET = "0" * 48


@given("the shopper was sent on to the issuer", target_fixture="challenge")
def arrive(shopper: Shopper, payment: Answer) -> Answer:
    return shopper.arrive(payment.body["redirect"])


@when(
    parsers.re(r"the directory server gets the (?P<what>lookup|areq) '(?P<message>.*)'"),
    target_fixture="answer",
)
def ask_directory(shopper: Shopper, challenge: Answer, what: str, message: str) -> Answer:
    base = challenge.body["acsURL"].partition("acs/")[0]
    return posted(shopper, f"{base}ds/{what}", message)


@when(parsers.re(r"the gateway gets the result '(?P<message>.*)'"), target_fixture="answer")
def bring_result(shopper: Shopper, payment: Answer, message: str) -> Answer:
    page = payment.body["redirect"]["url"].rpartition("/")[0]
    return posted(shopper, f"{page}/results/{NO_SECRET}", message)


@then(parsers.re(r'it is answered the error (?P<code>\d{3}) about "(?P<detail>.*)"'))
def is_error(answer: Answer, judge: Judge, code: str, detail: str) -> None:
    names = ("messageType", "errorCode", "errorDetail")
    came = tuple(answer.at(name) for name in names)
    judge.same("the error", answer, expected=("Erro", code, detail), came=came)


def posted(shopper: Shopper, url: str, message: str) -> Answer:
    """The answer to a message that is posted to an address."""
    parts = urlsplit(url)
    base = f"{parts.scheme}://{parts.netloc}/"
    link = Connection(base, ca_file=shopper.ca_file, around=shopper.around)
    try:
        return link.ask("POST", parts.path.lstrip("/"), headers=JSON, body=message.encode())
    finally:
        link.close()
