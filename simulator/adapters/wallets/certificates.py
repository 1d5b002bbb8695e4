"""The certificates that travel with a wallet token: from the one that signed to the authority.

Leaf and intermediate certificate carry two marks. Source: Mobile wallet, way 1; the protocol is the
wallet provider's. Choice: D-151.
"""

from collections.abc import Sequence
from datetime import datetime

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.x509 import verification
from cryptography.x509.oid import PublicKeyAlgorithmOID

from simulator.domain.wallets import InvalidWalletTokenError

# What the readers of messages and certificates raise for bytes that are neither.
UNREADABLE = (
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    UnsupportedAlgorithm,
    x509.DuplicateExtension,
    x509.InvalidVersion,
    x509.UnsupportedGeneralNameType,
)
LEAF_MARK = x509.ObjectIdentifier("1.2.840.113635.100.6.29")
INTERMEDIATE_MARK = x509.ObjectIdentifier("1.2.840.113635.100.6.2.14")


def trusted_leaf(
    certificates: Sequence[x509.Certificate], authority: x509.Certificate, now: datetime
) -> x509.Certificate:
    """The certificate that signed, if a valid chain leads from it to our authority. Raises
    InvalidWalletTokenError.
    """
    leaves = [each for each in certificates if _has(each, LEAF_MARK)]
    between = [each for each in certificates if _has(each, INTERMEDIATE_MARK)]
    if len(leaves) != 1 or len(between) != 1:
        raise InvalidWalletTokenError(
            "a marked leaf and a marked intermediate certificate in the signature"
        )
    _refuse_other_keys((*leaves, *between))
    anything = verification.ExtensionPolicy.permit_all()
    issuing = anything.require_present(
        x509.BasicConstraints, verification.Criticality.AGNOSTIC, _refuse_unless_issuing
    )
    verifier = (
        verification.PolicyBuilder()
        .store(verification.Store([authority]))
        .time(now)
        .extension_policies(ca_policy=issuing, ee_policy=anything)
        .build_client_verifier()
    )
    try:
        verifier.verify(leaves[0], between)
    except (verification.VerificationError, *UNREADABLE) as error:
        raise InvalidWalletTokenError(
            f"certificates of a chain to the authority that is valid at {now:%F %T}"
        ) from error
    return leaves[0]


def _refuse_other_keys(certificates: Sequence[x509.Certificate]) -> None:
    """An RSA key of a long exponent would take many milliseconds to verify with."""
    kinds = {each.public_key_algorithm_oid for each in certificates}
    if kinds != {PublicKeyAlgorithmOID.EC_PUBLIC_KEY}:
        raise InvalidWalletTokenError(
            "certificates of keys on elliptic curves, got one of another kind"
        )


def _refuse_unless_issuing(
    policy: object, certificate: x509.Certificate, found: x509.BasicConstraints
) -> None:
    if not found.ca:
        raise ValueError("expected a certificate that may issue others")


def _has(certificate: x509.Certificate, mark: x509.ObjectIdentifier) -> bool:
    try:
        return any(each.oid == mark for each in certificate.extensions)
    except UNREADABLE as error:
        raise InvalidWalletTokenError(
            "certificates with extensions, got some that cannot be read"
        ) from error
