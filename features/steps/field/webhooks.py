"""Steps about notifications that existing receivers read."""

from pytest_bdd import parsers, then

from features.spec.envelopes import opened
from features.spec.field import ACTIVATION
from features.steps.webhooks.notifications import last_arrival, payload_of
from features.support.assertions import NO_ANSWER, Judge
from features.support.inboxes import ScenarioInbox
from features.support.merchant import Merchant
from features.support.sandboxes import SECRET
from simulator.client import Answer
from simulator.client.receiver import WebhookReceiver


@then("the notification shows the entity and the channel of the merchant")
def shows_merchant(inbox: ScenarioInbox, merchant: Merchant, judge: Judge) -> None:
    payload = payload_of(last_arrival(inbox))
    came = payload.at("authentication.entityId")
    judge.same("authentication.entityId", payload, expected=merchant.client.entity_id, came=came)
    channels = list(merchant.channels or {})
    judge.member("channelName", payload, expected=payload.at("channelName"), came=channels)


@then("the notification has every member of the response")
def has_members(inbox: ScenarioInbox, answer: Answer, judge: Judge) -> None:
    payload = last_arrival(inbox)["payload"]
    missing = sorted(set(answer.body) - set(payload))
    judge.same("missing members of the response", answer, expected=[], came=missing)


@then("the notification is of type PAYMENT and has no action")
def has_no_action(inbox: ScenarioInbox, judge: Judge) -> None:
    last = last_arrival(inbox)
    came = last["type"], last["action"]
    judge.same("type and action", NO_ANSWER, expected=("PAYMENT", None), came=came)


@then(
    parsers.re(
        r"another notification of type RISK says (?P<code>[0-9.]+) and the score (?P<score>-?\d+)"
        r" of the payment"
    )
)
def notifies_of_risk(
    inbox: ScenarioInbox, answer: Answer, judge: Judge, *, code: str, score: str
) -> None:
    found = [payload_of(each) for each in inbox.arrivals(2) if each["type"] == "RISK"]
    names = ("paymentType", "referencedId", "result.code", "risk.score", "presentationAmount")
    came = [tuple(each.at(name) for name in names) for each in found]
    expected = [("RI", answer.id, code, score, "92.00")]
    judge.same("notifications of risk checks", answer, expected=expected, came=came)


@then("the receiver gets the activation message of profile field")
def gets_activation(receiver: WebhookReceiver, judge: Judge) -> None:
    (call,) = receiver.calls(1)
    wrapper = opened(call.headers, call.body, SECRET)
    came = wrapper["type"], wrapper["action"], bool(wrapper["payload"].get("result"))
    judge.same("activation message", NO_ANSWER, expected=(*ACTIVATION, True), came=came)


@then(parsers.parse("the activation message has the result code {code}"))
def activation_has_code(receiver: WebhookReceiver, judge: Judge, code: str) -> None:
    (call,) = receiver.calls(1)
    result = opened(call.headers, call.body, SECRET)["payload"].get("result", {})
    judge.same("result code of the activation", NO_ANSWER, expected=code, came=result.get("code"))
