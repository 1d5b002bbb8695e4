"""What becomes of each request field: most are echoed, the others have a row here.

Printed by `sandgate explain NAME`; a test compares the rows with the parameters. Source: the rules
of the specification where it states one. Choice: D-178.
"""

from simulator.grammar.effects import ACCEPTED, ACTS, Effect
from simulator.grammar.parameters import Param

# fmt: off
EFFECTS = (
    #      field                          kind      what becomes of it
    Effect("testMode",                    ACTS,     "chooses who answers: shows in the code"),
    Effect("amount",                      ACTS,     "is what moves"),
    Effect("taxAmount",                   ACCEPTED, "travels to the acquirer, moves nothing"),
    Effect("currency",                    ACTS,     "is the currency of what moves"),
    Effect("paymentBrand",                ACTS,     "chooses the rules of the account"),
    Effect("paymentType",                 ACTS,     "chooses what happens"),
    Effect("overridePaymentType[brand]",  ACTS,     "is the type of a checkout paid by that brand"),
    Effect("descriptor",                  ACTS,     "is the statement text if the channel so says"),
    Effect("merchantInvoiceId",           ACCEPTED, "is kept, and never sent to the acquirer"),
    Effect("merchantMemo",                ACTS,     "shows in reports"),
    Effect("transactionCategory",         ACCEPTED, "travels to the acquirer"),
    Effect("entityId",                    ACTS,     "names the channel, or the merchant"),
    Effect("Authorization header",        ACTS,     "admits the request"),
    Effect("card.",                       ACTS,     "is the card; bin, last digits, expiry, holder "
                                                    "show in the answer"),
    Effect("mobileWallet.paymentToken",   ACTS,     "is opened, and pays by the card in it"),
    Effect("mobileWallet.source",         ACTS,     "asks for the data of a decrypted wallet"),
    Effect("createRegistration",          ACTS,     "leaves a registration"),
    Effect("overrideHolder",              ACTS,     "fills an empty holder of a registration"),
    Effect("threeDSecure.merchant.",      ACTS,     "names the merchant to the ACS"),
    Effect("threeDSecure.v1.<scheme>.password", ACCEPTED, "travels nowhere: it is a secret"),
    Effect("threeDSecure.v2.",            ACTS,     "names the merchant to the directory server"),
    Effect("threeDSecure.challengeIndicator", ACTS, "is the wish sent to the ACS"),
    Effect("threeDSecure.exemptionFlag",  ACTS,     "is the wish sent to the ACS, as a wish for no "
                                                    "challenge"),
    Effect("threeDSecure.",               ACCEPTED, "travels to the acquirer"),
    Effect("shopperResultUrl",            ACTS,     "is where the shopper comes back to"),
    Effect("notificationUrl",             ACTS,     "is called with the result"),
    Effect("pos.encryptedPin.data",       ACTS,     "is translated for the card host, which checks "
                                                    "the PIN"),
    Effect("pos.encryptedPin.ksn",        ACTS,     "names the key of the PIN"),
    Effect("pos.encryptedSred.data",      ACTS,     "is the account a terminal has read"),
    Effect("pos.encryptedSred.ksn",       ACTS,     "names the key of the account"),
    Effect("pos.iccDataRequest",          ACTS,     "goes to the issuer, whose answer is "
                                                    "pos.iccDataResponse"),
    Effect("pos.",                        ACCEPTED, "travels to the acquirer"),
    Effect("risk.channelId",              ACCEPTED, "travels to the risk system"),
    Effect("risk.serviceId",              ACTS,     "of one character: the screening service"),
    Effect("risk.amount",                 ACTS,     "is the amount that is checked"),
    Effect("risk.orderTimestamp",         ACTS,     "is when the payment was made, for the check"),
    Effect("risk.brand",                  ACTS,     "is the brand that is checked"),
    Effect("risk.parameters[name]",       ACCEPTED, "travels to the risk system"),
    Effect("risk.merchantWebsite",        ACCEPTED, "travels to the risk system"),
    Effect("risk.accountToken",           ACCEPTED, "travels nowhere: it is a secret"),
    Effect("date.",                       ACTS,     "bounds a report"),
    Effect("job.name",                    ACTS,     "names the schedule; shows in its answers"),
    Effect("job.",                        ACTS,     "makes or bounds the trigger of a schedule; "
                                                    "shows in its answers"),
    Effect("chargebackResultCode",        ACTS,     "is the reason of a chargeback"),
)
# fmt: on

ECHOED = "is echoed in the answer"


def effects_of(row: Param) -> tuple[str, ...]:
    """What becomes of a request field, in words: of an echo, of the first row that covers it."""
    found = (ECHOED,) if row.echo else ()
    own = next((each for each in EFFECTS if each.covers(row.name)), None)
    if own is None or (own.kind == ACCEPTED and row.echo):
        return found
    said = f"accepted: {own.says}" if own.kind == ACCEPTED else own.says
    return (*found, said)
