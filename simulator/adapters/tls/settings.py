"""What both sides of TLS may make each other compute: a little. Choice: D-713."""

import ssl

# Of TLS 1.2: exchanges on curves alone. In a group of numbers, which the other side may choose, one
# takes a second.
CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20:ECDHE+AES:!aNULL:!SHA1"
# Every client and server has it; the library takes one alone.
CURVE = "prime256v1"


def restrict(context: ssl.SSLContext) -> None:
    """Let a context take key exchanges on one curve alone."""
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_ciphers(CIPHERS)
    context.set_ecdh_curve(CURVE)
