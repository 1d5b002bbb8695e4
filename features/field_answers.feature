Feature: Answers that clients in the field read
  Members, texts and codes that existing clients insist on, in the profile field.

  @field:E22
  Scenario: A new checkout is known by its id and its request id alike
    When the merchant prepares a checkout for 92.00 EUR with the version prefix
    Then the answer shows result.code "000.200.100"
    And the result is explained by "successfully created checkout"
    And the answer shows id as a checkout id of the field
    And the request id is the id of the answer

  @field:E22
  Scenario: A checkout is prepared without an amount, to register
    When the merchant prepares a checkout that only registers
    Then the answer shows result.code "000.200.100"
    And the answer shows id as a checkout id of the field

  @field:E23 @field:E40
  Scenario: A checkout that nobody paid is pending
    Given a checkout for 92.00 EUR
    When the merchant reads how its payment ended
    Then the answer shows result.code "000.200.000"
    And the result is explained by "transaction pending"
    And the answer shows no id
    And the request id is the id of the checkout

  @field:E24 @needs:clock
  Scenario: A checkout whose time is over is no session
    Given a checkout for 92.00 EUR
    And 31 minutes pass
    When the merchant reads how its payment ended
    Then the payment is refused with 200.300.404
    And the result is explained by "No payment session found for the requested id"

  @field:E25
  Scenario: A format error tells what is wrong, and nothing else
    When the merchant debits 92.00 EUR with currency "euro"
    Then the request is refused, naming currency
    And each error has a name, a value and a message, and nothing of the request is echoed

  @field:E25
  Scenario: What is missing is told in the words of the field
    When the merchant sends a payment of these parameters alone
      | paymentType | DB |
    Then the request is refused, naming amount, currency, paymentBrand
    And amount is explained without a value
    And amount is explained by no more than "may not be empty"
    And currency is explained by no more than "may not be empty"
    And paymentBrand is explained by no more than "card properties must be set"
    And each error has a name, a value and a message, and nothing of the request is echoed

  @field:E26
  Scenario: A success is the one of the simulator
    When the merchant debits 92.00 EUR
    Then the payment succeeds
    And the answer shows result.code "000.100.110"
    And the text of the result is exactly
      """
      Request successfully processed in 'Merchant in Integrator Test Mode'
      """

  @field:E27
  Scenario Outline: A number that fails its check digit is refused
    When the merchant debits 92.00 EUR with card.number "<number>"
    Then the payment is refused with 100.100.101
    And the result is explained by "invalid creditcard, bank account number or bank name"

    Examples:
      | number           | why                   |
      | 4444444444444444 | a client uses it so   |
      | 4200000000000001 | a client uses it so   |

  @field:E28 @needs:declines
  Scenario: A declined payment has the body of a payment without its money
    When the merchant debits 92.00 EUR with customParameters[forceResultCode] "800.100.151"
    Then the payment is declined with 800.100.151
    And the result is explained by "transaction declined (invalid card)"
    And the answer shows id as an id of the field
    And the answer shows
      | paymentType      | DB     |
      | paymentBrand     | VISA   |
      | card.bin         | 420000 |
      | card.last4Digits | 0000   |
    And the answer shows no amount
    And the answer shows no currency
    And the answer shows no descriptor

  @field:E29 @field:E30 @field:E31 @field:E40 @field:E41 @field:E42
  Scenario: A successful payment has its members in order, and each in its form
    When the merchant debits 92.00 EUR with billing.city "Berlin"
    Then the answer has the members of a payment, in their order
    And the card is told by five texts
    And the answer shows id as an id of the field
    And the answer shows descriptor as a made-up descriptor
    And the answer shows timestamp as an instant in UTC
    And the answer shows ndc as a request id of the field
    And the request id begins with the entity

  @field:E29 @field:E31
  Scenario: A descriptor that was sent is shown
    When the merchant debits 92.00 EUR with descriptor "Order 4711"
    Then the answer shows descriptor "Order 4711"

  @field:E32
  Scenario Outline: What refers to a payment is answered with its money, without brand and card
    Given an authorised payment of 92.00 EUR
    And 92.00 EUR of it is captured
    When the merchant refunds 30.00 EUR of <what>
    Then the refund succeeds
    And the answer shows id as an id of the field
    And the answer shows
      | paymentType | RF    |
      | amount      | 30.00 |
      | currency    | EUR   |
    And the answer shows descriptor as a made-up descriptor
    And the answer shows no paymentBrand
    And the answer shows no card
    And the answer shows no referencedId

    Examples:
      | what        | why                      |
      | the capture | a refund is of a capture |

  @field:E32
  Scenario: A reversal tells the money that was not sent
    Given an authorised payment of 92.00 EUR
    When the merchant reverses it
    Then the reversal succeeds
    And the answer shows
      | paymentType | RV    |
      | amount      | 92.00 |
      | currency    | EUR   |
    And the answer shows no paymentBrand
    And the answer shows no card

  @field:E32
  Scenario: A capture tells its money, without brand and card
    Given an authorised payment of 92.00 EUR
    When the merchant captures 30.00 EUR of it
    Then the capture succeeds
    And the answer shows
      | paymentType | CP    |
      | amount      | 30.00 |
      | currency    | EUR   |
    And the answer shows no paymentBrand
    And the answer shows no card

  @field:E32 @needs:control
  Scenario: A switch shows what a capture refers to
    Given a merchant whose gateway decides D-15 as "answer"
    And an authorised payment of 92.00 EUR
    When the merchant captures 92.00 EUR of it
    Then the answer shows referencedId as an id of the field

  @field:E33 @field:E41
  Scenario: A registration alone tells no payment
    When the merchant stores a card
    Then the registration succeeds
    And the answer shows id as an id of the field
    And the card is told by five texts
    And the answer shows ndc as a request id of the field
    And the answer shows no paymentType
    And the answer shows no amount

  @field:E33 @needs:control
  Scenario: A card is registered without 3-D Secure where payments are enrolled
    Given a merchant whose channel asks by 3-D Secure version 1
    When the merchant stores a card
    Then the registration succeeds
    And the answer shows no redirect

  @field:E34 @field:E21 @needs:control
  Scenario: A card of a scheme that is not enrolled pays and registers
    Given a merchant whose channel asks by 3-D Secure version 2
    When the merchant debits 92.00 EUR with
      | paymentBrand       | MASTER           |
      | card.number        | 5454545454545454 |
      | createRegistration | true             |
    Then the payment succeeds
    And the answer shows registrationId as an id of the field

  @field:E34 @field:E41
  Scenario: A payment tells the registration it left
    When the merchant debits 92.00 EUR with createRegistration "true"
    Then the payment succeeds
    And the answer shows registrationId as an id of the field

  @field:E34
  Scenario: The status of a checkout tells the registration
    Given a checkout for 92.00 EUR that registers
    And the shopper has paid in it by card
    When the merchant reads how its payment ended
    Then the payment succeeds
    And the answer shows registrationId as an id of the field

  @field:E35
  Scenario: A payment with a registration tells the stored account
    Given a stored card
    When the merchant debits 92.00 EUR from it
    Then the payment succeeds
    And the answer names the registration that was used
    And the answer shows
      | paymentBrand     | VISA       |
      | card.bin         | 420000     |
      | card.last4Digits | 0000       |
      | card.holder      | Jane Jones |

  @field:E36
  Scenario Outline: A reference to nothing is an ordinary refusal
    Given a payment that nobody made
    When the merchant <does> 92.00 EUR of it
    Then the payment is refused with <code>
    And the result is explained by "<text>"
    And the answer shows id as an id of the field
    And the answer shows paymentType "<type>"

    Examples:
      | does     | type | code        | text                                                             | why           |
      | captures | CP   | 700.400.510 | capture needs at least one successful transaction of type (PA)   | a capture     |
      | refunds  | RF   | 600.200.500 | Invalid payment data                                             | a refund      |

  @field:E36
  Scenario: A reversal of nothing is an ordinary refusal
    Given a payment that nobody made
    When the merchant reverses it
    Then the payment is refused with 700.400.530
    And the result is explained by "reversal needs at least one successful transaction"
    And the answer shows id as an id of the field
    And the answer shows paymentType "RV"

  @field:E37
  Scenario Outline: What refers to a payment needs one
    When the merchant debits 92.00 EUR with paymentType "<type>"
    Then the request is refused, naming paymentType
    And paymentType is explained by no more than "must be one of [PA, DB, CD, PA.CP]"

    Examples:
      | type | why         |
      | CP   | a capture   |
      | RF   | a refund    |
      | RV   | a reversal  |

  @field:E38
  Scenario: An empty header is no token
    When the merchant debits 92.00 EUR presenting ""
    Then the credentials are refused as unreadable
    And the answer shows result.code "800.900.300"
    And the answer is closed as every answer is

  @field:E44 @needs:scripts
  Scenario: A payment that the acquirer leaves open is known by its group
    Given the acquirer leaves 1 payment pending
    When the merchant debits 92.00 EUR
    Then the payment is pending
    And the answer shows id as an id of the field

  @field:E44 @field:E45
  Scenario: An asynchronous brand tells where the shopper goes
    When the merchant debits 92.00 EUR by way of EPS
    Then the payment is pending
    And the answer shows result.code "000.200.000"
    And the result is explained by "transaction pending"
    And the answer shows id as an id of the field
    And the answer shows
      | paymentBrand | EPS   |
      | amount       | 92.00 |
    And the answer says where the shopper goes

  @field:E45 @field:E25
  Scenario: An asynchronous brand needs the way back
    When the merchant debits 92.00 EUR by way of EPS without a way back
    Then the request is refused, naming shopperResultUrl
    And shopperResultUrl is explained by no more than "must be present so the shopper's browser can be redirected back to you after being redirected to the third party's website"

  @field:E46
  Scenario: A shopper who paid elsewhere comes back with the checkout
    Given a checkout for 92.00 EUR
    And the shopper goes away to EPS in it
    When the shopper who went away pays and comes back
    Then he is back at the shop, with id and resourcePath of the checkout

  @field:E46
  Scenario: The merchant reads the payment where the shopper says
    Given a checkout for 92.00 EUR
    And the shopper goes away to EPS in it
    And the shopper who went away pays and comes back
    When the merchant asks at the path he came back with
    Then the payment succeeds
    And the answer shows paymentBrand "EPS"

  @field:E47
  Scenario: The status of a checkout repeats what the merchant insists on
    Given a checkout for 92.00 EUR with a reference, a parameter and 2 cart items
    And the shopper has paid in it by card
    When the merchant reads how its payment ended
    Then the payment succeeds
    And the answer shows
      | merchantTransactionId   | abc123 |
      | customParameters[order] | 7      |
    And the answer shows 2 cart items

  @field:E48
  Scenario: A checkout tells the integrity of its script
    When the merchant prepares a checkout for 92.00 EUR with integrity "true"
    Then the answer tells the integrity of the script it serves

  @field:E49
  Scenario: A payment that nobody made cannot be found
    When the merchant reads a payment that nobody made
    Then the payment is refused with 700.400.580
    And the result is explained by "cannot find transaction"

  @field:E50
  Scenario: A registration that is removed says so
    Given a stored card
    When the merchant removes it
    Then the removal succeeds

  @field:E50
  Scenario: A registration that was removed cannot be charged
    Given a stored card
    And it is removed
    When the merchant debits 92.00 EUR from it
    Then the payment is refused

  @field:E24 @decision:D-130
  Scenario: The end of a checkout may be read again until its time is over
    Given a checkout for 92.00 EUR
    And the shopper has paid in it by card
    And the merchant has read how its payment ended
    When the merchant reads how its payment ended
    Then the payment succeeds

  @field:E24 @decision:D-130 @needs:control
  Scenario: A switch ends a checkout when it is first read
    Given a merchant whose gateway decides D-130 as "first_read"
    And a checkout for 92.00 EUR
    And the shopper has paid in it by card
    And the merchant has read how its payment ended
    When the merchant reads how its payment ended
    Then the payment is refused with 200.300.404

  @field:E04 @needs:clock @decision:D-14
  Scenario: A debit is not reversed once its day is over
    Given the clock stands at "2031-03-03T12:00:00Z"
    And a debit of 92.00 EUR
    And 1 day passes
    When the merchant reverses it
    Then the reversal is refused with 700.300.700
