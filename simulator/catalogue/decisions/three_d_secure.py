"""Decisions about 3-D Secure."""

from simulator.grammar.decisions import Decision, Switch, area

THREE_D_SECURE = area(
    "3-D Secure",
    "Which payments are authenticated, with which codes and messages, and how the ACS acts.",
    Decision(
        "D-51",
        "Scheme keys of threeDSecure",
        question="Which are the seven scheme keys of version 1 and the six of version 2?",
        answer="""
            visa, mastercard, maestro, amex, diners, discover, jcb; a password for visa and
            mastercard; version 2 without maestro.
        """,
        reason="These are the schemes that used each version.",
        tests=(
            "simulator/tests/catalogue/test_catalogue.py",
            "features/accounts.feature",
        ),
    ),
    Decision(
        "D-52",
        "threeDSecure.version that is not sent",
        question="Do the challengeIndicator values 05 to 09 require that the version is sent?",
        answer="No. Only a version that is sent and lower than 2.2 is refused.",
        reason="The gateway negotiates the version itself when the merchant sends none.",
        tests=("simulator/tests/catalogue/test_check.py",),
    ),
    Decision(
        "D-146",
        "What 3-D Secure version 2 makes mandatory",
        question="When are browser data and address mandatory?",
        answer="""
            For a PA, DB or PA.CP sent to the API, of a brand for which the channel is enrolled in a
            version that begins with 2 (D-117). Not with results of another MPI, not with a wallet,
            and not for merchant-initiated payments (D-123). All missing parameters are named, under
            CUST-04 and ADDR-04. The rows are in `simulator/catalogue/fields/requirements.py`,
            beside that of a receiver who requires a merchantTransactionId.
        """,
        reason="Only then is the shopper's browser involved.",
        setting="`three_d_secure` of a channel.",
        tests=(
            "simulator/tests/merchants/test_requirements.py",
            "features/structures.feature",
            "features/every_request.feature",
        ),
    ),
    Decision(
        "D-283",
        "Browser data and address that a merchant does not send",
        question="What becomes of a 3-D Secure payment without browser data or address?",
        answer="""
            Profile `specification` refuses it (D-146). In profile `field` a card in a range that
            takes part is pending with a redirect, and shopperResultUrl alone is required; the page
            behind redirect.url collects browser data, then the AReq is sent. What no browser
            says (a client that is none) has a usual value. An address is optional in an AReq and is
            left out.
        """,
        reason="Existing clients send neither, and are redirected (E59).",
        switch=Switch(
            "secure_data", "require", "collect", "browser data and address of 3-D Secure payments"
        ),
        tests=(
            "simulator/tests/three_d_secure/test_browsers.py",
            "features/field_answers.feature",
            "features/field_paths.feature",
        ),
    ),
    Decision(
        "D-193",
        "Which payments are authenticated, and when",
        question="Where does 3-D Secure stand in the processing of a payment?",
        answer="""
            Authenticated are the payments for which D-146 makes browser data and address mandatory:
            a PA, DB or PA.CP by card, sent to the API or through a checkout, of a brand for which
            the channel has a version 2. Payments with results of another MPI, with a wallet,
            merchant-initiated or by a schedule are not authenticated. Authentication comes after
            the risk check and before the acquirer; a payment that is declined before is not
            authenticated. Y and A (attempted) continue to the acquirer with eci, verificationId,
            dsTransactionId, version and authenticationStatus. Everything else is declined without
            calling the acquirer. Version 1 remains a pass-through: a channel set up for 1.x
            authenticates nothing.
        """,
        reason="""
            The acquirer must know who bears the loss, and a merchant who authenticated the shopper
            elsewhere has done it.
        """,
        setting="`three_d_secure` of a channel.",
        tests=(
            "simulator/tests/three_d_secure/test_three_d_secure.py",
            "features/three_d_secure.feature",
            "features/everywhere.feature",
        ),
    ),
    Decision(
        "D-194",
        "The way of the shopper",
        question="""
            Where is the page of the challenge, when is the AReq sent, and when is the acquirer
            called?
        """,
        answer="""
            With a method address the payment is pending with redirect.preconditions at once; the
            AReq is sent when the shopper comes to redirect.url, and states whether the method was
            called (Y, N; U where there is none). Without a method address the AReq is sent with the
            payment. shopperResultUrl is required where a redirect is needed, and only there. A
            browser is taken to the ACS by a page; other clients get acsURL and creq as JSON. The
            acquirer is called once the RReq was accepted and the browser came back with a CRes that
            agrees with it. card.cvv is not stored (D-42), so that after a challenge the acquirer is
            called without it. A shopper who does not come back is waited for as D-47 and D-242 say.
            RReqs are accepted at an address that contains a secret known to the directory server
            only.
        """,
        reason="""
            Between real 3DS servers and directory servers a client certificate identifies the
            sender; here the address does.
        """,
        tests=(
            "simulator/tests/three_d_secure/test_challenges.py",
            "simulator/tests/three_d_secure/test_pages.py",
            "features/three_d_secure.feature",
            "features/everywhere.feature",
            "features/notified.feature",
        ),
    ),
    Decision(
        "D-195",
        "Result codes of authentications, and authentications without a payment",
        question="""
            Which result code has each status, and what does an authentication without a payment
            return?
        """,
        answer="""
            The codes are the rows of `simulator/catalogue/messages/three_d_secure_outcomes.py`: N
            is 100.380.401 unless its reason has a row, R is 100.390.114 likewise, U is 100.390.112,
            data only 100.390.107, a card in no range 100.390.109, a shopper who cancels or does not
            finish (D-242) 100.390.124, no directory server 100.390.111. POST /v1/threeDSecure
            accepts the same card, browser data and address, has paymentType 3D, moves no money, and
            has codes of its own where they exist: 000.400.110 without a challenge (000.400.120 for
            data only), after a challenge the success code of the host, and 000.400.109 and others
            of 000.400.1xx where no authentication was possible. GET /v1/threeDSecure/{id} reads it;
            it sends no webhook. Where the channel is not set up for the brand it is 000.400.104; a
            brand of no card is refused with that, also one of a wallet, and nothing is stored. The
            card of a wallet is authenticated by its number under its own brand.
        """,
        reason="""
            Client expectations say 100.390.109 for a payment, public facts 000.400.109 for the
            simulator; the list has a code of both kinds for most results.
        """,
        tests=(
            "simulator/tests/three_d_secure/test_three_d_secure.py",
            "features/field_answers.feature",
            "features/three_d_secure.feature",
            "features/notified.feature",
        ),
    ),
    Decision(
        "D-196",
        "Fields of the 3-D Secure messages",
        question="Which parameter becomes which message field?",
        answer="""
            The mapping is `simulator/domain/three_d_secure/messages.py`. The amount is risk.amount
            where it is sent, in the minor unit of its currency. The requestor is
            threeDSecure.v2.<scheme>, else the channel. challengeIndicator is passed on; an
            exemptionFlag without it asks for no challenge (01 and 04: 02, 02: 05, 03: 08). 05 to 09
            are refused (TDS-04) on a channel set up for 2.1. Merchants without country and category
            are 826 and 5999. A message extension names the sandbox and the merchant's parameters.
            Responses show the result in `threeDSecure.*`: in addition to the fields of a request
            acsTransactionId, cardHolderInfo and flow.
        """,
        reason="The name of a request field says what it means; the other fields need a value.",
        tests=(
            "simulator/tests/three_d_secure/test_three_d_secure.py",
            "features/three_d_secure.feature",
            "features/everywhere.feature",
            "features/places.feature",
        ),
    ),
    Decision(
        "D-675",
        "What answers show of an authentication",
        question="""
            What does an answer show where a message has a value that the parameter of the same
            meaning may not have, and which enrollmentStatus?
        """,
        answer="""
            Answers keep the formats of the parameters: no threeDSecure.eci for 00 (Mastercard and
            UnionPay, N and U), no authenticationStatus for C, R and I; flow and result.code say
            it. The messages and the journal keep what was sent. enrollmentStatus is N where the
            issuer says that the cardholder is not enrolled (reason 13), else U with status U and Y
            with any other. So what POST /v1/threeDSecure answers for an authenticated shopper has
            all that data of an external MPI require (TDS-02).
        """,
        reason="""
            The specification defines eci as 01-08, and an answer by the structures of a request. A
            value that no request may send could not be handed on.
        """,
        tests=(
            "simulator/tests/three_d_secure/test_what_answers_show.py",
            "features/three_d_secure.feature",
        ),
    ),
    Decision(
        "D-696",
        "Messages of many 3-D Secure payments at once",
        question="In which order does the gateway send messages to the directory server?",
        answer="""
            Four are under way at once, of each sandbox one; a sandbox that has sent one comes
            behind all others that wait. One that has no answer after a tenth of a second is not
            counted any longer. The time of waiting counts into that for the answer.
        """,
        reason="""
            All come from the address of the gateway, so that the directory server cannot know whose
            they are: those of one sandbox with many payments would hold those of all others. An
            answer that a script withholds for half a minute may hold no other.
        """,
        tests=("simulator/tests/three_d_secure/test_link.py",),
    ),
    Decision(
        "D-197",
        "Forged, malformed, late and missing messages",
        question="How does the gateway react to forged, malformed, late and missing messages?",
        answer="""
            The acquirer is not called. acsSignedContent must be signed by a certificate that the
            root of the directory server signed and that is valid, and must contain the address and
            the ids of the ARes: 100.390.112. A malformed ARes or CRes is 100.390.115; one with
            other ids, or a CRes that contradicts the RReq, is 100.390.117; no answer is
            100.390.111. An RReq that is malformed, of another transaction, sent under another
            secret, repeated, or received after the payment ended is answered by Erro and changes
            nothing, and so is a CRes that names another server transaction. No message is sent
            twice.
        """,
        reason="Each of them is a way to be paid with a card whose holder was not authenticated.",
        tests=(
            "simulator/tests/three_d_secure/test_challenges.py",
            "simulator/tests/three_d_secure/test_link.py",
            "features/three_d_secure.feature",
        ),
    ),
    Decision(
        "D-242",
        "A challenge that is not finished",
        question="When does the gateway stop waiting for a challenge?",
        answer="""
            The ACS ends it after ten minutes and reports that (challengeCancel 04, 05): the payment
            ends at once, without the browser, with 100.390.124. Five seconds later the gateway ends
            it itself, as due work on the sandbox's clock, where neither a result arrived nor the
            browser came back. It makes no difference whether the shopper opened the challenge. A
            shopper who finished it but did not return is waited for as D-47 says (100.396.103), and
            so is one who never comes to redirect.url while the AReq waits for that (D-194, D-283).
        """,
        reason="""
            A shopper does not come back from a page that has expired. The text of the code is
            "shopper canceled or left the authentication".
        """,
        tests=("simulator/tests/three_d_secure/test_times.py", "features/three_d_secure.feature"),
    ),
    Decision(
        "D-198",
        "Messages of 3-D Secure 2",
        question="""
            Which messages are exchanged between gateway, directory server and ACS, and which fields
            must they have?
        """,
        answer="""
            Those of the EMV 3DS core protocol, versions 2.1.0 and 2.2.0, for payments in a browser.
            The fields are rows from which both sides compute a JSON Schema 2020-12. Required are
            those that a merchant of this gateway can fill. Unknown fields are ignored, an unknown
            critical extension is refused (202). A malformed AReq is answered by Erro with the code
            of the protocol, in the order kind, version, missing, format; it names fields, never
            values. PReq and PRes look up a single card. The sandbox is named in a message extension
            that is not critical.
        """,
        reason="""
            What a gateway sends can be seen, and disturbed, only where it is really sent. A list of
            all card ranges would contain no more than a lookup returns.
        """,
        tests=(
            "acquirer_mocks/tests/test_three_d_secure_bad_input.py",
            "acquirer_mocks/tests/test_three_d_secure.py",
            "features/three_d_secure.feature",
        ),
    ),
    Decision(
        "D-199",
        "What decides an authentication",
        question="Which of script, custom parameter, challenge indicator and test card wins?",
        answer="""
            In this order. A script with the step `acs` decides alone. customParameters[3DS2_flow]
            names the flow, also for cards in no list; [3DS2_enrolled]=true makes such a card
            frictionless, false makes any card not participating. Indicators 04 and 09 challenge a
            card that would pass; 02 and the exemptions 05, 07 and 08 let a card pass that would be
            challenged; 06 asks for data only (status I); 01 and 03 leave it to the card. None of
            them changes a card whose status is U or N.
        """,
        reason="""
            It is the order of every other outcome (script, custom parameter, test card). An ACS
            that grants each exemption shows what follows from it.
        """,
        tests=("acquirer_mocks/tests/test_three_d_secure.py",),
    ),
    Decision(
        "D-297",
        "Callers of the directory server",
        question="Whose AReq may use the scripts, the clock and the journal of a sandbox?",
        answer="""
            One with `Authorization: Bearer` and the control key of that sandbox, or the key with
            which the gateway itself asks. Any other AReq or lookup is of no sandbox: no script is
            matched or counted, and its challenges, at most 1,000, make room for each other only. A
            sandbox keeps at most 10,000 challenges.
        """,
        reason="The port of the ACS is open to browsers, and so to anyone who reaches it.",
        tests=("acquirer_mocks/tests/test_callers.py",),
    ),
    Decision(
        "D-200",
        "Meaning of the test card columns",
        question="""
            "Unenrolled" and "not participating" name no messages: what does the ARes contain, and
            which reasons go with N and U?
        """,
        answer="""
            An unenrolled card is in a range that participates, and its ARes is N with reason 13
            (cardholder not enrolled). A card that does not participate is in no range, like any
            card in no list: the lookup says so, and an AReq is answered by Erro 305. U has reason
            22; a rejection (R) has reason 11 and a text for the shopper. ECI is 05, 06, 07; for
            Mastercard, Maestro and UnionPay 02, 01, 00; for data only 07, or 04. Answers of the
            gateway do not show 00 (D-675). The authentication value is 20 bytes in Base64.
        """,
        reason="""
            The sources write (status N) and (status U) beside the columns, and the reasons of the
            protocol fit them.
        """,
        tests=("acquirer_mocks/tests/test_three_d_secure.py",),
    ),
    Decision(
        "D-201",
        "What the ACS signs",
        question="Is anything signed in the browser channel, and by whom?",
        answer="""
            An ARes with a challenge contains acsSignedContent, a JWS with ES256 under a root that
            the directory server creates in each process and publishes. In addition to acsURL and an
            ephemeral key, which no browser uses, it contains the three ids of the transaction.
            Certificates are valid from 2000 to 2099.
        """,
        reason="""
            A gateway has to detect a forged or replayed challenge. Sandboxes may be at any date. A
            root in a file would be one more secret to keep.
        """,
        tests=("acquirer_mocks/tests/test_three_d_secure_signing.py",),
    ),
    Decision(
        "D-357",
        "Results of several sandboxes",
        question="When does the ACS send the results of challenges that time out?",
        answer="""
            It looks once a second. The results of one sandbox are sent one after the other, those
            of different sandboxes at the same time; challenges of no sandbox count as those of one.
        """,
        reason="""
            A result that is not taken is sent three times: with the address in an AReq, one caller
            could otherwise delay the time-outs of all others.
        """,
        tests=("acquirer_mocks/tests/test_results_of_sandboxes.py",),
    ),
    Decision(
        "D-202",
        "The challenge and its result",
        question="How does a challenge proceed, how long does it last, and how is its result sent?",
        answer="""
            The one-time code is shown on the page; three invalid codes end the challenge. It lasts
            ten minutes of sandbox time. The RReq is posted first, up to three times while there is
            no answer, and only to addresses of the gateway itself: an AReq that names another
            address is refused with 303. Then the browser takes the CRes back. Challenges are kept
            in memory, at most 10,000 for at most an hour, without card numbers; a restart drops
            them, and the gateway ends their payments by its own time-out. Only the page of the ACS,
            or a client that is not a browser, may act; a foreign origin is refused. `late` is 40
            minutes, beyond the 30 that a payment waits.
        """,
        reason="""
            A server that posts wherever a message says could be made to reach what only it can
            reach.
        """,
        tests=(
            "acquirer_mocks/tests/test_three_d_secure_challenges.py",
            "acquirer_mocks/tests/test_three_d_secure_bad_input.py",
            "features/three_d_secure.feature",
        ),
    ),
    Decision(
        "D-307",
        "Several browsers at one 3-D Secure page",
        question="How often is the AReq sent that waits for the method of the issuer?",
        answer="""
            Once: the first browser stores a claim, sends it, and applies the ARes to the payment as
            it stands then. Others wait for the result, at most ten seconds, then get 503 with
            Retry-After. A claim whose AReq came to nothing, because the server stopped, lapses
            after a minute of sandbox time.
        """,
        reason="""
            Each AReq is an authentication of its own at the ACS: a second one would end the
            challenge that the first browser shows.
        """,
        tests=(
            "simulator/tests/adapters/store/test_stale_records.py",
            "features/three_d_secure.feature",
        ),
    ),
    Decision(
        "D-330",
        "The merchant's name on the page of a challenge",
        question="""
            Which name does the directory server get as merchantName, and the shopper see at the
            ACS and at the bank?
        """,
        answer="""
            threeDSecure.merchant.name; without it merchant.name; without both the name of the
            merchant entity. The first 40 characters are sent. threeDSRequestorName is another
            field: that of the brand's scheme, else the name of the channel. The page of a redirect
            shows the same name, but not threeDSecure.merchant.name.
        """,
        reason="""
            EMVCo defines merchantName as the name assigned by the acquirer or the payment system,
            the same as in the authorization message. merchant.name is what the shopper's statement
            shows. The name of a channel, such as "Web", means nothing to a shopper.
        """,
        tests=(
            "simulator/tests/three_d_secure/test_three_d_secure.py",
            "simulator/tests/payments/test_redirect_page.py",
        ),
    ),
)
