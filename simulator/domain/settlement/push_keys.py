"""The private key that a merchant's server is logged in to with, as it was sent.

The library tests the primes of an RSA key for a second, and nothing else goes on meanwhile. Here
its numbers have to fit each other, and each prime passes one test of Fermat: with others a
signature would take as long. Choice: D-620.
"""

from binascii import Error as BadBase64

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_ssh_private_key
from cryptography.hazmat.primitives.serialization.ssh import SSHPrivateKeyTypes

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.merchants.sftp import RSA_BITS_MIN

# A longer one takes a tenth of a second to test, and to sign with.
RSA_BITS_MAX, EXPONENT_BITS_MAX = 4096, 32
BASE = 3
EXPECTED = (
    "a private key as OpenSSH writes it, without passphrase "
    f"(RSA: {RSA_BITS_MIN} to {RSA_BITS_MAX} bits)"
)


def read_push_key(key: str) -> SSHPrivateKeyTypes:
    """The private key in this text. Raises InvalidInputError."""
    try:
        found = load_ssh_private_key(key.encode(), None, unsafe_skip_rsa_key_validation=True)
    except (ValueError, TypeError, BadBase64, UnsupportedAlgorithm):
        raise InvalidInputError("key", EXPECTED, "one that cannot be read") from None
    if isinstance(found, RSAPrivateKey):
        _refuse_rsa(found)
    return found


def _refuse_rsa(key: RSAPrivateKey) -> None:
    if not RSA_BITS_MIN <= key.key_size <= RSA_BITS_MAX:
        raise InvalidInputError("key", EXPECTED, f"an RSA key of {key.key_size} bits")
    if not _fits(key):
        raise InvalidInputError("key", EXPECTED, "one whose numbers do not fit each other")


def _fits(key: RSAPrivateKey) -> bool:
    """Whether the primes make the modulus, and the exponents belong to them (RFC 8017, 3.2)."""
    private = key.private_numbers()
    public, first, second = private.public_numbers, private.p, private.q
    return (
        abs(first.bit_length() - second.bit_length()) <= 1
        and first * second == public.n
        and public.e.bit_length() <= EXPONENT_BITS_MAX
        and private.d * public.e % (first - 1) == 1
        and private.d * public.e % (second - 1) == 1
        and private.dmp1 == private.d % (first - 1)
        and private.dmq1 == private.d % (second - 1)
        and private.iqmp * second % first == 1
        and _is_probably_prime(first)
        and _is_probably_prime(second)
    )


def _is_probably_prime(number: int) -> bool:
    """Whether it passes for one base. What is made to pass signs in a tenth of a second."""
    power = 1
    # As pow does, which lets no other thread go on before it is done.
    for digit in f"{number - 1:b}":
        power = power * power % number
        if digit == "1":
            power = power * BASE % number
    return power == 1
