"""Decisions about terminals at the point of sale, as far as the gateway's side goes."""

from simulator.grammar.decisions import Decision, area

TERMINALS = area(
    "Terminals at the point of sale",
    "Terminals of a sandbox, their keys, and what they send to the card host.",
    Decision(
        "D-405",
        "Terminals and their keys",
        question="Which terminals does a sandbox have, and which keys have they?",
        answer="""
            Those that its control API created: pos.terminalId of eight digits, pos.deviceId, one of
            the models of D-55, one channel. A sandbox has four base keys (TDES and AES DUKPT, each
            for PINs and for account data) and a zone key for PIN blocks on their way to its card
            host; they are drawn with the first terminal and sealed in its vault. A new terminal is
            answered once with two initial keys as TR-31 blocks (version D, usage B1, optional block
            KS with the serial number) under a protection key of its own; none of it is stored. A
            snapshot carries the base keys sealed. A removed terminal is unknown. No terminal needs
            to be created for payments whose pos.* parameters are not encrypted.
        """,
        reason="""
            It is what a key-loading facility hands over, and the sandbox needs no other secret.
        """,
        tests=(
            "features/terminals.feature",
            "simulator/tests/terminals/test_api_terminals.py",
            "simulator/tests/terminals/test_hsm.py",
        ),
    ),
    Decision(
        "D-510",
        "Remote key loading",
        question="How does a terminal that stands in a shop already get keys?",
        answer="""
            Its RSA key (2,048 to 4,096 bits, exponent 65537) is certified by the authority of its
            sandbox, for a PKCS#10 request that names pos.terminalId and pos.deviceId and nothing
            else; the certificate is valid for 3,650 days of sandbox time. For the certificate and a
            nonce the control API answers new initial keys: their protection key under RSA-OAEP
            (SHA-256) for the certified key, the key blocks as in D-405, and an ECDSA signature
            (P-256, SHA-256) of the authority over terminal, nonce, protection key and blocks. A
            terminal opens a load once, for the nonce it drew last, and keeps to its first
            authority. The keys that it used last stay valid beside the new ones until the next
            load, because an answer may be lost. A terminal that is created with `loading` remote is
            answered no keys.
        """,
        reason="""
            It is what key-loading hosts do by TR-34, without its ASN.1: who reads the line learns
            no key, and can neither replace one nor have an older one loaded again.
        """,
        tests=("simulator/tests/terminals/test_remote_loading.py", "features/terminals.feature"),
    ),
    Decision(
        "D-611",
        "Key rollover",
        question="How does a terminal get the keys after those that it has?",
        answer="""
            A terminal of AES DUKPT names the ids of the initial keys that it has, and the control
            API answers the next ones as key blocks (D-405), each under the update key of the
            present key for the same use: X9.24-3, usage 0002, derived for the counter with all bits
            set. No other key travels, and none is certified. Present and next keys are both valid
            until the next rollover or load, because an answer may be lost; a terminal that has
            loaded one of two names what it has. TDES DUKPT has no update keys: 400.
        """,
        reason="""
            It is how a device in the field rolls over under X9.24-3. Only the terminal and the
            security module can derive an update key.
        """,
        tests=("simulator/tests/terminals/test_key_rollover.py",),
    ),
    Decision(
        "D-361",
        "Most terminals",
        question="How many terminals does a sandbox take?",
        answer="1,000; one more is refused with 400 by the control API, until some are removed.",
        reason="A list of them is one answer, which is made while others wait.",
        tests=("simulator/tests/terminals/test_api_terminals.py",),
    ),
    Decision(
        "D-406",
        "What a terminal read, in a card message",
        question="Which fields of a card message hold what a terminal sent?",
        answer="""
            The rows of `simulator/domain/acquiring/terminal_data.py`. Field 22 has two digits for
            pos.entryMode (01 MANUAL, 05 ICC, 07 NFC_ICC, 80 MAGSTRIPE_AS_FALLBACK, 90 MAGSTRIPE, 91
            NFC_MAGSTRIPE) and one for pos.pinEntryCapability (1 available, 2 unavailable, 0 not
            said). Field 25 is 00, 41 the last eight digits of pos.terminalId, 23 the last three of
            pos.panSequenceNumber. Track 2 stands in 35 in place of 2 and 14, unless the number was
            typed in. 52 holds the PIN block in format 0 under the zone key of the card host, which
            53 names. 55 holds the tags of pos.iccDataRequest without 56, 57, 5A, 5F20, 5F24, 99 and
            9F6B, also within templates, and in an answer those for the card; more than 255 bytes,
            and what is no TLV, is 200.300.404. A payment that the card approved offline is reported
            by 0120 or 0220; only one of a chip can be, so 8A of any other entry mode says nothing.
            The acquirer inside the process gets the same data.
        """,
        reason="It is the common use of ISO 8583, and an issuer decides by these fields.",
        tests=(
            "simulator/tests/acquiring/test_terminal_messages.py",
            "simulator/tests/terminals/test_offline_claims.py",
            "features/receipts.feature",
        ),
    ),
    Decision(
        "D-407",
        "Response codes of terminals",
        question="What do 65 and 10 in field 39 mean for a payment at a terminal?",
        answer="""
            65 of a card that was tapped is 300.100.100, insert the card, where field 63 says
            nothing else; of any other payment it is 800.100.163. 10 with an amount in field 4
            approves a part, which D-481 makes a payment of, or a decline of the whole.
        """,
        reason="Issuers limit taps in a row without a PIN, and answer the next one with 65.",
        tests=("simulator/tests/acquiring/test_terminal_messages.py",),
    ),
    Decision(
        "D-408",
        "Key serial numbers",
        question="Which key encrypted what a terminal sends?",
        answer="""
            A serial number of 20 hex digits is of TDES DUKPT, with a counter of 21 bits; one of 24
            is of AES DUKPT, with a counter of 32 bits. Any other, and a counter with more than 10
            (AES: 16) bits set, which devices skip, is 200.300.404 and names the field. Account data
            is in hex, encrypted in CBC mode with a zero IV under the key for data of requests
            (AES-128), padded by 80 and then 00. A PIN block has format 0 (TDES) or format 4 (AES).
        """,
        reason="The specification names a serial number, and no method.",
        tests=(
            "features/terminals.feature",
            "simulator/tests/terminals/test_hsm.py",
        ),
    ),
    Decision(
        "D-409",
        "What the security module refuses",
        question="What is answered to keys that are unknown or used, and to unreadable data?",
        answer="""
            A serial number of no initial key that was loaded into the terminal of pos.terminalId,
            on the channel of the payment, for this use, is 600.300.101. A counter that is not above
            the highest one that a payment was made with is 200.200.106, counter 0 always; of two
            payments at once with one counter, one is refused. What does not decrypt to padded data
            is 200.300.404 and names the field; so is a PIN block that is none. Nothing more is said
            of a PIN: one of format 0 is only checked as far as the card number has no part in it.
            A refused request counts no key as used.
        """,
        reason="""
            A wrong card number must not show which digits a PIN has: the issuer alone compares it.
        """,
        tests=(
            "simulator/tests/terminals/test_hsm.py",
            "simulator/tests/terminals/test_api_payments.py",
            "simulator/tests/terminals/test_leaks.py",
            "features/receipts.feature",
            "features/terminals.feature",
        ),
    ),
    Decision(
        "D-410",
        "Account data of a terminal",
        question="What does pos.encryptedSred.data hold, and which rules does it obey?",
        answer="""
            Tags of the chip (57, or 5A with 5F24; 5F20 and 5F34 where they are there), or track 2
            as it is swiped, between ; and ?. Number, expiry and holder become those of a card,
            with every rule of one: length, check digit, expiry, brand or its detection, risk
            checks, registration; bin and last digits show in the answer. What is neither is
            200.300.404 and names the field. A card in the clear, or of a registration, is the one
            that pays: what is encrypted beside it is not opened. New payments and registrations
            take it; a payment that refers to another has the account already.
        """,
        reason="The specification says PAN, track 2 and expiry, and shows no format.",
        tests=(
            "features/terminals.feature",
            "simulator/tests/terminals/test_api_payments.py",
        ),
    ),
    Decision(
        "D-411",
        "Rules of the browser at a terminal",
        question="Are security code and 3-D Secure required of a payment at a terminal?",
        answer="""
            No: a payment with pos.entryMode needs no card.cvv and starts no 3-D Secure, whatever
            the channel is set up for. A PIN is used for a new payment alone.
        """,
        reason="Both protect payments without the card; chip, PIN and terminal take their place.",
        tests=("simulator/tests/terminals/test_api_payments.py",),
    ),
    Decision(
        "D-412",
        "Answers to a terminal",
        question="What do the pos.* fields of an answer hold, in letters and digits alone?",
        answer="""
            clearing.authorizationIssuerCode is the response code (field 39),
            authorizationAcquirerCode the authorization code (38), identifier the retrieval
            reference (37); merchantId is field 42; timestamp the time of the payment in its
            sandbox, in UTC without a zone; iccDataResponse field 55 of the answer in hex.
            statusText follows the result code or the response code by the rows of
            `simulator/catalogue/messages/terminals.py`, else APPROVED, DECLINED or INPROGRESS; the
            `status_text` of a behaviour replaces it. They stand in every answer to a payment that
            was made with pos.entryMode, also when it is read later, and in its webhook events.
        """,
        reason="""
            The formats allow no blank, and a receipt that is printed again must say the same.
        """,
        tests=(
            "simulator/tests/terminals/test_api_payments.py",
            "features/receipts.feature",
            "features/terminals.feature",
        ),
    ),
    Decision(
        "D-480",
        "Account data that cannot be read",
        question="Does an answer distinguish wrong padding from wrong content?",
        answer="""
            No: a missing or wrong padding, a cut block, another key and content that
            is no account are one refusal, 200.300.404 with one text, that names
            pos.encryptedSred.data. None of them uses the counter. After a wrong padding what was
            decrypted is read all the same, so that the time does not tell the two apart either.
        """,
        reason="""
            CBC mode without a code over the message decrypts what was changed on its way: an answer
            that shows that the padding was right shows the text bit by bit. The keys of a sandbox
            protect test cards; a gateway with real ones also has to end a terminal's tries.
        """,
        tests=(
            "features/terminals.feature",
            "simulator/tests/terminals/test_unreadable_data.py",
        ),
    ),
    Decision(
        "D-481",
        "Approvals of a part",
        question="What does a gateway make of an issuer that approves a part of the amount?",
        answer="""
            A channel with `partial_approvals` makes a payment of that part: DB or PA at a terminal,
            a part above nothing and below the amount. The amount of the payment is the part, and
            all that refers to it is measured against it; pos.clearing.authorizationIssuerCode is
            10, pos.statusText PARTIAL. Everywhere else the whole is declined with 900.100.202 and
            the part is given back, in the test mode EXTERNAL by a reversal (0400). The chip gets
            the approval of its issuer in both cases, and the terminal decides by the result code.
            The till sees Partial with what was paid, and pays no cash out; what it does not want
            it reverses.
        """,
        reason="""
            Only at a terminal can the rest be paid in another way. A shop that reads nothing but
            the result code would hand out goods that are not paid for, so the channel has to ask
            for it.
        """,
        setting="`partial_approvals` of a channel.",
        tests=(
            "pos_emulator/tests/terminal/test_partial_approvals.py",
            "simulator/tests/terminals/test_parts.py",
            "features/terminals.feature",
        ),
    ),
    Decision(
        "D-610",
        "Sequence numbers that come again",
        question="What becomes of a second payment with a pos.transactionSequenceNumber?",
        answer="""
            It is another payment: each request of the API is one. A channel whose
            `repeated_sequence_number` is `refuse` has its acquirer answer 94 (800.120.402,
            pos.statusText SENTTWICE), in both test modes and before anything else is asked: no
            account, counter or PIN of the card changes. What counts is a new payment (one that
            refers to another may have its number) of the same channel, host and pos.terminalId
            within a day of sandbox time, zeros in front aside, an approval of the card (0120, 0220)
            too; numbers that a build before 2026-11-29 stored count no longer. A payment
            that was declined, or whose answer was lost and that the host has reversed (0400), has
            not used its number. Of two at once one is paid.
        """,
        reason="""
            Hosts find a request that was sent twice by terminal and number. A terminal whose
            journal was put back counts from an old number on.
        """,
        setting="`repeated_sequence_number` of a channel: accept or refuse.",
        tests=(
            "pos_emulator/tests/terminal/test_repeated_numbers.py",
            "acquirer_mocks/tests/issuing/test_sequence_numbers.py",
            "simulator/tests/terminals/test_ended_numbers.py",
            "features/terminals.feature",
        ),
    ),
    Decision(
        "D-482",
        "Answers to a terminal that cannot be",
        question="What does a terminal make of an approval of another amount than it asked for?",
        answer="""
            An approval of more, of nothing, or in another currency is no answer: the terminal
            stores a reversal, lets the card end as without a host, and takes back what
            the gateway has. An amount that is no number of at most 12 digits and two decimals makes
            an answer unreadable, with the same effect. Of texts it keeps 2,048 characters.
        """,
        reason="""
            The till believes what the terminal prints: it must not print an amount that was never
            asked for, and a wrong one must not stay charged.
        """,
        tests=("pos_emulator/tests/terminal/test_strange_answers.py",),
    ),
    Decision(
        "D-400",
        "What a terminal keeps of its keys",
        question="Which keys does the terminal of `pos_emulator` keep, and when does it count?",
        answer="""
            It unwraps an initial key (TR-31 versions A to D, usage B1, its serial number in KS or
            IK), derives the future keys and keeps those alone, sealed in a file that one process
            holds. Before a key is used the file without it is on disk: a terminal that is killed
            loses a serial number and never uses one twice. An identity that was loaded once is not
            loaded again, since its counters were used. After the last counter the terminal asks for
            a new initial key; that of AES DUKPT may come under the update key. Working keys of AES
            DUKPT are as long as the initial key. Data use one serial number, a PIN another.
        """,
        reason="""
            It is what X9.24 asks of a device: opened, it holds no key of what it encrypted.
        """,
        tests=(
            "pos_emulator/tests/keys/test_slot.py",
            "pos_emulator/tests/keys/test_counter_kills.py",
            "simulator/tests/terminals/test_with_a_terminal.py",
        ),
    ),
    Decision(
        "D-440",
        "Limits of a terminal",
        question="Up to which amount does a terminal pay without its host, and without a PIN?",
        answer="""
            An inserted card goes online from 50.00 of the currency of the payment on (floor limit);
            below it, chance and the card's own limits may send it online. A tap is always online,
            needs a verification of the holder above 50.00, and has to be inserted above 500.00. An
            unattended terminal has 25.00 and 150.00 there. The action codes of the terminal are
            0010000000 (denial), FC78FCF800 (online) and FC5098A000 (default).
        """,
        reason="The specification leaves it to the terminal; public limits of issuers are near it.",
        tests=(
            "pos_emulator/tests/kernel/test_steps.py",
            "pos_emulator/tests/kernel/test_scenarios.py",
        ),
    ),
    Decision(
        "D-441",
        "Chip before magstripe",
        question="When may the magstripe of a card with a chip be used?",
        answer="""
            After its chip could not be used three times in a row, in one payment; the entry mode is
            then MAGSTRIPE_AS_FALLBACK. Else a swipe whose service code begins with 2 or 6 is
            refused at the terminal. A card that was pulled counts for nothing.
        """,
        reason="A copied magstripe must not get around the chip.",
        tests=("pos_emulator/tests/kernel/test_scenarios.py",),
    ),
    Decision(
        "D-442",
        "An approval that the card does not share",
        question="What follows where the host approves and the card or its removal says no?",
        answer="""
            The terminal declines and has the authorization reversed: where the card declines with
            its second cryptogram, where the issuer's answer is not genuine, and where the card is
            pulled or silent between the answer and that cryptogram. A PIN that the issuer found
            incorrect (55) ends the payment of the chip; another try is a new payment of the same
            card, with a counter and a cryptogram of its own.
        """,
        reason="Card and issuer must agree on what was paid, and a cryptogram counts once.",
        tests=("pos_emulator/tests/kernel/test_scenarios.py",),
    ),
    Decision(
        "D-443",
        "What a virtual card keeps",
        question="What does a virtual card remember, and when?",
        answer="""
            Its counters, tries of the PIN, blocks, limits put by the issuer and the last ten
            approved payments, in one file a card. The file is durable before the answer leaves the
            card; a power cut leaves the old file or the new one. A changed PIN is kept as a keyed
            digest. All applications of a card have one transaction counter.
        """,
        reason="A counter that goes back would make a cryptogram twice.",
        tests=("pos_emulator/tests/card/test_memory.py",),
    ),
    Decision(
        "D-444",
        "The journal of a terminal",
        question="What does a terminal remember of a payment, and what follows a power cut?",
        answer="""
            Each step is in a file of lines, durable before the step. A line that was torn is the
            last one and is dropped; any other damage puts the terminal out of order, which names
            the file, the line and what to do, and leaves the file as it is. So do changed or
            used-up keys, and a clock of over an hour before the batch was opened. When it is
            opened again, a payment that was started is not carried out, one that
            the gateway was asked for is reversed, and a receipt that was not printed is printed.
            So it is, with the next work, where an error of keys or disk breaks a payment off; the
            till is answered its end if the journal has one, and else that the terminal is out of
            order. Of a card the journal has the last four digits; what an upload needs is sealed
            under the storage key.
            A batch has at most 10,000 payments, a line 64 KiB; the ten last batches are kept.
        """,
        reason="The till was answered nothing: what it does not know of must not be charged.",
        tests=(
            "pos_emulator/tests/terminal/test_kills.py",
            "pos_emulator/tests/terminal/test_leaks.py",
            "pos_emulator/tests/terminal/test_journal.py",
            "pos_emulator/tests/terminal/test_days.py",
        ),
    ),
    Decision(
        "D-445",
        "Reversals of a terminal",
        question="What does a terminal do where the answer to a payment does not come?",
        answer="""
            After 30 seconds without an answer, a broken connection, an answer without a result code
            and a pending payment it stores a reversal, answers the till "no connection" and asks
            the gateway by merchantTransactionId, which each try has of its own. What stands there
            is reversed by RV, and refunded in full where the gateway refuses an RV of its type.
            All of it is tried at once and then each minute, also after a restart. The reversal has
            one merchantTransactionId, which is asked for before it is sent again. What the gateway
            does not know may still arrive: it is on its way, or waits at the risk system before it
            is stored. It stays open and is asked for with pauses that grow from a minute to an
            hour, until the gateway has not known it 30 times, in a day at least; after that at the
            end of each day, as long as the journal has its batch. Whenever it turns up it is
            reversed. Where no connection could be made nothing was sent, and nothing is reversed.
        """,
        reason="""
            In profile specification a DB cannot be reversed; a refund in full does the same. A
            gateway that stored payments before its risk system would still not know what it has not
            read yet, for one more write a payment.
        """,
        tests=(
            "pos_emulator/tests/terminal/test_failures.py",
            "pos_emulator/tests/terminal/unknown/test_under_way.py",
            "pos_emulator/tests/terminal/test_many_payments.py",
        ),
    ),
    Decision(
        "D-446",
        "Store and forward",
        question="How many payments does a terminal approve offline, and how are they uploaded?",
        answer="""
            Sales alone, at most 50 of together 1,000.00, while the oldest is younger than three
            days; then, and for refunds and pre-authorizations, the terminal works as one that is
            online only. They are uploaded in their order: one that is pending, was not answered or
            has to wait for its next try keeps the later ones back; one that the gateway itself
            refuses, or to whose issuer there is no route (92), does not. After a lost answer the
            gateway is asked by merchantTransactionId first; what it does not know is sent again as
            it was, with the same key, which the gateway takes once (D-409). Once it refuses the key
            and knows no payment, that message can no longer pay, and the payment is encrypted anew.
            What the issuer declines is a loss, and named; what is refused without the issuer stays
            stored, as by a card host that is signed off: what has no code of the issuer, all 9xx
            but 900.100.202, and in field 39 19, 31, 68, 80, 90, 91, 92, 96 and Z3. A stored payment
            that was never sent can be voided at the terminal alone.
        """,
        reason="""
            An offline approval costs the merchant when it cannot be collected: one that says
            nothing of the others keeps none of them back.
        """,
        tests=(
            "pos_emulator/tests/terminal/test_offline.py",
            "pos_emulator/tests/terminal/unknown/test_under_way.py",
            "pos_emulator/tests/terminal/unknown/test_upload_answers.py",
            "pos_emulator/tests/terminal/test_many_payments.py",
        ),
    ),
    Decision(
        "D-447",
        "Payments by receipt number",
        question="What can be ordered with the receipt number of an earlier payment?",
        answer="""
            A void of a sale, a pre-authorization or a capture, always whole; a capture of a
            pre-authorization; a refund of a sale or a capture. An amount that is left out is what
            is open; a void has none. More than what is open is refused: by the gateway, and by the
            terminal where the card was charged in its own currency (D-613), in which both may be
            the same amount. A number with the batch before it (0001-000012) is that of one payment.
            A number alone is one of the open batch; for a capture or a void also that of an
            approved pre-authorization of an earlier batch, of the last ten; where two payments can
            be meant the order is refused, also after one of them was captured or voided. Numbers go
            on over the end of a day; after 9999 follows 1, and those of the open batch and of
            approved pre-authorizations that are kept are passed over. Earlier builds began each
            batch with 1. A void is an RV, and an RF of the whole where the gateway refuses it.
            Where the answer is lost the gateway is asked, at once and then each minute, and what it
            says is the end: a refund cannot be taken back. What it does not know stays open and is
            asked for as D-445 says, and counts whenever it turns up.
        """,
        reason="""
            Captures may come days later, from tills that know a payment by four digits alone: no
            number may mean the payment of another cardholder.
        """,
        tests=(
            "pos_emulator/tests/terminal/test_references.py",
            "pos_emulator/tests/terminal/unknown/test_under_way.py",
        ),
    ),
    Decision(
        "D-448",
        "The end of a day at a terminal",
        question="What does a terminal compare when its batch is closed?",
        answer="""
            It tries all that waits, then asks the gateway for each payment by its
            merchantTransactionId, and for the reversal of one that was reversed: what is approved
            on one side alone, with another amount, or more than once under one name, is named with
            its receipt number. So is what is still open, which the next batch goes on with, and
            what came to count, or not to count, after its batch was closed. Totals are by
            currency: sales and captures, refunds, voids; a voided sale counts in both. The batch
            number rises, receipt and trace numbers go on. Once the gateway is silent the others are
            not asked for: they are named as not compared.
        """,
        reason="The API has no message of totals.",
        tests=(
            "pos_emulator/tests/terminal/test_days.py",
            "pos_emulator/tests/terminal/unknown/test_under_way.py",
        ),
    ),
    Decision(
        "D-486",
        "A power cut while a batch is closed",
        question="Which totals does a till get where the power is cut while it closes the batch?",
        answer="""
            The totals of a batch and the number of the next one are one line of the journal: a
            batch is open, or its totals are kept. Where the power was cut before the till got them,
            the next close reports them in place of closing once more, and payments made since stay
            in the open batch. The totals of the last ten batches can be read again, by number. Of
            their differences 100 are kept, of their open receipt numbers 1,000.
        """,
        reason="Totals that are lost or counted twice make a day that no shop can balance.",
        tests=("pos_emulator/tests/terminal/test_kills.py",),
    ),
    Decision(
        "D-487",
        "Card numbers where none belongs",
        question="What becomes of a card number that a till or a person puts into another field?",
        answer="""
            An order whose reference or receipt number has one is refused, and so is the name of a
            merchant. A message of a nexo till with one anywhere is MessageFormat; in its header, it
            is answered with the event Reject, as a response would repeat it. Nothing of it is
            stored or logged, and no message quotes it. What counts as one: 13 to 19 digits with a
            right check digit that begin with 3 to 6 or 2221 to 2720, as many as cards of brands
            with few lengths have, spelled as D-94 says. Of a body the card of a till alone is left
            out, in PaymentInstrumentData, which is refused as such. The card that a ZVT till names
            in field 22 is not used.
        """,
        reason="Journals and files of tills are no place for it; times begin with other digits.",
        tests=(
            "pos_emulator/tests/test_leaks.py",
            "pos_emulator/tests/test_card_numbers.py",
            "simulator/tests/journal/test_spelled_numbers.py",
        ),
    ),
    Decision(
        "D-449",
        "Tries at a terminal",
        question="How often may a card be presented and a PIN be entered in one payment?",
        answer="""
            Ten times a card. After an incorrect PIN (55) the holder enters it again while the card
            stays in, and taps again after a tap; 75 ends the payment. The display counts three
            tries, since the issuer does not say how many are left. A card that was typed in is
            signed for. Where the gateway declines, the card is given 05 if the issuer's code reads
            like an approval (10). 900.100.600 is an unreachable host, and the card decides;
            900.100.301 is a decline for the card, and 900.100.300 no answer (D-686).
        """,
        reason="A payment needs an end, and the last word on a PIN is the issuer's.",
        tests=("pos_emulator/tests/terminal/test_scenarios.py",),
    ),
    Decision(
        "D-470",
        "Where a terminal on the counter pays",
        question="In which sandbox does `sandgate terminal run` pay, and what remains of it?",
        answer="""
            In the one that SANDGATE_SANDBOX_ID, SANDGATE_ENTITY_ID and SANDGATE_TOKEN name, where a
            gateway is named too; it stays. Its terminal, and the counters of the cards, are kept in
            --folder, else in .sandgate-terminals below the current folder, under the id of the
            sandbox, and are there again at the next start. Without such a sandbox it creates one,
            in a gateway that it starts if none is named; both are gone at the end, and so are keys
            and counters unless --folder was given. The cards of a folder have a sequence number of
            their own (D-430): the place of the terminal among those of the sandbox, 01 to 99, then
            01 again. It is drawn once; cards that an earlier build kept stay at 01.
        """,
        reason="A card whose counter begins anew is declined as a replay.",
        tests=(
            "pos_emulator/tests/counter/test_two_terminals.py",
            "pos_emulator/tests/web/test_command.py",
        ),
    ),
    Decision(
        "D-471",
        "Who presses the keys of a terminal's page",
        question="Who may read the page of a terminal, and who may act on it?",
        answer="""
            A browser of the same machine: the page listens on 127.0.0.1, and a request names it by
            a name of this machine (else 421). To act, a request carries the token that this start
            of the page has in its HTML, in a header, as JSON, and names no other origin (else 403).
            A body has at most 4 KiB (413), 64 connections are open at a time, 12 of them wait.
        """,
        reason="Another page in the browser could else press keys, or lead a name of its own here.",
        tests=("pos_emulator/tests/web/test_guard.py", "pos_emulator/tests/web/test_page.py"),
    ),
    Decision(
        "D-472",
        "A person at a terminal",
        question="How long does a terminal wait for a person, and where are the digits of a PIN?",
        answer="""
            180 seconds for each thing that it asks for; then the payment ends as timed out. The
            digits stand in the window until the green key, go to the terminal in a body and once,
            and are in no notice, state, log or message; a refusal does not repeat them.
        """,
        reason="A person has to read, and a PIN is known to its holder alone.",
        tests=("pos_emulator/tests/counter/test_desk.py", "pos_emulator/tests/web/test_actions.py"),
    ),
    Decision(
        "D-473",
        "What goes wrong with the next card",
        question="Which faults of a card can a person order, and for how long?",
        answer="""
            The chip is silent, or answers 6F00 once; the card is pulled while it is read, before
            the first cryptogram, while it writes its counter, or after the approval; it takes the
            issuer for a false one. A fault goes with the next card that is inserted or tapped, and
            then none is chosen. A card in the slot can be pulled at any time.
        """,
        reason="One lesson at a time; what is forgotten must not hit the payment after the next.",
        tests=(
            "pos_emulator/tests/counter/test_desk.py",
            "pos_emulator/tests/counter/test_tray.py",
        ),
    ),
    Decision(
        "D-474",
        "Page and text window",
        question="What do the page and the text window share?",
        answer="""
            The terminal, and what it asks for: the first to act has answered. The window shows
            the last receipt and the last 200 lines of what happened; the page has besides it the
            till in full, the journal, and the messages of the gateway.
        """,
        reason="A trainer shows the one and steers by the other.",
        tests=("pos_emulator/tests/tui/test_window.py",),
    ),
    Decision(
        "D-460",
        "The interface of tills",
        question="How does a till speak to a terminal, and which messages does it take?",
        answer="""
            nexo Retailer 3.0 as JSON, posted over HTTPS to port 8443 and the path `/nexo/`: Login,
            Logout, Payment (Normal, Refund, FirstReservation, Completion), Reversal, Abort,
            TransactionStatus, Diagnosis, GetTotals, Reconciliation, CardAcquisition, Display,
            Input, Print and EnableService (AbortTransaction). Every other category is answered
            Failure/UnavailableService. Members that no row names are ignored. RequestedAmount holds
            CashBackAmount and TipAmount. A card may not come from the till. No amount steers an
            outcome.
        """,
        reason="It is what tills of several vendors send, and tills send members for others too.",
        tests=(
            "pos_emulator/tests/ecr/test_day_of_a_till.py",
            "pos_emulator/tests/ecr/test_invalid_requests.py",
            "pos_emulator/tests/ecr/test_devices.py",
        ),
    ),
    Decision(
        "D-461",
        "What a till is answered when a payment ends",
        question="Which result and error condition belong to which end of a payment?",
        answer="""
            The rows of `pos_emulator/ecr/nexo/outcomes.py`. A part that was approved is
            Partial/PaymentRestriction; a holder who cancels, pulls the card or presents none in
            time is Cancel; a power cut is DeviceOut; an order that the terminal cannot carry out is
            NotAllowed. AdditionalResponse is a sentence, or by a setting `message=` and
            `refusalReason=`, URL-encoded.
        """,
        reason="""
            ISO 20022 defines each condition (RetailerResultDetail1Code); these are the nearest.
        """,
        tests=("pos_emulator/tests/ecr/test_outcomes.py",),
    ),
    Decision(
        "D-462",
        "What is checked of a request of a till, and in which order",
        question="Which error of several wins, and when must a till log in?",
        answer="""
            What is no JSON or has no valid header is answered with status 400 and the event Reject;
            so is an invalid Abort, to which there is no response. Then POIID, category, body, Login
            and ServiceID are checked, in this order. A ServiceID is used up by a request that was
            valid, and refused as Repeated Message among the last 1,000 of all tills. Totals and
            reconciliation need a Login before, else LoggedOut; payments need one only by a setting.
            While a payment or an input is under way, another one is Busy.
        """,
        reason="""
            Users of terminals that speak this protocol log in for totals alone; a till that
            corrects a message sends it again under its number.
        """,
        tests=(
            "pos_emulator/tests/ecr/test_invalid_requests.py",
            "pos_emulator/tests/ecr/test_day_of_a_till.py",
        ),
    ),
    Decision(
        "D-463",
        "The answer that a till has lost",
        question="What does TransactionStatus answer, also after the terminal was restarted?",
        answer="""
            An exchange is noted on disk before its order begins, and its answer before it is sent.
            The answer is made of the terminal's entry of the payment and of what was noted, so it
            is the same as the lost one; where the terminal found out more since, that counts. While
            the payment is under way, or its end has still to be found out, the status is
            Failure/InProgress. A payment that was noted and never begun was cut off: DeviceOut.
            Without a ServiceID the last payment of the till is meant. The last thousand payments
            that are under way or moved money are kept, however many other requests come meanwhile.
        """,
        reason="A till that believes a payment failed takes it again, and the holder pays twice.",
        tests=("pos_emulator/tests/ecr/test_day_of_a_till.py",),
    ),
    Decision(
        "D-464",
        "The end of the day at a till",
        question="What does a till get at the end of the day where something is open or differs?",
        answer="""
            The batch is closed in any case. Payments that are still to be reversed or uploaded make
            the result Partial/InProgress and are named by their receipt numbers; totals of the
            gateway that differ make it Partial/Refusal and are named.
            PreviousReconciliation repeats the totals of one of the last ten batches.
        """,
        reason="A day that cannot be closed would stop the shop; a difference must be seen.",
        tests=(
            "pos_emulator/tests/ecr/test_day_of_a_till.py",
            "pos_emulator/tests/ecr/test_outcomes.py",
        ),
    ),
    Decision(
        "D-465",
        "Encrypted messages of tills",
        question="Which secret encrypts the messages between till and terminal?",
        answer="""
            None by default: HTTPS protects them. With a passphrase set, both sides send NexoBlob
            (AES-256-CBC) and SecurityTrailer (HMAC-SHA256 over the plain text, keys by PBKDF2 with
            4,000 rounds) and nothing else is taken. Salt and the member that names the version are
            settings, as each vendor has its own. What cannot be decrypted is rejected without
            saying which check failed.
        """,
        reason="Tills encrypt where they do not verify the certificate of a terminal.",
        tests=("pos_emulator/tests/ecr/test_sealing.py",),
    ),
    Decision(
        "D-466",
        "Notifications to a till",
        question="What does a terminal send to a till by itself?",
        answer="""
            Nothing unless an address is set. Then each text of its display (DisplayRequest,
            CashierDisplay), and the events CardInserted, CardRemoved, NetworkDisconnected,
            NetworkConnected and OutOfOrder; in their order, each once, without waiting for a
            response. A card that was inserted is removed when it is pulled, or when its payment is
            over. At most 100 wait; of more, the oldest is lost.
        """,
        reason="Cashiers want to see how far a payment is; a till that is away must delay nothing.",
        tests=("pos_emulator/tests/ecr/test_devices.py",),
    ),
    Decision(
        "D-612",
        "A card in place of an answer",
        question="What if the customer inserts a card while a till waits for an answer?",
        answer="""
            An Input with NotifyCardInputFlag then ends with InsertedCard, and the card stays in the
            reader for the payment that follows. Without the flag a card is not read. Only the chip
            reader counts: what is tapped or swiped does not stay.
        """,
        reason="It is how nexo Retailer 3.0 describes the flag and the condition.",
        tests=(
            "pos_emulator/tests/counter/test_desk.py",
            "pos_emulator/tests/ecr/test_devices.py",
        ),
    ),
    Decision(
        "D-613",
        "Paying in the card's currency",
        question="When is it offered to pay in the currency of the card, and at which rate?",
        answer="""
            Where it has rates (`--conversion`), at a sale without cash, for an inserted chip whose
            application currency (9F42) is another than the till's: both amounts, the rate and the
            markup are shown, the till's currency first, and nothing is chosen beforehand. The rate
            is that of the file with its markup (3.5 percent unless it says otherwise), six
            decimals; an amount is rounded half up once. The gateway gets the card's currency;
            order, totals and answers to tills stay in theirs (nexo: CurrencyConversion). Voids and
            refunds have the rate of their payment, the last part what is left. A chip that cannot
            be used after all is charged in the till's currency by magstripe.
        """,
        reason="""
            Card schemes ask for a free and informed choice; rates of a file make a payment
            repeatable.
        """,
        tests=("pos_emulator/tests/terminal/test_conversions.py",),
    ),
    Decision(
        "D-614",
        "Paying in the card's currency by a tap",
        question="How is a card that is tapped offered to pay in its own currency?",
        answer="""
            As in D-613, once it has left the field and before a PIN is asked for: a card says 9F42
            in its records or beside the cryptogram. Its cryptogram holds for the till's amount. Who
            keeps that has tapped; who chooses the other is asked to tap again, and the cryptogram
            of the first tap goes nowhere. Another card at the second tap is offered for itself. No
            offer for what the card approves without its issuer, for magstripe mode, and for a tap
            that was read before its payment (D-511). Where the card is to be inserted then, the
            choice holds for it; another card is asked anew.
        """,
        reason="""
            A second cryptogram costs the holder a second tap; a first one for a guessed currency
            would be for an amount that the holder had not agreed to.
        """,
        tests=("pos_emulator/tests/terminal/test_conversions_of_taps.py",),
    ),
    Decision(
        "D-615",
        "Where a terminal is",
        question="Which terminals send pos.location, and what do they send?",
        answer="""
            The model PORTABLE has GPS; the position is what a person sets (`--position`, the page,
            a story), latitude and longitude with at least one decimal, the accuracy in meters where
            it is known. Each payment with a card has it, an upload that of the place where the card
            was read. Without one nothing is sent, as where a receiver gets no signal. What refers
            to an earlier payment has no parameters of a terminal.
        """,
        reason="The specification has the parameters and says of none of them when it is sent.",
        tests=(
            "pos_emulator/tests/test_gps.py",
            "pos_emulator/tests/terminal/test_positions.py",
        ),
    ),
    Decision(
        "D-450",
        "What a till asks a customer",
        question="What can a till have a customer choose and type, and where is the answer kept?",
        answer="""
            GetConfirmation, GetMenuEntry, GetAnyKey, DigitString (DigitInput), DecimalString and
            TextString (TextInput), within MinLength and MaxLength, at most 100 characters; a number
            of a card is refused at the terminal, without repeating it. Password, SiteManager and
            GetFunctionKey are UnavailableDevice: the terminal takes no secret for a till, and has
            no function keys. The answer goes to the till once and is kept nowhere.
        """,
        reason="A customer types a phone number or an address, which no file of a terminal needs.",
        tests=("pos_emulator/tests/ecr/test_devices.py", "pos_emulator/tests/counter/test_desk.py"),
    ),
    Decision(
        "D-451",
        "What a till prints at a terminal",
        question="Which documents of a till does the printer of a terminal print?",
        answer="""
            Each of the six qualifiers, as text in lines of 40 columns, bold and centered where the
            till says so; a text without EndOfLineFlag false ends its line. Other formats are
            UnavailableDevice, and so is a model without a printer. It is printed before it is
            answered, whatever ResponseMode says, and never while a payment is under way (Busy).
        """,
        reason="The receipts of a payment come out whole; what is not text needs a real printer.",
        tests=("pos_emulator/tests/ecr/test_devices.py", "pos_emulator/tests/counter/test_desk.py"),
    ),
    Decision(
        "D-452",
        "A card that is read before its payment",
        question="What does a till get to know of a card before its payment, and how long?",
        answer="""
            CardAcquisition asks for a card at the chip or magstripe reader, three times at most,
            and answers its last four digits, entry mode, label and sequence number, and a
            TransactionID. A payment, pre-authorization or refund that has it as
            CardAcquisitionReference pays with that card, and asks for no other unless the card
            cannot be used so. It is held for 3 minutes, for one payment, until another order or
            acquisition begins or EnableService aborts; then the reference is NotAllowed. The holder
            chooses the application again in the payment. Nothing of the card is stored before its
            payment.
        """,
        reason="A card that waits for ever is forgotten.",
        tests=("pos_emulator/tests/ecr/test_with_a_terminal.py",),
    ),
    Decision(
        "D-511",
        "A tap that is read before its payment",
        question="May a till have a card read that is tapped?",
        answer="""
            Where CardAcquisitionTransaction has a TotalAmount above zero, in EUR, since no currency
            stands beside it. The card gives its cryptogram for that amount at once, always one for
            its issuer, and leaves the field; it is not asked for again. A sale or pre-authorization
            of that amount that names it pays with it, and asks for a PIN where one is needed; a
            refund, another amount or currency, and cash back are NotAllowed. A tap that is not paid
            for leaves a gap in the counter of the card.
        """,
        reason="The cryptogram of a tap covers the amount, and the holder puts the card away.",
        tests=("pos_emulator/tests/ecr/test_with_a_terminal.py",),
    ),
    Decision(
        "D-512",
        "A card that comes before the amount",
        question="What does EnableService with StartTransaction begin?",
        answer="""
            The terminal asks for a card at its chip or magstripe reader, and the till is answered
            at once. The Payment or CardAcquisition that follows takes the card if it was presented,
            or ends that wait and asks as ever; one that names another card, or an earlier payment,
            leaves it. ServicesEnabled must have Payment or CardAcquisition, else it is
            UnavailableService; while a payment is under way it is Busy. AbortTransaction ends it.
        """,
        reason="Customers hold their card out while goods are still counted.",
        tests=(
            "pos_emulator/tests/ecr/test_with_a_terminal.py",
            "pos_emulator/tests/ecr/test_devices.py",
        ),
    ),
    Decision(
        "D-513",
        "Cash and tips by ZVT",
        question="How does a till order cash back or a tip by ZVT?",
        answer="""
            Not at all: field 04 of a sale is what the goods cost. A message with a field or object
            that has no row is refused or its object not read, as any other (D-475); a till that
            pays cash or takes tips orders by nexo, or at the page.
        """,
        reason="""
            No public text names the field. A guess would hand out money for a field that means
            something else to a till.
        """,
        tests=("pos_emulator/tests/ecr/zvt/test_bmp.py",),
    ),
    Decision(
        "D-454",
        "The code of a card that is typed in at a terminal",
        question="How does the code on a card get from the keys of a terminal to the gateway?",
        answer="""
            In pos.encryptedSred.data, as three or four digits in ASCII under the private tag DF01;
            it obeys every rule of card.cvv, so another length than that of the brand is
            100.100.601, and anything but digits is 200.300.404. It is optional. A terminal takes
            no code or one of three or four digits, says so where it gets another, and stores none.
        """,
        reason="""
            EMV has no tag for it, and beside encrypted account data card.cvv would have to bring
            the number in the clear.
        """,
        tests=(
            "simulator/tests/terminals/test_typed_codes.py",
            "pos_emulator/tests/terminal/test_scenarios.py",
        ),
    ),
    Decision(
        "D-455",
        "Tip and cash on top of a sale",
        question="What becomes of a tip and of cash that is paid out with a sale at a terminal?",
        answer="""
            Both are charged with the price of the goods, as one amount; the gateway knows the sum
            alone. Only a sale has them. The receipt shows goods, tip and cash above the sum, and
            the till is answered CashBackAmount and TipAmount, where all of it was approved: of a
            part no cash is paid out, and none of it is a tip. Totals count the sum. A terminal
            asks no holder for a tip; the till or the merchant enters it.
        """,
        reason="The specification has one amount; who pays out cash must see what was approved.",
        tests=(
            "pos_emulator/tests/ecr/test_with_a_terminal.py",
            "pos_emulator/tests/ecr/test_day_of_a_till.py",
        ),
    ),
    Decision(
        "D-475",
        "Tills that speak ZVT",
        question="Which commands of ZVT does a terminal take, and of whom?",
        answer="""
            The rows of `pos_emulator/ecr/zvt/commands.py`, and an abort beside them; any other is
            refused with 84 83, one that cannot be read with 84 9A, one while another is under way
            with 84 9C. Messages follow one another with their lengths, or stand between DLE STX and
            DLE ETX; at most 4,096 bytes of data. There is one till at a time: one that begins to
            send takes the place of one that has nothing under way, or that is gone, once its
            command has ended; else it is turned away. The password is 000000 and is checked
            wherever a command has one (84 83), unless a setting says otherwise. What a till
            registered holds until it logs off, on every connection; orders need no registration.
            A connection that does not begin with a class of ZVT, DLE or NAK is closed, and takes no
            place; of those that have sent nothing yet, eight are kept.
        """,
        reason="""
            Tills of the German market send these. A till that was switched off leaves a connection
            behind, which must not keep it out. Any page in a browser can open a connection, which
            begins with a method of HTTP or with TLS, and have commands in its body.
        """,
        tests=(
            "pos_emulator/tests/ecr/zvt/test_till.py",
            "pos_emulator/tests/ecr/zvt/test_one_till.py",
            "pos_emulator/tests/ecr/zvt/test_browsers.py",
            "pos_emulator/tests/ecr/zvt/test_frames.py",
            "pos_emulator/tests/ecr/zvt/test_bmp.py",
        ),
    ),
    Decision(
        "D-453",
        "Reservations and totals by brand of tills that speak ZVT",
        question="Which commands are a pre-authorization and its capture, and what is in field 60?",
        answer="""
            06 22 is a pre-authorization. 06 23 and 06 24 capture the amount of field 04, all of it
            without one, of the receipt in field 87, also in parts; 06 25 voids it, and nothing
            else. These three take their fields with a password before them or without. They find a
            pre-authorization of any of the last ten batches by its number alone (D-447). What they
            cannot be carried out for ends with B8, and so does a number that two have in a journal
            of an earlier build. 06 30 is about the open batch alone. Field 60 is the first and last
            receipt number of the batch, then count (one byte, at most 255) and sum of girocard,
            JCB, Mastercard, American Express, VISA, Diners and all others, less refunds and voids,
            never below zero. The void of a pre-authorization moves no money and is in no total.
            Cash paid out is not taken: no public text names its field.
        """,
        reason="Public clients send these commands in both forms, and read field 60 so.",
        tests=(
            "pos_emulator/tests/ecr/zvt/test_with_a_terminal.py",
            "pos_emulator/tests/ecr/zvt/test_reservations.py",
        ),
    ),
    Decision(
        "D-705",
        "The amount of a void of tills that speak ZVT",
        question="What does a terminal do with an amount (field 04) in 06 30 and 06 25?",
        answer="""
            That of the payment, in its currency, changes nothing: what is left of it is voided. Any
            other amount or currency is refused with B5 or B8, and nothing is voided.
        """,
        reason="A till that sends a part would go on with a payment of which nothing is left.",
        tests=("pos_emulator/tests/ecr/zvt/test_reservations.py",),
    ),
    Decision(
        "D-476",
        "What a till acknowledges",
        question="What does a terminal do where a till does not acknowledge a message of ZVT?",
        answer="""
            Each message waits 5 seconds for 80 00 or 84 xx; both count as received. Without either
            the connection is closed. 84 9C, by which a till asks for time to hand out goods, is not
            waited for. On a serial line a message is repeated at a NAK, three times at most.
        """,
        reason="A till that does not answer is gone; what it missed it asks for (D-478).",
        tests=("pos_emulator/tests/ecr/zvt/test_till.py",),
    ),
    Decision(
        "D-477",
        "How a payment ended, as a till that speaks ZVT sees it",
        question="Which result code belongs to which end of a payment?",
        answer="""
            The rows of `pos_emulator/ecr/zvt/codes.py`. A decline has the issuer's own code where
            that has two digits and does not read like an approval, else 5. A part that was approved
            is a success with the approved amount. A success that was reversed since is B4. The
            number of a card is twelve times E and its last four digits, however long it is.
        """,
        reason="Codes up to 99 are the issuer's in ZVT; a till books the amount that it is sent.",
        tests=(
            "pos_emulator/tests/ecr/zvt/test_till.py",
            "pos_emulator/tests/ecr/zvt/test_with_a_terminal.py",
        ),
    ),
    Decision(
        "D-478",
        "A till that speaks ZVT and is gone",
        question="What becomes of a payment whose till is gone, and how is its result found?",
        answer="""
            While it waits for a person it is aborted; once the gateway has it, it goes on to its
            end. Repeat receipt (06 20) then sends the status information of the last order of such
            a till besides its receipt, also after a restart; without one it ends with 83.
        """,
        reason="Nothing is charged that no till knows of, or the till can get to know of it.",
        tests=(
            "pos_emulator/tests/ecr/zvt/test_till.py",
            "pos_emulator/tests/ecr/zvt/test_with_a_terminal.py",
        ),
    ),
    Decision(
        "D-479",
        "What a till that speaks ZVT prints and shows",
        question="What is sent to a till of what a terminal prints and shows?",
        answer="""
            To a till that registered for printing, both copies of a receipt and the reports, in
            lines of 40 characters of code page 437: as a block where it lists 06 D3, else line by
            line. Nothing to one that makes receipts itself. Texts of the display are sent as
            intermediate statuses where the till wants them and a row of
            `pos_emulator/ecr/zvt/codes.py` has one. Totals have the sum of the till's currency,
            less refunds and voids and never below zero, and of each group of brands in field 60.
        """,
        reason="A till has one currency; the report has all.",
        tests=("pos_emulator/tests/ecr/zvt/test_till.py",),
    ),
    Decision(
        "D-686",
        "Answers that leave open what became of a payment",
        question="Which answers of a gateway are no decision for a terminal?",
        answer="""
            Every status but 2xx and 4xx; an approval with a 4xx; a result
            code that cannot be read; and, where no code of the issuer stands beside it, each code
            of the groups 9xx but 900.100.202, 900.100.301 and 900.100.600, and 000.400.030. The
            terminal does what it does after a lost answer: a reversal (D-445), the same upload
            again (D-446), a question what became of it (D-447), a payment that was not compared
            (D-448). No refund follows the reversal of such a void, or one that is pending. A
            payment about an earlier one that is pending is asked for as well. What was accepted
            for a review by hand (000.400.0xx, 000.400.100) and 000.500 are approvals. What the
            gateway answers when it is asked for a stored payment is its last word.
        """,
        reason="""
            A gateway answers 500 where a payment may be charged (D-305). Taken as a decline, it
            stays charged, and a refund that is ordered again is paid twice.
        """,
        tests=("pos_emulator/tests/terminal/unknown/test_unclear_answers.py",),
    ),
)
