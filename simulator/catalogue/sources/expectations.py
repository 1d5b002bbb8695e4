"""What existing clients of such gateways expect: the ids are cited by tests and by profile `field`.

E51 to E70 were found when existing clients were first tried.
"""

from simulator.catalogue.sources.statements import read_statements

TEXT = """\
Paths and methods

E01  Paths of checkouts have the version prefix: POST /v1/checkouts, GET /v1/checkouts/{id}/payment
     and GET /v1/checkouts/{id}/registration.
E02  A payment that refers to another is posted to /v1/payments/{id}, with the type CP, RF, RV, RB
     or RC.
E03  RV is sent without amount and currency or with an empty amount; CP and RF with both, also for a
     part.
E04  RF refers to a DB or a CP, CP to a PA, RV to a PA or a DB.
E05  Registrations are created, read, removed and charged with PA, DB or CP under /v1/registrations.
E06  Parameters of GET and DELETE, including entityId, are sent in the query.
E07  GET /v1/payments/{id} returns the payment; for the id of a registration it returns the
     registration.
E08  A path with a trailing slash is the same path.
E09  Reports by id and by reference, updates of a checkout and the script of the form have the paths
     that many clients use.

Requests

E10  authentication.entityId is another name of entityId.
E11  authentication.userId and authentication.password are the same credential as the token that is
     Base64 of both.
E12  Forms have the bare content type or one with a charset, and are percent-encoded or not.
E13  GET with a form content type or an empty body, and DELETE with a form, are accepted.
E14  A parameter with an empty value is absent.
E15  Unknown parameters are ignored.
E16  A boolean is sent as true or as 1.
E17  10, 92 and 92.00 are valid amounts, with up to 12 digits; 92.0 and -20.20 are refused with the
     pattern.
E18  The same merchantTransactionId may be sent again, also on a capture of its payment.
E19  PA.CP is a payment type; the list for new payments is PA, DB, CD, PA.CP.
E20  customParameters[forceResultCode] makes the simulator return that code, and is echoed.
E21  paymentBrand may be omitted where the card number identifies the brand.

Responses

E22  A new checkout is 000.200.100. Its id and ndc are equal: 32 upper-case hex digits, a dot, a
     node name.
E23  A checkout without a payment is 000.200.000 without an id; its ndc is the id of the checkout.
E24  A checkout that is unknown, expired or was already read is 400 with 200.300.404: No payment
     session found.
E25  Format errors are 400 with 200.300.404 and name, value and message of each, without an id and
     without echoed parameters.
E26  A success in the simulator is exactly 000.100.110, Request successfully processed in 'Merchant
     in Integrator Test Mode'.
E27  A card number with an invalid check digit is 400 with 100.100.101.
E28  A declined payment is 400 with id, type, brand and card, without amount, currency and
     descriptor.
E29  The members of a successful payment are in a fixed order, from id to ndc.
E30  card has bin, last4Digits, holder, expiryMonth and expiryYear, all of them strings.
E31  A success always has a descriptor; where none was sent it is dddd.dddd.dddd and the name of the
     channel.
E32  The response to CP, RF and RV has amount, currency and descriptor, but no brand and no card.
E33  A registration without a payment has id, result and card, but no payment type and no amount.
E34  registrationId is in the response to the payment, and in the status of the checkout.
E35  A payment with a registration uses its brand and account.
E36  A reference to an unknown payment is an ordinary refusal with id and type; the code depends on
     the type.
E37  CP, RF and RV without a reference are format errors of paymentType.
E38  Authentication errors are 800.900.300; a header that is not a Bearer token is 401 with
     WWW-Authenticate.
E39  Every error response is JSON with ndc, timestamp, buildNumber and a result.
E40  The ndc is entity id, underscore and 32 hex digits; the hex digits alone where no entity is
     known.
E41  Ids of payments and registrations are 32 lower-case hex digits that begin with 8.
E42  A timestamp has the form 2020-04-14 12:14:33+0000.
E43  The content type is application/json;charset=UTF-8, and the body is sent in one piece.
E44  An asynchronous brand returns 000.200.000 with redirect.url and redirect.parameters, a list.
E45  shopperResultUrl is required where the shopper is redirected.
E46  The shopper returns with id and resourcePath of the checkout, which the merchant then reads.
E47  The status of a checkout repeats merchantTransactionId, customParameters and the cart items.
E48  integrity=true on a checkout returns a member integrity.
E49  Reading an unknown payment is any 4xx with a JSON result.
E50  Removing a registration is 000.100.110; it cannot be charged afterwards.

Webhooks

W1   A notification is hex text of AES-256-GCM with initialization vector and tag in headers; a JSON
     wrapper is an option.
W2   The plain text has type and payload: the response, authentication.entityId, presentationAmount
     and presentationCurrency.
W3   The activation test has the type test and the action webhook activation.
W4   The action of a payment may be missing.
W5   notificationUrl is called by GET with id and resourcePath.

Second list

E51  result.description is exactly the text of the code; explanations are in other members.
E52  The description of 600.200.100 contains "invalid Payment Method".
E53  Any customer parameter may be sent without customer.givenName and customer.surname.
E54  Many online brands redirect with any or no bankAccount parameter and are pending with
     redirect.url; PREPAYMENT also accepts DB.
E55  More online brands of shop plug-ins redirect; the brands of wallets are known.
E56  ASYACARD, AXESS, BONUS, WORLD and POSTEPAY are card brands without a range of their own.
E57  BRADESCO is registered with customer and billing data and without an account.
E58  A parameter sent twice with the same value counts once; a custom parameter sent twice with two
     values is accepted, and one is kept.
E59  On a channel with 3-D Secure no payment is refused for missing browser data or address; missing
     data are collected behind redirect.url.
E60  POST /v1/threeDSecure on a channel without 3-D Secure for the brand calls no acquirer and is
     not a success.
E61  Responses to CP, RF and RV contain referencedId.
E62  RF with the id of a captured PA refunds from its captures; without a capture it is 700.400.520.
E63  RC may refer to a PA, CP, DB or RB.
E64  GET /v3/query/{id} exists; responses of /v3/query have their list in records, beside pages;
     date.to may be omitted.
E65  DELETE /scheduling/v1/schedules/{id} ends a schedule, as deschedule does.
E66  GET /v1/fastcheckout/integrity returns a member integrity without a checkout.
E67  shipping.method, billing.state, shipping.state and shipping.city accept any text, risk.amount
     whole numbers.
E68  A parameter that the merchant fixed and the form sends again is refused; card.holder only
     prefills the form.
E69  source of a payment made through a checkout is OPPUI; the activation test has the code
     000.100.110.
E70  paymentWidgets.js draws a form.
"""

EXPECTATIONS = read_statements(TEXT)
