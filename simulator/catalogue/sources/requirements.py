"""The requirements of the specification: their ids are cited by rules, tests and reports."""

from simulator.catalogue.sources.statements import read_statements

TEXT = """\
Service

SVC-01  A card payment (card.*) is forwarded to an acquirer and its result returned
SVC-02  A mobile wallet payment is accepted as an encrypted token (mobileWallet.paymentToken) which
        the gateway decrypts
SVC-03  A mobile wallet payment is accepted as decrypted data (card.number, card.expiryMonth,
        card.expiryYear, threeDSecure.verificationId, threeDSecure.eci, mobileWallet.source)
SVC-04  A virtual account payment (virtualAccount.accountId) is processed
SVC-05  A direct debit by national account (bankAccount.number with bankAccount.bankCode) is
        processed
SVC-06  A SEPA direct debit (bankAccount.iban with mandate fields) is processed
SVC-07  A bank transfer is processed asynchronously
SVC-08  With card brand detection paymentBrand may be omitted and the detected brand is returned
SVC-09  A checkout is created first and referenced by its id; the hosted form completes a payment;
        the merchant then fetches the outcome
SVC-10  A checkout can complete a registration instead of a payment
SVC-11  A registration is created directly
SVC-12  A registration is created as a side effect of a payment with createRegistration=true
SVC-13  A registration is reused for later payments and for recurring payments
SVC-14  Recurring migration brings an existing recurring agreement in as a registration
SVC-15  Card-on-file flags (standingInstruction.*) are accepted and reach the acquirer
SVC-16  An asynchronous payment redirects the shopper and delivers the result to shopperResultUrl
        and to notificationUrl
SVC-17  A risk check runs on its own and as part of a payment
SVC-18  External 3D Secure data is passed to the acquirer unchanged
SVC-19  A point-of-sale terminal transaction is processed
SVC-20  A scheduled payment job executes payments at its trigger times
SVC-21  Reporting answers for a date range (date.from and date.to)
SVC-22  A chargeback is booked by a back-office request
SVC-23  Reconciliation reports are delivered as CSV files from a file-transfer server
SVC-24  Webhook notifications are delivered

Hosts

HOST-01  A test host and a live host exist with separate configuration
HOST-02  A base address used in merchant-side callbacks ends with a slash
HOST-03  The live host answers with its own tokens limits and success code; testMode INTERNAL on it
         reaches the simulators

Transport

TRN-01  Requests without TLS are refused where TLS is required
TRN-02  Request data is read from the body as UTF-8 parameters including non-ASCII values
TRN-03  application/x-www-form-urlencoded; charset=UTF-8 is accepted
TRN-04  Every response is JSON
TRN-05  Dotted parameter names map to nested response objects
TRN-06  Repeated structures use indexes in square brackets starting at 0; a gap or a wrong start is
        refused
TRN-07  Key-value maps use a key in square brackets

Test modes

MODE-01  testMode accepts only EXTERNAL and INTERNAL
MODE-02  testMode defaults to INTERNAL and INTERNAL is answered by the gateway's own simulators
MODE-03  EXTERNAL forwards to the processor's own test system over its real link
MODE-04  The same script gives the same outcome by INTERNAL and by EXTERNAL

Hosted form

FORM-01  The checkout id stops being valid 30 minutes after creation
FORM-02  3D Secure is built into the form for a channel configured for it and an enrolled card
FORM-03  The form speaks the 25 languages en de fr es it nl dk fi se tr ja sl pt pl cz hu bg ro ru
         cn gr no sk ar ko
FORM-04  Label texts can be overridden client-side
FORM-05  A shopper who closes a popup continues the same checkout with another brand
FORM-06  Several brands per checkout session are handled
FORM-07  The form works as a stand-alone widget
FORM-08  The form is responsive
FORM-09  The form page carries the X-UA-Compatible edge meta tag and its script runs on the oldest
         named browser's language level
FORM-10  The brands on offer can be changed dynamically per shopper during checkout
FORM-11  The widget may be embedded in an existing form; nested forms are avoided and the widget's
         fields are not submitted with the outer form
FORM-12  Custom parameters sent by the form must start with SHOPPER_

Basic payment

PAY-01  amount is required for payments and has 1-10 integer digits with an optional dot and two
        decimals
PAY-02  amount is the only amount that affects processing
PAY-03  currency is a required uppercase ISO 4217 code
PAY-04  paymentBrand is mandatory unless card brand detection is used
PAY-05  paymentType is required where the operation needs it; PA DB CD and RG are known
PAY-06  overridePaymentType[brand] is accepted only when a checkout is created and overrides the
        type for that brand alone
PAY-07  descriptor fills the statement name and merchant.name overrides it
PAY-08  merchantTransactionId has 8-255 characters and is required by the receivers that demand it
PAY-09  merchantInvoiceId is not sent onward to the acquirer
PAY-10  merchantMemo appears only in reporting
PAY-11  transactionCategory has 0-32 letters and digits
PAY-12  merchantInvoiceId and merchantMemo have 8-255 characters
PAY-13  Use of descriptor depends on the merchant account configuration

Card account

CARD-01  card.number has 12-19 digits; card.cvv 3-4 digits; card.holder 3-128 characters
CARD-02  An expired card and a number failing its check digit are refused
CARD-03  card.expiryMonth is 01-12
CARD-04  card.expiryYear has four digits starting with 19 or 20
CARD-05  When card.cvv is due is decided and kept

Mobile wallet

WAL-01  mobileWallet.source accepts web and app

Virtual account

VIRT-01  virtualAccount.accountId is required with 1-100 characters

Bank account

BANK-01  Either bankAccount.number or bankAccount.iban is required
BANK-02  Either bankAccount.bankCode or bankAccount.bic is required
BANK-03  bankAccount.mandate.id is exactly 35 letters and digits and bankAccount.mandate.reference
         exactly 32
BANK-04  mandate.id mandate.dateOfSignature and transactionDueDate take no part in risk checks
BANK-05  transactionDueDate sets the due date of the direct debit
BANK-06  bankAccount.holder is required with 4-128 characters
BANK-07  bankAccount.iban has two letters two digits and 11-27 letters or digits; bic 8 or 11

Customer

CUST-01  customer.givenName and customer.surname are required as soon as any other customer
         parameter is sent
CUST-02  customer.givenName and customer.surname are truncated after 48 characters and not refused
CUST-03  customer.identificationDocType and customer.identificationDocId require each other
CUST-04  The customer.browser fields marked so are mandatory for 3D Secure version 2
CUST-05  shipping.customer.* accepts every customer field but browserFingerprint.* and
         browser.deviceId with the same formats
CUST-06  shipping.customer fields are all optional
CUST-07  Phone numbers use only the allowed characters and start

Billing address

ADDR-01  street1 and street2 together must not consist of digits only
ADDR-02  With houseNumber1 present street1 holds the street name alone and street2 is ignored; the
         same for shipping
ADDR-03  houseNumber2 requires houseNumber1; the same for shipping
ADDR-04  billing street1 city postcode and country are mandatory for 3D Secure version 2
ADDR-05  Billing data feeds address verification and result.avsResponse reports A Z N U or F

Shipping address

SHIP-01  shipping.method and shipping.preference accept only their listed values

Merchant

MERCH-01  merchant.* overrides statement data
MERCH-02  merchant.data[key] takes keys of 3-64 letters digits dot underscore and values of 0-2048
MERCH-03  merchant.submerchantId is for payment facilitators of one card scheme

Cart

CART-01  cart.items is indexed from 0 and takes at most 1000 items
CART-02  cart.items[n].quantityUnit defaults to COUNT
CART-03  cart.payments[n].status accepts pending authorized captured
CART-04  Prices totals taxes and discounts have their decimals; quantity up to 12 digits with up to
         three decimals

Airline

AIR-01  Passengers and their legs are indexed from 0 and nested

Tokenization

TOK-01  createRegistration=true returns registrationId
TOK-02  overrideHolder fills an empty holder for that payment only and leaves the registration
        unchanged
TOK-03  overrideHolder applies to checkout preparation and update and to server-to-server one-click
        payments

Recurring

REC-01  recurringType accepts INITIAL and REPEATED
REC-02  recurring.numberOfInstallments has up to three digits

Recurring migration

MIG-01  A migration is an RG carrying the original INITIAL data with recurringMigration.paymentType
        DB CD or PA mandatory
MIG-02  amount requestTimestamp and connectorTxId fields keep their formats

3D Secure

TDS-01  xid eci and verificationId when present pass through to the acquirer unchanged
TDS-02  eci verificationId enrollmentStatus and authenticationStatus are required together with a
        third-party MPI
TDS-03  Per-scheme requestorId password and requestorName are accepted for the version 1 and version
        2 schemes
TDS-04  challengeIndicator 05-09 and exemptionFlag need version 2.2 or higher
TDS-05  risk.amount when present is used as the 3D Secure amount
TDS-07  Version 2 runs frictionless and with a challenge for an enrolled card
TDS-08  eci verificationId xid dsTransactionId and version keep their exact formats

Custom parameters

CUSTOM-01  customParameters[name] is echoed back in the response
CUSTOM-02  Names have 3-64 letters digits dot underscore and values 0-2048 characters

Asynchronous

ASYNC-01  The response of an asynchronous payment carries redirect.url and redirect.parameters
ASYNC-02  shopperResultUrl and notificationUrl have 6-2048 characters

Point of sale

POS-01  pos.entryMode and pos.terminalId are required for a terminal transaction
POS-02  The encrypted PIN and the encrypted account data are accepted with their key serial numbers
POS-03  The chip data of the request is answered by chip data to return to the card
POS-04  pos.statusText replaces the text on the receipt
POS-05  pos.clearing.* pos.merchantId and pos.timestamp are returned
POS-06  entryMode and pinEntryCapability take only their listed values and transactionSource is
        always POS
POS-07  Six terminal models are known by pos.deviceType

Reporting

REP-01  date.from and date.to are required as yyyy-MM-dd

Gift card

GIFT-01  giftCard.type accepts only its listed occasions

Risk

RISK-01  risk.channelId and risk.serviceId have shorter limits and other rules for the third-party
         fraud screening service
RISK-02  risk.amount is used for the risk check
RISK-03  risk.orderTimestamp defaults to the time of the request
RISK-04  risk.brand defaults to paymentBrand
RISK-05  risk.score from -99999 to +99999 is returned for risk-only requests and for payments with
         risk checks

Scheduled jobs

JOB-01  Year month dayOfMonth dayOfWeek hour minute and second take one value a comma list or *
JOB-02  dayOfMonth and dayOfWeek are not sent together
JOB-03  startDate is the first execution and endDate the last moment of one
JOB-04  A notice period and its callable time govern descheduling; a minimum duration is kept
JOB-05  job.expression overrides the single trigger fields

Card on file

COF-01  type mode source and industryPractice accept only their listed values
COF-02  initialTransactionId is received in the acquirer's response of a CIT-flagged transaction and
        sent in later MIT ones
COF-03  expiry and frequency are mandatory for 3D Secure on recurring or installment transactions;
        numberOfInstallments on installment transactions

Chargeback

CHB-01  chargebackResultCode has the form 000.100.2 plus two digits

Payment response

RSP-01  A payment id and a registration id have exactly 32 letters and digits; a checkout id 32-48
        letters digits dots hyphens
RSP-02  Every response carries result.code buildNumber timestamp and ndc; ndc has 1-69 letters
        digits and hyphens
RSP-03  card.bin and the expiry are returned and the full card number and cvv never
RSP-04  resultDetails carries AcquirerResponse with the acquirer's original code
RSP-05  result.cvvResponse and result.avsResponse are returned when the acquirer gives them
RSP-06  merchant.bankAccount.* is returned for bank-based results
RSP-07  Amounts in responses have exactly two decimals
RSP-08  The response can echo the request structures
RSP-09  referencedId appears only in webhook notifications
RSP-10  A timestamp has the form yyyy-MM-dd hh:mm:ssZ

Reconciliation

RCN-01  The CSV has exactly the 36 named columns in order separated by semicolons with the names
        exactly as given
RCN-02  ReconciliationType PaymentType Cashflow SettlementStatus and MatchingStatus take only their
        listed values
RCN-03  Records SETTLED CHARGEBACK CHARGEBACK REVERSAL and FEE are all produced
RCN-04  TxRequestTime defaults to the time the job parsed the settlement file when the file has none
RCN-05  A record matches its payment as MATCHED MULTIPLE_MATCHES or NOT_MATCHED and lists the
        matched payment ids
RCN-06  ChargebackId is generated when a chargeback record is matched
RCN-07  Reason code and description appear for chargebacks only
RCN-08  Amounts fees and rates have two decimals and the sums agree with the ledger
RCN-09  TxRequestTime and SettlementDate are in the clearing institute time zone
RCN-10  Every required column is filled in every record
RCN-11  AccountNumberLast4 AccountHolder and BankCode come from the card or the bank account

States

STATE-01  An asynchronous payment answers pending with a redirect and later reaches a final state
STATE-02  customer.status settlement.status matchedTransactions.status and cart.payments status take
          only their listed values

Endpoints

END-01  POST /v1/payments creates a payment
END-02  GET /v1/payments/{id} returns the payment and 404 when there is none
END-03  POST /checkouts creates a checkout; with and without the version prefix
END-04  POST /checkouts/{id}/payment takes the form's payment data
END-05  GET /checkouts/{id}/payment returns the final status
END-06  POST /checkouts/{id}/registration takes registration data
END-07  GET /checkouts/{id}/registration returns the final status
END-08  Referencing requests use the id of a payment or registration in the URL (capture refund
        reversal and payments by registration)
END-09  A path that does not exist or an id without resource yields 404
END-10  Reporting and scheduling endpoints exist

Authentication

AUTH-01  Every request needs the Authorization header with the Bearer scheme
AUTH-02  entityId is a body parameter of 32 lowercase hex digits; with channel dispatching it is the
         merchant's
AUTH-03  An invalid Authorization header yields 401
AUTH-04  An invalid access token yields 403
AUTH-05  The access token is shown in the back-office user interface only to users with
         administration rights
AUTH-06  A token gives no access to another merchant's data
AUTH-07  The token is sent in the Authorization header and never as a parameter

Events

EVT-01  A notification has type PAYMENT or REGISTRATION an action and a payload identical to the
        response
EVT-02  Status changes are notified with action CREATED UPDATED or DELETED
EVT-03  The payload carries referencedId presentationAmount and presentationCurrency where they
        apply
EVT-04  29 minutes after creation an unread posted checkout causes a GET to shopperResultUrl with
        resourcePath; only after the shopper pressed pay
EVT-05  The same holds for registration checkouts
EVT-06  A notification that fails is retried until it is taken and none is lost

Errors

ERR-01  200 for success; 400 for invalid parameters; 400 for a declined payment with the reason in
        result.code
ERR-02  307 is used for a temporary redirect
ERR-03  Every response carries result.code of 2-11 digits and dots
ERR-04  A throttled request gets result.code 800.120.100 with buildNumber id ndc result and
        timestamp
ERR-05  The throttling description says there were too many requests and to retry later
ERR-06  An error answer names every wrong parameter and never the value of a secret one

Limits

LIM-01  Requests to an operation are limited per time window with separate limits for live and test
LIM-02  The throttle admits exactly its limit per window and recovers in the next
LIM-03  An automatic shopperResultUrl call happens at 29 minutes
LIM-04  Field lengths hold for every field as given

Versioning

VER-01  The version is part of the path
VER-02  Nothing that worked in a version stops working in it: recorded requests of earlier releases
        still get their answers
VER-03  An unknown version in the path yields 404
"""

REQUIREMENTS = read_statements(TEXT)
