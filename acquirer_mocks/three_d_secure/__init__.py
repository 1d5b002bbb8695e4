"""The simulators of 3-D Secure 2: a directory server and an access control server (ACS) in one
WSGI application, behind a listener of its own. Versions 2.1.0 and 2.2.0, browser channel.

Messages are JSON with the names of the EMV 3DS core protocol; which fields each has, and their
forms, are the rows of simulator/catalogue/messages/three_d_secure.py. `{acs_url}` ends with a
slash.

Directory server, for the gateway's 3DS server (JSON in, JSON out):

POST {acs_url}ds/lookup   {"acctNumber": "...", "messageExtension": [...]}
    What PReq and PRes say of one card: {"enrolled": true, "messageVersions": ["2.1.0", "2.2.0"],
    "threeDSMethodURL": "..."}. `enrolled` is whether the range of the card takes part: where it is
    false there are no versions, and an AReq is answered by Erro 305. A card of the list "not
    enrolled (status N)" has a range that takes part; its ARes says N with reason 13. The address of
    the method is absent where the issuer has none. The extension is optional: with it scripts are
    matched (they do not count here), and so is what forces a card that is on no list.
POST {acs_url}ds/areq     AReq -> ARes, or Erro
    Always 200 with a message, but 504 with an empty body where a script withholds the answer.
GET  {acs_url}ds/certificate
    The root certificate of the directory server, PEM. acsSignedContent of an ARes with transStatus
    C is a JWS in compact form (PS256 or ES256) with the chain in x5c, made under that root. Its
    payload has acsURL, acsEphemPubKey, and the ids of the transaction (threeDSServerTransID,
    acsTransID, dsTransID): a replayed one names another transaction. The header is longer than the
    512 bytes that joserfc takes by default: a JWSRegistry with a larger max_header_length reads it.

Results, from the ACS through the directory server to the gateway (JSON, POST):

POST threeDSServerURL of the AReq   RReq -> RRes, or Erro
    Sent at the end of a challenge, before the browser goes back; three attempts. It goes only to
    addresses of the gateway itself; an AReq that names another one is answered by Erro 303.

ACS, for the browser (application/x-www-form-urlencoded):

POST {acs_url}acs/method             threeDSMethodData (Base64url JSON)
    A page that posts threeDSMethodData {"threeDSServerTransID": ...} to the notification URL.
POST {acs_url}acs/challenge/{acsTransID}     creq (Base64url JSON), threeDSSessionData
    This is acsURL of the ARes. The page of the challenge; its own form posts `code` or `cancel`
    to the same address. At the end the page posts cres (and threeDSSessionData) to notificationURL.

ACS, for machines (JSON or form):

POST {acs_url}acs/challenge/{acsTransID}     {"action": "approve|decline|cancel|wrong"}
    What a person does, without a page: {"notificationURL": ..., "cres": ..., "transStatus": ...}
    and threeDSSessionData where a creq brought it. Before the end, after a wrong code, only
    {"attemptsLeft": 2}. The RReq was sent when this is answered. A creq need not come first.

What steers an authentication, the first that says something: a script of the sandbox with the step
`acs`; customParameters[3DS2_enrolled] and [3DS2_flow]; threeDSRequestorChallengeInd; the list of
test cards. The sandbox travels in an extension of the AReq (and of the lookup):

{"name": "Sandgate", "id": "sandgate-sandbox", "criticalityIndicator": false,
 "data": {"sandbox": "<id>", "entity": "<id>", "payment": "<id>", "type": "PA", "brand": "VISA",
          "parameters": {"customParameters[3DS2_flow]": "challenge", ...}}}

`parameters` are the merchant's flat parameters, for `match` of scripts. Everything in data is
optional; without `sandbox` no script is matched and the real clock counts. The same holds for a
caller that does not show it belongs to the sandbox: `Authorization: Bearer` with the control key of
the sandbox. The gateway sends a key of its own.

What a step `acs` does beyond the outcome it names: bad_signature (acsSignedContent does not fit its
signature), replay (the RReq comes twice, the second after the browser went back), wrong_id (RReq
and CRes name another acsTransID), tampered_status (the RReq says what happened, the CRes the
opposite), late (the RReq comes 40 minutes of world time after the browser went back), no_answer
(the AReq is not answered: 504 after 30 seconds of world time). All but the last make it a
challenge.

Source: 3D Secure; public facts 8 and 9. Choices: D-198 to D-202, D-297.
"""
