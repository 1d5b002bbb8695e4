"""Steps about messages of 3-D Secure that are wrong, to the directory server or the gateway."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from pytest_bdd import given, parsers, then, when

from features.steps.simulators.clock import advance_until_done
from features.steps.simulators.parties import messages_to
from features.support.assertions import Judge
from features.support.merchant import Merchant
from features.support.shopper import Shopper
from simulator.client import Answer, Connection, Control

JSON = {"Content-Type": "application/json;charset=UTF-8"}
NO_SECRET = "0" * 48
REFUSED, UNAVAILABLE = 400, 503


@given("the shopper was sent on to the issuer", target_fixture="challenge")
def arrive(shopper: Shopper, payment: Answer) -> Answer:
    return shopper.arrive(payment.body["redirect"])


@when("two browsers open the page at once, and half a minute passes", target_fixture="visits")
def open_at_once(
    control: Control, merchant: Merchant, shopper: Shopper, payment: Answer
) -> list[Answer]:
    redirect = payment.body["redirect"]
    with ThreadPoolExecutor(2) as pool:
        begun = [pool.submit(shopper.arrive, redirect) for _ in range(2)]
        # The issuer says nothing for 30 seconds of the clock, which stands.
        return advance_until_done(control, merchant, begun, by="10s")


@then("the issuer was asked once, and no browser was answered a fault")
def asked_once(
    control: Control, merchant: Merchant, payment: Answer, visits: list[Answer], judge: Judge
) -> None:
    came = sorted(each.status for each in visits)
    # One of them waits for the other, though not for ever.
    holds = came[0] < REFUSED and (came[1] < REFUSED or came[1] == UNAVAILABLE)
    judge.holds("statuses", payment, holds, expected="below 400, one may be 503", came=f"{came}")
    found = messages_to("directory server", control, merchant, payment)
    labels = [each["label"] for each in found]
    judge.same("messages to the issuer", payment, expected=["AReq"], came=labels)


@when(
    parsers.re(r"the directory server gets the (?P<what>lookup|areq) '(?P<message>.*)'"),
    target_fixture="answer",
)
def ask_directory(shopper: Shopper, challenge: Answer, what: str, message: str) -> Answer:
    base = challenge.body["acsURL"].partition("acs/")[0]
    return posted(shopper, f"{base}ds/{what}", message)


@when(
    parsers.re(r"the directory server gets a lookup of (?P<count>\d+) bytes"),
    converters={"count": int},
    target_fixture="answer",
)
def ask_at_length(shopper: Shopper, challenge: Answer, count: int) -> Answer:
    return ask_directory(shopper, challenge, "lookup", '{"acctNumber": "x"}'.ljust(count))


@then(parsers.re(r"the issuer sent its result (?P<count>\d+) times"), converters={"count": int})
def sent_results(
    control: Control, merchant: Merchant, payment: Answer, judge: Judge, count: int
) -> None:
    found = messages_to("directory server", control, merchant, payment)
    came = [each["label"] for each in found if each["label"].startswith("RReq")]
    judge.same("results of the issuer", payment, expected=["RReq Y"] * count, came=came)


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
