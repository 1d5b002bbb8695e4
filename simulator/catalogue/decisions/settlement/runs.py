"""Decisions about the runs of settlement on the gateway's side."""

from simulator.grammar.decisions import Decision, area

RUNS = "simulator/tests/settlement/test_runs.py"
CONTROL = "simulator/tests/settlement/test_control.py"
LEDGER_AND_FILES = "simulator/tests/settlement/agreement/test_ledger_and_files.py"

SETTLEMENT_RUNS = area(
    "Settlement runs",
    "What the gateway does with the file of a clearing institute.",
    Decision(
        "D-401",
        "When a bank day is settled",
        question="What starts the settlement of a bank day?",
        answer="""
            The control API or `sandgate settle run`: every bank day of an institute that is
            over on the clock of the sandbox, in order; with `daily` those to come settle by
            themselves at their cut-off, also where the clock leaps. The institute knows the
            movements from the postings of approved payments, those of card payments in the test
            mode EXTERNAL from the entries of the card host: what it approved and did not take back
            settles, also where its answer was lost. Each is of the bank day in which the gateway
            posted it, also where the host decided it before the cut-off; one that failed at the
            gateway is of that of the host's entry, and one that is under way, or to be taken back
            by a reversal that is not answered, of none yet. Bank
            accounts, and what refers to their payments, settle at Sandgate Bank, cards at the
            institute of their channel; answers name the one that settles a payment in
            resultDetails.clearingInstituteName. The merchant number is the id of the merchant
            account; it is settled in the currency of its channel, where that takes one alone, else
            in EUR.
        """,
        reason="Most sandboxes need no settlement, and should have no work due for it.",
        tests=(
            RUNS,
            CONTROL,
            "simulator/tests/settlement/agreement/test_institutes.py",
            "simulator/tests/settlement/agreement/test_under_way.py",
            "features/bank_days.feature",
            "features/reconciliation.feature",
            "features/settlement_troubles.feature",
        ),
    ),
    Decision(
        "D-718",
        "Bank days that settle at once",
        question="How many bank days does one request settle, where years of them are over?",
        answer="""
            The first 400 of each institute that is asked for, in order. Member `more` of the answer
            names the institutes of which others are over, and the same request goes on with them:
            what was settled stays. `sandgate settle run` says so, and ends with status 3. With
            `daily` the others are settled at the next cut-off.
        """,
        reason="""
            A clock may leap by centuries, and each bank day has a file: a request without an end
            would hold up its client, and one that is refused says that nothing was done.
        """,
        tests=(
            "simulator/tests/settlement/test_history.py",
            CONTROL,
            "simulator/tests/commands/test_other_servers.py",
        ),
    ),
    Decision(
        "D-402",
        "Interrupted runs and refused files",
        question="What becomes of a run that is interrupted, and of a file that is refused?",
        answer="""
            Each step is stored before the next begins. Lines are booked in blocks of 200, each
            with its postings in one commit, under a number that it has again when the file is
            read again: the next run takes up what is there. Of the files of a merchant, those that
            were delivered before a try ended stay, and the next try delivers the others. A file
            that is not whole is refused before its first line; the run says which file and
            record and why, and the institute sends another one, with the next number, when the
            day is asked for again, by its date or as no other one is over, and without planted
            faults before the file of the next day. A file that is late comes with that one, and is
            booked as the run of its own day, which is `late` until then. A file that was booked
            already, known by its hash, is reported and not booked again. Lines of another merchant
            are left out, and counted.
        """,
        reason="Money that is booked twice is worse than money that is booked late.",
        tests=(
            RUNS,
            CONTROL,
            "simulator/tests/settlement/test_csv_files.py",
            "features/bank_days.feature",
            "features/reconciliation.feature",
            "features/settlement_troubles.feature",
        ),
    ),
    Decision(
        "D-403",
        "The ledger of a settlement",
        question="What does a settled line post?",
        answer="""
            A fee from `merchant` to `fees`, a payout that succeeded from `merchant` to `bank`,
            an exchange of currencies through `fees`. A block posts the sum of its fees, and of
            its exchanges, once for each currency; each payout is posted alone. Lines in less lines
            out less fees are the payout, and what the ledger moved to `bank`: the control API shows
            whether they agree, and whether the lines are what payments moved (D-526).
        """,
        reason="What is left on `merchant` is what the institute still owes.",
        tests=(
            RUNS,
            CONTROL,
            "features/reconciliation.feature",
            "features/settlement_troubles.feature",
        ),
    ),
    Decision(
        "D-404",
        "Chargebacks from files",
        question="When does a line of a chargeback make one?",
        answer="""
            Where it matches a payment that has none: the chargeback has the reason of the line,
            and its id is the line's ChargebackId. A chargeback that was reported already is
            named there, and no second one is made. One that came by a file is in no later file.
            What a line charges back is its amount, at most what is open of the payment; no more
            than that is in a line of the institutes (D-386). From the moment that the file is
            written until its line is booked all of that is reserved, a few payments at a time:
            refunds, reversals and chargebacks of the payment are refused as if nothing were left.
            Where a line is not booked, as in a file that is refused, it is free again; so is what
            was left reserved by a process that was killed before the run was stored, or by a member
            of another release, with the next run of the institute or the next start. The line of a
            chargeback reversal names the chargeback that it takes back.
        """,
        reason="The institute and the API report the same chargeback.",
        tests=(
            RUNS,
            "simulator/tests/settlement/agreement/test_reserved_chargebacks.py",
            "features/reconciliation.feature",
            "features/settlement_troubles.feature",
        ),
    ),
    Decision(
        "D-524",
        "Settlement of a debit that is reversed",
        question="What is in the file of a debit that was reversed (D-14), and of its reversal?",
        answer="""
            Where the reversal comes before the cut-off of the bank day of the debit, neither has a
            transaction line: the institute never cleared it. Where it comes later, the debit has
            its line, and the bank day of the reversal has one that takes it back: SETTLED, DEBIT,
            with Cashflow NEG and the UniqueID of the reversal. Both hold whenever the day is
            settled. The fee of the debit is not returned then, and each reversal costs CANCEL_FEE.
        """,
        reason="""
            The specification has no PaymentType of a reversal, and Cashflow is the direction of the
            balance. A merchant that gave the money back must not be paid it (RCN-08).
        """,
        tests=(
            "simulator/tests/settlement/agreement/test_later_states.py",
            LEDGER_AND_FILES,
            "features/settlement_troubles.feature",
        ),
    ),
    Decision(
        "D-526",
        "Settlement against the ledger of the payments",
        question="When does a run agree with the ledger?",
        answer="""
            Where, for each merchant account and currency, its lines without fees and payouts are
            what the ledger moved to `merchant` by the payments of the bank day, and by chargebacks
            that its lines made; an amount of the ledger counts as it is settled (D-381). A run
            whose lines make up for what was open before agrees too. Else `differs` says by how
            much, and `sandgate settle show` ends with status 3: so it does for most planted faults,
            and for a payment that cannot be settled. Runs of before are not compared.
        """,
        reason="""
            Lines that add up to their payout were said to agree though the ledger had taken a sale
            back. RCN-08: the sums agree with the ledger.
        """,
        tests=("simulator/tests/settlement/agreement/test_agrees.py", LEDGER_AND_FILES),
    ),
    Decision(
        "D-521",
        "Settlement in snapshots",
        question="Does a snapshot take along what was settled?",
        answer="""
            Yes: runs, records and postings with the log of the sandbox, and after it every file of
            clearing institutes, every answer key and every file of a merchant, with its time of
            change. A restored sandbox has what it had, and goes on with the next bank day. Files
            come to 4 GiB at most; one outside the folders of settlement, or of a merchant that the
            sandbox has not, refuses the whole snapshot.
        """,
        reason="A class that is restored should find its files, and a client none it has not seen.",
        tests=("simulator/tests/settlement/test_snapshots.py",),
    ),
    Decision(
        "D-672",
        "Settlement files of an epoch",
        question="Which files has a sandbox whose reset or restore was interrupted?",
        answer="""
            Those of the epoch that its record names. What an epoch begins with, nothing after a
            reset, waits in `epochs/SANDBOX/EPOCH` of the data folder before the epoch is stored,
            and is moved into the place of what there was afterwards, each folder in one step. The
            next start goes on where that was interrupted, and removes what waits for an epoch that
            never began. In a fleet, where members may start at once, the one that next loads the
            sandbox goes on, one process at a time, and the next epoch of the sandbox removes the
            rest. A merchant that logs in by SFTP meanwhile waits for that.
        """,
        reason="""
            A gateway that was killed between the two left the files of runs which the sandbox did
            not know any more, to be fetched by the merchant; and lost those of a snapshot whose
            records it had restored.
        """,
        tests=(
            "simulator/tests/lost_writes/test_settlement_epochs.py",
            "simulator/tests/adapters/postgresql/test_epochs_of_members.py",
        ),
    ),
)
