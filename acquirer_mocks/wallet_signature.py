"""The detached signature of a wallet token, as CMS. Source: Mobile wallet, way 1."""

import hashlib
from datetime import datetime

from asn1crypto import algos, cms, core
from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding

FIRST_SHORT_YEAR, LAST_SHORT_YEAR = 1950, 2049


def signature_of(
    content: bytes,
    leaf: x509.Certificate,
    between: x509.Certificate,
    *,
    key: EllipticCurvePrivateKey,
    signed_at: datetime,
) -> bytes:
    """The signature of `content` by the key of `leaf`, with both certificates."""
    attributes = _signed_attributes(content, signed_at)
    signer = _signer(attributes, leaf, key.sign(attributes.dump(), ECDSA(SHA256())))
    certificates = [
        asn1_x509.Certificate.load(each.public_bytes(Encoding.DER)) for each in (leaf, between)
    ]
    signed = cms.SignedData(
        {
            "version": "v1",
            "digest_algorithms": [algos.DigestAlgorithm({"algorithm": "sha256"})],
            "encap_content_info": {"content_type": "data"},
            "certificates": certificates,
            "signer_infos": [signer],
        }
    )
    envelope = cms.ContentInfo({"content_type": "signed_data", "content": signed})
    encoded: bytes = envelope.dump()
    return encoded


def _signed_attributes(content: bytes, signed_at: datetime) -> cms.CMSAttributes:
    digest, whole = hashlib.sha256(content).digest(), signed_at.replace(microsecond=0)
    return cms.CMSAttributes(
        [
            cms.CMSAttribute({"type": "content_type", "values": ["data"]}),
            cms.CMSAttribute({"type": "signing_time", "values": [_time_of(whole)]}),
            cms.CMSAttribute({"type": "message_digest", "values": [digest]}),
        ]
    )


def _time_of(moment: datetime) -> cms.Time:
    """A time as CMS has it: with two digits of the year until 2049. Source: RFC 5652, 11.3."""
    if FIRST_SHORT_YEAR <= moment.year <= LAST_SHORT_YEAR:
        return cms.Time({"utc_time": core.UTCTime(moment)})
    return cms.Time({"generalized_time": core.GeneralizedTime(moment)})


def _signer(
    attributes: cms.CMSAttributes, leaf: x509.Certificate, signature: bytes
) -> cms.SignerInfo:
    certificate = asn1_x509.Certificate.load(leaf.public_bytes(Encoding.DER))
    named = {"issuer": certificate.issuer, "serial_number": certificate.serial_number}
    return cms.SignerInfo(
        {
            "version": "v1",
            "sid": {"issuer_and_serial_number": cms.IssuerAndSerialNumber(named)},
            "digest_algorithm": {"algorithm": "sha256"},
            "signed_attrs": attributes,
            "signature_algorithm": {"algorithm": "sha256_ecdsa"},
            "signature": signature,
        }
    )
