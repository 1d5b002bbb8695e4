"""The response code of a card message (field 39): what each value means as a result code.

Every value the field may take has a result code: one without a row is a fault of the acquirer, and
never an approval. Source: ISO 8583:1987 and common use. Choice: D-185.
"""

from collections.abc import Mapping

# fmt: off
# Answers that approve, and the one that says "not yet".
APPROVALS = frozenset({"00", "08", "11", "16", "85"})
IN_PROGRESS = "09"
# Approves a part of the amount.
PARTIAL = "10"
SENT_TWICE = "94"
UNKNOWN_RESPONSE = "900.100.200"

RESULT_OF: Mapping[str, str] = {
    # value  result code       meaning
    "00": "000.100.112",     # approved
    "01": "800.100.182",     # refer to the issuer
    "02": "800.100.182",     # refer to the issuer, special condition
    "03": "800.100.190",     # merchant unknown
    "04": "800.100.171",     # keep the card
    "05": "800.100.183",     # do not honour
    "06": "900.100.200",     # error
    "07": "800.100.171",     # keep the card, special condition
    "08": "000.100.112",     # approved, check the holder
    "09": "000.200.000",     # in progress
    "10": "900.100.202",     # approved in part; what a channel takes: D-481
    "11": "000.100.112",     # approved, important person
    "12": "800.100.154",     # transaction not valid
    "13": "800.100.174",     # amount not valid
    "14": "800.100.151",     # card number not valid
    "15": "800.100.151",     # no such issuer
    "16": "000.100.112",     # approved, update track 3
    "17": "800.100.181",     # the customer cancelled
    "18": "800.100.152",     # the customer disputes
    "19": "900.100.500",     # try again
    "20": "900.100.200",     # response not valid
    "21": "800.100.191",     # nothing was done
    "22": "900.100.200",     # suspected fault
    "23": "800.100.174",     # fee not acceptable
    "24": "900.100.202",     # file update not supported
    "25": "800.100.167",     # the original was not found
    "26": "800.100.167",     # there are two of the original
    "27": "800.100.156",     # a field was wrong
    "28": "900.100.200",     # file locked
    "29": "900.100.200",     # file update failed
    "30": "800.100.156",     # format error
    "31": "800.100.180",     # issuer signed off
    "32": "900.100.202",     # done in part
    "33": "800.100.157",     # expired, keep the card
    "34": "800.100.158",     # suspected fraud, keep the card
    "35": "800.100.182",     # contact the acquirer, keep the card
    "36": "800.100.168",     # restricted, keep the card
    "37": "800.100.182",     # call security, keep the card
    "38": "800.100.178",     # PIN tries used up, keep the card
    "39": "800.100.172",     # no credit account
    "40": "800.100.170",     # function not supported
    "41": "800.100.165",     # lost card
    "42": "800.100.172",     # no universal account
    "43": "800.100.159",     # stolen card
    "44": "800.100.172",     # no investment account
    "46": "800.100.172",     # account closed
    "51": "800.100.155",     # not enough money
    "52": "800.100.172",     # no cheque account
    "53": "800.100.172",     # no savings account
    "54": "800.100.157",     # expired
    "55": "800.100.166",     # PIN wrong
    "56": "800.100.151",     # no such card
    "57": "800.100.170",     # not permitted to the holder
    "58": "800.100.170",     # not permitted to the terminal
    "59": "800.100.158",     # suspected fraud
    "60": "800.100.182",     # contact the acquirer
    "61": "800.100.162",     # amount above the limit
    "62": "800.100.168",     # restricted card
    "63": "800.100.152",     # security violation
    "64": "800.100.174",     # the original amount differs
    "65": "800.100.163",     # too often
    "66": "800.100.182",     # call the acquirer's security
    "67": "800.100.171",     # pick the card up
    "68": "900.100.400",     # answer too late
    "75": "800.100.178",     # PIN tries used up
    "76": "800.100.167",     # the original differs
    "77": "800.100.167",     # the original does not fit
    "78": "800.100.160",     # card not in use yet
    "79": "800.100.152",     # life cycle
    "80": "900.100.600",     # no financial impact: system not available
    "81": "800.100.152",     # cryptographic fault
    "82": "800.100.153",     # card code wrong
    "83": "800.100.166",     # PIN cannot be checked
    "84": "800.100.152",     # cryptogram life time exceeded
    "85": "000.100.112",     # nothing to decline: account check
    "86": "800.100.166",     # PIN cannot be checked
    "87": "900.100.202",     # purchase without cash
    "88": "800.100.152",     # cryptographic failure
    "89": "800.100.190",     # terminal unknown
    "90": "900.100.500",     # cut-over
    "91": "900.100.600",     # issuer out of reach
    "92": "900.100.600",     # no way to the issuer
    "93": "800.100.170",     # against the law
    "94": "800.120.402",     # sent twice
    "95": "900.100.200",     # reconciliation fault
    "96": "900.100.203",     # system fault
    "97": "900.100.200",     # reserved
    "98": "900.100.200",     # reserved
    "99": "900.100.200",     # reserved
    "N7": "800.100.153",     # card code wrong
    "R0": "800.100.500",     # stop this payment
    "R1": "800.100.501",     # stop all payments
    "R3": "800.100.501",     # stop all payments
    "1A": "300.100.100",     # authentication needed
    "Z3": "900.100.600",     # cannot go online
}
# What some of them mean instead where the card was tapped. Choice: D-407.
CONTACTLESS_RESULT_OF: Mapping[str, str] = {
    **RESULT_OF,
    "65": "300.100.100",     # insert the card: too often without a PIN
}
# fmt: on


def approves(response: str) -> bool:
    """Whether a response code approves."""
    return response in APPROVALS
