Feature: Payments
  A merchant sends a card payment. The gateway forwards it to an acquirer and returns the result.

  @req:SVC-01 @req:END-01
  Scenario Outline: A card payment of every initial type succeeds
    When the merchant <sends> 92.00 EUR
    Then the payment succeeds
    And the response shows id as a payment id
    And the response shows paymentType "<type>"

    Examples:
      | sends      | type | why                          |
      | authorizes | PA   | an authorization             |
      | debits     | DB   | a sale                       |
      | credits    | CD   | money goes to the cardholder |

  @req:PAY-05 @code:D-57
  Scenario: A registration is a known payment type
    When the merchant registers a card
    Then the registration succeeds

  @req:PAY-05
  Scenario Outline: An unknown payment type is refused
    When the merchant debits 92.00 EUR with paymentType "<type>"
    Then the request is refused, naming paymentType

    Examples:
      | type | why                                  |
      | XX   | it does not exist                    |
      | db   | types are in capitals                |
      | CP   | a capture refers to another payment  |
      | RF   | a refund refers to another payment   |
      | RV   | a reversal refers to another payment |

  @req:PAY-05
  Scenario: A payment without a type is refused
    When the merchant debits 92.00 EUR without paymentType
    Then the request is refused, naming paymentType

  @req:PAY-05 @decision:D-11
  Scenario: The payment type PA.CP is refused
    When the merchant debits 92.00 EUR with paymentType "PA.CP"
    Then the request is refused, naming paymentType

  @req:PAY-01 @pattern:limit
  Scenario Outline: An amount has up to ten digits and either two decimals or none
    When the merchant debits <amount> EUR
    Then the payment succeeds
    And the response shows amount "<shown>"

    Examples:
      | amount        | shown         | why          |
      | 1             | 1.00          | the shortest |
      | 92            | 92.00         | no decimals  |
      | 92.00         | 92.00         | two decimals |
      | 9999999999.99 | 9999999999.99 | the longest  |

  @req:PAY-01 @pattern:limit
  Scenario Outline: A malformed amount is refused
    When the merchant debits <amount> EUR
    Then the request is refused, naming amount

    Examples:
      | amount      | why               |
      | 92.0        | one decimal       |
      | 92.000      | three decimals    |
      | 92,00       | a comma           |
      | -20.20      | a negative amount |
      | 10000000000 | eleven digits     |
      | .50         | no integer digit  |

  @req:PAY-01
  Scenario: A payment without an amount is refused
    When the merchant debits 92.00 EUR without amount
    Then the request is refused, naming amount

  @req:PAY-01 @decision:D-03
  Scenario: An empty amount counts as not sent
    When the merchant debits 92.00 EUR with an empty amount
    Then the request is refused, naming amount

  @req:PAY-02
  Scenario: Taxes, shipping and cart totals do not change the amount
    When the merchant debits 92.00 EUR with
      | taxAmount                 | 17.48  |
      | shipping.cost             | 4.90   |
      | risk.amount               | 500.00 |
      | cart.items[0].name        | Book   |
      | cart.items[0].price       | 700.00 |
      | cart.items[0].totalAmount | 700.00 |
    Then the payment succeeds
    And the response shows amount "92.00"

  @req:PAY-03
  Scenario Outline: A currency is an ISO 4217 code in capitals
    When the merchant debits 92.00 <currency>
    Then the payment succeeds
    And the response shows currency "<currency>"

    Examples:
      | currency | why                               |
      | EUR      | two decimals                      |
      | JPY      | none in ISO 4217, two on the wire |

  @req:PAY-03
  Scenario Outline: An unknown or malformed currency is refused
    When the merchant debits 92.00 <currency>
    Then the request is refused, naming currency

    Examples:
      | currency | why             |
      | eur      | small letters   |
      | EU       | two letters     |
      | 978      | digits          |
      | QQQ      | not in ISO 4217 |

  @req:PAY-03
  Scenario: A payment without a currency is refused
    When the merchant debits 92.00 EUR without currency
    Then the request is refused, naming currency

  @req:SVC-08 @req:PAY-04 @code:D-22
  Scenario Outline: A brand that is not sent is detected from the card number
    When the merchant debits 92.00 EUR by the card <number> without a brand
    Then the payment succeeds
    And the response shows paymentBrand "<brand>"

    Examples:
      | number           | brand  | why               |
      | 4200000000000000 | VISA   | begins with 4     |
      | 5454545454545454 | MASTER | begins with 51-55 |
      | 377777777777770  | AMEX   | begins with 37    |

  @req:PAY-04 @needs:channels @code:D-67
  Scenario: A brand is mandatory where the channel does not detect brands
    Given a merchant whose channel detects no brands
    When the merchant debits 92.00 EUR without paymentBrand
    Then the payment is refused with 100.100.500

  @req:PAY-04 @code:D-44
  Scenario: An unknown brand is refused
    When the merchant debits 92.00 EUR with paymentBrand "NOSUCHBRAND"
    Then the payment is refused with 100.100.501

  @req:PAY-06
  Scenario: A payment type for one brand is refused outside a checkout
    When the merchant debits 92.00 EUR with overridePaymentType[VISA] "PA"
    Then the request is refused, naming overridePaymentType[VISA]

  @req:PAY-07
  Scenario: The descriptor fills the name on the statement
    When the merchant debits 92.00 EUR with descriptor "Book shop 4711"
    Then the payment succeeds
    And the response shows descriptor "Book shop 4711"

  @req:PAY-07 @req:MERCH-01
  Scenario: The merchant's name overrides the descriptor
    When the merchant debits 92.00 EUR with
      | descriptor    | Book shop 4711 |
      | merchant.name | Jones Books    |
    Then the payment succeeds
    And the response shows descriptor "Jones Books"

  @req:PAY-13 @needs:channels
  Scenario: A merchant account with a fixed descriptor does not use the one sent
    Given a merchant whose merchant account has a fixed descriptor
    When the merchant debits 92.00 EUR with descriptor "Book shop 4711"
    Then the payment succeeds
    And the response does not contain "Book shop 4711"

  @req:PAY-07 @decision:D-23
  Scenario: A payment without a descriptor gets one
    When the merchant debits 92.00 EUR
    Then the payment succeeds
    And the response shows descriptor as some text

  @req:PAY-08
  Scenario: A merchant reference may be sent again
    Given a debit of 92.00 EUR with merchantTransactionId "order-4711"
    When the merchant debits 92.00 EUR with merchantTransactionId "order-4711"
    Then the payment succeeds
    And the response shows merchantTransactionId "order-4711"

  @req:PAY-08 @needs:channels
  Scenario: A channel that requires a merchant reference refuses a payment without one
    Given a merchant whose channel requires a merchant reference
    When the merchant debits 92.00 EUR
    Then the request is refused, naming merchantTransactionId

  @req:PAY-08 @needs:control @decision:D-285
  Scenario Outline: A merchant reference that is sent again is charged as its channel says
    Given a merchant whose channel <does>
    And a debit of 92.00 EUR with merchantTransactionId "order-4711"
    When the merchant debits <amount> EUR with merchantTransactionId "<reference>"
    Then <outcome>

    Examples:
      | does                               | amount | reference  | outcome                                 | why                    |
      | refuses a merchant reference again | 92.00  | order-4711 | the payment is refused with 800.110.100 | it was used            |
      | refuses a merchant reference again | 92.00  | order-4712 | the response has a new payment id       | another order          |
      | answers a merchant reference again | 92.00  | order-4711 | the response has the id of the payment  | the same again         |
      | answers a merchant reference again | 92.01  | order-4711 | the payment is refused with 800.110.100 | another amount         |

  @req:PAY-08 @needs:control @decision:D-285
  Scenario: The merchant reference of a declined payment may be sent again
    Given a merchant whose channel refuses a merchant reference again
    And a debit that was declined, with merchantTransactionId "order-4711"
    When the merchant debits 92.00 EUR with merchantTransactionId "order-4711"
    Then the payment succeeds

  @req:PAY-10
  Scenario: The response does not show the merchant's memo
    When the merchant debits 92.00 EUR with merchantMemo "ask for the blue one"
    Then the payment succeeds
    And the response does not contain "ask for the blue one"

  @req:CARD-02
  Scenario: A card number with a wrong check digit is refused
    When the merchant debits 92.00 EUR with card.number "4200000000000001"
    Then the payment is refused

  @req:CARD-02
  Scenario: An expired card is refused
    When the merchant debits 92.00 EUR with card.expiryYear "2019"
    Then the payment is refused

  @req:CARD-02 @decision:D-67
  Scenario Outline: Each invalid card value has its own result code
    When the merchant debits 92.00 EUR with <parameter> "<value>"
    Then the payment is refused with <code>

    Examples:
      | parameter       | value            | code        | why                 |
      | card.number     | 4200000000000001 | 100.100.101 | a wrong check digit |
      | card.expiryYear | 2019             | 100.100.303 | expired             |
      | card.number     | 5454545454545454 | 100.100.700 | of another brand    |
      | card.cvv        | 1234             | 100.100.601 | a digit too many    |

  @req:CARD-01
  Scenario Outline: A card payment without the card is refused
    When the merchant debits 92.00 EUR without <parameter>
    Then the request is refused, naming <parameter>

    Examples:
      | parameter        | why                 |
      | card.number      | no card number      |
      | card.expiryMonth | half an expiry date |
      | card.expiryYear  | half an expiry date |

  @req:CARD-01
  Scenario: A card payment needs no holder
    When the merchant debits 92.00 EUR without card.holder
    Then the payment succeeds

  @req:CARD-05 @code:D-19
  Scenario: A channel accepts a card without a security code
    When the merchant debits 92.00 EUR without card.cvv
    Then the payment succeeds

  @req:CARD-05 @needs:channels @code:D-19
  Scenario: A channel that requires the security code refuses a card without it
    Given a merchant whose channel requires the security code
    When the merchant debits 92.00 EUR without card.cvv
    Then the payment is refused with 100.100.600

  @req:MODE-02
  Scenario Outline: The gateway's simulators answer by default
    When the merchant debits 92.00 EUR with <mode>
    Then the payment succeeds

    Examples:
      | mode                | why               |
      | an empty testMode   | the default       |
      | testMode "INTERNAL" | the same, by name |

  @req:MODE-02 @decision:D-16
  Scenario: The gateway's simulators approve with result code 000.100.110
    When the merchant debits 92.00 EUR
    Then the response shows result.code "000.100.110"

  @req:TOK-01 @req:SVC-12 @req:RSP-01
  Scenario: A payment that creates a registration returns its registrationId
    When the merchant debits 92.00 EUR with createRegistration "true"
    Then the payment succeeds
    And the response shows registrationId as a payment id

  @req:TOK-01
  Scenario: A payment that creates no registration returns no registrationId
    When the merchant debits 92.00 EUR with createRegistration "false"
    Then the payment succeeds
    And the response shows no registrationId

  @req:ERR-01 @needs:declines
  Scenario Outline: A declined payment shows the acquirer's reason
    When the merchant <sends> 92.00 EUR with card.holder "<reason>"
    Then the payment is declined with <reason>

    Examples:
      | sends      | reason      | why                          |
      | authorizes | 800.100.151 | the card is not valid        |
      | credits    | 800.100.155 | the credit limit is exceeded |

  @req:ERR-01 @req:CUSTOM-01 @needs:declines
  Scenario: A custom parameter forces a decline and is echoed
    When the merchant debits 92.00 EUR with customParameters[forceResultCode] "800.100.151"
    Then the payment is declined with 800.100.151
    And the response shows customParameters[forceResultCode] "800.100.151"

  @req:END-02
  Scenario: A payment is read by its id
    Given an authorized payment of 92.00 EUR
    When the merchant reads it
    Then the payment succeeds
    And the response has the id of the payment
    And the response shows
      | paymentType  | PA    |
      | paymentBrand | VISA  |
      | amount       | 92.00 |
      | currency     | EUR   |

  @req:END-02
  Scenario: An unknown payment is not found
    Given an unknown payment
    When the merchant reads it
    Then the request is refused as not found

  @req:END-02 @req:ERR-01 @needs:declines
  Scenario: A declined payment is read with its reason
    Given a declined debit of 92.00 EUR
    When the merchant reads it
    Then the response shows result.code "800.100.152"
    And the response has the id of the payment

  @req:END-08 @code:D-46 @pattern:limit
  Scenario Outline: What is asked for at once does not exceed the payment together
    Given <payment>
    When the merchant <refers> EUR of it <times> times at once
    Then <count> of them succeed and the others are refused

    Examples:
      | payment                            | refers         | times | count | why                  |
      | a debit of 92.00 EUR               | refunds 60.00  | 2     | 1     | two refunds          |
      | a debit of 92.00 EUR               | refunds 30.00  | 4     | 3     | all but one          |
      | a debit of 92.00 EUR               | refunds 46.00  | 2     | 2     | the amount itself    |
      | an authorized payment of 92.00 EUR | captures 60.00 | 2     | 1     | two captures         |
      | an authorized payment of 92.00 EUR | captures 30.00 | 4     | 3     | all but one          |

  @req:END-08 @needs:scripts @code:D-46 @pattern:limit
  Scenario Outline: What is under way at a slow acquirer is reserved
    Given <payment>
    And the acquirer takes 1 second to approve
    When the merchant <refers> EUR of it <times> times at once
    Then <count> of them succeed and the others are refused

    Examples:
      | payment                                                | refers         | times | count | why                  |
      | a debit of 92.00 EUR                                   | refunds 60.00  | 2     | 1     | two refunds          |
      | a debit of 92.00 EUR                                   | refunds 46.01  | 2     | 1     | a cent each too many |
      | a debit of 92.00 EUR                                   | refunds 30.00  | 4     | 3     | all but one          |
      | a debit of 92.00 EUR                                   | refunds 46.00  | 2     | 2     | the amount itself    |
      | an authorized payment of 92.00 EUR                     | captures 60.00 | 2     | 1     | two captures         |
      | an authorized payment of 92.00 EUR                     | captures 30.00 | 4     | 3     | all but one          |
      | a direct debit of 92.00 EUR                            | refunds 60.00  | 2     | 1     | a bank account       |

  @req:END-08 @needs:scripts @code:D-46 @pattern:limit
  Scenario: Refunds of a capture that are under way at once do not exceed it together
    Given an authorized payment of 92.00 EUR
    And 60.00 EUR of it is captured
    And the acquirer takes 1 second to approve
    When the merchant refunds 40.00 EUR of the capture 2 times at once
    Then 1 of them succeed and the others are refused

  @req:END-08 @needs:clock @needs:scripts @code:D-46 @pattern:limit
  Scenario Outline: What is pending holds its amount, and what is approved later takes it
    Given the sandbox clock is frozen
    And <payment>
    And the acquirer <answers> 1 payment after a minute
    And 60.00 EUR of it is <first>
    And <span> pass
    When the merchant <second> EUR of it
    Then <end>

    Examples:
      | payment                            | answers  | first    | span       | second         | end                                     | why                 |
      | a debit of 92.00 EUR               | approves | refunded | 59 seconds | refunds 32.01  | the refund is refused with 700.400.200  | a refund under way  |
      | a debit of 92.00 EUR               | approves | refunded | 2 minutes  | refunds 32.01  | the refund is refused with 700.400.200  | it was approved     |
      | a debit of 92.00 EUR               | approves | refunded | 2 minutes  | refunds 32.00  | the refund succeeds                     | what is left        |
      | a debit of 92.00 EUR               | declines | refunded | 2 minutes  | refunds 92.00  | the refund succeeds                     | it was declined     |
      | a debit of 92.00 EUR               | declines | refunded | 2 minutes  | refunds 92.01  | the refund is refused with 700.400.200  | a cent above        |
      | an authorized payment of 92.00 EUR | approves | captured | 59 seconds | captures 32.01 | the capture is refused with 700.400.100 | a capture under way |
      | an authorized payment of 92.00 EUR | approves | captured | 2 minutes  | captures 32.01 | the capture is refused with 700.400.100 | it was approved     |
      | an authorized payment of 92.00 EUR | declines | captured | 2 minutes  | captures 92.00 | the capture succeeds                    | it was declined     |
