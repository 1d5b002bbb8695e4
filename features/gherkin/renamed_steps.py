"""Sentences of release 0.1.0 that are worded otherwise now; they work for one more release."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from features.gherkin.files import read_features
from features.gherkin.step_catalogue import definitions, lines_of, matching
from features.steps import NOUNS

# Part of a sentence of 0.1.0 as a regular expression, and its replacement. All rows are applied,
# in this order.
# fmt: off
RENAMED: Mapping[str, str] = {
    # payments
    r"\b(a|A)uthoris": r"\1uthoriz",
    r"\ba (payment|schedule) that nobody made\b": r"an unknown \1",
    r"^a registration that nobody made$": "a registration with an unknown id",
    r"^a registration of another form$": "a registration with a malformed id",
    r"^it is not found, for (\S+)$": r"the request is refused as not found with \1",
    r"^it is not found$": "the request is refused as not found",
    r"^the credentials are refused as unreadable$":
        "the credentials are refused as missing or malformed",
    r"^(the merchant captures it) without saying how much$": r"\1 without an amount",
    r"^the merchant asks for something that does not exist$":
        "the merchant requests an unknown resource",
    r"^a refused capture of (\S+ \S+) of it$": r"the merchant tries to capture \1 of it",
    r"^the answer is about it$": "the response has the id of the payment",
    r"^the answer is not about it$": "the response has a new payment id",
    r"^the answer shows the risk score of it$": "the response shows the risk score of the payment",
    r"^the payment succeeds, to be reviewed$": "the payment succeeds with a manual review",
    r", forcing (?=[0-9.]+$)": ", with the forced result ",
    r" by the card (\S+) of no named brand$": r" by the card \1 without a brand",
    # errors
    r'^(\S+) is explained with the value (".*")$': r"the error of \1 shows the value \2",
    r"^(\S+) is explained without a value$": r"the error of \1 shows no value",
    r'^the result is explained by (".+")$': r"the result description contains \1",
    r'^(\S+) is explained by no more than (".+")$': r"the error of \1 has the message \2",
    r'^(\S+) is explained by (".+")$': r"the error of \1 has a message with \2",
    r"^the text of the result is exactly$": "the result description is",
    r"^(the answer|the notification) nowhere contains ": r"\1 does not contain ",
    r"^the journal nowhere contains ": "the journal does not contain ",
    # merchants and their credentials
    r"^a merchant with a neighbour$": "two merchants of one sandbox",
    r"\bnaming the neighbour's entity$": "for the entity of the other merchant",
    r"\b(t|T)he neighbour\b": r"\1he other merchant",
    r"^a stranger (reads|debits) ": r"a merchant of another sandbox \1 ",
    r' presenting (".*")$': r" with the credentials \1",
    r" with its token cut by one character$": " with its token without the last character",
    r" with its token as (\S+) alone$": r" with its token only as parameter \1",
    r" naming no entity$": " without an entity id",
    r" naming its entity by the older name$": " with authentication.entityId instead of entityId",
    r" naming the entity ": " for the entity ",
    r"^(a merchant whose channel) demands ": r"\1 requires ",
    r"^(a merchant whose channel) asks by 3-D Secure ": r"\1 requires 3-D Secure ",
    r"^(a merchant whose channel) takes the references ": r"\1 accepts references ",
    r"^a merchant whose gateway decides (D-\d+) as ": r"a merchant whose sandbox sets \1 to ",
    # asynchronous payments
    r" by way of (\S+) in a series, without a way back$":
        r" through \1 as a recurring payment without shopperResultUrl",
    r" by way of (\S+) without a way back$": r" through \1 without shopperResultUrl",
    r" by way of (\S+) with the way back ": r" through \1 with shopperResultUrl ",
    r" by way of ": " through ",
    r" whose result goes to the receiver$": " with the receiver as notificationUrl",
    r"^the shopper arrives over there$": "the shopper opens the redirect page",
    r" as soon as he arrives over there$": " as soon as the redirect page opens",
    r" over there$": " on the redirect page",
    r"^the merchant asks where the shopper's browser was told to$":
        "the merchant reads the resourcePath of the redirect",
    r"^the answer says where the shopper goes$": "the response redirects the shopper",
    r"^nobody asks for shopperResultUrl$": "the response does not require shopperResultUrl",
    r"^he is back at the shop, with id and resourcePath ":
        "the shopper returns to the shop with id and resourcePath ",
    r"^he is sent back at once, by a temporary redirect$":
        "the shopper is returned at once, by a temporary redirect",
    # bank accounts
    r"^(a direct debit of \S+ \S+) by a shopper$": r"\1",
    r"^a transfer of (\S+ \S+) that was asked for$": r"a requested transfer of \1",
    r"^the merchant asks for a transfer ": "the merchant requests a transfer ",
    r"\bthe account of a shopper\b": "the shopper's bank account",
    r"^a merchant whose account is ": "a merchant with the bank account ",
    # checkouts
    r"^a checkout that only registers and returns to the receiver$":
        "a registration checkout with the receiver as shopperResultUrl",
    r"\ba checkout that only registers$": "a registration checkout",
    r"^(a checkout for \S+ \S+) that registers$": r'\1 with createRegistration "true"',
    r"^(a checkout for \S+ \S+) that offers it$": r"\1 that offers the stored card",
    r" that offers a card nobody stored$": " that offers an unknown registration",
    r"^(a checkout for .+) that returns to the receiver$":
        r"\1 with the receiver as shopperResultUrl",
    r"^(a checkout for \S+ \S+) with a reference, a parameter and 2 cart items$":
        r"\1 with a merchantTransactionId, a custom parameter and 2 cart items",
    r"^the shopper has (paid|registered a card) in it\b": r"the shopper has \1 in the checkout",
    r"^the shopper pays in it by card afterwards$":
        "the shopper then pays in the checkout by card",
    r"^the shopper pays in it by card, sending ": "the shopper pays in the checkout by card with ",
    r"^the shopper (pays|registers a card) in it\b": r"the shopper \1 in the checkout",
    r"^the shopper was declined in it$": "the shopper's payment in the checkout was declined",
    r"^the shopper goes away to (\S+) in it$": r"the shopper is redirected to \1 in the checkout",
    r"^the shopper tries to pay another amount in it$":
        "the shopper tries to pay another amount in the checkout",
    r"^the shopper who went away pays and comes back$": "the redirected shopper pays and returns",
    r"^the form pays in it, sending ": "the payment form pays in the checkout with ",
    r"^the form was declined in it$": "the payment form was declined in the checkout",
    r"^the form posts the same again$": "the payment form posts again with the same credentials",
    r"^(the merchant|the other merchant) (reads|has read) how its (payment|registration) ended":
        r"\1 \2 the \3 result of the checkout",
    r"^the merchant reads how a checkout ended that nobody prepared$":
        "the merchant reads the payment result of an unknown checkout",
    r"^the merchant reads the payment that was left$": "the merchant reads the abandoned payment",
    r"^the merchant asks at the path he came back with$":
        "the merchant reads the resourcePath of the return",
    r"^there is no such checkout$": "the checkout is not found",
    r"^the receiver was told to read the (payment|registration) of the checkout$":
        r"the receiver is called to read the \1 of the checkout",
    r"^the receiver was told nothing$": "the receiver is not called",
    r"^the answer tells the integrity of the script it serves$":
        "the response shows the integrity hash of the script",
    # registrations
    r"^(the registration) that a payment left$": r"\1 created by a payment",
    r"^(the merchant|the other merchant) removes the registration$":
        r"\1 deletes the registration",
    r"^the removal succeeds$": "the deletion succeeds",
    r"^it is removed$": "the registration is deleted",
    r"^the card is removed$": "the card is deleted",
    r"^its life is extended$": "its lifetime is extended",
    r"^the merchant extends its life$": "the merchant extends its lifetime",
    r"^the merchant changes it to$": "the merchant changes the registration to",
    r"^(.+ (?:debits|debit of|credits|authorizes) \S+ \S+ from) it\b": r"\1 the registration",
    r"^the payment that was made with it can still be read$":
        "the payment from the registration can still be read",
    r"^the answer names the registration that was used$":
        "the response shows the registrationId of the registration",
    r"^the answer is about the registration$": "the response has the id of the registration",
    # recurring payments
    r"^(a series.*) that a shopper began$": r"\1 started by the shopper",
    r"^an agreement that was migrated$": "a migrated agreement",
    r"^(the merchant has charged \S+ \S+) of it\b": r"\1 of the series",
    r"^(the merchant charges \S+ \S+ of the series) alone$": r"\1 without the shopper",
    r"^(the merchant charges \S+ \S+) alone, with the reference ":
        r"\1 without the shopper, with the reference ",
    r" authenticated elsewhere, of a series that says$":
        " with an external authentication, in a series with",
    r"^the answer gives the series a reference$": "the response shows a reference for the series",
    r"^the answer gives no reference$": "the response shows no reference for the series",
    # schedules
    r"^a year has just begun$": "the sandbox clock is frozen at the start of a year",
    r"^(the merchant schedules \S+ \S+) on the (?=\S+ \")": r"\1 with ",
    r"^(the merchant schedules \S+ \S+) by the older path$": r"\1 under the older path",
    r"^(the merchant deschedules the first) of them$": r"\1 schedule",
    # chargebacks
    r"^the merchant books a chargeback of what was taken back$":
        "the merchant submits a chargeback of the chargeback reversal",
    r"^the merchant books a chargeback ": "the merchant submits a chargeback ",
    r"^the merchant books that the chargeback is taken back$":
        "the merchant submits a reversal of the chargeback",
    r"^the merchant books that it is taken back$":
        "the merchant submits a chargeback reversal of it",
    r"^the chargeback is taken back$": "the chargeback is reversed",
    # reports
    r"^(.+) asks for a report of (it|the day it was made)$": r"\1 requests a report of \2",
    r"^the merchant asks for (a report|the result codes)": r"the merchant requests \1",
    r"^the report is refused for ": "the report is refused, naming ",
    r"^the report holds ": "the report contains ",
    # risk checks, 3-D Secure
    r"^the merchant has (\S+ \S+) checked for risk$": r"the merchant requests a risk check of \1",
    r"^(the risk system) takes (\d+ payments? an hour)": r"\1 accepts \2",
    r"^a secured debit of ": "a 3-D Secure debit of ",
    r"^the shopper debits (.+) without a way back$":
        r"the shopper pays \1 without shopperResultUrl",
    r"^the shopper debits (.+) and approves$": r"the shopper pays \1 and approves the challenge",
    r"^the shopper debits ": "the shopper pays ",
    r" at his bank$": " at the issuer",
    r"^the browser calls the bank in a hidden frame$":
        "the browser calls the ACS in a hidden frame",
    r"^the bank answers with (\w+)$": r"the ACS has the fault \1",
    r"^the shopper is authenticated by ": "the merchant authenticates the shopper by ",
    r"^the answer says where the shopper is authenticated$":
        "the response redirects the shopper to the issuer",
    r"^the bank was told of the ": "the issuer received the ",
    r"^the acquirer was never asked$": "the acquirer received no request",
    r"^the acquirer was asked once$": "the acquirer received one request",
    r"^the acquirer was told of ": "the acquirer received ",
    r"^the acquirer was not told of ": "the acquirer did not receive ",
    # acquirers, scripts, sandbox clock
    r"^the acquirer answers (\S+) to the address and (\S+) to the security code$":
        r"the acquirer returns \1 for the address and \2 for the security code",
    r"^it answered (\d+ times?)$": r"the script matched \1",
    r"^it reports a near miss$": "the script reports a near miss",
    r"^a card message of the type (\S+) was exchanged$":
        r"a card message of type \1 was sent to the card host",
    r"^no card message was exchanged$": "no card message was sent to the card host",
    r"^the processor received ": "the card host received ",
    r"^on the line to the processor happens: ": "the card host connection has the fault ",
    r"^the clock stands still$": "the sandbox clock is frozen",
    r"^the clock stands at ": "the sandbox clock is frozen at ",
    r"^the clock runs ": "the sandbox clock runs ",
    r"^time passes until something is due$": "time passes until the next due job",
    r"^the tester ends it as ": "the tester completes the payment with ",
    # throttling
    r"^(a merchant) that may make (\d+ payments? a minute)": r"\1 limited to \2",
    r"^(a merchant) that may read each payment (\d+ times? a minute)$":
        r"\1 limited to reading each payment \2",
    r"^a merchant with the limits of the field$": "a merchant with the limits of profile field",
    r"^each of them may make (\d+ payments? a minute)$": r"both merchants are limited to \1",
    r"^(.+) has tried (\d+ payments at once)": r"\1 has tried to send \2",
    r"^the merchant tries (\d+ payments at once)": r"the merchant sends \1",
    r"^the description says that there were too many requests, and to retry later$":
        "the result description says too many requests and to retry later",
    # webhooks
    r"^the merchant listens at its receiver for the first time$":
        "the merchant registers its receiver as webhook endpoint",
    r"^the merchant listens at its receiver$": "the merchant's receiver is a webhook endpoint",
    r"^the merchant listens where nobody answers$":
        "the merchant has a webhook endpoint at an unreachable address",
    r"^the merchant listens to its own payments$":
        "the merchant has a webhook endpoint for its own entity",
    r"^the merchant listens to nothing of its customers$":
        "the merchant has a webhook endpoint without customer data",
    r"^the merchant listens to ([A-Z]+) alone$":
        r"the merchant has a webhook endpoint for \1 events",
    r"^the merchant listens by (\w+)$": r"the merchant has a webhook endpoint in the format \1",
    r"^the merchant listens$": "the merchant has a webhook endpoint",
    r"^the next notification waits for the one after it$":
        "the next notification is delivered after the following one",
    r"^notifications come (twice|five minutes late)$": r"notifications are delivered \1",
    r"^the first notification is damaged$": "the first notification is corrupted",
    r"^every attempt to deliver is lost$": "every delivery attempt is lost",
    r"^the first (\d+) attempts to deliver are lost$": r"the first \1 delivery attempts are lost",
    r"^the tester sends the notification again$": "the tester replays the notification",
    r"^the notification carries everything the answer shows$":
        "the notification payload equals the response",
    r"^the notification has the members of the answer$":
        "the notification has every member of the response",
    r"^the notification refers to it$": "the notification refers to the payment",
    r"^the notification is about the registration of the answer$":
        "the notification is for the registration of the response",
    r"^all notifications have one identity$": "all notifications have the same event id",
    r"^each notification has an identity of its own$": "each notification has its own event id",
    r"^the first of them cannot be read$": "the first notification cannot be read",
    r"^the gateway has given the notification up$": "the gateway has given up the delivery",
    r"^the notification travels as ": "the notification is sent as ",
    r"^the receiver answers with a fault ": "the receiver answers with a server error ",
    r"^the receiver answers that it moved ": "the receiver answers with a redirect ",
    r"^the receiver answers with a refusal ": "the receiver answers with a client error ",
    r"^the receiver was called, and the merchant is told that it listens$":
        "the receiver gets a test message and the endpoint is active",
    r"^the merchant is told that it does not listen$": "the endpoint is inactive",
    r"^the receiver has got ": "the receiver has received ",
    r"^the receiver has taken ": "the receiver has accepted ",
    r"^all of them have one identity$": "all received notifications have the same event id",
    r"^the receiver is told of the payment once$":
        "the receiver gets one notification of the payment",
    r"^it is opened with the merchant's secret$":
        "the notification is decrypted with the merchant's secret",
    r"^it is of type PAYMENT, about the payment$":
        "the received notification is of type PAYMENT and for the payment",
    r"^its payload is the answer$": "the received payload equals the response",
    r"^the receiver was asked for the result, with id and resourcePath of the payment$":
        "the receiver is called with id and resourcePath of the payment",
    # profile field
    r"^the answer has the members of a payment, in their order$":
        "the response has the members of a payment in order",
    r"^the card is told by five texts$": "the card has its five members",
    r"^the answer is closed as every answer is$":
        "the response ends with buildNumber, timestamp and ndc",
    r" as (an id|a checkout id|a request id) of the field$": r" as \1 of profile field",
    r" as a made-up descriptor$": " as a generated descriptor",
    r"^the request id is the id of the answer$": "the request id is the id of the response",
    r"^the merchant sends an ordinary debit, and in it$": "the merchant sends a debit with",
    r"^the merchant sends an ordinary debit without a brand$":
        "the merchant sends a debit without a brand",
    r"^the merchant posts an ordinary debit to ": "the merchant posts a debit to ",
    r"^the merchant sends a payment of these parameters alone$":
        "the merchant sends a payment with only these parameters",
    r"^the notification tells whose payment it is$":
        "the notification shows the entity and the channel of the merchant",
    r"^the notification is of type PAYMENT, and has no action$":
        "the notification is of type PAYMENT and has no action",
    r"^the receiver was called with the activation of the field$":
        "the receiver gets the activation message of profile field",
    r"^it is declared as JSON in UTF-8, and comes in one piece$":
        "the response is declared as JSON in UTF-8 and is not chunked",
    # transport and versions
    r" is asked for by ([A-Z]+)\b": r" is requested with \1",
    r"^it is asked for under ": "the payment is requested under ",
    r"^it is read with the content type ": "the payment is read with the content type ",
    r"^a payment is posted in the clear where TLS is spoken$":
        "a payment is posted without TLS to the TLS address",
    r"^nobody takes it$": "the payment is not accepted",
    r"^the answer holds (\w+) as an object with ": r"the response has \1 as an object with ",
    r"^the merchant asks again what was recorded of release ":
        "the merchant repeats the recorded requests of release ",
    r"^each answer still has what it had then$":
        "each response still has the recorded status and members",
    # all of them
    r"^the answer\b": "the response",
}
# fmt: on
# Sentences that mean one thing as a Given, and another as a When.
GIVEN = {
    r"^the merchant changes it with ": "the merchant changes the checkout with ",
    r"^the merchant removes it$": "the merchant deletes the checkout",
}
WHEN = {
    r"^the merchant changes it with ": "the merchant changes the checkout with ",
    r"^the merchant removes it$": "the merchant deletes the registration",
}


def describe_renamed_steps(folder: Path) -> Iterator[str]:
    """A note for each sentence of 0.1.0 in the features of a folder. Raises FeatureFileError."""
    lines = dict.fromkeys((line.kind, line.text) for line in lines_of(read_features(folder)))
    renamed = [(kind, text, current_sentence(kind, text)) for kind, text in lines]
    renamed = [each for each in renamed if each[1] != each[2]]
    known = definitions(tuple(NOUNS)) if renamed else {}
    for kind, text, current in renamed:
        if matching(known, kind, current):
            yield f"deprecated step, ends with the next release: {text!r}; write {current!r}"


def current_sentence(keyword: str, sentence: str) -> str:
    """The current wording of a sentence of 0.1.0; the sentence itself where nothing changed."""
    for pattern, replacement in _patterns(keyword):
        sentence = pattern.sub(replacement, sentence)
    return sentence


@cache
def _patterns(keyword: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    by_keyword = {"given": GIVEN, "when": WHEN}.get(keyword, {})
    return tuple((re.compile(old), new) for old, new in {**by_keyword, **RENAMED}.items())
