"""Decisions about how the gateway reads settlement files and finds payments."""

from simulator.grammar.decisions import Decision, area

READING = area(
    "Reading settlement files",
    "When a file counts, and which payments its lines are about.",
    Decision(
        "D-390",
        "Files that count",
        question="What is taken from a file that is cut off, changed or of another form?",
        answer="""
            Nothing. Its lines wait in a temporary file until its control sums, counts, balances and
            hashes are found to be right, and no settlement id comes twice. Where its format numbers
            the lines of a batch, they come in that order. It has at most 2 GiB and
            3,000,000 lines, is in the encoding of its format, and an XML file has no document type
            and no part of more than 1 MiB.
            Each line is of a known type, its fields have lengths, and a payout is the net of its
            batch.
        """,
        reason="What is booked from half a file is found much later than a refused file.",
        tests=(
            "simulator/tests/adapters/settlement/test_reading.py",
            "simulator/tests/adapters/settlement/test_both_sides.py",
            "features/reconciliation.feature",
        ),
    ),
    Decision(
        "D-662",
        "What an institute writes into a line",
        question="Which amounts and texts of a settlement file are passed on?",
        answer="""
            Amounts from 0 to below 10,000,000,000; a file with another one is refused. In the text
            of a reason, in a merchantTransactionId that is not that of the payment, and in the
            brand of a line without a payment, card numbers are masked; so they are in the errors
            of a file that is refused. Ids and references are passed on as they came.
        """,
        reason="""
            No column of the merchant's file takes another amount. An institute may write a card
            number into any text, and neither merchant nor operator may get it. References are
            digits, of which one in ten would look like a card number.
        """,
        tests=("simulator/tests/adapters/settlement/test_hostile_lines.py",),
    ),
    Decision(
        "D-391",
        "Payments of a line",
        question="How is the payment of a line found where it shares values with others?",
        answer="""
            By the payment id; else by the reference with amount and currency; else by
            merchantTransactionId with type, amount and currency; else by amount and currency with
            the day and the last four digits. The first key that finds payments decides: one is
            MATCHED, several are MULTIPLE_MATCHES, and at most 1,000 of them are named. Amounts are
            compared with two decimals, that of a payment as it settles (D-381). A format without
            times has no fourth key. Payments of another bank day than that of the file, as of a
            late chargeback, are found by their id, and in SGFIX, whose lines have none, by the
            second key where no payment of the day has it; by no other key. A match says in words
            which key it rests on and every field that differs.
        """,
        reason="""
            A merchant has to see why a line was matched; the weakest key may not decide where a
            better one is there. A chargeback that is not matched is none: the payment could be
            refunded as well.
        """,
        tests=(
            "simulator/tests/settlement/test_matching.py",
            "simulator/tests/settlement/agreement/test_other_days.py",
            "features/bank_days.feature",
            "features/reconciliation.feature",
            "features/settlement_troubles.feature",
        ),
    ),
    Decision(
        "D-721",
        "Payouts of a reconciliation file",
        question="Which payouts may a file have beside that of its own lines?",
        answer="""
            Those that repeat one that a bank rejected: of the same merchant number, amount and
            currency, with an earlier SettlementDate, and repeated once. Any other payout breaks
            RCN-08, as does one with the SettlementTxId of another payout. `sandgate reconcile file`
            reads the payouts of earlier files with `--before`, which names the file with the
            rejection and all files since then, in any order.
        """,
        reason="""
            A repeated payout is a line as any other (D-384), so that one file alone does not say
            whether a payout is repeated or paid twice. What is paid twice must be noticed. A file
            between may have repeated the payout already.
        """,
        tests=("features/reconciling/tests/test_rules.py",),
    ),
)
