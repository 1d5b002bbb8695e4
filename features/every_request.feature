Feature: Every request
  A rule holds wherever its parameter may be sent: in a payment, in a request that refers to one, in a
  checkout, in a registration, in a schedule. Every request needs the right to it.

  @req:CARD-01 @req:CARD-03 @req:CARD-04 @pattern:limit
  Scenario Outline: A malformed card is refused with every request that has a card
    When the merchant sends <name> "<value>" with <kind>
    Then the request is refused, naming <name>

    Examples:
      | kind                    | name             | value       | why            |
      | an authorization        | card.number      | 42000000000 | eleven digits  |
      | an authorization        | card.holder      | JJ          | two characters |
      | an authorization        | card.expiryMonth | 13          | no such month  |
      | an authorization        | card.expiryMonth | 00          | no such month  |
      | an authorization        | card.expiryYear  | 2134        | not 19 or 20   |
      | a credit                | card.number      | 42000000000 | eleven digits  |
      | a credit                | card.holder      | JJ          | two characters |
      | a credit                | card.expiryMonth | 13          | no such month  |
      | a credit                | card.expiryMonth | 00          | no such month  |
      | a credit                | card.expiryYear  | 2134        | not 19 or 20   |
      | a registration          | card.number      | 42000000000 | eleven digits  |
      | a registration          | card.holder      | JJ          | two characters |
      | a registration          | card.expiryMonth | 13          | no such month  |
      | a registration          | card.expiryMonth | 00          | no such month  |
      | a registration          | card.expiryYear  | 2134        | not 19 or 20   |
      | a payment in a checkout | card.number      | 42000000000 | eleven digits  |
      | a payment in a checkout | card.holder      | JJ          | two characters |
      | a payment in a checkout | card.expiryMonth | 13          | no such month  |
      | a payment in a checkout | card.expiryMonth | 00          | no such month  |
      | a payment in a checkout | card.expiryYear  | 2134        | not 19 or 20   |
      | a risk check            | card.number      | 42000000000 | eleven digits  |
      | a risk check            | card.holder      | JJ          | two characters |
      | a risk check            | card.expiryMonth | 13          | no such month  |
      | a risk check            | card.expiryMonth | 00          | no such month  |
      | a risk check            | card.expiryYear  | 2134        | not 19 or 20   |

  @req:CARD-02 @code:D-67
  Scenario Outline: A card that cannot be charged is refused with every request that has a card
    When the merchant sends <name> "<value>" with <kind>
    Then the payment is refused with <code>

    Examples:
      | kind                    | name            | value            | code        | why                 |
      | an authorization        | card.number     | 4200000000000001 | 100.100.101 | a wrong check digit |
      | an authorization        | card.expiryYear | 2019             | 100.100.303 | expired             |
      | an authorization        | card.number     | 5454545454545454 | 100.100.700 | of another brand    |
      | a credit                | card.number     | 4200000000000001 | 100.100.101 | a wrong check digit |
      | a credit                | card.expiryYear | 2019             | 100.100.303 | expired             |
      | a credit                | card.number     | 5454545454545454 | 100.100.700 | of another brand    |
      | a registration          | card.number     | 4200000000000001 | 100.100.101 | a wrong check digit |
      | a registration          | card.expiryYear | 2019             | 100.100.303 | expired             |
      | a registration          | card.number     | 5454545454545454 | 100.100.700 | of another brand    |
      | a payment in a checkout | card.number     | 4200000000000001 | 100.100.101 | a wrong check digit |
      | a payment in a checkout | card.expiryYear | 2019             | 100.100.303 | expired             |
      | a payment in a checkout | card.number     | 5454545454545454 | 100.100.700 | of another brand    |
      | a risk check            | card.number     | 4200000000000001 | 100.100.101 | a wrong check digit |
      | a risk check            | card.expiryYear | 2019             | 100.100.303 | expired             |
      | a risk check            | card.number     | 5454545454545454 | 100.100.700 | of another brand    |

  @req:CARD-02 @needs:clock @pattern:limit
  Scenario Outline: A card may be used until the last second of its month
    Given the sandbox clock is frozen at "<instant>"
    When the merchant sends card.expiryMonth "05" with <kind>
    Then it is accepted

    Examples:
      | kind                    | instant              | why             |
      | a debit                 | 2099-05-31T23:59:59Z | the last second |
      | a registration          | 2099-05-31T23:59:59Z | the last second |
      | a payment in a checkout | 2099-05-31T23:59:59Z | the last second |

  @req:CARD-02 @needs:clock @decision:D-67 @pattern:limit
  Scenario Outline: A card is expired once its month is over
    Given the sandbox clock is frozen at "<instant>"
    When the merchant sends card.expiryMonth "05" with <kind>
    Then the payment is refused with 100.100.303

    Examples:
      | kind                    | instant              | why                    |
      | a debit                 | 2099-06-01T00:00:00Z | the first second after |
      | a debit                 | 2099-12-31T00:00:00Z | later in its year      |
      | a debit                 | 2100-01-01T00:00:00Z | the next year          |
      | a registration          | 2099-06-01T00:00:00Z | the first second after |
      | a registration          | 2099-12-31T00:00:00Z | later in its year      |
      | a registration          | 2100-01-01T00:00:00Z | the next year          |
      | a payment in a checkout | 2099-06-01T00:00:00Z | the first second after |
      | a payment in a checkout | 2099-12-31T00:00:00Z | later in its year      |
      | a payment in a checkout | 2100-01-01T00:00:00Z | the next year          |

  @req:PAY-01 @req:PAY-03
  Scenario Outline: An amount and a currency have their form with every request that has them
    When the merchant sends <name> "<value>" with <kind>
    Then the request is refused, naming <name>

    Examples:
      | kind                          | name     | value          | why           |
      | an authorization              | amount   | 92.0           | one decimal   |
      | an authorization              | amount   | 12345678901.00 | eleven digits |
      | an authorization              | currency | eur            | small letters |
      | an authorization              | currency | EUX            | no currency   |
      | a credit                      | amount   | 92.0           | one decimal   |
      | a credit                      | amount   | 12345678901.00 | eleven digits |
      | a credit                      | currency | eur            | small letters |
      | a credit                      | currency | EUX            | no currency   |
      | a checkout                    | amount   | 92.0           | one decimal   |
      | a checkout                    | amount   | 12345678901.00 | eleven digits |
      | a checkout                    | currency | eur            | small letters |
      | a checkout                    | currency | EUX            | no currency   |
      | a payment from a registration | amount   | 92.0           | one decimal   |
      | a payment from a registration | amount   | 12345678901.00 | eleven digits |
      | a payment from a registration | currency | eur            | small letters |
      | a payment from a registration | currency | EUX            | no currency   |
      | a capture                     | amount   | 92.0           | one decimal   |
      | a capture                     | amount   | 12345678901.00 | eleven digits |
      | a capture                     | currency | eur            | small letters |
      | a capture                     | currency | EUX            | no currency   |
      | a refund                      | amount   | 92.0           | one decimal   |
      | a refund                      | amount   | 12345678901.00 | eleven digits |
      | a refund                      | currency | eur            | small letters |
      | a refund                      | currency | EUX            | no currency   |
      | a schedule                    | amount   | 92.0           | one decimal   |
      | a schedule                    | amount   | 12345678901.00 | eleven digits |
      | a schedule                    | currency | eur            | small letters |
      | a schedule                    | currency | EUX            | no currency   |
      | a risk check                  | amount   | 92.0           | one decimal   |
      | a risk check                  | amount   | 12345678901.00 | eleven digits |
      | a risk check                  | currency | eur            | small letters |
      | a risk check                  | currency | EUX            | no currency   |

  @req:PAY-01 @pattern:limit
  Scenario Outline: The largest and the smallest amount are accepted with every request that has one
    When the merchant sends amount "<value>" with <kind>
    Then it is accepted

    Examples:
      | kind                          | value         | why          |
      | an authorization              | 9999999999.99 | the largest  |
      | an authorization              | 0.01          | the smallest |
      | an authorization              | 7             | no decimals  |
      | a credit                      | 9999999999.99 | the largest  |
      | a credit                      | 0.01          | the smallest |
      | a credit                      | 7             | no decimals  |
      | a checkout                    | 9999999999.99 | the largest  |
      | a checkout                    | 0.01          | the smallest |
      | a checkout                    | 7             | no decimals  |
      | a payment from a registration | 9999999999.99 | the largest  |
      | a payment from a registration | 0.01          | the smallest |
      | a payment from a registration | 7             | no decimals  |
      | a schedule                    | 9999999999.99 | the largest  |
      | a schedule                    | 0.01          | the smallest |
      | a schedule                    | 7             | no decimals  |
      | a risk check                  | 9999999999.99 | the largest  |
      | a risk check                  | 0.01          | the smallest |
      | a risk check                  | 7             | no decimals  |

  @req:PAY-08 @req:PAY-12 @pattern:limit
  Scenario Outline: The merchant's own references have their length with every request
    When the merchant sends <name> "<value>" with <kind>
    Then the request is refused, naming <name>

    Examples:
      | kind                          | name                  | value   | why              |
      | an authorization              | merchantTransactionId | order-1 | seven characters |
      | an authorization              | merchantInvoiceId     | order-1 | seven characters |
      | a checkout                    | merchantTransactionId | order-1 | seven characters |
      | a checkout                    | merchantInvoiceId     | order-1 | seven characters |
      | a registration                | merchantTransactionId | order-1 | seven characters |
      | a registration                | merchantInvoiceId     | order-1 | seven characters |
      | a payment from a registration | merchantTransactionId | order-1 | seven characters |
      | a payment from a registration | merchantInvoiceId     | order-1 | seven characters |
      | a capture                     | merchantTransactionId | order-1 | seven characters |
      | a capture                     | merchantInvoiceId     | order-1 | seven characters |
      | a refund                      | merchantTransactionId | order-1 | seven characters |
      | a refund                      | merchantInvoiceId     | order-1 | seven characters |
      | a schedule                    | merchantTransactionId | order-1 | seven characters |
      | a schedule                    | merchantInvoiceId     | order-1 | seven characters |

  @req:PAY-08 @req:RSP-08
  Scenario Outline: A merchant's reference comes back from every request
    When the merchant sends merchantTransactionId "order-4711" with <kind>
    Then it is accepted
    And the response shows merchantTransactionId "order-4711"

    Examples:
      | kind                          | why         |
      | an authorization              | it was sent |
      | a debit                       | it was sent |
      | a credit                      | it was sent |
      | a capture                     | it was sent |
      | a refund                      | it was sent |
      | a rebill                      | it was sent |
      | a payment from a registration | it was sent |
      | a registration                | it was sent |
      | a payment in a checkout       | it was sent |

  @req:CUSTOM-01
  Scenario Outline: Custom parameters come back from every request
    When the merchant sends customParameters[<name>] "<value>" with <kind>
    Then it is accepted
    And the response shows customParameters[<name>] "<value>"

    Examples:
      | kind                          | name              | value      | why                     |
      | an authorization              | abc               | x          | the shortest name       |
      | an authorization              | order.number_4711 | ring twice | with dot and underscore |
      | a credit                      | abc               | x          | the shortest name       |
      | a credit                      | order.number_4711 | ring twice | with dot and underscore |
      | a capture                     | abc               | x          | the shortest name       |
      | a capture                     | order.number_4711 | ring twice | with dot and underscore |
      | a refund                      | abc               | x          | the shortest name       |
      | a refund                      | order.number_4711 | ring twice | with dot and underscore |
      | a registration                | abc               | x          | the shortest name       |
      | a registration                | order.number_4711 | ring twice | with dot and underscore |
      | a payment from a registration | abc               | x          | the shortest name       |
      | a payment from a registration | order.number_4711 | ring twice | with dot and underscore |

  @req:CUSTOM-02 @pattern:limit
  Scenario Outline: A custom parameter has its form with every request
    When the merchant sends customParameters[ab] "x" with <kind>
    Then the request is refused, naming customParameters[ab]

    Examples:
      | kind                          | why            |
      | an authorization              | two characters |
      | a checkout                    | two characters |
      | a registration                | two characters |
      | a payment from a registration | two characters |
      | a capture                     | two characters |
      | a schedule                    | two characters |
      | a risk check                  | two characters |

  @req:MODE-01
  Scenario Outline: A test mode is one of two with every request
    When the merchant sends testMode "LIVE" with <kind>
    Then the request is refused, naming testMode

    Examples:
      | kind                          | why                |
      | an authorization              | neither of the two |
      | a credit                      | neither of the two |
      | a registration                | neither of the two |
      | a payment from a registration | neither of the two |
      | a checkout                    | neither of the two |
      | a capture                     | neither of the two |
      | a refund                      | neither of the two |

  @req:MODE-02 @req:MODE-03
  Scenario Outline: Either test mode is taken with every request
    When the merchant sends testMode "<mode>" with <kind>
    Then it is accepted

    Examples:
      | kind                          | mode     | why            |
      | an authorization              | INTERNAL | the simulators |
      | an authorization              | EXTERNAL | the card host  |
      | a debit                       | INTERNAL | the simulators |
      | a debit                       | EXTERNAL | the card host  |
      | a credit                      | INTERNAL | the simulators |
      | a credit                      | EXTERNAL | the card host  |
      | a registration                | INTERNAL | the simulators |
      | a registration                | EXTERNAL | the card host  |
      | a payment from a registration | INTERNAL | the simulators |
      | a payment from a registration | EXTERNAL | the card host  |
      | a checkout                    | INTERNAL | the simulators |
      | a checkout                    | EXTERNAL | the card host  |

  @req:PAY-11 @pattern:limit
  Scenario Outline: A transaction category has its form with every request
    When the merchant sends transactionCategory "E-C" with <kind>
    Then the request is refused, naming transactionCategory

    Examples:
      | kind                          | why      |
      | a credit                      | a hyphen |
      | a checkout                    | a hyphen |
      | a payment from a registration | a hyphen |
      | a capture                     | a hyphen |

  @req:COF-01
  Scenario Outline: A standing instruction has listed values with every request
    When the merchant sends <name> "<value>" with <kind>
    Then the request is refused, naming <name>

    Examples:
      | kind                          | name                       | value  | why              |
      | an authorization              | standingInstruction.type   | WEEKLY | it is not listed |
      | an authorization              | standingInstruction.source | CAT    | it is not listed |
      | an authorization              | standingInstruction.mode   | LAST   | it is not listed |
      | a registration                | standingInstruction.type   | WEEKLY | it is not listed |
      | a registration                | standingInstruction.source | CAT    | it is not listed |
      | a registration                | standingInstruction.mode   | LAST   | it is not listed |
      | a payment from a registration | standingInstruction.type   | WEEKLY | it is not listed |
      | a payment from a registration | standingInstruction.source | CAT    | it is not listed |
      | a payment from a registration | standingInstruction.mode   | LAST   | it is not listed |
      | a checkout                    | standingInstruction.type   | WEEKLY | it is not listed |
      | a checkout                    | standingInstruction.source | CAT    | it is not listed |
      | a checkout                    | standingInstruction.mode   | LAST   | it is not listed |
      | a schedule                    | standingInstruction.type   | WEEKLY | it is not listed |
      | a schedule                    | standingInstruction.source | CAT    | it is not listed |
      | a schedule                    | standingInstruction.mode   | LAST   | it is not listed |

  @req:AUTH-01 @req:AUTH-03
  Scenario Outline: Every request needs credentials
    When a merchant without credentials <request>
    Then the credentials are refused as missing or malformed

    Examples:
      | request                        | why           |
      | takes a payment                | it sends none |
      | reads a payment                | it sends none |
      | captures a payment             | it sends none |
      | prepares a checkout            | it sends none |
      | changes a checkout             | it sends none |
      | reads the result of a checkout | it sends none |
      | stores an account              | it sends none |
      | reads a registration           | it sends none |
      | charges a registration         | it sends none |
      | deletes a registration         | it sends none |
      | schedules payments             | it sends none |
      | reads a schedule               | it sends none |
      | ends a schedule                | it sends none |
      | requests a report              | it sends none |
      | requests a risk check          | it sends none |

  @req:AUTH-04
  Scenario Outline: Every request needs a token that was issued
    When a merchant with a token that was never issued <request>
    Then the credentials are refused as unknown

    Examples:
      | request                        | why           |
      | takes a payment                | it is unknown |
      | reads a payment                | it is unknown |
      | captures a payment             | it is unknown |
      | prepares a checkout            | it is unknown |
      | changes a checkout             | it is unknown |
      | reads the result of a checkout | it is unknown |
      | stores an account              | it is unknown |
      | reads a registration           | it is unknown |
      | charges a registration         | it is unknown |
      | deletes a registration         | it is unknown |
      | schedules payments             | it is unknown |
      | reads a schedule               | it is unknown |
      | ends a schedule                | it is unknown |
      | requests a report              | it is unknown |
      | requests a risk check          | it is unknown |

  @req:AUTH-06 @needs:other
  Scenario Outline: A schedule is found by its merchant alone
    Given two merchants of one sandbox
    And a stored card
    And a schedule of the stored card
    When the other merchant <does> the schedule
    Then the request is refused as not found

    Examples:
      | does  | why             |
      | reads | it is another's |
      | ends  | it is another's |

  @req:AUTH-06 @needs:other
  Scenario: A stored card is scheduled by its merchant alone
    Given two merchants of one sandbox
    And a stored card
    When the other merchant schedules the stored card
    Then the payment is refused

  @req:AUTH-06 @needs:other
  Scenario Outline: A payment is referred to by its merchant alone
    Given two merchants of one sandbox
    And a debit of 92.00 EUR
    When the other merchant <does> it
    Then the request is refused as not found

    Examples:
      | does     | why             |
      | refunds  | it is another's |
      | rebills  | it is another's |
      | reverses | it is another's |

  @req:CUST-01 @req:CUST-03 @req:CUST-05 @req:CUST-07 @req:ADDR-01 @req:ADDR-03 @req:SHIP-01
  @req:MERCH-02 @req:CART-01 @req:CART-03 @req:CART-04 @req:REC-01 @req:REC-02
  @req:TDS-04 @req:TDS-08 @req:ASYNC-02 @req:GIFT-01 @req:RISK-02 @req:RISK-03 @req:COF-01
  @req:PAY-11 @req:PAY-12 @req:STATE-02 @req:TRN-06 @req:TRN-07 @req:ERR-06 @req:LIM-04
  @req:CUST-06 @pattern:values
  Scenario Outline: Every malformed field is named with every request that may have it
    When the merchant sends these with <kind>
      | customer.phone                       | abc        |
      | customer.email                       | a@b.c      |
      | customer.status                      | OLD        |
      | customer.birthDate                   | 2020-02-30 |
      | billing.country                      | de         |
      | shipping.method                      | ROCKET     |
      | shipping.preference                  | NONE       |
      | shipping.customer.email              | a@b        |
      | merchant.data[ab]                    | x          |
      | cart.items[0].price                  | 1.5        |
      | cart.items[0].quantityUnit           | PIECE      |
      | cart.payments[0].status              | done       |
      | recurringType                        | LAST       |
      | recurring.numberOfInstallments       | 1000       |
      | threeDSecure.eci                     | 09         |
      | threeDSecure.version                 | 3.0.0      |
      | threeDSecure.challengeIndicator      | 10         |
      | shopperResultUrl                     | ab         |
      | notificationUrl                      | ab         |
      | giftCard.type                        | MONDAY     |
      | risk.amount                          | 1          |
      | risk.orderTimestamp                  | 2020-01-31 |
      | standingInstruction.industryPractice | TIP        |
      | taxAmount                            | 1.5        |
      | merchantMemo                         | short      |
      | transactionCategory                  | E-C        |
    Then the request is refused, naming customer.phone, customer.email, customer.status, customer.birthDate, billing.country, shipping.method, shipping.preference, shipping.customer.email, merchant.data[ab], cart.items[0].price, cart.items[0].quantityUnit, cart.payments[0].status, recurringType, recurring.numberOfInstallments, threeDSecure.eci, threeDSecure.version, threeDSecure.challengeIndicator, shopperResultUrl, notificationUrl, giftCard.type, risk.amount, risk.orderTimestamp, standingInstruction.industryPractice, taxAmount, merchantMemo, transactionCategory

    Examples:
      | kind                          | why           |
      | an authorization              | each is wrong |
      | a debit                       | each is wrong |
      | a credit                      | each is wrong |
      | a registration                | each is wrong |
      | a checkout                    | each is wrong |
      | a payment in a checkout       | each is wrong |
      | a payment from a registration | each is wrong |
      | a capture                     | each is wrong |
      | a refund                      | each is wrong |
      | a rebill                      | each is wrong |
      | a schedule                    | each is wrong |
      | a risk check                  | each is wrong |
      | a direct debit                | each is wrong |
      | a wallet payment              | each is wrong |
      | a debit at the card host      | each is wrong |

  @req:TRN-06 @req:CART-01 @req:AIR-01
  Scenario Outline: A list without its first item is named with every request that may have it
    When the merchant sends these with <kind>
      | cart.items[1].name         | Book |
      | airline.passengers[1].name | Jane |
    Then the request is refused, naming cart.items[1].name, airline.passengers[1].name

    Examples:
      | kind                          | why          |
      | an authorization              | it has a gap |
      | a debit                       | it has a gap |
      | a credit                      | it has a gap |
      | a registration                | it has a gap |
      | a checkout                    | it has a gap |
      | a change of a checkout        | it has a gap |
      | a payment in a checkout       | it has a gap |
      | a registration in a checkout  | it has a gap |
      | a payment from a registration | it has a gap |
      | a capture                     | it has a gap |
      | a refund                      | it has a gap |
      | a rebill                      | it has a gap |
      | a schedule                    | it has a gap |
      | a risk check                  | it has a gap |
      | a direct debit                | it has a gap |
      | a wallet payment              | it has a gap |
      | a debit at the card host      | it has a gap |

  @req:CUST-01 @req:CUST-03 @req:ADDR-01 @req:ADDR-03 @req:ERR-06
  Scenario Outline: Fields that require each other are named with every request that may have them
    When the merchant sends these with <kind>
      | customer.identificationDocType | PASSPORT |
      | billing.street1                | 12345    |
      | billing.street2                | 678      |
      | shipping.houseNumber2          | b        |
    Then the request is refused, naming customer.givenName, customer.surname, customer.identificationDocId, billing.street1, shipping.houseNumber1

    Examples:
      | kind                          | why                    |
      | an authorization              | one of each is missing |
      | a debit                       | one of each is missing |
      | a credit                      | one of each is missing |
      | a registration                | one of each is missing |
      | a payment in a checkout       | one of each is missing |
      | a payment from a registration | one of each is missing |
      | a capture                     | one of each is missing |
      | a schedule                    | one of each is missing |
      | a risk check                  | one of each is missing |
      | a direct debit                | one of each is missing |
      | a debit at the card host      | one of each is missing |

  @req:CUST-01 @req:CUST-02 @req:CUST-03 @req:CUST-05 @req:CUST-07 @req:ADDR-02 @req:ADDR-03
  @req:SHIP-01 @req:MERCH-02 @req:CART-01 @req:CART-03 @req:CART-04 @req:AIR-01 @req:REC-02
  @req:GIFT-01 @req:STATE-02 @req:CUSTOM-01 @req:RSP-08 @req:TRN-05 @req:TRN-06 @req:TRN-07
  @pattern:values
  Scenario Outline: Every field comes back from every request that may have it
    When the merchant sends these with <kind>
      | customer.givenName                         | Jane               |
      | customer.surname                           | Jones              |
      | customer.phone                             | +49 30 1234-5      |
      | customer.identificationDocType             | PASSPORT           |
      | customer.identificationDocId               | L01X00T47          |
      | customer.status                            | EXISTING           |
      | billing.street1                            | Main Street        |
      | billing.houseNumber1                       | 5                  |
      | billing.houseNumber2                       | b                  |
      | billing.country                            | DE                 |
      | shipping.street1                           | High Street        |
      | shipping.houseNumber1                      | 7                  |
      | shipping.houseNumber2                      | c                  |
      | shipping.method                            | NEXT_DAY_OVERNIGHT |
      | shipping.preference                        | NO_SHIPPING        |
      | shipping.customer.phone                    | 0049 (30) 99       |
      | shipping.customer.identificationDocType    | IDCARD             |
      | shipping.customer.identificationDocId      | X01X00T48          |
      | merchant.data[a.b]                         | x                  |
      | cart.items[0].name                         | Book               |
      | cart.items[0].quantity                     | 1.125              |
      | cart.items[0].tax                          | 19.5               |
      | cart.items[1].name                         | Pen                |
      | cart.payments[0].status                    | authorized         |
      | cart.payments[1].status                    | pending            |
      | airline.passengers[0].name                 | Jane               |
      | airline.passengers[1].legs[0].flightNumber | SG1                |
      | recurring.numberOfInstallments             | 12                 |
      | giftCard.type                              | GRADUATION         |
      | giftCard.message                           | Well done          |
      | customParameters[note]                     | twice              |
    Then it is accepted
    And the response shows
      | customer.givenName                         | Jane               |
      | customer.surname                           | Jones              |
      | customer.phone                             | +49 30 1234-5      |
      | customer.identificationDocType             | PASSPORT           |
      | customer.identificationDocId               | L01X00T47          |
      | customer.status                            | EXISTING           |
      | billing.street1                            | Main Street        |
      | billing.houseNumber1                       | 5                  |
      | billing.houseNumber2                       | b                  |
      | billing.country                            | DE                 |
      | shipping.street1                           | High Street        |
      | shipping.houseNumber1                      | 7                  |
      | shipping.houseNumber2                      | c                  |
      | shipping.method                            | NEXT_DAY_OVERNIGHT |
      | shipping.preference                        | NO_SHIPPING        |
      | shipping.customer.phone                    | 0049 (30) 99       |
      | shipping.customer.identificationDocType    | IDCARD             |
      | shipping.customer.identificationDocId      | X01X00T48          |
      | merchant.data[a.b]                         | x                  |
      | cart.items[0].name                         | Book               |
      | cart.items[0].quantity                     | 1.125              |
      | cart.items[0].tax                          | 19.5               |
      | cart.items[1].name                         | Pen                |
      | cart.payments[0].status                    | authorized         |
      | cart.payments[1].status                    | pending            |
      | airline.passengers[0].name                 | Jane               |
      | airline.passengers[1].legs[0].flightNumber | SG1                |
      | recurring.numberOfInstallments             | 12                 |
      | giftCard.type                              | GRADUATION         |
      | giftCard.message                           | Well done          |
      | customParameters[note]                     | twice              |

    Examples:
      | kind                          | why           |
      | an authorization              | each was sent |
      | a debit                       | each was sent |
      | a credit                      | each was sent |
      | a payment from a registration | each was sent |
      | a debit at the card host      | each was sent |
      | a direct debit                | each was sent |

  @req:TDS-02
  Scenario Outline: Results of another MPI require each other with every request
    When the merchant sends these with <kind>
      | threeDSecure.eci                  | 05                           |
      | threeDSecure.verificationId       | AAABBWFlmQAAAABjRWWZEEFgFz8= |
      | threeDSecure.enrollmentStatus     | Y                            |
      | threeDSecure.authenticationStatus | Y                            |
      | <missing>                         |                              |
    Then the request is refused, naming <missing>

    Examples:
      | kind                          | missing                           | why           |
      | an authorization              | threeDSecure.eci                  | it is missing |
      | an authorization              | threeDSecure.verificationId       | it is missing |
      | an authorization              | threeDSecure.enrollmentStatus     | it is missing |
      | an authorization              | threeDSecure.authenticationStatus | it is missing |
      | a payment from a registration | threeDSecure.eci                  | it is missing |
      | a payment from a registration | threeDSecure.verificationId       | it is missing |
      | a payment from a registration | threeDSecure.enrollmentStatus     | it is missing |
      | a payment from a registration | threeDSecure.authenticationStatus | it is missing |
      | a debit at the card host      | threeDSecure.eci                  | it is missing |
      | a debit at the card host      | threeDSecure.verificationId       | it is missing |
      | a debit at the card host      | threeDSecure.enrollmentStatus     | it is missing |
      | a debit at the card host      | threeDSecure.authenticationStatus | it is missing |

  @req:TDS-02 @req:TDS-01
  Scenario Outline: Results of another MPI are accepted together with every request
    When the merchant sends these with <kind>
      | threeDSecure.eci                  | 06                           |
      | threeDSecure.verificationId       | AAABBWFlmQAAAABjRWWZEEFgFz8= |
      | threeDSecure.enrollmentStatus     | Y                            |
      | threeDSecure.authenticationStatus | A                            |
    Then it is accepted
    And the response shows
      | threeDSecure.eci                  | 06                           |
      | threeDSecure.verificationId       | AAABBWFlmQAAAABjRWWZEEFgFz8= |
      | threeDSecure.enrollmentStatus     | Y                            |
      | threeDSecure.authenticationStatus | A                            |

    Examples:
      | kind                          | why      |
      | an authorization              | all four |
      | a debit                       | all four |
      | a payment from a registration | all four |
      | a debit at the card host      | all four |
      | a payment in a checkout       | all four |

  @req:RSP-02 @req:RSP-10 @req:ERR-03 @req:TRN-04
  Scenario Outline: Every response has its result, its time and its request id
    When the merchant sends merchantTransactionId "order-4711" with <kind>
    Then the response shows result.code as a result code
    And the response shows timestamp as a timestamp
    And the response shows ndc as a request id
    And the response shows buildNumber as some text

    Examples:
      | kind                          | why            |
      | an authorization              | it is answered |
      | a credit                      | it is answered |
      | a capture                     | it is answered |
      | a refund                      | it is answered |
      | a rebill                      | it is answered |
      | a registration                | it is answered |
      | a payment from a registration | it is answered |
      | a checkout                    | it is answered |
      | a payment in a checkout       | it is answered |
      | a schedule                    | it is answered |
      | a risk check                  | it is answered |
      | a direct debit                | it is answered |
      | a wallet payment              | it is answered |

  @req:RSP-02 @req:RSP-10 @req:ERR-03 @req:TRN-04 @req:ERR-01
  Scenario Outline: Every refusal has its result, its time and its request id
    When the merchant sends merchantTransactionId "short" with <kind>
    Then the request is refused, naming merchantTransactionId
    And the response shows timestamp as a timestamp
    And the response shows ndc as a request id
    And the response shows buildNumber as some text

    Examples:
      | kind                          | why           |
      | an authorization              | it is refused |
      | a capture                     | it is refused |
      | a registration                | it is refused |
      | a payment from a registration | it is refused |
      | a checkout                    | it is refused |
      | a schedule                    | it is refused |
      | a direct debit                | it is refused |

  @req:END-09 @req:END-02 @req:END-05 @req:END-08 @req:END-10 @req:VER-03
  Scenario Outline: Every request about something that does not exist is refused as not found
    When the merchant <request> that does not exist
    Then the request is refused as not found

    Examples:
      | request                        | why                  |
      | reads a payment                | no object has the id |
      | captures a payment             | no object has the id |
      | changes a checkout             | no object has the id |
      | reads the result of a checkout | no object has the id |
      | reads a registration           | no object has the id |
      | deletes a registration         | no object has the id |
      | reads a schedule               | no object has the id |
      | ends a schedule                | no object has the id |
      | requests a report              | no object has the id |

  @req:SVC-08 @req:PAY-04
  Scenario Outline: A brand is detected with every request that has a card
    When the merchant sends paymentBrand "" with <kind>
    Then it is accepted
    And the response shows paymentBrand "VISA"

    Examples:
      | kind                     | why              |
      | an authorization         | no brand is sent |
      | a credit                 | no brand is sent |
      | a registration           | no brand is sent |
      | a payment in a checkout  | no brand is sent |
      | a debit at the card host | no brand is sent |
      | a risk check             | no brand is sent |

  @req:PAY-05
  Scenario Outline: An unknown payment type is refused with every request that has one
    When the merchant sends paymentType "<type>" with <kind>
    Then the request is refused, naming paymentType

    Examples:
      | kind                          | type | why                            |
      | a debit                       | XX   | it does not exist              |
      | a checkout                    | XX   | it does not exist              |
      | a payment from a registration | XX   | it does not exist              |
      | a schedule                    | XX   | it does not exist              |
      | a direct debit                | XX   | it does not exist              |
      | a checkout                    | CP   | a capture refers to a payment  |
      | a payment from a registration | CP   | a capture refers to a payment  |
      | a payment from a registration | RF   | a refund refers to a payment   |
      | a schedule                    | RV   | a reversal refers to a payment |
      | a capture                     | XX   | it does not exist              |
      | a debit                       | pa   | small letters                  |
      | a checkout                    | Db   | small letters                  |

  @req:PAY-06
  Scenario Outline: A type for one brand is sent with no request but a new checkout
    When the merchant sends overridePaymentType[VISA] "PA" with <kind>
    Then the request is refused, naming overridePaymentType[VISA]

    Examples:
      | kind                          | why                   |
      | an authorization              | it is no new checkout |
      | a credit                      | it is no new checkout |
      | a capture                     | it is no new checkout |
      | a registration                | it is no new checkout |
      | a payment from a registration | it is no new checkout |
      | a payment in a checkout       | it is no new checkout |
      | a schedule                    | it is no new checkout |
      | a direct debit                | it is no new checkout |

  @req:BANK-01 @req:BANK-02 @req:BANK-03 @req:BANK-06 @req:BANK-07
  Scenario Outline: A malformed bank account is refused with every request that has one
    When the merchant sends <name> "<value>" with <kind>
    Then the request is refused, naming <named>

    Examples:
      | kind                             | name                                | value                  | named                                        | why                    |
      | a direct debit                   | bankAccount.holder                  |                        | bankAccount.holder                           | no holder              |
      | a direct debit                   | bankAccount.iban                    | D189370400440532013000 | bankAccount.iban                             | a digit in the country |
      | a direct debit                   | bankAccount.iban                    | DE8937040              | bankAccount.iban                             | too short              |
      | a direct debit                   | bankAccount.bic                     | COBADEFFX              | bankAccount.bic                              | nine characters        |
      | a direct debit                   | bankAccount.country                 | D                      | bankAccount.country                          | one letter             |
      | a direct debit                   | bankAccount.mandate.id              | A123                   | bankAccount.mandate.id                       | too short              |
      | a direct debit                   | bankAccount.mandate.dateOfSignature | 2027-02-29             | bankAccount.mandate.dateOfSignature          | no such day            |
      | a registration of a bank account | bankAccount.holder                  | Jo1                    | bankAccount.holder                           | three characters       |
      | a registration of a bank account | bankAccount.holder                  |                        | bankAccount.holder                           | no holder              |
      | a registration of a bank account | bankAccount.iban                    | D189370400440532013000 | bankAccount.iban                             | a digit in the country |
      | a registration of a bank account | bankAccount.iban                    | DE8937040              | bankAccount.iban                             | too short              |
      | a registration of a bank account | bankAccount.bic                     | COBADEFFX              | bankAccount.bic                              | nine characters        |
      | a registration of a bank account | bankAccount.country                 | D                      | bankAccount.country                          | one letter             |
      | a registration of a bank account | bankAccount.mandate.id              | A123                   | bankAccount.mandate.id                       | too short              |
      | a registration of a bank account | bankAccount.mandate.dateOfSignature | 2027-02-29             | bankAccount.mandate.dateOfSignature          | no such day            |

  @req:CUST-04 @req:ADDR-04 @needs:channels
  Scenario Outline: Version 2 of 3-D Secure requires its data of every request that it authenticates
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant sends merchantTransactionId "order-4711" with <kind>
    Then the request is refused, naming customer.browser.acceptHeader, customer.browser.language, customer.browser.screenHeight, customer.browser.screenWidth, customer.browser.timezone, customer.browser.userAgent, customer.browser.javaEnabled, billing.street1, billing.city, billing.postcode, billing.country

    Examples:
      | kind                          | why                |
      | an authorization              | none of it is sent |
      | a debit                       | none of it is sent |
      | a payment from a registration | none of it is sent |
      | a debit at the card host      | none of it is sent |
      | a payment in a checkout       | none of it is sent |

  @req:CUST-04 @req:ADDR-04 @req:TDS-07 @needs:channels @decision:D-146
  Scenario Outline: What is not authenticated requires no data of 3-D Secure
    Given a merchant whose channel requires 3-D Secure version 2
    When the merchant sends merchantTransactionId "order-4711" with <kind>
    Then it is accepted

    Examples:
      | kind           | why              |
      | a credit       | nothing is taken |
      | a registration | nothing is taken |
      | a direct debit | no card          |
      | a checkout     | no card yet      |

  @req:RISK-01
  Scenario Outline: The screening service has shorter limits with every request
    When the merchant sends these with <kind>
      | risk.serviceId | S             |
      | risk.channelId | 1234567890123 |
    Then the request is refused, naming risk.channelId

    Examples:
      | kind                          | why                 |
      | an authorization              | thirteen characters |
      | a credit                      | thirteen characters |
      | a payment from a registration | thirteen characters |
      | a risk check                  | thirteen characters |
      | a debit at the card host      | thirteen characters |
      | a direct debit                | thirteen characters |

  @req:COF-03
  Scenario Outline: An authenticated series requires its terms of every request
    When the merchant sends these with <kind>
      | threeDSecure.eci                  | 05                           |
      | threeDSecure.verificationId       | AAABBWFlmQAAAABjRWWZEEFgFz8= |
      | threeDSecure.enrollmentStatus     | Y                            |
      | threeDSecure.authenticationStatus | Y                            |
      | standingInstruction.type          | INSTALLMENT                  |
      | standingInstruction.mode          | INITIAL                      |
      | standingInstruction.source        | CIT                          |
    Then the request is refused, naming standingInstruction.expiry, standingInstruction.frequency, standingInstruction.numberOfInstallments

    Examples:
      | kind                          | why         |
      | an authorization              | it has none |
      | a debit                       | it has none |
      | a payment from a registration | it has none |
      | a debit at the card host      | it has none |

  @req:END-02 @req:RSP-08 @req:SVC-01 @req:SVC-03 @req:SVC-13 @req:END-08 @req:RSP-04 @req:RSP-07
  Scenario Outline: Every payment is read as it was answered
    When the merchant sends these with <kind>
      | merchantTransactionId  | order-4711 |
      | customer.givenName     | Jane       |
      | customer.surname       | Jones      |
      | billing.city           | Berlin     |
      | cart.items[0].name     | Book       |
      | cart.items[1].name     | Pen        |
      | customParameters[note] | twice      |
    Then it is accepted
    And what is read is what was answered

    Examples:
      | kind                          | why             |
      | an authorization              | it was answered |
      | a debit                       | it was answered |
      | a credit                      | it was answered |
      | a capture                     | it was answered |
      | a refund                      | it was answered |
      | a rebill                      | it was answered |
      | a payment from a registration | it was answered |
      | a debit at the card host      | it was answered |
      | a wallet payment              | it was answered |
      | a direct debit                | it was answered |

  @req:END-02 @req:ERR-01 @req:RSP-04 @needs:declines
  Scenario Outline: Every failure is read as it was answered
    When the merchant sends customParameters[forceResultCode] "800.100.155" with <kind>
    Then the payment is declined with 800.100.155
    And what is read is what was answered

    Examples:
      | kind                          | why             |
      | an authorization              | it was answered |
      | a credit                      | it was answered |
      | a capture                     | it was answered |
      | a refund                      | it was answered |
      | a payment from a registration | it was answered |
      | a debit at the card host      | it was answered |
      | a direct debit                | it was answered |

  @req:END-08 @req:PAY-03 @code:D-46
  Scenario Outline: What refers to a payment has its currency
    Given <before>
    When the merchant <does>
    Then the <what> is refused with 700.100.500

    Examples:
      | before                             | does                             | what    | why               |
      | an authorized payment of 92.00 USD | captures 92.00 EUR of it         | capture | another currency  |
      | an authorized payment of 92.00 EUR | captures 0.01 USD of it          | capture | a cent of another |
      | a debit of 92.00 GBP               | refunds 92.00 EUR of it          | refund  | another currency  |
      | a debit of 92.00 EUR               | refunds 0.01 CHF of it           | refund  | a cent of another |
      | a requested transfer of 92.00 EUR  | reports 1.00 USD received for it | receipt | another currency  |
