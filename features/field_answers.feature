Feature: Responses in profile field
  Members, texts and result codes that existing clients rely on.

  @field:E22
  Scenario: The id and the request id of a new checkout are equal
    When the merchant prepares a checkout for 92.00 EUR with the version prefix
    Then the response shows result.code "000.200.100"
    And the result description contains "successfully created checkout"
    And the response shows id as a checkout id of profile field
    And the request id is the id of the response

  @field:E22
  Scenario: A registration checkout is prepared without an amount
    When the merchant prepares a registration checkout
    Then the response shows result.code "000.200.100"
    And the response shows id as a checkout id of profile field

  @field:E23 @field:E40
  Scenario: An unpaid checkout is pending in profile field
    Given a checkout for 92.00 EUR
    When the merchant reads the payment result of the checkout
    Then the response shows result.code "000.200.000"
    And the result description contains "transaction pending"
    And the response shows no id
    And the request id is the id of the checkout

  @field:E24 @needs:clock
  Scenario: An expired checkout is refused as no payment session
    Given a checkout for 92.00 EUR
    And 31 minutes pass
    When the merchant reads the payment result of the checkout
    Then the payment is refused with 200.300.404
    And the result description contains "No payment session found for the requested id"

  @field:E25
  Scenario: A format error shows the invalid parameters only
    When the merchant debits 92.00 EUR with currency "euro"
    Then the request is refused, naming currency
    And each error has a name, a value and a message, and nothing of the request is echoed

  @field:E25
  Scenario: Missing parameters have the messages of profile field
    When the merchant sends a payment with only these parameters
      | paymentType | DB |
    Then the request is refused, naming amount, currency, paymentBrand
    And the error of amount shows no value
    And the error of amount has the message "may not be empty"
    And the error of currency has the message "may not be empty"
    And the error of paymentBrand has the message "card properties must be set"
    And each error has a name, a value and a message, and nothing of the request is echoed

  @field:E26
  Scenario: A success has the result code of the simulator
    When the merchant debits 92.00 EUR
    Then the payment succeeds
    And the response shows result.code "000.100.110"
    And the result description is
      """
      Request successfully processed in 'Merchant in Integrator Test Mode'
      """

  @field:E27
  Scenario Outline: A card number with a wrong check digit is refused in profile field
    When the merchant debits 92.00 EUR with card.number "<number>"
    Then the payment is refused with 100.100.101
    And the result description contains "invalid creditcard, bank account number or bank name"

    Examples:
      | number           | why                         |
      | 4444444444444444 | an existing client sends it |
      | 4200000000000001 | an existing client sends it |

  @field:E28 @needs:declines
  Scenario: A declined payment has the members of a payment without its amount
    When the merchant debits 92.00 EUR with customParameters[forceResultCode] "800.100.151"
    Then the payment is declined with 800.100.151
    And the result description contains "transaction declined (invalid card)"
    And the response shows id as an id of profile field
    And the response shows
      | paymentType      | DB     |
      | paymentBrand     | VISA   |
      | card.bin         | 420000 |
      | card.last4Digits | 0000   |
    And the response shows no amount
    And the response shows no currency
    And the response shows no descriptor

  @field:E29 @field:E30 @field:E31 @field:E40 @field:E41 @field:E42
  Scenario: A successful payment has its members in order, each in its format
    When the merchant debits 92.00 EUR with billing.city "Berlin"
    Then the response has the members of a payment in order
    And the card has its five members
    And the response shows id as an id of profile field
    And the response shows descriptor as a generated descriptor
    And the response shows timestamp as an instant in UTC
    And the response shows ndc as a request id of profile field
    And the request id begins with the entity

  @field:E29 @field:E31
  Scenario: The descriptor of the request is shown
    When the merchant debits 92.00 EUR with descriptor "Order 4711"
    Then the response shows descriptor "Order 4711"

  @field:E32
  Scenario Outline: A refund shows its amount, without brand and card
    Given an authorized payment of 92.00 EUR
    And 92.00 EUR of it is captured
    When the merchant refunds 30.00 EUR of <what>
    Then the refund succeeds
    And the response shows id as an id of profile field
    And the response shows
      | paymentType | RF    |
      | amount      | 30.00 |
      | currency    | EUR   |
    And the response shows descriptor as a generated descriptor
    And the response shows no paymentBrand
    And the response shows no card

    Examples:
      | what        | why                      |
      | the capture | a refund is of a capture |

  @field:E32
  Scenario: A reversal without an amount shows the reversed amount
    Given an authorized payment of 92.00 EUR
    When the merchant reverses it
    Then the reversal succeeds
    And the response shows
      | paymentType | RV    |
      | amount      | 92.00 |
      | currency    | EUR   |
    And the response shows no paymentBrand
    And the response shows no card

  @field:E32
  Scenario: A capture shows its amount, without brand and card
    Given an authorized payment of 92.00 EUR
    When the merchant captures 30.00 EUR of it
    Then the capture succeeds
    And the response shows
      | paymentType | CP    |
      | amount      | 30.00 |
      | currency    | EUR   |
    And the response shows no paymentBrand
    And the response shows no card

  @field:E68 @decision:D-129
  Scenario: A form cannot send again what the merchant fixed
    Given a checkout for 92.00 EUR
    When the shopper pays in the checkout by card with amount "92.00"
    Then the request is refused, naming amount
    And the error of amount has a message with "was already set and cannot be overwritten"

  @field:E68 @decision:D-129
  Scenario: A card holder of the merchant only prefills the form
    Given a checkout for 92.00 EUR with card.holder "Prefilled Name"
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And the response shows card.holder "Jane Jones"

  @field:E33 @field:E41
  Scenario: A registration shows no payment type and no amount
    When the merchant stores a card
    Then the registration succeeds
    And the response shows id as an id of profile field
    And the card has its five members
    And the response shows ndc as a request id of profile field
    And the response shows no paymentType
    And the response shows no amount

  @field:E33 @needs:channels
  Scenario: A registration needs no 3-D Secure
    Given a merchant whose channel requires 3-D Secure version 1
    When the merchant stores a card
    Then the registration succeeds
    And the response shows no redirect

  @field:E59 @needs:channels @decision:D-283
  Scenario: A card that is not enrolled is declined without data of the shopper
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant sends a debit with
      | card.number | 4200000000000000 |
    Then the payment is declined with 100.390.109
    And the response shows id as an id of profile field
    And the response shows paymentType "DB"

  @field:E59 @needs:channels @decision:D-283
  Scenario Outline: An enrolled card requires nothing but a shopperResultUrl
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant sends a debit with
      | card.number | <number> |
    Then shopperResultUrl is the only parameter that is refused

    Examples:
      | number           | why                   |
      | 4711100000000000 | an enrolled test card |
      | 4012888888881881 | another one           |

  @field:E59 @needs:channels @decision:D-283
  Scenario: An enrolled card is pending with a redirect
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant sends a debit with
      | card.number      | 4711100000000000          |
      | shopperResultUrl | https://shop.example/done |
    Then the payment is pending
    And the response redirects the shopper

  @field:E59 @req:CUST-04 @needs:channels @decision:D-283
  Scenario Outline: A part of the browser data is not enough to authenticate without the shopper
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant sends a debit with
      | card.number      | 4200000000000026          |
      | shopperResultUrl | https://shop.example/done |
      | <name>           | <value>                   |
    Then the payment is pending
    And the response redirects the shopper

    Examples:
      | name                       | value       | why              |
      | customer.browser.language  | en          | one of the seven |
      | customer.browser.userAgent | Mozilla/5.0 | another of them  |

  @field:E59 @needs:channels @decision:D-283
  Scenario: A shopper whose data the page collected pays by his challenge
    Given a merchant whose channel requires 3-D Secure version 2
    When the shopper pays 92.00 EUR by the card 4711100000000000 without any data and approves
    Then the payment succeeds

  @field:E59 @needs:channels @decision:D-283
  Scenario: A page collects of the browser what the merchant did not send
    Given a merchant whose channel requires 3-D Secure version 2
    And a 3-D Secure debit of 92.00 EUR by the card 4200000000000018 without any data
    When the shopper opens the redirect page in a browser
    Then the page collects screenHeight, screenWidth, timezone, javaEnabled

  @field:E34 @field:E21 @needs:channels
  Scenario: A card of a scheme without 3-D Secure pays and is registered
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant debits 92.00 EUR with
      | paymentBrand       | MASTER           |
      | card.number        | 5454545454545454 |
      | createRegistration | true             |
    Then the payment succeeds
    And the response shows registrationId as an id of profile field

  @field:E34 @field:E41
  Scenario: A payment shows the id of the registration it created
    When the merchant debits 92.00 EUR with createRegistration "true"
    Then the payment succeeds
    And the response shows registrationId as an id of profile field

  @field:E34
  Scenario: The result of a checkout shows the id of the registration
    Given a checkout for 92.00 EUR with createRegistration "true"
    And the shopper has paid in the checkout by card
    When the merchant reads the payment result of the checkout
    Then the payment succeeds
    And the response shows registrationId as an id of profile field

  @field:E35
  Scenario: A payment from a registration shows the stored card
    Given a stored card
    When the merchant debits 92.00 EUR from the registration
    Then the payment succeeds
    And the response shows the registrationId of the registration
    And the response shows
      | paymentBrand     | VISA       |
      | card.bin         | 420000     |
      | card.last4Digits | 0000       |
      | card.holder      | Jane Jones |

  @field:E36
  Scenario Outline: A capture or refund of an unknown payment is an ordinary refusal
    Given an unknown payment
    When the merchant <does> 92.00 EUR of it
    Then the payment is refused with <code>
    And the result description contains "<text>"
    And the response shows id as an id of profile field
    And the response shows paymentType "<type>"

    Examples:
      | does     | type | code        | text                                                           | why       |
      | captures | CP   | 700.400.510 | capture needs at least one successful transaction of type (PA) | a capture |
      | refunds  | RF   | 600.200.500 | Invalid payment data                                           | a refund  |

  @field:E36
  Scenario: A reversal of an unknown payment is an ordinary refusal
    Given an unknown payment
    When the merchant reverses it
    Then the payment is refused with 700.400.530
    And the result description contains "reversal needs at least one successful transaction"
    And the response shows id as an id of profile field
    And the response shows paymentType "RV"

  @field:E37
  Scenario Outline: A capture, refund or reversal requires a reference
    When the merchant debits 92.00 EUR with paymentType "<type>"
    Then the request is refused, naming paymentType
    And the error of paymentType has the message "must be one of [PA, DB, CD, PA.CP]"

    Examples:
      | type | why        |
      | CP   | a capture  |
      | RF   | a refund   |
      | RV   | a reversal |

  @field:E38
  Scenario: An empty credentials header is refused
    When the merchant debits 92.00 EUR with the credentials ""
    Then the credentials are refused as missing or malformed
    And the response shows result.code "800.900.300"
    And the response ends with buildNumber, timestamp and ndc

  @field:E44 @needs:scripts
  Scenario: A payment that the acquirer leaves open is pending
    Given the acquirer leaves 1 payment pending
    When the merchant debits 92.00 EUR
    Then the payment is pending
    And the response shows id as an id of profile field

  @field:E44 @field:E45
  Scenario: A redirect brand redirects the shopper
    When the merchant debits 92.00 EUR through EPS
    Then the payment is pending
    And the response shows result.code "000.200.000"
    And the result description contains "transaction pending"
    And the response shows id as an id of profile field
    And the response shows
      | paymentBrand | EPS   |
      | amount       | 92.00 |
    And the response redirects the shopper

  @field:E45 @field:E25
  Scenario: A redirect brand requires a shopperResultUrl
    When the merchant debits 92.00 EUR through EPS without shopperResultUrl
    Then the request is refused, naming shopperResultUrl
    And the error of shopperResultUrl has the message "must be present so the shopper's browser can be redirected back to you after being redirected to the third party's website"

  @field:E46
  Scenario: A redirected shopper returns with the id of the checkout
    Given a checkout for 92.00 EUR
    And the shopper is redirected to EPS in the checkout
    When the redirected shopper pays and returns
    Then the shopper returns to the shop with id and resourcePath of the checkout

  @field:E46
  Scenario: The resourcePath of the return leads to the payment
    Given a checkout for 92.00 EUR
    And the shopper is redirected to EPS in the checkout
    And the redirected shopper pays and returns
    When the merchant reads the resourcePath of the return
    Then the payment succeeds
    And the response shows paymentBrand "EPS"

  @field:E47
  Scenario: The result of a checkout shows the parameters of the merchant
    Given a checkout for 92.00 EUR with a merchantTransactionId, a custom parameter and 2 cart items
    And the shopper has paid in the checkout by card
    When the merchant reads the payment result of the checkout
    Then the payment succeeds
    And the response shows
      | merchantTransactionId   | abc123 |
      | customParameters[order] | 7      |
    And the response shows 2 cart items

  @field:E48
  Scenario: A checkout shows the integrity hash of its script
    When the merchant prepares a checkout for 92.00 EUR with integrity "true"
    Then the response shows the integrity hash of the script

  @field:E49
  Scenario: Reading an unknown payment is an ordinary refusal
    When the merchant reads an unknown payment
    Then the payment is refused with 700.400.580
    And the result description contains "cannot find transaction"

  @field:E50
  Scenario: The deletion of a registration succeeds
    Given a stored card
    When the merchant deletes the registration
    Then the deletion succeeds

  @field:E50
  Scenario: A deleted registration cannot be charged in profile field
    Given a stored card
    And the registration is deleted
    When the merchant debits 92.00 EUR from the registration
    Then the payment is refused

  @field:E24 @decision:D-130
  Scenario: The result of a checkout may be read again until it expires
    Given a checkout for 92.00 EUR
    And the shopper has paid in the checkout by card
    And the merchant has read the payment result of the checkout
    When the merchant reads the payment result of the checkout
    Then the payment succeeds

  @field:E24 @decision:D-130 @needs:control
  Scenario: A decision switch ends a checkout at the first read
    Given a merchant whose sandbox sets D-130 to "first_read"
    And a checkout for 92.00 EUR
    And the shopper has paid in the checkout by card
    And the merchant has read the payment result of the checkout
    When the merchant reads the payment result of the checkout
    Then the payment is refused with 200.300.404

  @field:E04 @needs:clock @decision:D-14
  Scenario: A debit cannot be reversed on a later day
    Given the sandbox clock is frozen at "2031-03-03T12:00:00Z"
    And a debit of 92.00 EUR
    And 1 day passes
    When the merchant reverses it
    Then the reversal is refused with 700.300.700

  @field:E51
  Scenario: An invalid card number is described by the text of its code alone
    When the merchant debits 92.00 EUR with card.number "4200000000000001"
    Then the payment is refused with 100.100.101
    And the result description is
      """
      invalid creditcard, bank account number or bank name
      """

  @field:E51
  Scenario: A capture of an unknown payment is described by the text of its code alone
    Given an unknown payment
    When the merchant captures 92.00 EUR of it
    Then the payment is refused with 700.400.510
    And the result description is
      """
      capture needs at least one successful transaction of type (PA)
      """

  @field:E51
  Scenario: Unknown credentials are described by the text of their code alone
    When the merchant debits 92.00 EUR with the credentials ""
    Then the credentials are refused as missing or malformed
    And the result description is
      """
      invalid authentication information
      """

  @field:E51
  Scenario: An unknown checkout is described by the whole text
    When the merchant reads the payment result of an unknown checkout
    Then the payment is refused with 200.300.404
    And the result description is
      """
      invalid or missing parameter - (opp) No payment session found for the requested id - are you mixing test/live servers or have you paid more than 30min ago?
      """

  @field:E51 @needs:declines
  Scenario Outline: A description contains nothing but the text of its code
    When the merchant debits 92.00 EUR with customParameters[forceResultCode] "<code>"
    Then the payment is refused with <code>
    And the result description is
      """
      <text>
      """

    Examples:
      | code        | text                                                                                       | why                  |
      | 100.390.109 | Transaction rejected because of VISA status 'U' or AMEX status 'N' or 'U' in 3DSecure program | a client compares it |
      | 800.100.151 | transaction declined (invalid card)                                                        | a client compares it |

  @field:E51
  Scenario: An invalid parameter is explained beside the description
    When the merchant debits 92.00 EUR with currency "euro"
    Then the request is refused, naming currency
    And the result description is
      """
      invalid or missing parameter
      """

  @field:E52 @needs:declines
  Scenario: An unknown payment method is named so
    When the merchant debits 92.00 EUR with customParameters[forceResultCode] "600.200.100"
    Then the payment is refused with 600.200.100
    And the result description contains "invalid Payment Method"

  @field:E60 @decision:D-195
  Scenario: An authentication on a channel without 3-D Secure is refused in profile field
    When the merchant authenticates the shopper by the card 4012001036275556
    Then the payment is refused with 000.400.104
