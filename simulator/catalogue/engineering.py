"""Engineering choices: the records under docs/adr/, and what each of them decided.

A test compares the rows with the files. Numbers such as D-100 are shared with the decisions.
"""

from collections.abc import Mapping

from simulator.grammar.decisions import EngineeringChoice, EngineeringRecord, record

RECORDS: tuple[EngineeringRecord, ...] = (
    record(
        1,
        "append-only-log",
        "Keep payments in an append-only log",
        EngineeringChoice(
            "D-100",
            "Torn and damaged logs",
            """
                Each line of a log states how much was durable when it was written. A damaged line
                that a later line counted as durable stops the start with file and line; any other
                damaged line is a torn end and is cut off. A torn end was never acknowledged, a
                damaged middle was.
            """,
            tests=("simulator/tests/adapters",),
        ),
        EngineeringChoice(
            "D-332",
            "A log that lost its end",
            """
                Lines that are missing from the end of a log are not noticed: a log says of each
                line where it begins, but nothing outside it says how long it was. A log that is
                gone or empty is noticed: a small file beside it, `1.used`, is made once the log
                is. A mark of its length, written at a clean stop, would notice a loss between
                that stop and the next start alone, and not one after a crash, when losses happen;
                a count in another file that is durable with each commit would double the cost of
                a payment. What is before the loss is read as it was. Copy a data folder while the
                gateway is stopped, or take a snapshot, which has an end.
            """,
            tests=(
                "simulator/tests/adapters/store/test_places.py",
                "simulator/tests/sandboxes/test_damaged_logs.py",
            ),
        ),
        EngineeringChoice(
            "D-77",
            "When damage is found",
            """
                A start checks every log of the data folder line by line before it listens, without
                decoding records or loading sandboxes; on damage it ends with status 1, file, line
                and what to do. A log that is damaged after the start is detected when its sandbox
                is next read: that sandbox answers 503 with 999.999.888, the others continue, and
                the server log has file and line. `sandgate doctor` checks all logs of a folder that
                is not served.
            """,
            tests=("simulator/tests/sandboxes/test_damaged_logs.py",),
        ),
        EngineeringChoice(
            "D-101",
            "A disk that refuses writes",
            """
                What is not durable yet is removed from memory again, its callers get an error,
                reads continue, and writes resume when the disk accepts them. Memory that is ahead
                of the disk would otherwise be believed.
            """,
            tests=("simulator/tests/adapters",),
        ),
        EngineeringChoice(
            "D-671",
            "Work that goes on after a failed write",
            """
                A unit that is stored without waiting for the disk can be taken back after it was
                read. What stored it can ask for good whether it is durable, also when the disk has
                room again by then; a party that sends a message (gateway, card host) asks before
                it sends. Long work, a settlement run or an advance of the clock, goes on without
                asking, and stores nothing more once any write has failed since it began: it is
                answered with 503, and the next one begins with what is stored. It may have read
                what was taken back from others, so that it is not enough to look at its own units.
                PostgreSQL shows nothing before it is durable.
            """,
            tests=(
                "simulator/tests/adapters/store/test_commit.py",
                "simulator/tests/lost_writes",
                "simulator/tests/sandboxes/test_advance.py",
            ),
        ),
        EngineeringChoice(
            "D-103",
            "Order of results",
            """
                Records are found oldest first by a stored serial number, across restarts and
                compactions. A range is that of the moment of the call; records that have left it
                since are skipped.
            """,
            tests=("simulator/tests/adapters",),
        ),
        EngineeringChoice(
            "D-104",
            "Units of work",
            """
                A unit of work stores and removes records together or not at all; a record may
                change several times in one. A payment, its parent and its ledger entries belong
                together.
            """,
            tests=("simulator/tests/adapters",),
        ),
        EngineeringChoice(
            "D-105",
            "Compaction",
            """
                A log of more than 1 MiB that is twice as large as its live data is rewritten while
                serving. Below that size, reading it at start costs less than rewriting it.
            """,
            tests=("simulator/tests/adapters",),
        ),
    ),
    record(
        2,
        "tinydb-extension-points",
        "Extend the storage class of TinyDB",
        EngineeringChoice(
            "D-106",
            "Extension points of TinyDB",
            """
                The Storage of TinyDB is extended: a file is written aside, synced and renamed. Ids
                of its tables are texts. Nothing that is private in TinyDB is overridden.
            """,
            tests=("simulator/tests/adapters/sandboxes/test_sandbox_files.py",),
        ),
    ),
    record(
        3,
        "durable-answers",
        "Answer only what is durable",
        EngineeringChoice(
            "D-36",
            "Reads wait for durability",
            """
                An answer, also to a read, is sent only after everything it states is durable.
            """,
            tests=("simulator/tests/adapters",),
        ),
        EngineeringChoice(
            "D-102",
            "Levels of durability",
            """
                `--durability disk` answers after a sync, `os` after a write, and `memory` writes no
                file at all.
            """,
            tests=("simulator/tests/adapters",),
        ),
    ),
    record(
        4,
        "idle-unloading",
        "Unload idle sandboxes from memory",
        EngineeringChoice(
            "D-113",
            "Idle sandboxes",
            """
                A sandbox without a request for `--idle` seconds is unloaded: its file is closed and
                its memory freed; with more than 256 loaded sandboxes, sooner. Due work loads it in
                time, and a start looks through all sandboxes for due work. Its journal is kept in a
                file that a restart does not read (D-93); counters of open throttling windows stay
                in memory.
            """,
            tests=("simulator/tests/sandboxes/test_idle_unloading.py",),
        ),
    ),
    record(
        5,
        "sandbox-keys-and-snapshots",
        "Seal each sandbox with its own key",
        EngineeringChoice(
            "D-110",
            "Keys of sandboxes",
            """
                Each sandbox seals its secrets with a key of its own, which is sealed with the key
                of the installation. A snapshot contains the sealed key and opens in the same
                installation only. A snapshot made with a passphrase (`Sandgate-Passphrase`, 8
                characters or more) contains the key encrypted with it (scrypt, AES-256-GCM) and
                opens anywhere. A damaged file, one of another installation, and an invalid
                passphrase are refused with 400 and change nothing.
            """,
            tests=(
                "simulator/tests/sandboxes/test_snapshots.py",
                "simulator/tests/adapters/test_vault.py",
            ),
        ),
        EngineeringChoice(
            "D-115",
            "Restoring a snapshot",
            """
                An existing sandbox begins a new epoch with the data, entities and tokens of the
                snapshot; work under way in it is dropped, and an attempt that was open in the
                snapshot is reversed (D-33). A sandbox that does not exist is created with that id
                and its tokens, so that links and ids in tests stay valid. Restoring requires the
                key of the server; taking a snapshot is also possible with the key of the sandbox.
            """,
            tests=("simulator/tests/sandboxes/test_snapshots.py",),
        ),
    ),
    record(
        6,
        "journal-in-memory",
        "Keep the journal in memory",
        EngineeringChoice(
            "D-93",
            "Where the journal is kept",
            """
                In memory, at most 1,000 entries for each sandbox and none older than a day of real
                time; a restart and a reset empty it. Entries are numbered from 1 and found by ndc
                and payment. `--journal-count` (0 keeps none) and `--journal-age` change the limits.
            """,
            tests=(
                "simulator/tests/adapters/test_journal.py",
                "simulator/tests/journal/test_api_journal.py",
            ),
        ),
        EngineeringChoice(
            "D-95",
            "What is an exchange",
            """
                Every request to the merchant API is an exchange, also a refused one; requests to
                the control API and to pages are not. A request that belongs to no sandbox is in a
                journal of the server, which its control key opens, because a client with a 401
                looks for its ndc too.
            """,
            tests=("simulator/tests/journal/test_api_journal.py",),
        ),
        EngineeringChoice(
            "D-96",
            "How much of an exchange is kept",
            """
                All of it up to 16 KiB of body. Of a longer request the first 200 parameters and 200
                characters of each are kept, of a longer response its result code. Of what is sent
                to the acquirer only the names of the merchant's parameters are kept, since their
                values are in the request.
            """,
            tests=("simulator/tests/journal/test_api_journal.py",),
        ),
    ),
    record(
        7,
        "double-entry-ledger",
        "Post every decision to a double-entry ledger",
        EngineeringChoice(
            "D-35",
            "The ledger",
            """
                Each approved payment posts one entry between the accounts clearing, reserve,
                merchant and fees. A reversal posts the entry of the payment that it reverses in the
                opposite direction.
            """,
            tests=(
                "simulator/tests/payments/test_payment_tree.py",
                "simulator/tests/payments/test_captures_at_once.py",
            ),
        ),
        EngineeringChoice(
            "D-241",
            "Reconciliation with the card host",
            """
                `GET sandboxes/{id}/books` and `sandgate reconcile ledger` show sums by type and
                currency on both sides and, for each payment that differs, its masked card, both
                amounts and the reason. Open and pending payments are in neither ledger and are
                listed as under way.
            """,
            tests=(
                "simulator/tests/acquiring/test_card_closing.py",
                "load/tests/proof/test_kills.py",
            ),
        ),
    ),
    record(
        8,
        "settings",
        "Read settings from the command line, the environment and a file",
        EngineeringChoice(
            "D-74",
            "Order of settings",
            """
                Command line, then environment, then file, then default. `sandgate config` prints
                where each value came from. The default sandbox has the profile and the overrides
                that the server was started with.
            """,
            tests=(
                "simulator/tests/commands/test_settings.py",
                "simulator/tests/payments/test_api_payments.py",
            ),
        ),
        EngineeringChoice(
            "D-99",
            "Settings of sandgate run",
            """
                `sandgate run` uses free ports and a temporary folder, whatever file and environment
                say; every other setting holds as for `serve`. Its own failures end with 125, 126
                and 127, like those of shells. A test must not write into the folder of another
                gateway or wait for its ports; `--port` and `--data` override this.
            """,
            tests=("simulator/tests/commands/test_run.py",),
        ),
    ),
    record(
        9,
        "local-certificate",
        "Sign the server certificate with a local CA",
        EngineeringChoice(
            "D-73",
            "Lifetime of the certificate",
            """
                The server certificate is valid for 397 days and renewed 30 days before its end, and
                where it is not yet valid, as after a start with the clock ahead. The CA stays the
                same, since a trusted CA must not change; one that is not yet valid is replaced.
            """,
            tests=("simulator/tests/http/test_tls.py",),
        ),
    ),
    record(
        10,
        "health-and-metrics",
        "Serve metrics, health and readiness",
        EngineeringChoice(
            "D-97",
            "Access to the metrics",
            """
                Metrics need no key while the server listens on a loopback address and has no
                `--public-url`; otherwise they need the control key. Health and readiness never need
                a key. The address a server listens on cannot be forged, and the address of a peer
                behind a proxy means nothing. Labels contain no id and no secret.
            """,
            tests=("simulator/tests/http/test_watching.py",),
        ),
        EngineeringChoice(
            "D-98",
            "When a server is ready",
            """
                A server is ready when it has a sandbox, no log has failed, and a file of 4 KiB can
                be written to its data folder; otherwise it answers 503 and names what is missing.
                That is what a first payment needs, and the write test finds a full or read-only
                disk before a merchant does.
            """,
            tests=("simulator/tests/http/test_watching.py",),
        ),
    ),
    record(
        11,
        "recorded-releases",
        "Compare every release with recorded answers of earlier ones",
        EngineeringChoice(
            "D-203",
            "What an earlier release promised",
            """
                Each release records typical flows of every operation (`features/recorded/`, `python
                -m features.recorded RELEASE`) twice, with two merchants on two days. Values that
                differ between the two recordings are not promised, nor are texts for people,
                buildNumber and timestamp. Each later release gets the same requests and must return
                the same status, and every member with its value; members may be added.
            """,
            tests=("features/versions.feature", "features/recorded/tests/test_recorded.py"),
        ),
    ),
    record(
        12,
        "conformance-targets",
        "Check the target before testing it, and respect its limits",
        EngineeringChoice(
            "D-243",
            "What a target must show before a run",
            """
                A mistake in the target file is a usage error, status 2. One request reads a payment
                that does not exist, with the target's token and entity, and one lists the sandboxes
                with its control key: 401 and 403 mean that these were refused, any other answer of
                the merchant API is accepted. An offer needs the addresses it depends on, a profile
                must be known, and a card number has 12 to 19 digits, whose check digit is not
                checked. Otherwise an invalid token would appear as hundreds of failed test cases.
            """,
            tests=(
                "features/target/tests/test_reachability.py",
                "features/target/tests/test_target_files.py",
            ),
        ),
        EngineeringChoice(
            "D-210",
            "Throttling during a run",
            """
                Limits named in the target file are respected. Without a control API a throttled
                request that only prepares is repeated once the window is over (Retry-After, 61
                seconds at most, else a minute), and fewer are sent from then on; a test case whose
                own request was throttled is not checkable. Scenarios about throttling are never
                paced or repeated.
            """,
            tests=(
                "features/conformance/tests/test_pacing.py",
                "features/commands/tests/test_check.py",
            ),
        ),
        EngineeringChoice(
            "D-250",
            "A precondition that the target refuses",
            """
                The test case has failed in that step, with the refusal, and later steps are not
                run. Refused is an answer with neither an id nor a success code; a declined payment
                has an id and is a precondition that holds. A step that says someone tries something
                may be refused. Otherwise a scenario that expects a refusal would pass for the wrong
                reason.
            """,
            tests=(
                "features/commands/tests/test_check.py",
                "features/support/tests/test_preconditions.py",
            ),
        ),
        EngineeringChoice(
            "D-251",
            "Webhooks of a gateway without a control API",
            """
                `[receiver]` in the target file names where the suite listens, the address the
                gateway was given, and the key. Notifications of payments of other test cases are
                ignored; notifications that the key does not decrypt count.
            """,
            tests=(
                "features/mutants/tests/test_relocated.py",
                "simulator/client/tests/test_receiver.py",
                "features/target/tests/test_target_files.py",
            ),
        ),
    ),
    record(
        13,
        "conformance-verdicts",
        "Let missing evidence never count as passed",
        EngineeringChoice(
            "D-222",
            "Several test cases of one requirement",
            """
                The worst verdict counts: failed, waived, not checkable, not judged, passed. In
                coverage a waived one counts as failed, one that was not judged as not checkable. A
                run that was interrupted, or that lacks one of the scenarios of a requirement,
                proves nothing about it: the requirement is missing.
            """,
            tests=("reports/tests/test_coverage.py", "reports/tests/test_document.py"),
        ),
        EngineeringChoice(
            "D-223",
            "An interrupted run",
            """
                A last line without newline is ignored. A run without its end record, with fewer
                test cases than were chosen, or with counts that differ from its test cases is
                incomplete: every report says so at its top, the XML contains an error, and the exit
                status is never 0. A run that began nothing writes no report, and names the existing
                ones it would have replaced.
            """,
            tests=(
                "reports/tests/test_run.py",
                "reports/tests/test_junit.py",
                "reports/tests/test_page.py",
                "features/commands/tests/test_cleanup.py",
            ),
        ),
        EngineeringChoice(
            "D-225",
            "Rules that hold for this gateway only",
            """
                Scenarios that depend on names of brands, paths of reports, which payments have a
                risk check, when AcquirerResponse is present, or where the reference of a series is
                returned carry the decision that settled it (D-30, D-54, D-64, D-123, D-164, D-171),
                and are run only where the target file names a profile of this gateway. An
                independent gateway that keeps to the specification would fail them.
            """,
            tests=(
                "features/reference_gateway/tests/test_reference_gateway.py",
                "features/mutants/tests/test_relocated.py",
            ),
        ),
        EngineeringChoice(
            "D-246",
            "Scenarios that assert nothing",
            """
                A scenario of a user needs a Then among its own steps; a Then in the background does
                not count. A scenario without one is refused with file and line before the run,
                because it would pass whatever the gateway answers.
            """,
            tests=("features/gherkin/tests/test_files.py",),
        ),
        EngineeringChoice(
            "D-244",
            "Tags that pytest interprets",
            """
                The tags skip, skipif, xfail, parametrize, usefixtures, filterwarnings and timeout
                are refused with file and line, status 2. They would skip a test case, expect its
                failure or break the run; known failures are waived instead, with a reason and an
                end. All other tags are free.
            """,
            tests=("features/gherkin/tests/test_files.py",),
        ),
        EngineeringChoice(
            "D-541",
            "Errors of steps",
            """
                What a user's step raises, an undefined step, an unknown fixture and a missing tag
                are errors: the verdict says `error`, JUnit has `<error>`, the exit status is 2
                where nothing failed, and the requirement is not checkable. A failed comparison and
                a target that does not answer remain failures, and so does an answer without the
                member that a step of the suite reads.
            """,
            tests=(
                "features/conformance/tests/test_failures.py",
                "reports/tests/test_step_errors.py",
            ),
        ),
        EngineeringChoice(
            "D-542",
            "Rules whose result code alone is ours",
            """
                A scenario with `@code:D-46` shows a rule of the specification whose result code and
                words a decision chose. It runs against every gateway; where the target file names
                no profile, any result code of a refusal and any words will do. The reference
                gateway is the second witness of these scenarios.
            """,
            tests=(
                "features/reference_gateway/tests/test_reference_gateway.py",
                "features/support/tests/test_assertions.py",
            ),
        ),
    ),
    record(
        14,
        "conformance-reports",
        "Keep reports readable and free of secrets",
        EngineeringChoice(
            "D-211",
            "Card numbers and credentials in a report",
            """
                Shown are the first six and last four digits of a card number. Runs of 12 to 19
                digits that pass the check digit and all longer runs are masked wherever they stand;
                ids of 32 hex digits stay readable. Security codes, tokens, keys, passwords,
                signatures of any kind and spelling, and the secret in the address of a shopper's
                page are never shown.
            """,
            tests=(
                "simulator/client/tests/test_masking.py",
                "features/conformance/tests/test_recording.py",
                "features/tests/test_together.py",
            ),
        ),
        EngineeringChoice(
            "D-245",
            "Short secrets",
            """
                A secret of the target file is masked whatever its length: from 8 characters on
                wherever it stands, a shorter one as a whole word, in any case and spelling. Shorter
                secrets that appear during a run, from the control API or in a scenario, are masked
                by their names only. A token such as `a` is then masked as a word in every sentence;
                a longer token avoids that.
            """,
            tests=("simulator/client/tests/test_masking.py",),
        ),
        EngineeringChoice(
            "D-212",
            "The address of a test case",
            """
                Its title, with `#n` for a row of examples, and the file before it where two files
                have the same title; `FIELD:name:kind` for boundary tests. One command repeats any
                failure.
            """,
            tests=("features/conformance/tests/test_cases.py",),
        ),
        EngineeringChoice(
            "D-220",
            "How much of a run a report contains",
            """
                JSON and stream contain everything. The page shortens a text to 8,000 characters,
                the XML to 4,000 (500 where the test case passed), and both say so. The page opens
                the first 50 failed test cases and folds the others; of test cases that passed it
                shows each request in one line.
            """,
            tests=(
                "reports/tests/test_page.py",
                "reports/tests/test_junit.py",
                "reports/tests/test_document.py",
            ),
        ),
    ),
    record(
        15,
        "waivers",
        "Let a waiver expire",
        EngineeringChoice(
            "D-221",
            "How long a waiver is valid",
            """
                An entry has id (anything that `--only` accepts; an id without a test case ends the
                command with 2), reason and until, a date at most 366 days ahead, valid to the end
                of that day in UTC. An expired entry waives nothing. An entry whose test cases all
                passed is reported as unused; as not judged where one of them was left out or not
                checkable; as undecided where the run was interrupted. If several entries name a
                failed test case all of them are in use, and it is waived while one of them is
                valid. A run over midnight uses the day of its last failure. Every report lists all
                entries, with the number of test cases and the masked reason.
            """,
            tests=("reports/tests/test_waivers.py", "reports/tests/test_page.py"),
        ),
    ),
    record(
        16,
        "evidence",
        "Package the evidence of a conformance run",
        EngineeringChoice(
            "D-224",
            "What the evidence contains",
            """
                The stream, the three reports, the target without credentials, versions, the tables,
                the feature files that test cases name, and MANIFEST.sha256, which `sha256sum -c`
                reads. Feature files of a user's own are masked as the journal (D-94), and so is, in
                steps too, what stands in quotes behind the name of a secret or in a table under or
                beside it, also in a row of examples, except in columns such as `why` and `code`;
                `sandgate check` also leaves out the secrets of the target file, which `sandgate
                report` does not read. Files that are not features are never included, since a test
                case could name any file; those that are not found are listed. The same run gives
                the same bytes on the same installation.
            """,
            tests=(
                "reports/tests/test_evidence.py",
                "simulator/client/tests/test_step_texts.py",
            ),
        ),
    ),
    record(
        17,
        "merchant-checks",
        "Check a merchant's receiver without access to its code",
        EngineeringChoice(
            "D-230",
            "Which receiver may be checked",
            """
                Addresses of this machine are accepted; any other host must be named a second time
                with `--allow-remote HOST`. An address with a user name and password is refused. The
                key is read from `SANDGATE_WEBHOOK_SECRET`, `--key-file` or `--key` and never
                repeated; queries of addresses are in no report. What is sent is malformed on
                purpose, and fifty messages arrive at once.
            """,
            tests=("features/commands/tests/test_check_merchant.py",),
        ),
        EngineeringChoice(
            "D-231",
            "Accepted, refused, and replayed",
            """
                Accepted is any 2xx within 30 seconds (`--time-limit`); refused is any other answer,
                including an error; no answer is neither. An old message under another X-Event-Id is
                assessed by its effect, not by its answer: it may be answered 2xx and must change
                nothing, because that header is not protected by the key.
            """,
            tests=(
                "features/merchant_side/tests/test_mutant_merchants.py",
                "features/merchant_side/tests/test_webhook_sender.py",
            ),
        ),
        EngineeringChoice(
            "D-232",
            "The merchant's state of a payment",
            """
                The merchant shows it as JSON with `state` (unknown, pending, paid, failed; a 404 is
                unknown) and optionally `changes`, at `--state-url` or by `--state-command`. Without
                them, or where a paid payment is not shown as paid, the checks that depend on them
                are not checkable and the exit status is 3. An answer of 200 does not show what was
                understood.
            """,
            tests=(
                "features/commands/tests/test_check_merchant.py",
                "features/merchant_side/tests/test_mutant_merchants.py",
            ),
        ),
        EngineeringChoice(
            "D-233",
            "The gateway that a shop calls",
            """
                A small gateway of the suite (`--listen`) accepts any token and stores only that one
                was sent; a second port answers every request as paid. A paid order must first be
                shown as paid (`--paid-text`), otherwise the other checks are not checkable. At most
                two reads of a checkout are allowed in any 60 seconds, and observing for less than a
                minute proves nothing; after 800.120.100 no read may come before Retry-After is
                over.
            """,
            tests=(
                "features/merchant_side/tests/test_stub_gateway.py",
                "features/merchant_side/tests/test_mutant_merchants.py",
            ),
        ),
        EngineeringChoice(
            "D-234",
            "Checks that were not requested",
            """
                The second form of a body (`--body-format` twice) and the restart
                (`--restart-command`) are checked only on request, and do not change the exit
                status otherwise. Any other check without its option is not checkable: status 3.
                `--only` chooses checks or groups, and 0 then means that all of these passed.
            """,
            tests=("features/commands/tests/test_check_merchant.py",),
        ),
    ),
    record(
        18,
        "load-figures",
        "Report a load figure only where it describes the gateway",
        EngineeringChoice(
            "D-235",
            "What a load run counts",
            """
                Throughput and latency are of responses that were stored or refused as expected. In
                open arrival, latency counts from when the request was due. Throttled and aborted
                requests are counted apart; failures and requests without a response are errors, and
                none is allowed unless thresholds say so. A deliberate refusal is a correct
                response; a 429 is fast and would flatter the figure.
            """,
            tests=("load/tests/results/test_summary.py", "load/tests/traffic/test_verdicts.py"),
        ),
        EngineeringChoice(
            "D-236",
            "When there is no figure",
            """
                There is no figure where a clause of the closing check has failed or the ledgers
                could not be read, no response was correct, a process of the client used 90 % of a
                core or more for half of the time, or Locust warned. Where clauses could not be
                checked, a rate was not reached or throttling could not be assessed, the report says
                so beside the figure and the exit status is 3. With steps, overload ends the search
                for the knee. A machine that is busy to 95 % is mentioned beside the figure and
                changes nothing, since a gateway on the same machine is part of that.
            """,
            tests=("load/tests/results/test_outcome.py",),
        ),
        EngineeringChoice(
            "D-237",
            "The knee",
            """
                It is the last step that answered at least 5 % more than the one before, whose p95
                stayed within the threshold (500 ms; 150 ms in the soak), and whose notifications
                arrived within a second of their responses (p95) where a receiver listens. The first
                fifth of a step does not count.
            """,
            tests=("load/tests/results/test_knee.py",),
        ),
        EngineeringChoice(
            "D-247",
            "The duration of a throughput",
            """
                The time the run was to take, or the time until the last response where that is
                longer. A run that was interrupted by SIGINT counts from the first request until
                then or until the last response; unfinished steps do not count, the report states
                how long the run lasted, and the exit status is 3.
            """,
            tests=(
                "load/tests/results/test_summary.py",
                "load/tests/run/test_locust_process.py",
            ),
        ),
    ),
    record(
        19,
        "load-oracles",
        "Accuse a gateway only of what holds in every order",
        EngineeringChoice(
            "D-238",
            "What the throttling oracle may conclude",
            """
                Only what holds in every order of the requests that were under way together. The
                offset of the clocks is what timestamps of fresh responses (POST, 429) allow; where
                these contradict each other nothing is marked. An incorrect response has no mark and
                may have been counted.
            """,
            tests=("load/tests/oracle/test_throttle_oracle.py", "load/tests/run/test_run.py"),
        ),
        EngineeringChoice(
            "D-239",
            "Requests without a response",
            """
                Such a request was processed or not, as a whole and once; either is accepted.
                Payments that others created on a shared gateway are not counted against it: it
                counts for all its clients together, so that only too few are a fault. That it
                counted more is said beside the clause, which passed; the exit status stays.
            """,
            tests=("load/tests/closing/test_check.py",),
        ),
    ),
    record(
        20,
        "report-files",
        "Lose no report that was asked for",
        EngineeringChoice(
            "D-248",
            "Two options with the same file",
            """
                The command is refused with status 2, and both options are named. Paths are compared
                after resolving links, and the page and tables of Locust count too. `/dev/null`
                twice is refused like any other file.
            """,
            tests=(
                "reports/tests/test_files.py",
                "load/tests/test_cli.py",
                "features/commands/tests/test_check_merchant.py",
            ),
        ),
        EngineeringChoice(
            "D-316",
            "A report in a folder that does not exist",
            """
                The command is refused with status 2 before its work, and the option and the folder
                are named. No folder is made: a path that leads nowhere is more often misspelled
                than meant, and its report would be lost.
            """,
            tests=("reports/tests/test_files.py", "features/commands/tests/test_check.py"),
        ),
        EngineeringChoice(
            "D-249",
            "A stream that can no longer be written",
            """
                The run continues, its reports are written, and the command says so. It ends with 2
                where it would have ended with 0 or 3; a failure and an interrupt take precedence.
            """,
            tests=(
                "reports/tests/test_keeping.py",
                "features/commands/tests/test_cleanup.py",
                "features/commands/tests/test_check_merchant.py",
            ),
        ),
    ),
    record(
        21,
        "capability-folders",
        "Name a capability once, on every floor",
        EngineeringChoice(
            "D-252",
            "Where a capability lies",
            """
                Floors come first, and a capability has the same name on each: a module, or a folder
                where it has several. Import contracts hold the order of the floors, and of the
                capabilities on each floor.
            """,
            tests=("simulator/tests/project/test_layers.py",),
        ),
        EngineeringChoice(
            "D-253",
            "Schemas of the control API",
            """
                Documents are structs, those it takes and those it answers; the JSON Schema of its
                description is derived from them. Shapes of values describe and check nothing: a
                value is checked where it is read, with an error that names its place.
            """,
            tests=("simulator/tests/http/test_openapi.py",),
        ),
        EngineeringChoice(
            "D-254",
            "The black-box kit",
            """
                What speaks to a gateway from outside (HTTP client, process starter, listener,
                receiver, browser) is in `simulator.client`, which knows nothing of the gateway.
                Reports stand on it, the conformance suite on reports, load on the suite.
            """,
            tests=("simulator/tests/project/test_layers.py",),
        ),
    ),
    record(
        22,
        "http-parser",
        "Read HTTP with llhttp",
        EngineeringChoice(
            "D-262",
            "The HTTP parser",
            """
                Listeners read requests with llhttp, bound by httptools, behind the stream server of
                gevent. The request line and the few rules that llhttp does not hold are read and
                checked by `simulator/adapters/http/requests.py`; a request is never read beyond
                its last byte.
            """,
            tests=("simulator/tests/http/test_server.py", "simulator/tests/http/test_requests.py"),
        ),
        EngineeringChoice(
            "D-263",
            "Turns of connections",
            """
                A connection waits in the event loop before every read and reads at most 16 KiB
                in one turn. Time limits are checked ten times a second by the listener, which ends
                a late connection while it waits for its socket and never within the application.
            """,
            tests=("load/tests/proof/test_floods.py",),
        ),
    ),
    record(
        23,
        "ports-of-a-use-case",
        "Let a use case name the ports it needs",
        EngineeringChoice(
            "D-308",
            "Ports of a use case",
            """
                A module of the services has a protocol that names the ports its functions need,
                made of one `Has...` protocol for each port, or takes that of the module it calls.
                `Ports` of a sandbox satisfies each of them, so nothing is built or passed twice,
                and a payment costs what it did. mypy refuses a port that is used and not named; a
                test refuses one that is named and not used.
            """,
            tests=("simulator/tests/project/test_ports.py",),
        ),
    ),
    record(
        24,
        "small-documents",
        "Keep what is small and seldom changed in TinyDB",
        EngineeringChoice(
            "D-309",
            "Small documents",
            """
                A sandbox is a folder: `sandbox.json` is its record, a TinyDB file that people may
                open, beside the log of what was paid in it. `server.json` names the default one.
                Both are read at the start and replaced whole at a change, so a change costs the
                same however many sandboxes there are. The `registry.log` of former releases is read
                once and renamed `registry.log.old`.
            """,
            tests=("simulator/tests/adapters/sandboxes/test_sandbox_files.py",),
        ),
    ),
    record(
        25,
        "simulators-by-name",
        "Let the gateway find its simulators by name",
        EngineeringChoice(
            "D-320",
            "Simulators by name",
            """
                The simulators of `acquirer_mocks` read the records of the gateway, so the gateway
                does not import them: `simulator/adapters/simulators.py` says what it needs of them
                and names the module that provides them, which is imported at the start. Behaviours
                and stories (`scenarios`) know nothing of the gateway; their order of steering is
                `simulator/domain/steering/`. A contract refuses two packages that import each
                other.
            """,
            tests=("simulator/tests/project/test_layers.py",),
        ),
    ),
    record(
        26,
        "pages-that-wait",
        "Let the pages of the console wait for what is new",
        EngineeringChoice(
            "D-484",
            "Pages that follow",
            """
                A page asks for its part again and says which one it has (`after`). The answer waits
                until there is another one, at most 15 seconds, and is the whole part as HTML:
                nothing can be missed, a reader that goes away ends with its request, and a proxy
                needs no setting. What many look at is drawn once for all of them: the stage once a
                version, the journal at most seven times a second. Two modules of together 110 lines
                do it, and no library is loaded.
            """,
            tests=("simulator/tests/console/test_lists.py", "load/proof/console.py"),
        ),
    ),
    record(
        27,
        "ledger-in-payments",
        "Store the ledger entry of a payment in the payment",
        EngineeringChoice(
            "D-580",
            "Ledger entries of payments",
            """
                A payment that moved money names the two accounts and the instant, in the commit
                that makes it final; its ledger entry is made of that when the ledger is read.
                Entries of settlements are records of their own. Both are read in one order, by an
                index over each. Entries that 0.1.0 stored beside their payments are read as they
                are.
            """,
            tests=("simulator/tests/settlement/test_ledger_entries.py",),
        ),
    ),
    record(
        28,
        "settlement-in-blocks",
        "Settle in blocks, and let other processes do the work on files",
        EngineeringChoice(
            "D-520",
            "Blocks and workers",
            """
                200 lines are one record, packed, with one ledger entry for each pair of accounts
                and currency. What happens in files alone (the institute's writing, parsing, the
                merchant's CSV) is done by a process of its own where a day has 5,000 lines and
                more; the gateway hands it the movements, takes the parsed lines, matches and books
                them. A worker reads a job and frames from a pipe, and ends with the process that
                started it. Two steps run beside others: answer keys are written by a process of
                their own beside the institute's file, and a merchant's file while its lines are
                booked, hidden until the run delivers it.
            """,
            tests=(
                "simulator/tests/settlement/test_apart.py",
                "simulator/tests/settlement/test_deliveries.py",
                "simulator/tests/settlement/test_runs.py",
            ),
        ),
    ),
    record(
        29,
        "postgresql",
        "Keep the records in PostgreSQL where a team has one",
        EngineeringChoice(
            "D-560",
            "One gateway owns a database",
            """
                An engine keeps the records: the embedded one in logs, the other one in PostgreSQL,
                both behind the same port and the same contract tests. The writing connection holds
                an advisory lock, which ends with it, and each owner counts a term. So a second
                gateway is refused, a killed one can start again at once, and one whose connection
                was lost stores nothing after another one has been there. What is read often stays
                in memory.
            """,
            tests=(
                "simulator/tests/adapters/store/test_store_contract.py",
                "simulator/tests/adapters/postgresql/test_start.py",
            ),
        ),
        EngineeringChoice(
            "D-561",
            "Batches with a number",
            """
                Units that wait while a batch is stored share the next one, which is one
                transaction. A conflict undoes it, and each unit goes alone. Each transaction notes
                its number in the row of the server: where the connection is lost before the answer
                came, the gateway connects again, has the lock, so that nothing is under way any
                more, and the numbers say what was stored.
            """,
            tests=("simulator/tests/adapters/postgresql/test_lost_connections.py",),
        ),
        EngineeringChoice(
            "D-562",
            "Reading lets others run",
            """
                Services may not rely on a read that switches to no other greenlet. What is kept in
                memory beside the store is counted as changed before and after, and read again where
                it changed meanwhile; due work that a request changed first is looked for again; a
                job of one name runs once at a time. A store that yields at every call tests it.
            """,
            tests=(
                "simulator/tests/sandboxes/test_yielding_stores.py",
                "simulator/tests/adapters/postgresql/test_suite.py",
            ),
        ),
        EngineeringChoice(
            "D-563",
            "Tables out of the rows",
            """
                Each kind of record has a table: its sandbox in its epoch as a number, id, version,
                serial, the body as JSON, and a column of bytes for each index. What a new release
                adds to the rows is added to the schema at its start, in one transaction under the
                lock, and nothing is taken away. A version in the row of the server refuses what a
                newer release wrote; a fingerprint refuses another vault key. What needs a body that
                is no record of this version is answered 503 with 999.999.888, and the log names
                table, id and what to do; everything else goes on.
            """,
            tests=(
                "simulator/tests/adapters/postgresql/test_start.py",
                "simulator/tests/adapters/postgresql/test_damaged_records.py",
            ),
        ),
    ),
    record(
        30,
        "sampled-mutants",
        "Measure the suite by changes that a tool makes",
        EngineeringChoice(
            "D-540",
            "Sampled mutants",
            """
                `python -m features.mutants.sampled` draws mutants of mutmut by a seed from every
                capability that a client of the merchant API can see, serves each in a process that
                imports the changed module, and runs the cases that execute the changed statement
                until one fails twice. Which cases these are is recorded once a run with coverage. A
                mutant whose statement no case executes survived; one that does not start is not
                counted; equivalent ones are listed with a reason. At most 150 scenarios and 50
                boundaries of a mutant are tried, so the figure is a lower bound.
            """,
            tests=(
                "features/mutants/sampled/tests/test_sampling.py",
                "features/mutants/sampled/tests/test_sampled_figures.py",
            ),
        ),
        EngineeringChoice(
            "D-543",
            "Looking up steps",
            """
                pytest-bdd asks pytest about every fixture of the session twice a step, which was
                half the processor time of a run. The suite compares the sentence first and once a
                file (`features/gherkin/step_lookup.py`), in place of the function of pytest-bdd.
            """,
            tests=("features/gherkin/tests/test_step_lookup.py",),
        ),
    ),
    record(
        31,
        "fleet",
        "Let several gateways serve one database",
        EngineeringChoice(
            "D-650",
            "A home for each sandbox",
            """
                Gateways that are started with `--peer-key` share a database as members of a fleet.
                Each sandbox has a home, the member that does everything of it: captures, scripts,
                throttles, due work and webhooks stay in one process, so nothing of them is written
                twice. A sandbox that no member has is taken by the one that is asked for it. A
                gateway without a peer key has the database alone, as before.
            """,
            tests=("simulator/tests/adapters/fleet/test_members.py",),
        ),
        EngineeringChoice(
            "D-651",
            "The lease of a member",
            """
                A member has one lease for all its sandboxes. Every transaction notes its number in
                the row of its member, twice a second at least. A member that stored nothing for
                four seconds, while the database answered the others, is removed with its row, and
                its sandboxes are free; a transaction without that row fails, so a removed member
                writes nothing more, whatever it believes. It answers 503 from three seconds on,
                ends with status 75 once it knows, and is to be started again. After an outage of
                the database no member is removed for four seconds.
            """,
            tests=("simulator/tests/adapters/fleet/test_members.py",),
        ),
        EngineeringChoice(
            "D-652",
            "Forwarding before routing",
            """
                A request goes to the home of its sandbox before it is routed, found by its access
                token or by the id in its path, over an internal listener that takes nothing without
                the peer key. It waits eight seconds at most for a home that answers. One that was
                sent and not answered is sent again only where it reads; else the client gets 503
                and has to look, also where its home falls silent, once that is removed. What is
                longer than 16 kB is sent on while it comes, and not again. Between members a
                head may be longer than that of a client, by what they add. A sandbox that the
                console needs is handed over. The gateway behind it knows of no fleet.
            """,
            tests=(
                "simulator/tests/adapters/fleet/test_forwarding.py",
                "simulator/tests/adapters/fleet/test_places.py",
            ),
        ),
        EngineeringChoice(
            "D-653",
            "What members share beside the database",
            """
                Members have the same data folder, on one machine or a shared volume: keys,
                certificates, settlement files, and the small documents of the console. The console
                has a home like a sandbox, and reads these documents again when it moves. Journals,
                throttle counters and pending 3-D Secure challenges are in the memory of a home and
                begin anew after a takeover.
            """,
            tests=("simulator/tests/adapters/fleet/test_forwarding.py",),
        ),
        EngineeringChoice(
            "D-616",
            "A member that stops",
            """
                It says so to the others, which look up its sandboxes at each request from then on.
                Each sandbox is freed once no request for it is under way, and is taken by the
                member that is asked for it next. What comes meanwhile waits, half a second at most:
                then it is served, and the sandbox is tried again 0.2 seconds later, until the time
                of grace is over. A report is under way until its last piece is sent. Requests that
                only wait for what others do, as one that follows the journal, keep none. The former
                home has closed its store, so that nothing of it is written twice, and sends what
                still comes on its connections to a member that stays. Its internal listener stays
                open until every sandbox is free. Where no member stays, as where all are stopped at
                once, it serves its sandboxes to the end.
            """,
            tests=("simulator/tests/adapters/fleet/test_stopping.py",),
        ),
    ),
    record(
        32,
        "calm-sandboxes",
        "Let every member serve a sandbox that nothing steers",
        EngineeringChoice(
            "D-654",
            "A calm",
            """
                A sandbox is calm while no script, seed or breakpoint steers it and it shows real
                time, and for ten seconds no request did more than use the merchant API. Its home
                lets other members serve it then, if they ask, and gives the calm a number that
                stands beside the home in the database. A member beside the home serves payments and
                reports that are over in one commit; each of its transactions reads that number
                under a lock, so that what was read since the calm began still holds, or nothing is
                stored. What a request needs beyond that is found out before anything is stored, and
                it is forwarded. Before the home serves a request that may steer, or show what was
                done, it calls the calm back: the others finish what is under way and give it their
                part of the journal; then it takes the number away, which waits for what is just
                being stored by one that did not answer.
            """,
            tests=(
                "simulator/tests/adapters/fleet/test_calm.py",
                "simulator/tests/adapters/fleet/test_calm_store.py",
            ),
        ),
        EngineeringChoice(
            "D-655",
            "Requests are lent",
            """
                The home counts every request of a throttle. It lends others a hundredth of a limit
                at a time, counted already; limits below a hundred, and those that count objects, it
                keeps. Before it refuses a request it calls back what was lent and not used, so that
                N allowed means N through all members. What a killed member was lent is lost until
                the window ends: never more than N.
            """,
            tests=("simulator/tests/adapters/fleet/test_calm.py",),
        ),
        EngineeringChoice(
            "D-656",
            "One sender",
            """
                Deliveries are stored by who stored the payment, and handed to the home before the
                payment is answered; requests that wait at once share a message. So the order of
                each endpoint stays, and events are sent from one place. The home takes up what a
                member left that is gone, and the next home what it finds.
            """,
            tests=("simulator/tests/adapters/fleet/test_calm.py",),
        ),
    ),
)

ENGINEERING: Mapping[str, EngineeringChoice] = {
    row.id: row for record in RECORDS for row in record.rows
}
