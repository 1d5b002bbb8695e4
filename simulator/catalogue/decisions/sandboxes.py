"""Decisions about sandboxes, merchants and channels."""

from simulator.grammar.decisions import Decision, Switch, area

SANDBOXES = area(
    "Sandboxes, merchants and channels",
    "Sandbox time and seeds, tokens and logins, entities, and how a channel is chosen.",
    Decision(
        "D-48",
        "The clock of a sandbox",
        question="Which time does a sandbox have?",
        answer="""
            Its clock is real, frozen, offset or scaled. It never goes backwards, except that a new
            sandbox may begin in the past: where the clock of the machine is set back it goes on
            from what it showed, and behind a start at the end of the last bank day that is settled
            at the earliest. Advancing the clock performs the work that becomes due on the way, in
            order, and gives each step one second of wire time.
        """,
        reason="A record that is older than the one it follows helps no test.",
        tests=(
            "simulator/tests/sandboxes/test_clock.py",
            "simulator/tests/adapters/sandboxes/test_clock_set_back.py",
        ),
    ),
    Decision(
        "D-118",
        "Seeds",
        question="Which random values can be repeated?",
        answer="""
            In a sandbox with a seed these follow the seed: names of merchants and channels, the
            bank account of a channel that is made without one, short ids in descriptors, trace
            numbers and the authorization codes computed from them, and random delays. Ids and
            tokens never follow it, nor what is made of an id: ndc, ids of mandates, numbers and
            keys of terminals, transaction ids of 3-D Secure, ConnectorTxID1,
            initialTransactionId, fields 37 (retrieval reference number, pos.clearing.identifier),
            41 and 42 (pos.merchantId) of card messages, and in settlement files references,
            merchant numbers and what they put in order: the numbers of batches and lines. Nor do
            secrets, such as those of a webhook endpoint. Dates come from the clock: freeze it to
            repeat them. Idle unloading, a restart and a snapshot do not disturb the sequence.
        """,
        reason="""
            Two runs can be compared, and ids and tokens of two sandboxes still never coincide: no
            reference leads to a payment of another sandbox, and no secret can be guessed.
        """,
        setting="`seed` of a new sandbox.",
        tests=(
            "simulator/tests/sandboxes/test_seeds.py",
            "features/registrations.feature",
        ),
    ),
    Decision(
        "D-618",
        "Messages of an epoch that has ended",
        question="What becomes of a message that arrives after its sandbox was reset or restored?",
        answer="""
            It is dropped, as if the line had lost it, and leaves no entry in the sandbox as it is
            by then. Each epoch has an id that no other has, not even where a sandbox is deleted and
            restored. A line to the card host is signed on for one epoch: the gateway names it, a
            client that names none has the present one. Later its requests are refused with 91,
            until it signs on again. The directory server does not answer a message that names an
            ended epoch, the ACS reports no result of a challenge which the restored payment does
            not have, and due work that is asked for in an ended epoch is not begun.
        """,
        reason="""
            Nothing would ever take it back: host and gateway would differ for good, and a script
            of the next test would be used up.
        """,
        tests=("acquirer_mocks/tests/test_ended_epochs.py",),
    ),
    Decision(
        "D-295",
        "Snapshots from outside",
        question="What may a snapshot file hold that did not leave this gateway as it is?",
        answer="""
            Nothing that the control API would not have taken. Ids have 32 hex digits and are used
            once, hashes are those of the secrets sealed beside them, the epoch is 1 or later, no
            access token belongs to another sandbox, settings are known, and each record stands
            under its own id in a table of a sandbox. The file is checked whole before anything is
            written; what is invalid is answered 400 with its place.
        """,
        reason="Its ids name files, and its tokens authenticate.",
        tests=("simulator/tests/sandboxes/test_hostile_snapshots.py",),
    ),
    Decision(
        "D-660",
        "Settlement in snapshots from outside",
        question="What may the records of settlement in a snapshot file say?",
        answer="""
            Names of files are plain: letters, digits, dots, dashes and underscores, and none leads
            out of its folder. A run stands under the id of its institute and day, a pushed file
            names its day and a merchant, a host key is one, and the lines that were booked together
            are at most 200 and unpack to at most 16 MiB. What is invalid is refused as in D-295. A
            fault plan, or what an institute left for its next run, that cannot be read is not
            followed, and the run says so.
        """,
        reason="""
            Names led to any file of the machine, and a few kilobytes unpacked to gigabytes. A plan
            may also be of another version.
        """,
        tests=("simulator/tests/settlement/test_hostile_records.py",),
    ),
    Decision(
        "D-685",
        "Records of snapshots that no gateway stored",
        question="Which values may the records of a snapshot file have?",
        answer="""
            Those that answers can show. Result codes are ones of the catalogue, amounts are finite,
            a payment has money unless its type moves none, the month and year of a card are
            numbers, a schedule has a trigger, schedules and checkouts have payment types that
            refer to no payment, and a payment of one that does refers, a script was armed, and what
            is sealed opens for the record that holds it. No parameter that is a secret stands in
            clear. What is invalid is refused as in D-295, and its value is not repeated.
        """,
        reason="A record of the right type that cannot be read made every request for it fail.",
        tests=("simulator/tests/restored/test_unusable_records.py",),
    ),
    Decision(
        "D-296",
        "The default sandbox",
        question="Which sandbox does a gateway start with?",
        answer="""
            The one it made at its first start in the data folder, which is stored. It follows the
            profile and the overrides of each start. Where it was deleted, the next start makes a
            new one; no other sandbox ever becomes the default or changes its profile at a start.
        """,
        reason="A start must not change a sandbox that belongs to a team.",
        tests=("simulator/tests/sandboxes/test_default_sandbox.py",),
    ),
    Decision(
        "D-298",
        "Most scripts and endpoints",
        question="How many scripts and endpoints does a sandbox take?",
        answer="""
            500 scripts that are not used up, and 100 endpoints; more are refused with 400. Of the
            scripts that are used up the 500 newest are kept. A script has at most 4 KiB; a longer
            one is refused with 413. A snapshot that holds more is refused whole: more than these,
            1,000 scripts in all, 64 KiB of a script as it is stored, or 1,000 terminals. A sandbox
            of an earlier version that holds more goes on, but no snapshot is taken of it before
            some are removed: none that is written may be refused when it is needed.
        """,
        reason="""
            Each payment asks every script and makes a delivery to every endpoint. A script is
            checked against its schema while others wait.
        """,
        tests=(
            "simulator/tests/sandboxes/test_most_scripts.py",
            "simulator/tests/restored/test_crowded_snapshots.py",
        ),
    ),
    Decision(
        "D-619",
        "What scripts count that do not fit",
        question="When is it stored how often a script was asked in vain?",
        answer="""
            With the payment, where at most four scripts of one party were asked in vain, and
            always for a script that fits. Of more it is kept in memory, and stored when the
            sandbox is copied or leaves the memory: a gateway that is killed may lose `asked` and
            `near_misses` of these, never how often a script has answered. The journal shows the
            first ten near misses. At most 20 scripts with `nth` wait for their turn, with 16 KiB in
            all; more are refused with 400.
        """,
        reason="""
            A payment must not store hundreds of scripts anew that are not about it. One with `nth`
            counts each request that fits it, and two at once must not take the same turn: each is
            stored anew with the payment, and 50 of them made it three times as long.
        """,
        tests=("simulator/tests/steering/test_many_looks.py",),
    ),
    Decision(
        "D-692",
        "Most settings of a sandbox",
        question="How many merchants and channels does a sandbox take in all?",
        answer="""
            100 merchants with 100 channels each, as long as all settings of the sandbox take at
            most 512 KiB as JSON, about 4,000 channels of which nothing is set. What makes them
            longer is refused with 400, in a snapshot too; a sandbox of an earlier release that is
            longer goes on, and takes what makes it no longer. A token is suspended in any case.
        """,
        reason="They are stored whole with each change, while others wait: 6.8 MB took 660 ms.",
        tests=("simulator/tests/merchants/test_long_settings.py",),
    ),
    Decision(
        "D-669",
        "Most values of a control document",
        question="How large may a document be that the control API reads?",
        answer="""
            1 MiB with 100,000 values; a larger one is answered 413 with 200.100.103 before it is
            read. Counted are the brackets and braces that open something, and the commas, also
            those in texts: at least as many as there are values.
        """,
        reason="""
            1 MiB has room for 340,000 empty lists: payments of others waited for half a second.
            4,000 channels, as many as fit into a sandbox (D-692), may have 25 values each.
        """,
        tests=("simulator/tests/http/test_control_errors.py",),
    ),
    Decision(
        "D-299",
        "An advance whose client left",
        question="Does an advance of the clock go on when its client closed the connection?",
        answer="""
            No. It stops between two instants; what was done stays done, and the next advance goes
            on from there. On systems other than Linux, which do not tell, it goes on. One that was
            begun in the console stops also when its person signs out, and where a trainer stops
            the clocks of a class.
        """,
        reason="A client that gave up does not expect a year to pass.",
        tests=(
            "simulator/tests/sandboxes/test_advance.py",
            "simulator/tests/console/pages/test_left_advances.py",
        ),
    ),
    Decision(
        "D-600",
        "Due work that cannot be done",
        question="What becomes of due work that fails inside, such as that of a restored record?",
        answer="""
            It is logged and set aside: everything else that is due is done. It is tried again
            after a second, then after twice as long each time, at most an hour, and at once where
            its record was changed or the sandbox loaded again; what was done ten times and is
            still due is set aside too. `GET .../clock` counts it in `set_aside`. Where 100 records
            of a sandbox are set aside, an advance is answered 503. A delivery whose attempts fail
            inside three times is attempted again after the next start.
        """,
        reason="A snapshot may hold records that contradict each other, as no check foresees.",
        tests=(
            "simulator/tests/restored/test_nonsense_records.py",
            "simulator/tests/adapters/sandboxes/test_set_aside.py",
        ),
    ),
    Decision(
        "D-112",
        "Access tokens",
        question="How long is an access token valid, and how many does a merchant have?",
        answer="""
            A merchant has one token for each host and may get more. A token can be suspended,
            activated, or rotated, which ends the old one at once. Its value is shown when it is
            issued and never listed; the console shows it to administrators (D-495). Unknown and
            suspended tokens get the same answer, 403.
        """,
        reason="Rotation is what a merchant has to rehearse.",
        tests=("simulator/tests/merchants/test_entities.py",),
    ),
    Decision(
        "D-179",
        "The older login",
        question="""
            The specification knows access tokens only: does the older login of existing clients
            work?
        """,
        answer="""
            In profile `field`, `authentication.userId` and `authentication.password`, sent in place
            of the Authorization header, are the id of a merchant and one of its access tokens.
            Base64 of `userId|password` as a Bearer token is the same login. They are read only
            where the header is missing and the body has at most 64 KiB, have no effect beside the
            header, and never appear in the journal. A login that no merchant has is answered 403,
            like an unknown token (E38); the token of a sandbox that knows no such login is 401, as
            the header is missing.
        """,
        reason="""
            Both schemes of existing gateways name one credential (E11), so that old clients need no
            proxy.
        """,
        switch=Switch(
            "older_login",
            "refuse",
            "accept",
            "authentication.userId and .password in the place of an access token",
        ),
        tests=("simulator/tests/merchants/test_logins.py", "features/field_paths.feature"),
    ),
    Decision(
        "D-111",
        "Channel dispatching",
        question="""
            The entity id of a merchant stands for a channel when dispatching is active: how is the
            channel chosen?
        """,
        answer="""
            A merchant with dispatching rules dispatches. The rules are filtered by the shopper's
            country, by currency and brand, by the place in a series, and by amount; the first rule
            that remains names the channel. Where a criterion leaves no rule the payment is refused
            with 800.160.100, 110, 120 or 130; where only a value that was not sent keeps it from a
            rule, that is named, as the brand of a checkout, which is known only when the shopper
            pays. A checkout of a merchant whose rules ask for it sends it, or names a channel. The
            rules look at what the payment will be: one of a schedule is REPEATED where the schedule
            says nothing else (D-161), and a wallet token that is sent without a brand has that of
            its card. What rules have dispatched they look at anew, as a whole and as they stand
            then, whichever entity is named: a checkout when it is updated and when it is paid, a
            schedule when it is replaced and each time it pays. Then it goes to another channel, or
            is refused. A registration in a checkout stays where the checkout is. A payment that
            refers to another goes to the channel of that payment. Ids of channels keep working;
            what was made with one stays on that channel.
        """,
        reason="""
            The result codes name these four criteria, and a reference belongs to the channel of its
            payment. A rule that an update could pass would guard nothing.
        """,
        setting="`dispatching` of a merchant.",
        tests=(
            "simulator/tests/merchants/test_dispatching.py",
            "simulator/tests/merchants/test_dispatching_anew.py",
            "simulator/tests/merchants/test_dispatching_series.py",
            "features/dispatching.feature",
        ),
    ),
    Decision(
        "D-670",
        "Dispatching of what a registration pays, and of reports",
        question="""
            Which channel takes a payment with a registration, and which one answers a report, where
            the merchant's own id is the entity id?
        """,
        answer="""
            The rules choose the channel of a payment with a registration, and of a schedule of one,
            by what the payment will be (D-111), by the brand of the registration, and by its
            country where none is sent. A report, a list of settlements or of schedules sends no
            payment: no rule applies, and it is of all channels.
        """,
        reason="""
            All channels of a merchant share its registrations (D-119), and only what refers to a
            payment belongs to the channel of that (D-111).
        """,
        tests=(
            "simulator/tests/merchants/test_dispatching.py",
            "features/dispatching.feature",
        ),
    ),
    Decision(
        "D-116",
        "Entities that change",
        question="May merchants and channels be added and changed?",
        answer="""
            Yes, while payments are under way; those finish with the settings they began with. What
            refers to a payment of before keeps to its currency, except a rebill, which is a new
            charge. No entity is ever removed. A sandbox has at most 100 merchants, and a merchant
            at most 100 channels and 100 tokens.
        """,
        reason="A payment names its channel forever.",
        tests=("simulator/tests/merchants/test_entities.py",),
    ),
    Decision(
        "D-117",
        "3-D Secure of a channel",
        question="How is a channel set up for 3-D Secure?",
        answer="""
            `three_d_secure` names the version for which each card brand is enrolled. Version 2
            makes browser data and address mandatory (D-146).
        """,
        reason="It belongs to the setup of a sandbox.",
        tests=("simulator/tests/merchants/test_entities.py",),
    ),
)
