"""Decisions about terminals at the point of sale, as far as the gateway's side goes."""

from simulator.grammar.decisions import Decision, area

TERMINALS = area(
    "Terminals at the point of sale",
    "Terminals of a sandbox, their keys, and what they send to the card host.",
    Decision(
        "D-406",
        "What a terminal read, in a card message",
        question="Which fields of a card message hold what a terminal sent?",
        answer="""
            The rows of `simulator/domain/acquiring/terminal_data.py`. Field 22 has two digits for
            pos.entryMode (01 MANUAL, 05 ICC, 07 NFC_ICC, 80 MAGSTRIPE_AS_FALLBACK, 90 MAGSTRIPE, 91
            NFC_MAGSTRIPE) and one for pos.pinEntryCapability (1 available, 2 unavailable, 0 not
            said). Field 25 is 00, 41 the last eight digits of pos.terminalId, 23 the last three of
            pos.panSequenceNumber. Track 2 stands in 35 in place of 2 and 14. 52 holds the PIN block
            in format 0 under the zone key of the card host, which 53 names. 55 holds the tags of
            pos.iccDataRequest without 57, 5A, 5F20, 5F24 and 99, and in an answer those for the
            card. A payment that the card approved offline is reported by 0120 or 0220. The acquirer
            inside the process gets the same data.
        """,
        reason="It is the common use of ISO 8583, and an issuer decides by these fields.",
        tests=("simulator/tests/acquiring/test_terminal_messages.py",),
    ),
    Decision(
        "D-407",
        "Response codes of terminals",
        question="What do 65 and 10 in field 39 mean for a payment at a terminal?",
        answer="""
            65 of a card that was tapped is 300.100.100, insert the card, where field 63 says
            nothing else; of any other payment it is 800.100.163. 10 with an amount in field 4
            approves that part of the amount.
        """,
        reason="Issuers limit taps in a row without a PIN, and answer the next one with 65.",
        tests=("simulator/tests/acquiring/test_terminal_messages.py",),
    ),
)
