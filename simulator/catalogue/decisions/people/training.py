"""Decisions about breakpoints, lessons and classes."""

from simulator.grammar.decisions import Decision, area

TRAINING = area(
    "Breakpoints, lessons and classes",
    "What a trainer holds, changes and takes back while a payment is under way.",
    Decision(
        "D-488",
        "Breakpoints",
        question="Where can a message be held, and how does it go on?",
        answer="""
            At seven parties: the shopper's form, risk system, directory server, ACS, acquirer, bank
            and webhook endpoint. Breakpoints stand in the record of the sandbox and outlast a
            reset. A held message is released, dropped, or answered: by a behaviour of its party, by
            a word (what the shopper chooses, how an authentication runs), at the acquirer by a
            result code that declines. An answer is a script that is armed for this message once
            (D-723). A
            dropped request to the acquirer is reversed, a dropped screening leaves a payment
            unscreened, a dropped AReq finds no directory server, a dropped choice leaves the
            payment pending, a dropped attempt fails and is repeated.
        """,
        reason="""
            A class sees a flow only if it stands still. What a trainer changes by hand can be
            written down as a script afterwards.
        """,
        tests=("simulator/tests/steering/test_holding.py",),
    ),
    Decision(
        "D-723",
        "Whose answer it is",
        question="Which message is answered by a script that is armed for a held one?",
        answer="""
            The one that was held: the script matches its payment by the id, which acquirer, card
            host, risk system and directory server all know, and by nothing else, whatever its
            behaviour matches. A script for one payment comes before those for any, though newer.
            Where the message ends and the script was not asked, because it was never sent or its
            line was lost, the script is disarmed. One that a kill or a full disk leaves armed fits
            no other payment.
        """,
        reason="Two messages that are held at once may be alike in everything but the payment.",
        tests=(
            "simulator/tests/steering/test_holding.py",
            "simulator/tests/steering/test_held_answers.py",
        ),
    ),
    Decision(
        "D-489",
        "Time while a message is held",
        question="What becomes of time limits while a message is held?",
        answer="""
            The clock of the sandbox stands, and runs on from there once nothing is held: a real
            clock is an offset one from then on. A start finds the clock standing and lets it run,
            since what was held is lost with its connection. Where the disk is full as the last one
            goes on, it runs within two seconds of there being room. A clock that a person sets
            meanwhile stays as it was set. At most 50 messages are held, each at most an hour of
            real time; then it is released.
        """,
        reason="A payment that expires while a trainer explains it shows another flow.",
        tests=(
            "simulator/tests/steering/test_holding.py",
            "simulator/tests/adapters/sandboxes/test_holds.py",
        ),
    ),
    Decision(
        "D-490",
        "Lessons",
        question="What does a step back take back?",
        answer="""
            Everything in the sandbox: a snapshot of it is taken before each step, the newest 100 of
            at most 32 MiB in all, and a step back restores it as a new epoch. What is held ends,
            breakpoints stay. What the shop or a webhook endpoint received meanwhile is shown, since
            it cannot be taken back. Reads are no steps. A lesson has a sandbox of its own. One step
            is played at a time. A restart keeps where it stands, what was shown, and the snapshots,
            which are files beside the sandbox and go with it: steps before it are taken back as
            before, and one that was under way is shown as unfinished until it is taken back.
        """,
        reason="A class asks what would have been otherwise, and then wants to go on as before.",
        tests=(
            "simulator/tests/console/test_stage.py",
            "simulator/tests/console/test_restart.py",
        ),
    ),
    Decision(
        "D-722",
        "Messages of a long lesson",
        question="How many messages of a lesson are kept and shown?",
        answer="""
            The newest 1,000 of all its steps, and of these the newest that have 1 MiB as JSON; of a
            step that is under way, and of a stage without a lesson, as many are shown. A step says
            how many of its messages are left out. A step back brings none of those back,
            and says how many of them were notifications that were delivered. A lesson of an earlier
            version with more has the newest when it is read.
        """,
        reason="""
            All of them are written after every step, and drawn for each who looks: of forty steps
            with five hundred messages each, every other client would wait a second. The journal has
            the rest.
        """,
        tests=(
            "simulator/tests/console/pages/test_long_lessons.py",
            "simulator/tests/console/pages/test_long_steps.py",
        ),
    ),
    Decision(
        "D-491",
        "First payments by a button",
        question="Who may take a payment without credentials?",
        answer="""
            A person at this machine, on the page of the gateway: three buttons take a payment that
            is approved, one that is declined, one that is challenged, the first two in the default
            sandbox. There is none where other machines reach the gateway, and a button of another
            site is refused. The first two send what the channel makes mandatory, as the page of a
            shop does; with 3-D Secure 2 their card is one that is authenticated without a question.
        """,
        reason="A newcomer sees what the gateway does before he has read anything.",
        tests=(
            "simulator/tests/http/test_landing.py",
            "simulator/tests/three_d_secure/test_first_payments.py",
        ),
    ),
    Decision(
        "D-716",
        "Credentials on the gateway's own pages",
        question="Which credentials do the page at / and the one at /docs show, and a start print?",
        answer="""
            What opens the default sandbox when a page is asked for: the oldest active token of its
            first merchant. Where none is active, or the sandbox was deleted, a page shows neither a
            token nor the buttons of D-491, and says how to get one; a button of a page that was
            open before answers the same. /docs then reads its document without a token, and again
            with one that is entered. A start prints no token that is suspended.
        """,
        reason="A token that was rotated or suspended opens nothing, and a page with it misleads.",
        tests=("simulator/tests/http/pages/test_shown_credentials.py",),
    ),
    Decision(
        "D-492",
        "Classes",
        question="Who may come into a class, and what do they see?",
        answer="""
            All who have its link, 64 random digits that are shown once, as text and as a QR code. A
            participant types a name and needs no password; they get a sandbox with the seed of the
            class and see that one alone: any other is not found. A spectator sees the stage of the
            trainer and changes nothing. Values of tokens are shown to none of them. A class has at
            most 60 participants and lasts a day or until it is ended; then its people and sandboxes
            are gone. What a full disk or a kill leaves of them goes with the next look at the
            classes. A restart ends neither the class nor its link. Who signed out or closed the
            window comes back to their sandbox by a link that the trainer shows them; it opens once.
        """,
        reason="A class begins in a minute, and no one in it can disturb another.",
        tests=(
            "simulator/tests/console/test_classes.py",
            "simulator/tests/console/test_restart.py",
        ),
    ),
    Decision(
        "D-702",
        "Forms of a class that are sent again",
        question="What do the forms that begin a class and join it do that are sent twice?",
        answer="""
            One thing, as in D-691: each form has a mark of its own. Who joins again by the same
            form, also at once, is signed in as the participant that it has made, and a form that
            begins a class shows the link of that class again as long as it lasts. A form without a
            mark begins or joins anew.
        """,
        reason="""
            A double click made two participants, and to load the page with the link again began
            another class. A browser shows the answer to the second post: a link that is shown once
            would be lost.
        """,
        tests=("simulator/tests/console/test_classes.py",),
    ),
    Decision(
        "D-631",
        "Classes with data",
        question="What has a sandbox that is made from the data of another one?",
        answer="""
            Everything that was in the other one when the class began: a snapshot of at most 4 MiB
            is kept as long as the class lasts, and each participant gets a copy. Ids of payments
            and other records are the same in each, those of sandbox, merchants, channels and
            accounts are new wherever they stand, also as merchant numbers of the live host, as card
            messages name a channel, and in settlement files, which go along: a run that waits for
            a file goes on as in the original. Checkout ids, tokens, keys, and what opens a page of
            a shopper are new too; none of them follows from those of another sandbox. Of endpoints
            only the inbox goes along, with another address and secret, and what was on
            its way is delivered by the original alone. notificationUrl and shopperResultUrl stay
            behind, with the calls of them that were made or due: a shopper of a payment of before
            is sent back to not-copied://shop. So do SFTP access, the servers that files are pushed
            to, keys of wallets, the authority of terminals, what a form kept, and breakpoints, and
            a merchantTransactionId of before may be used again. No copy is made where a
            kind of record has no rule for copies, or a record cannot be read.
        """,
        reason="""
            A class that begins with a refund needs a payment, and nothing that a student does may
            reach the trainer's own receiver, shop or payments.
        """,
        tests=(
            "simulator/tests/console/test_class_data.py",
            "simulator/tests/console/hostile/test_sandbox_copies.py",
            "simulator/tests/console/hostile/test_copied_names.py",
            "simulator/tests/settlement/agreement/test_copies.py",
            "simulator/tests/sandboxes/test_copied_records.py",
        ),
    ),
    Decision(
        "D-712",
        "Pending payments in a copy",
        question="What becomes of a payment that is pending when its sandbox is copied?",
        answer="""
            It goes on in each copy by itself, and ends there at the same instant at the latest, 30
            minutes after it was made, as 100.396.103. A redirect has a page of its own in each. A
            3-D Secure authentication begins anew: its challenge at the ACS belongs to the original,
            so the shopper who opens the page in a copy is asked in a challenge of that copy, also
            one who had answered already, unless the payment has gone on to the acquirer. A call of
            the issuer's method is not taken along. A payment whose answer of the acquirer is still
            to come is reversed in the copy, as after a start (D-33); the reversal of a request
            without an answer is sent for the copy.
        """,
        reason="""
            A challenge has one address to which its result is sent. A student who answered that of
            the original would pay there; an authentication that nothing could continue would be no
            lesson.
        """,
        tests=(
            "simulator/tests/console/hostile/test_sandbox_copies.py",
            "simulator/tests/sandboxes/test_copied_records.py",
        ),
    ),
    Decision(
        "D-530",
        "Recordings",
        question="What becomes of what a person does in the console while it is recorded?",
        answer="""
            A story: what was sent from the workbench, with buttons and by steps of a lesson, what
            was armed, disarmed and settled, and how the clock was moved, on a page or in the shell,
            in order, each with the status and the result code that came. What the form of a
            checkout posts stays a post of the shopper. Ids that an answer gave are kept under
            names. Of a script that was armed before the recording nothing is recorded: in the
            sandbox of the story it is not armed. A held message that was answered is a script
            before the request. Steps that are taken back are taken out. At most 100 requests, none
            after 256 KiB. Of card numbers and codes only published test values are kept; others are
            replaced by them, other secrets left out, also as names and of answers; in texts they
            are masked. The newest 50 requests of the workbench are kept likewise, of the older ones
            as many as 256 KiB have room for. At most 100 stories are kept, of 4 MiB in all.
        """,
        reason="A trainer tries something out once and plays it from then on.",
        tests=(
            "simulator/tests/console/test_recording.py",
            "simulator/tests/console/hostile/test_recorded_secrets.py",
            "simulator/tests/console/pages/test_long_pages.py",
        ),
    ),
    Decision(
        "D-532",
        "Pages of shoppers beside the stage",
        question="May the console show the pages of shoppers in frames?",
        answer="""
            The page of a checkout's form, of a bank and of 3-D Secure may stand in a frame of a
            page of the gateway's own origin, which the console is. Frames of other sites are
            allowed as before (D-315). Who may only look sees the log of the receiver alone.
        """,
        reason="A class sees the shopper's side and the messages behind it at once.",
        tests=("simulator/tests/console/test_parties.py",),
    ),
    Decision(
        "D-531",
        "The shell of the console",
        question="What may be run in the shell of the console?",
        answer="""
            Commands of `sandgate` that act on one sandbox, from a table: each sends the request of
            the control API that the command sends, with the key of that sandbox. No program is
            started, no file read, no other sandbox reached. Values of tokens and keys are masked.
        """,
        reason="A system shell on a server is what an attacker wants.",
        tests=("simulator/tests/console/test_shell.py",),
    ),
)
