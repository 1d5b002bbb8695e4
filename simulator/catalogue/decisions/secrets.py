"""Decisions about secrets."""

from simulator.grammar.decisions import Decision, area

SECRETS = area(
    "Secrets",
    "How card numbers, bank accounts, codes and credentials are stored and shown.",
    Decision(
        "D-42",
        "The security code of a card",
        question="How long is card.cvv kept?",
        answer="""
            It is never stored: not sealed, and not while an attempt is open. Where a shopper has to
            confirm on a summary page it waits in the memory of the process, at most 30 minutes of
            real time and 10,000 of them in a sandbox, and is erased with the first payment, the end
            of the checkout, and a reset, restore or deletion of the sandbox. After a restart, or at
            a member of a fleet that has taken over, the payment is tried without it. So it is in a
            sandbox with more of them, and in the one that has most where all have 200,000.
        """,
        reason="""
            No later step needs it (an open attempt is reversed, never repeated), and an append-only
            log cannot forget. Codes of one sandbox never make room for those of another that has
            fewer.
        """,
        tests=(
            "simulator/tests/payments/test_attempts.py",
            "simulator/tests/checkouts/test_form_codes.py",
        ),
    ),
    Decision(
        "D-94",
        "Masking",
        question="How are secrets shown in journal, trace, log and errors?",
        answer="""
            Masked are: secret fields of the catalogue, names that suggest a secret, unknown names
            that begin with `card.`, runs of 12 to 19 digits that pass the check digit or contain a
            number of a known brand, longer runs, tokens and keys (40 hex digits or more in a row,
            letters and digits: they have 48, and errors cut what they repeat), the user part of an
            address (`//shop:password@host`, `//:password@host`, behind one slash as behind two, and
            a key alone behind http or https, not that of `ssh://git@host`), and what follows a
            secret name in a text: as in a form, JSON, XML, an array or a header, both also
            percent-encoded, an address up to three times. A number is also found
            in digits of other scripts and forms (raised, in circles), and with signs between its
            digits: up to three blanks, dashes, dots, commas, underscores, line breaks or invisible
            characters, also written out as `%20` or `\\n`; or the same signs, up to eight, between
            all its groups, as colons, quotes or brackets, which also stand between the parts of
            times and values. Digits may be written out as signs are (`%34`, `\\u0034`): then the
            text is shown with plain ones. A card number keeps its first six and last four digits. A
            value of six characters or more that was masked under its name is also masked in the
            rest of the entry. Ids of 32 hex digits stay readable. Account data of that length are
            no id: track 2 with D, also as tag 57, and a number in tag 5A or filled with F. Of a
            track nothing is shown behind the number. A text in base64 (either alphabet, with
            padding or without, percent-encoded, twice, in lines; in UTF-8 or UTF-16; from 16 signs
            in a row on, with nine signs of ASCII in a row in it) in which something would be masked
            is masked whole, as one of more than 16 KiB is, and so are the token of a wallet as JSON
            and a private key in PEM, under any name. Messages of browsers (creq, cres,
            threeDSMethodData) have nothing of it, and are shown, as is an xid of 20 digits or more.
            What is compressed or encrypted is not looked into.
        """,
        reason="""
            A number typed into the wrong field is the one that leaks. The price is an order number
            that looks like a card and is masked too. Not sought are numbers with letters or markup
            between their digits, or in several values: ids, sizes and tables look so. What is long
            is cut before it is masked, so that masking costs as much as the text is long: of a
            request of more than 16 KiB the first 200 parameters are shown, with 200 characters of
            each value, and of a message to another party of more than 16 KiB the first names. A
            password with a slash in it, which should be encoded, is hidden with all up to the last
            @ of the word; digits before a slash are a port: `//shop.example:8080/anna@example.com`
            stays, and so does a host in a list: `//shop.example,anna@example.com`. A blank
            ends an address: what follows may be the rest of a sentence. A token that was refused
            under a wrong name is not used up, and pays where it can be read.
        """,
        tests=(
            "simulator/tests/journal/test_masking.py",
            "simulator/tests/journal/test_spelled_numbers.py",
            "simulator/tests/journal/test_linear_masking.py",
            "simulator/tests/long_lists/test_bounded_entries.py",
            "simulator/tests/journal/test_api_journal.py",
            "simulator/tests/secrets/test_every_way.py",
            "simulator/tests/secrets/test_user_parts.py",
            "simulator/tests/secrets/test_packed_secrets.py",
            "features/places.feature",
            "features/errors.feature",
        ),
    ),
    Decision(
        "D-703",
        "The query of an address that is called",
        question="How is the address of a receiver shown, whose query often holds a key?",
        answer="""
            As `//shop.example/hooks?***`: the URL of a webhook endpoint on pages of the
            console, the address of an attempt in the journal, and notificationUrl among the
            parameters of a request in journal, trace and console, in requests and stories that are
            kept, and in `parameterErrors`. The control API shows the URL of
            an endpoint whole, and shopperResultUrl is shown with its query wherever it stands.
        """,
        reason="""
            Who reads a payment need not be able to call the receiver. A shopperResultUrl is in the
            hands of each shopper.
        """,
        tests=(
            "simulator/tests/console/hostile/test_hidden.py",
            "simulator/tests/console/hostile/test_recorded_secrets.py",
            "simulator/tests/journal/test_masking.py",
            "simulator/tests/secrets/test_refused_texts.py",
        ),
    ),
    Decision(
        "D-661",
        "Secrets as names",
        question="What may a name or text be that is stored and shown as it is?",
        answer="""
            Any text without what may be a card number, a token or a key, and without the user part
            of an address (D-94); such a one is refused, as the name of a merchant, channel,
            clearing institute, throttle table or person, the holder, BIC and country of a bank
            account, the alias of a token, the title of a story, the name of a parameter in the
            workbench, the host, user and folder of a server that files are pushed to, a fault plan,
            a bound of an amount, and any text of a behaviour that a script brings along (title,
            description, statusText, details). Refused beyond doubt alone, a card number as in D-697
            or 48 hex digits, is what is compared with texts of merchants: the criteria of a script,
            what a risk check denies; and the number of a bank account and the URL of a webhook
            endpoint. What was stored before stays. In the name of a participant of a class a card
            number is masked. No answer of the control API and no page of the console's shell
            repeats a token or key that was typed into a wrong field, nor a part of one: of a long
            text whole words are repeated and how long it is. No journal shows one, whatever its
            name.
        """,
        reason="""
            Names stand on pages, in card messages and in files, which are not masked, and the
            control API shows texts as they were sent. Addresses of receivers often hold a long key
            of their own. A reference is what it is (D-107), and a script has to name it.
        """,
        tests=(
            "simulator/tests/journal/test_secrets_in_wrong_places.py",
            "simulator/tests/console/hostile/test_recorded_secrets.py",
            "simulator/tests/console/hostile/test_shell_secrets.py",
        ),
    ),
    Decision(
        "D-359",
        "Keys of a user's choice",
        question="Where is a control key masked that has not the form of the gateway's own?",
        answer="""
            Wherever it stands, as it is, if it has at least 12 characters: in journal, trace, log
            and errors, also where it was typed into a field of a merchant. It is made of what a
            Bearer credential may have (token68 of RFC 7235): letters, digits and -._~+/, at the end
            also =. The settings and the start refuse another one, and `doctor` reports it. So is
            each secret of 12 characters or more that a command was given, wherever it prints, also
            in JSON and in tracebacks: the variables SANDGATE_* and PGPASSWORD and the options
            whose names end with key, token, secret, passphrase or password, the settings of such
            names in its file, and the password of an address in a variable, argument or setting;
            in capitals or not, also percent-encoded and in
            base64. So are the secrets of a target file; `check` and `load` hide those in their
            reports too, however short they are. So is what the demo shop and the terminal send a
            gateway, on their pages and receipts. Shown are
            credentials that are asked for, on standard output: by serve, target, member, and the
            secret that `webhooks add` is given.
        """,
        reason="""
            The gateway's own keys are found by their form. One that a user chose has none, but the
            gateway knows it, and so does a command whose environment has it. Shorter ones may be
            words, and a key such as `a` would hide each letter of it: they are not sought. A
            gateway takes them where no other machine can reach it; where one can, a key has at
            least 16 characters. With a blank, a quote, a comma or a letter outside
            ASCII it could not be sent, and opened nothing.
        """,
        tests=(
            "simulator/tests/journal/test_chosen_keys.py",
            "simulator/tests/commands/secrets/test_repeated_secrets.py",
            "simulator/tests/commands/secrets/test_known_secrets.py",
            "load/tests/run/test_secrets.py",
            "simulator/tests/commands/test_settings.py",
            "simulator/tests/commands/test_doctor.py",
        ),
    ),
    Decision(
        "D-107",
        "Card numbers in free fields",
        question="""
            What becomes of a card number that a merchant sends as a reference or a custom
            parameter?
        """,
        answer="""
            It is stored, echoed and notified as it was sent. Journal, trace, log, errors and every
            page of the console mask it.
        """,
        reason="""
            References must come back unchanged, and a run of digits that passes the check digit may
            be an order number.
        """,
        tests=(
            "simulator/tests/journal/test_masking.py",
            "simulator/tests/console/hostile/test_hidden.py",
        ),
    ),
    Decision(
        "D-697",
        "Answers that commands show",
        question="""
            What does a command show of what a gateway answers? Another server may be there, which
            masks nothing.
        """,
        answer="""
            What is shown is masked as in the journal (D-94). What a program uses as it is printed
            (credentials that a command makes, webhook events, the answer key of a settlement run)
            is masked only where a number has the first digits, the length (13 digits or more) and
            the check digit of a brand, and no digit beside it. A picture is written where it has
            nothing but the shapes, texts and styles of a gateway's own pictures; another one is
            refused.
        """,
        reason="""
            The screen of a build is a log. References of 12 and 23 digits, keys and ids must come
            through unchanged, since programs compare them with what they have. A picture is opened
            in a browser, where a script in it would run.
        """,
        tests=(
            "simulator/tests/journal/test_hostile_gateways.py",
            "simulator/client/tests/test_pictures.py",
        ),
    ),
    Decision(
        "D-725",
        "Commands that are repeated",
        question="""
            What do reports of `check-merchant` show of the command that repeats a check? It holds
            commands and addresses of the merchant's own.
        """,
        answer="""
            YOUR-VALUE in place of each value in the query of an address, and of the whole value of
            `--state-command` or `--restart-command` unless each of its words is made of letters and
            the signs `_ . / -` and none is an option. All else is masked as in the journal (D-94);
            the key is named by its variable.
        """,
        reason="""
            Which options of another program carry a password or a token is not known, as `-u` and
            `-H` of curl do. Those who repeat a check know their own command.
        """,
        tests=("features/commands/tests/test_repeat_command.py",),
    ),
    Decision(
        "D-265",
        "Card numbers in refused parameters",
        question="""
            What does an answer repeat of a parameter that it refuses, if a card number was typed
            into it?
        """,
        answer="""
            The value is cut to 255 characters and masked as in the journal (D-94), in
            `parameterErrors`, in the text of a refusal and in what a refused payment repeats.
        """,
        reason="""
            Answers are logged by merchants, and a number in the wrong field is the likely mistake.
            Its first six and last four digits help to find it.
        """,
        tests=("simulator/tests/journal/test_misplaced_numbers.py", "features/errors.feature"),
    ),
    Decision(
        "D-267",
        "Secrets under names that merchants choose",
        question="""
            What becomes of `customParameters[cvv]`, `customParameters[pin]` or
            `merchant.data[password]`?
        """,
        answer="""
            A key that names a card number, security code (also as CAV2, CVD, CID or verification
            data), PIN, PVV, one-time password, track data or password is refused like an unknown
            parameter, and ignored where those are ignored (D-02): the value is not stored, not
            echoed and not sent in notifications. `cid`, `cvd`, `cav` and `pvv` are names as words
            of their own alone: `acid` and `cidade` are taken.
        """,
        reason="""
            Custom parameters are stored, exported and sent in clear, and such data may not be kept
            after the authorization. The fields for it are `card.cvv` and `pos.*`.
        """,
        tests=("simulator/tests/payments/test_forbidden_keys.py",),
    ),
    Decision(
        "D-150",
        "Bank account numbers",
        question="How are bank accounts stored and shown?",
        answer="""
            They are not card data: they are stored in the clear and echoed whole to the merchant.
            Journal, trace and log show an IBAN or an account number by its country and last four
            characters; one of fewer than eight characters is hidden. Bank code, BIC, holder and
            mandate stay readable.
        """,
        reason="Responses must repeat what was sent, while a journal is passed around.",
        tests=("simulator/tests/journal/test_masking.py", "features/bank_accounts.feature"),
    ),
)
