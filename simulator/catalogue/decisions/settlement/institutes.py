"""Decisions about the clearing institutes and their files."""

from simulator.grammar.decisions import Decision, area

FILES = "acquirer_mocks/tests/settlement/test_files.py"
FAULTS = "acquirer_mocks/tests/settlement/test_faults.py"
SUITE = "features/reconciliation.feature"
CALENDARS = "acquirer_mocks/tests/settlement/test_calendars.py"
CUT_OFFS = "simulator/tests/settlement/agreement/test_cut_offs.py"
CALM = "simulator/tests/adapters/fleet/test_calm.py"

INSTITUTES = area(
    "Clearing institutes",
    "What an institute charges, when it pays, and what its files contain.",
    Decision(
        "D-380",
        "Institutes and formats",
        question="Which clearing institutes are there, and what do they send?",
        answer="""
            Three, each with a format of its own: Sandgate Clearing (CSV, the default of a channel),
            Sandgate Acquiring (fixed width) and Sandgate Bank (camt.053.001.08), which settles bank
            accounts. A channel that names another one is refused. The layouts are in
            docs/reference/settlement-files.md. An institute names a merchant by a merchant number
            of 5 to 32 letters and digits, and by nothing else.
        """,
        reason="""
            The specification shows the merchant's file only. The three differ in what real
            files differ in: references, time, fees, decimals and controls.
        """,
        tests=(FILES,),
    ),
    Decision(
        "D-381",
        "Decimals of an institute",
        question="How many decimals do amounts have in an institute's file?",
        answer="""
            Those of their currency in ISO 4217: none for JPY, three for KWD. An amount of the
            gateway, which has two, is rounded half up: JPY 92.50 settles as 93. A currency that
            ISO 4217 does not know has two. Of three decimals the last is zero, in fees and
            exchanged amounts too: they are rounded half up to a hundredth. A part of a payment (a
            capture, receipt, refund or chargeback) takes of it what it settles as, where that is
            more than its amount: of JPY 10.00 ten parts of 0.50 are all.
        """,
        reason="""
            Banks count in the smallest unit there is; two decimals are the gateway's wire rule.
            A fee of KWD 0.125 would be 0.13 in the merchant's file, and the payout would not be
            the sum of its lines (RCN-08). Card schemes settle such currencies so as well. Parts
            that are rounded up one by one would settle for up to twice the whole.
        """,
        tests=(
            "acquirer_mocks/tests/settlement/test_fx.py",
            SUITE,
            "simulator/tests/payments/parts/test_parts.py",
            "simulator/tests/settlement/agreement/test_agrees.py",
        ),
    ),
    Decision(
        "D-382",
        "Exchange rates",
        question="Which rate does a settlement in another currency have?",
        answer="""
            That of the bank day: a stored table of rates to the euro, moved by at most one
            percent by a seed of the institute and the day, with six decimals. The settlement
            amount is rounded half up once a line. A currency that is not in the table is
            exchanged one to one.
        """,
        reason="A run can be repeated; six decimals are what banks print.",
        tests=("acquirer_mocks/tests/settlement/test_fx.py",),
    ),
    Decision(
        "D-383",
        "Fees",
        question="What is the fee of a movement?",
        answer="""
            Interchange, scheme and markup, each a percentage of the settlement amount plus a
            fixed amount, each rounded half up; their sum is at least the minimum of the tariff.
            A refund costs scheme and markup, less the interchange of its amount where the
            tariff returns it, and never less than 0.00. A credit costs scheme and markup;
            chargebacks and their reversals cost nothing. PA, CP, RV and RF have a fixed fee
            besides, a sale with merchant.submerchantId that of a sub-merchant, one that sends
            merchant.name with it that of a payment facilitator too, and each contract a monthly
            one, on the first bank day of a month.
        """,
        reason="""
            A fee on a line cannot be below zero, since amounts are positive; what a refund
            would get back beyond its fee is kept. Who says for whom and under which name money is
            taken acts for others, as a facilitator does; a number alone may be a branch.
        """,
        tests=("acquirer_mocks/tests/settlement/test_tariffs.py", FILES, SUITE),
    ),
    Decision(
        "D-384",
        "Batches and payouts",
        question="What is paid by one bank transfer?",
        answer="""
            All lines of a merchant number in a file: its batch. Batches are numbered in the
            order of merchant numbers. A net of zero is not transferred. Where the net is below
            zero the merchant owes it. A payout that the merchant's bank rejects is a line with
            status FAILED; the file of the next run repeats it as a line of its own, until it
            succeeds. `payout: rejected` in a fault plan lets banks reject the payouts of a run.
        """,
        reason="A file is the same whatever order the movements came in.",
        tests=(FILES,),
    ),
    Decision(
        "D-665",
        "Another settlement currency",
        question="When does a merchant number get another settlement currency?",
        answer="""
            With the first run that finds no rejected payout open in the old one. Until then its
            lines are exchanged into the old one.
        """,
        reason="A payout is repeated as it was, and a batch and its sums have one currency.",
        tests=("simulator/tests/settlement/agreement/test_other_currencies.py",),
    ),
    Decision(
        "D-525",
        "Sums that no line can hold",
        question="How is a net paid that has more than ten digits before the dot?",
        answer="""
            By several transfers, each a BATCH line of at most 9999999999.99, or as much as the
            currency has. So is a fee of the day: it has several lines. A transfer that a bank
            rejects is repeated alone. A payment whose settlement amount is larger has no line:
            acquirers decline it (D-674).
        """,
        reason="""
            Amount and SettlementAmount are N13 with two decimals in the specification. A file with
            another amount breaks it, and one that is refused pays nothing.
        """,
        tests=("simulator/tests/settlement/agreement/test_large_sums.py",),
    ),
    Decision(
        "D-674",
        "Amounts that no line can hold",
        question="What becomes of a payment that could not be settled, as its amount is too large?",
        answer="""
            The acquirer declines it with 13, amount not valid (800.100.174), of whatever type but
            RV, and also where a behaviour would approve it or the card did (0120, 0220): what has
            more than ten digits before the dot in its currency as it settles (D-381), JPY
            9999999999.99, or in the currency that the channel is settled in, at the highest rate
            that a day may have (D-382). What an earlier version approved has no line (D-525);
            what refers to it has one where its own amount can be settled.
        """,
        reason="""
            Money that is approved has to be paid out, and its refund was taken from the merchant.
            The rate of the day on which it is captured is not known yet.
        """,
        tests=(
            "acquirer_mocks/tests/settlement/test_limits.py",
            "simulator/tests/settlement/test_control.py",
            SUITE,
            "features/field_requests.feature",
        ),
    ),
    Decision(
        "D-385",
        "Fault plans",
        question="How is it chosen which lines of a file are wrong?",
        answer="""
            By a plan: a number of lines or a share of the movements that a fault can be planted
            in; the draw depends on seed, day, fault and payment alone. The mix `default` has a
            share of 0.002 for each fault, `clean` none. A movement has one fault at most. A
            file is written late, empty, cut off or with a control total that does not add up.
            A plan has at most 64 KiB, and 200 names and values, half of which are enough for all
            that there is.
        """,
        reason="""
            A plan can be repeated, and adding a payment does not change the faults of others.
            10,000 values took half a second to read, and all other sandboxes waited.
        """,
        tests=(FAULTS,),
    ),
    Decision(
        "D-386",
        "Lines that are wrong",
        question="What does a planted fault change besides its line?",
        answer="""
            Totals and payouts follow the lines as they are written, so a file with a wrong line
            is whole. What is settled twice comes again in the next file. A chargeback before
            the settlement defers the payment to the next file; a late one comes after 120 days,
            or, for a refunded payment, at once, except in SGFIX, which could not name that
            payment. A chargeback takes no more than is left of the payment when the file is
            written, and nothing of one that was refunded wholly, reversed, or charged back, also
            where that was in part or was taken back. A file that is late has none: less may be
            left when it comes; one that is due then is in the next file. A file of whose
            payments less is left when it is whole is written again, and after the fourth time
            without chargebacks. SGFIX has none of a part: no payment would have its reference
            with its amount.
        """,
        reason="""
            A reader should find the line, not the total. What was given back cannot be charged
            back as well (D-147): gateway and institute take the same amount.
        """,
        tests=(
            FAULTS,
            "simulator/tests/settlement/agreement/test_chargebacks_by_files.py",
            "simulator/tests/settlement/agreement/test_reserved_chargebacks.py",
            "simulator/tests/settlement/agreement/test_what_is_left.py",
            "features/settlement_troubles.feature",
        ),
    ),
    Decision(
        "D-387",
        "The answer key",
        question="What does the answer key of a run contain?",
        answer="""
            One file a merchant number, outside all folders that merchants see: each line with
            what is true of it, payments that should have a line and have none, the transfer as
            it should be, and what is wrong with the file itself. Of a file that must be refused
            it has the last alone. Lines whose reference several payments of the merchant share are
            MULTIPLE_MATCHES where the format has nothing else. What would have more than ten digits
            before the dot has no line and is in the key as absent. A line has the first 16
            characters of a brand, and no merchant reference with control characters. Amounts have
            two decimals, rates six.
        """,
        reason="""
            It is compared with what a merchant's program found out from files of two decimals.
        """,
        tests=(FAULTS, "acquirer_mocks/tests/settlement/test_collisions.py"),
    ),
    Decision(
        "D-388",
        "Bank days",
        question="Which movements are in the file of a day, and when are they paid?",
        answer="""
            Those from the cut-off of the bank day before on, and before the cut-off of the day,
            23:00 in the institute's zone: what moves at the cut-off itself is of the next day. A
            run waits for payments that are being stored: each is of the instant that was read
            before. In a fleet the home of a sandbox is alone with it as it settles: the clock of
            another member may be behind, and goes on behind the days that are settled where that
            one serves the sandbox again. They are paid one or two bank days later. Bank days are
            those of the ECB; for Sandgate Bank those of the New York Stock Exchange. A bank day
            without movements has a file without lines.
        """,
        reason="""
            The file of a day is written at its cut-off, and what moves in the same instant may come
            later; what is missing in it would be in no other. A reader can tell a day without
            movements from a file that is late. The ECB's calendar is that of transfers in euro.
        """,
        tests=(CALENDARS, FILES, CUT_OFFS, CALM),
    ),
)
