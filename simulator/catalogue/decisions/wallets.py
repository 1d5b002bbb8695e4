"""Decisions about wallets."""

from simulator.grammar.decisions import Decision, area

WALLETS = area(
    "Wallets",
    "Encrypted wallet tokens: formats, age, replay.",
    Decision(
        "D-151",
        "Formats of wallet tokens",
        question="Which format does the token of a mobile wallet have?",
        answer="""
            The two that wallets use: EC_v1 (CMS signature, ECDH, AES-256-GCM) and ECv2 (signed
            keys, ECDH, AES-256-CTR with HMAC), with the names and object identifiers that the
            protocols define. Each sandbox has keys and a certificate authority of its own, created
            on first use and sealed; a reset replaces them. A token that holds more than wallets
            send is refused with 200.100.602 before it is read: a CMS message of more than 8 KiB or
            512 elements, a value in it of more than 1 KiB, a certificate whose key is not on an
            elliptic curve, more than 16 signatures of an intermediate key.
        """,
        reason="""
            A token of another format would teach nothing, and one shared key would let tokens cross
            sandboxes. A message is read while others wait: genuine ones have 2 to 4 KB and 130 to
            300 elements, one of 1,170 attributes took 80 ms and more.
        """,
        tests=(
            "simulator/tests/accounts/test_wallets.py",
            "simulator/tests/accounts/test_crowded_wallets.py",
            "features/wallets.feature",
        ),
    ),
    Decision(
        "D-152",
        "Age of a token",
        question="How old may a wallet token be?",
        answer="""
            An EC_v1 token is valid for five minutes from its signature, by the clock of the
            sandbox. An ECv2 token is valid until the message or the key that signed it expires; in
            tokens that this gateway creates these are an hour and seven days.
        """,
        reason="""
            The first protocol leaves "a few minutes" to the receiver; the second states the expiry
            itself.
        """,
        tests=("simulator/tests/accounts/test_wallets.py",),
    ),
    Decision(
        "D-153",
        "Replay of a token",
        question="May a token be used again, or for another amount?",
        answer="""
            A token pays once: its use is stored with the payment, declined or not. A request that
            was refused leaves the token valid, and so does one of a brand of another account, such
            as EPS, which does not open it. It is known again by what is signed of it (EC_v1), or by
            its messageId (ECv2), however it is written; the hashes in the header of an EC_v1 token
            have 64 hex digits each. A token that contains an amount (EC_v1) pays that amount in
            that currency. Both violations are refused with 200.100.602, a token for another
            recipient with 200.100.603. The recipient is the sandbox: a token pays at each of its
            merchants. What a token leaves is not bound by it: a registration, made with a payment
            or alone, charges any amount later, without the cryptogram, as a card on file does.
        """,
        reason="""
            The ids in a token exist to detect replay, and the shopper has seen the amount. The
            cryptogram is for one transaction; what is charged later rests on the agreement with the
            shopper. The key that opens tokens is the gateway's own, one for each sandbox.
        """,
        tests=(
            "simulator/tests/accounts/test_card_in_wallet.py",
            "simulator/tests/accounts/test_wallets.py",
            "simulator/tests/accounts/test_wallet_replays.py",
            "features/wallets.feature",
            "features/everywhere.feature",
        ),
    ),
    Decision(
        "D-370",
        "What a token may carry",
        question="A token was opened: may its cryptogram and ECI be any text?",
        answer="""
            They obey the rows of threeDSecure.verificationId and threeDSecure.eci, as if the
            merchant had sent them. Anything else is refused with 200.100.602, which names the
            parameter and never repeats the value.
        """,
        reason="Both are stored and answered; a card number in them would come back in clear.",
        tests=("simulator/tests/accounts/test_wallets.py",),
    ),
    Decision(
        "D-154",
        "Where tokens come from",
        question="No wallet issues tokens to a sandbox: how does a test get one?",
        answer="""
            The control API creates them (`POST .../wallet/tokens`, `sandgate wallet token`), on
            request with one fault: signature, certificate, chain, recipient, stale.
        """,
        reason="Every refusal can be produced in a test.",
        tests=("simulator/tests/accounts/test_wallets.py",),
    ),
)
