"""Every check of a merchant's side, one row each, in the order they are made."""

from dataclasses import replace
from typing import NamedTuple

from features.merchant_side import webhook_messages as messages
from features.merchant_side.checks import accepting as taking
from features.merchant_side.checks import polling
from features.merchant_side.checks import redelivery as surviving
from features.merchant_side.checks import rejecting as refusing
from features.merchant_side.checks import result_page as returning
from features.merchant_side.context import RunCheck
from features.merchant_side.webhook_encryption import with_lower_case_digits
from features.merchant_side.webhook_messages import DECLINED, PAID, PAID_LIVE, PENDING

START_IT = "start what is to answer at this address, or correct the address"


class MerchantCheck(NamedTuple):
    """A rule of a merchant's side.

    `rules` are ids of requirements, of expectations (E, W) and of decisions (D). `fix` is what a
    developer does to fix a failure.
    """

    id: str
    title: str
    rules: tuple[str, ...]
    fix: str
    run: RunCheck

    @property
    def group(self) -> str:
        """What stands before the colon of its id: the key of `GROUPS`."""
        return self.id.partition(":")[0]


def fix_of(check: MerchantCheck, came: str) -> str:
    """What to do after a failure. Where nothing listens there is nothing to fix in a receiver."""
    return START_IT if "connection refused" in came else check.fix


def _refused(name: str, title: str, fix: str) -> MerchantCheck:
    return MerchantCheck(f"refuses:{name}", title, ("W1", "D-85"), fix, refusing.rejects(name))


def _apart(name: str, title: str, prefix: str) -> MerchantCheck:
    fix = "take the path from the order you stored; or admit nothing but /v1/checkouts/ID/payment"
    return MerchantCheck(
        f"return:{name}", title, ("E46",), fix, returning.asks_no_other_host(prefix)
    )


GROUPS = {
    "takes": "Accepts what the gateway sends",
    "refuses": "Refuses what is not the gateway's",
    "understands": "Understands what it accepts",
    "survives": "Survives faults of delivery",
    "return": "Trusts the gateway, not the browser",
    "polls": "Polls no more often than it may",
}

# fmt: off
CHECKS: tuple[MerchantCheck, ...] = (
    MerchantCheck("takes:payment", "A payment's notification, in time", ("EVT-01", "W1", "D-84"),
                  "store it, answer 200, and do the slow part afterwards",
                  lambda context: context.accepted(context.first)),
    MerchantCheck("takes:activation", "The call that activates an endpoint", ("W3", "D-85"),
                  "answer 2xx to type `test`: until then the gateway sends nothing else",
                  taking.accepts(messages.activation)),
    MerchantCheck("takes:declined", "A declined payment's notification", ("EVT-01",),
                  "answer 2xx to a decline too, or it is delivered again for 30 days",
                  taking.accepts(taking.declined)),
    MerchantCheck("takes:other-form", "The other form: JSON wrapper or hex text", ("W1", "D-85"),
                  'a body that begins with "{" has the hex digits in encryptedBody',
                  taking.accepts_other_format),
    MerchantCheck("takes:registration", "A registration's notification", ("EVT-01", "EVT-02"),
                  "answer 2xx to types you have no use for",
                  taking.accepts(messages.registration)),
    MerchantCheck("takes:no-action", "A notification without an action", ("W4", "D-82"),
                  "the action may be missing: read the state from result.code",
                  taking.accepts(taking.without_action)),
    MerchantCheck("takes:no-event-id", "A notification without X-Event-Id", ("W1", "D-84"),
                  "not every gateway sends that header: identify payments by payload.id",
                  taking.accepts_sent_as(lambda sent: replace(sent, event_id=None))),
    MerchantCheck("takes:lower-case", "Hex digits in lower case", ("W1",),
                  "read hex digits in either case",
                  taking.accepts_sent_as(with_lower_case_digits)),
    MerchantCheck("takes:unknown-members", "Members that no specification names",
                  ("EVT-01", "W2", "D-83"),
                  "ignore members you do not know; a schema must not forbid them",
                  taking.accepts(taking.with_unknown_members)),
    MerchantCheck("takes:schedule", "A type beyond the specification: SCHEDULE", ("D-80",),
                  "answer 2xx to types you have no use for",
                  taking.accepts(messages.schedule)),
    MerchantCheck("takes:unknown-type", "An unknown type", ("EVT-01", "W3"),
                  "answer 2xx to types you do not know; log them",
                  taking.accepts(messages.unknown_type)),
    MerchantCheck("takes:letters", "Names beyond ASCII", ("EVT-01",),
                  "decode the plain text as UTF-8, and store it as such",
                  taking.accepts(taking.with_odd_letters)),
    MerchantCheck("takes:big", "1000 cart items, some 200 KB of hex", ("LIM-04", "EVT-01"),
                  "raise the limit of your body parser: many stop at 100 KB",
                  taking.accepts(taking.with_full_cart)),
    MerchantCheck("takes:pieces", "A body that comes in small pieces", ("EVT-01",),
                  "read Content-Length bytes, not the result of one read call",
                  taking.accepts_in_pieces),
    MerchantCheck("takes:burst", "50 notifications at once", ("EVT-06", "D-84"),
                  "store and answer; let a durable queue do the rest",
                  taking.accepts_burst),

    _refused("wrong-key", "Encrypted with another key",
             "let the library verify the tag, and answer 400 where it does not fit"),
    _refused("altered-body", "One digit of the body altered",
             "decrypt with the tag: GCM without it hides, but proves nothing"),
    _refused("altered-tag", "One digit of the tag altered",
             "hand the tag to the library before you finish decrypting"),
    _refused("short-tag", "The first 4 bytes of the right tag",
             "demand a tag of 16 bytes: some libraries take a shorter one, easier to guess"),
    _refused("wrong-iv", "Another initialization vector",
             "take the vector from X-Initialization-Vector, and verify the tag"),
    _refused("truncated-body", "Half of the body",
             "use nothing of the text before the tag is verified"),
    _refused("no-tag", "Without X-Authentication-Tag",
             "refuse what has no tag"),
    _refused("no-iv", "Without X-Initialization-Vector",
             "refuse what has no vector; never fall back to a fixed one"),
    _refused("plain-text", "The notification itself, not encrypted",
             "never read a body that was not encrypted where you set a key"),
    _refused("no-digits", "A body that is no hex text",
             "answer 400 to what cannot be read; catch the error of the decoder"),
    _refused("empty-body", "An empty body",
             "answer 400 to what cannot be read"),
    MerchantCheck("refuses:acts-on-none", "None of these changes a state", ("W1", "D-85"),
                  "verify first, act afterwards",
                  refusing.acts_on_no_tampered_notification),

    MerchantCheck("understands:paid", "000.100.110 is paid", ("EVT-01", "E26"),
                  "a success of the test system",
                  surviving.understands(PAID, "paid")),
    MerchantCheck("understands:paid-live", "000.000.000 is paid", ("EVT-01",),
                  "match the groups of result codes, not the one code of the test system",
                  surviving.understands(PAID_LIVE, "paid")),
    MerchantCheck("understands:declined", "800.100.152 is failed", ("EVT-01",),
                  "read result.code: a notification of a payment does not mean it was paid",
                  surviving.understands(DECLINED, "failed")),
    MerchantCheck("understands:pending", "000.200.000 is pending", ("EVT-02", "SVC-16"),
                  "000.200 is neither paid nor failed: more will come",
                  surviving.understands(PENDING, "pending")),
    MerchantCheck("understands:then-paid", "Pending, then paid", ("EVT-02", "STATE-01"),
                  "let a later notification change a pending payment",
                  surviving.understands_what_follows(PAID, "paid")),
    MerchantCheck("understands:then-declined", "Pending, then declined", ("EVT-02", "STATE-01"),
                  "let a later notification change a pending payment",
                  surviving.understands_what_follows(DECLINED, "failed")),

    MerchantCheck("survives:twice", "The same notification twice: accepted", ("EVT-06", "D-84"),
                  "answer 2xx to what you know already: an error lets it come again",
                  surviving.takes_twice),
    MerchantCheck("survives:twice-once", "The same twice changes the state once",
                  ("EVT-06", "D-84"),
                  "make acting idempotent: a unique key on payload.id and state",
                  surviving.acts_once),
    MerchantCheck("survives:at-once", "The same 5 times at once: one change", ("EVT-06", "D-84"),
                  "decide in one statement or under a lock: not read, then write",
                  surviving.acts_once_at_once),
    MerchantCheck("survives:replay", "An old one under another id: no change", ("EVT-06", "D-231"),
                  "X-Event-Id is not protected by the key: identify payments by payload.id",
                  surviving.acts_once_under_other_id),
    MerchantCheck("survives:updated-first", "Paid before pending stays paid", ("EVT-02", "D-84"),
                  "the last to arrive is not the newest: a final state stays final",
                  surviving.final_before_pending(PAID, "paid")),
    MerchantCheck("survives:declined-first", "Declined before pending stays failed",
                  ("EVT-02", "D-84"),
                  "the last to arrive is not the newest: a final state stays final",
                  surviving.final_before_pending(DECLINED, "failed")),
    MerchantCheck("survives:older-again", "An older one again changes nothing",
          ("EVT-06", "D-84"),
                  "the last to arrive is not the newest: a final state stays final",
                  surviving.older_comes_again),
    MerchantCheck("survives:damaged", "Damaged, then intact: accepted", ("EVT-06", "D-84"),
                  "remember nothing of what you refused, its id neither",
                  surviving.corruption_then_retry),
    MerchantCheck("survives:broken-off", "Broken off, then whole: accepted", ("EVT-06", "D-84"),
                  "end the request when the connection ends, and go on serving",
                  surviving.broken_off_then_retry),
    MerchantCheck("survives:restart", "Accepted, then restarted: still known", ("EVT-06", "D-84"),
                  "commit before you answer: what was answered 2xx does not come again",
                  surviving.remembers_after_restart),

    MerchantCheck("return:paid", "Paid, says the gateway: shown as paid",
          ("SVC-16", "E46"),
                  "read the resource with your token before you show success",
                  returning.shows_paid),
    MerchantCheck("return:unpaid", "Not paid: not shown as paid", ("SVC-16", "E23", "E46"),
                  "coming back proves nothing: read result.code of the gateway's answer",
                  returning.shows_not_paid("unpaid")),
    MerchantCheck("return:declined", "Declined: not shown as paid", ("SVC-16", "E28"),
                  "read result.code of the gateway's answer",
                  returning.shows_not_paid("declined")),
    MerchantCheck("return:no-parameters", "Without id and resourcePath: not paid", ("E46",),
                  "show the order as you know it, and do not guess",
                  returning.shows_not_paid("unpaid", returning.with_nothing)),
    MerchantCheck("return:claims", "status=paid in the address: not paid", ("E46",),
                  "read nothing about the result from the browser",
                  returning.shows_not_paid("unpaid", returning.with_claims)),
    MerchantCheck("return:another-order", "With another order's paid id: not paid", ("E46", "E47"),
                  "compare checkout, or merchantTransactionId and amount, with the order",
                  returning.keeps_orders_apart),
    MerchantCheck("return:gateway-down", "While the gateway is down: not paid", ("E46",),
                  "no answer is no success: show it as pending, read it later",
                  returning.shows_not_paid("out-of-order")),
    _apart("other-host", "Another host's resourcePath: not asked", "http://HOST"),
    _apart("double-slash", "One that begins with //: not asked", "//HOST"),
    _apart("at-sign", "One that begins with @: not asked", "@HOST"),
    MerchantCheck("return:dots", "One that climbs by dots: not followed", ("E46",),
                  "take the path from the order you stored; or refuse dots in it",
                  returning.climbs_no_path),
    MerchantCheck("return:called", "Called by the gateway: it asks", ("EVT-04", "W5"),
                  "the gateway requests the result page too: find the order by id, and read it",
                  returning.asks_when_called),

    MerchantCheck("polls:waiting", "While a shopper waits", ("LIM-01", "LIM-02"),
                  "read a checkout every 31 seconds at most, or wait for the notification",
                  polling.polls_while_shopper_waits),
    MerchantCheck("polls:reloading", "While a shopper reloads the page", ("LIM-01", "LIM-02"),
                  "keep the last answer for half a minute, and show it again",
                  polling.polls_while_shopper_reloads),
    MerchantCheck("polls:backs-off", "After 800.120.100", ("LIM-01", "ERR-04", "ERR-05"),
                  "read it again when Retry-After is over, and treat it as pending until then",
                  polling.observes_retry_after),
)
# fmt: on
