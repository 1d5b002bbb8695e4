@needs:control
Feature: What reaches the other parties
  The gateway answers a merchant; what it sent to the acquirer, the card host, the issuer and the risk
  system is read where they received it.

  @req:SVC-01 @req:PAY-02 @req:PAY-03
  Scenario Outline: The acquirer receives type, amount and currency of a payment
    When the merchant <sends> with
      | taxAmount                 | 1.00   |
      | shipping.cost             | 2.00   |
      | cart.items[0].name        | Book   |
      | cart.items[0].totalAmount | 700.00 |
    Then the payment succeeds
    And the acquirer received <received>

    Examples:
      | sends                    | received                | why               |
      | authorizes 92.00 EUR     | PA of 92.00 EUR         | an authorization  |
      | debits 0.01 USD          | DB of 0.01 USD          | the smallest      |
      | credits 1234567.89 GBP   | CD of 1234567.89 GBP    | many digits       |
      | debits 9999999999.99 EUR | DB of 9999999999.99 EUR | the largest       |
      | debits 10.50 PLN         | DB of 10.50 PLN         | a zero at its end |

  @req:END-08 @req:SVC-01
  Scenario Outline: The acquirer receives a part of a payment with the id it gave the payment
    Given <before>
    When the merchant <does>
    Then the <what> succeeds
    And the acquirer received <received>
    And the acquirer received the id it gave the payment

    Examples:
      | before                             | does                     | what    | received        | why       |
      | an authorized payment of 92.00 USD | captures 30.10 USD of it | capture | CP of 30.10 USD | a part    |
      | an authorized payment of 92.00 GBP | captures 92.00 GBP of it | capture | CP of 92.00 GBP | all of it |
      | a debit of 92.00 USD               | refunds 12.34 USD of it  | refund  | RF of 12.34 USD | a part    |
      | a debit of 92.00 EUR               | refunds 92.00 EUR of it  | refund  | RF of 92.00 EUR | all of it |
      | a debit of 92.00 EUR               | rebills 7.00 EUR on it   | rebill  | RB of 7.00 EUR  | once more |

  @req:END-08
  Scenario: A refund of a capture refers to the capture at the acquirer
    Given an authorized payment of 92.00 EUR
    And 60.00 EUR of it is captured
    When the merchant refunds 10.00 EUR of the capture
    Then the refund succeeds
    And the acquirer received RF of 10.00 EUR
    And the acquirer received the id it gave the capture

  @req:SVC-13
  Scenario Outline: The acquirer receives a charge of a stored card
    Given a stored card
    When the merchant <pays> from the registration
    Then the payment succeeds
    And the acquirer received <received>
    And the acquirer received card.expiryMonth
    And the acquirer received card.holder

    Examples:
      | pays                | received        | why              |
      | authorizes 9.90 USD | PA of 9.90 USD  | an authorization |
      | debits 12.00 EUR    | DB of 12.00 EUR | a sale           |
      | credits 7.50 GBP    | CD of 7.50 GBP  | a credit         |

  @req:SVC-09 @req:PAY-06
  Scenario Outline: The acquirer receives the type a checkout gives a brand
    Given a checkout for 92.00 USD with overridePaymentType[MASTER] "PA"
    When the shopper pays in the checkout by <account>
    Then the payment succeeds
    And the acquirer received <received>

    Examples:
      | account       | received        | why                    |
      | card          | DB of 92.00 USD | the type of all others |
      | another brand | PA of 92.00 USD | the type of that brand |

  @req:MODE-03 @req:PAY-01 @req:PAY-03
  Scenario Outline: A card message has amount, currency and type of the payment
    When the merchant <sends> with
      | testMode | EXTERNAL |
    Then the payment succeeds
    And the card message has
      | 3  | <processing> |
      | 4  | <amount>     |
      | 49 | <currency>   |

    Examples:
      | sends                | processing | amount       | currency | why               |
      | authorizes 92.00 EUR | 000000     | 000000009200 | 978      | an authorization  |
      | debits 0.01 USD      | 000000     | 000000000001 | 840      | the smallest      |
      | credits 7.00 GBP     | 260000     | 000000000700 | 826      | a credit          |
      | debits 123456.78 CHF | 000000     | 000012345678 | 756      | many digits       |
      | debits 10.50 PLN     | 000000     | 000000001050 | 985      | a zero at its end |
      | debits 19.99 EUR     | 000000     | 000000001999 | 978      | no binary float   |
      | authorizes 8.20 USD  | 000000     | 000000000820 | 840      | nor this one      |

  @req:MODE-03 @req:END-08
  Scenario Outline: A card message about a payment has its own amount and refers to the payment
    Given an authorized payment of 92.00 USD in the test mode EXTERNAL
    When the merchant <does>
    Then the <what> succeeds
    And a card message of type <type> was sent to the card host
    And the card message has
      | 4  | <amount> |
      | 49 | 840      |
    And the card host received the id it gave the payment

    Examples:
      | does                     | what     | type | amount       | why       |
      | captures 30.10 USD of it | capture  | 0200 | 000000003010 | a part    |
      | captures 92.00 USD of it | capture  | 0200 | 000000009200 | all of it |
      | reverses it              | reversal | 0400 | 000000009200 | all of it |

  @req:SVC-01 @req:MERCH-01 @req:ADDR-05 @req:CUST-05
  Scenario: The card host receives the structures of a payment with their values
    When the merchant debits 92.00 EUR with
      | testMode                                   | EXTERNAL          |
      | merchantTransactionId                      | order-4711        |
      | merchant.name                              | Jones Books       |
      | merchant.city                              | Berlin            |
      | merchant.mcc                               | 5942              |
      | merchant.data[shelf]                       | 12                |
      | billing.street1                            | Main Street 5     |
      | billing.city                               | Berlin            |
      | billing.postcode                           | 10115             |
      | billing.country                            | DE                |
      | shipping.city                              | Graz              |
      | shipping.customer.email                    | ann@shop.example  |
      | customer.givenName                         | Jane              |
      | customer.surname                           | Jones             |
      | customer.email                             | jane@shop.example |
      | cart.items[0].name                         | Book              |
      | cart.items[1].name                         | Pen               |
      | airline.passengers[1].legs[1].flightNumber | SG124             |
      | airline.passengers[1].legs[0].flightNumber | SG123             |
      | airline.passengers[0].name                 | Jane Jones        |
    Then the payment succeeds
    And the card host received
      | merchantTransactionId                      | order-4711        |
      | merchant.name                              | Jones Books       |
      | merchant.city                              | Berlin            |
      | merchant.mcc                               | 5942              |
      | merchant.data[shelf]                       | 12                |
      | billing.street1                            | Main Street 5     |
      | billing.city                               | Berlin            |
      | billing.postcode                           | 10115             |
      | billing.country                            | DE                |
      | shipping.city                              | Graz              |
      | shipping.customer.email                    | ann@shop.example  |
      | customer.givenName                         | Jane              |
      | customer.surname                           | Jones             |
      | customer.email                             | jane@shop.example |
      | cart.items[0].name                         | Book              |
      | cart.items[1].name                         | Pen               |
      | airline.passengers[1].legs[1].flightNumber | SG124             |
      | airline.passengers[1].legs[0].flightNumber | SG123             |
      | airline.passengers[0].name                 | Jane Jones        |

  @req:PAY-09 @req:PAY-10
  Scenario Outline: What is for the merchant alone is sent to no acquirer
    When the merchant debits 92.00 EUR with
      | testMode | <mode>           |
      | <name>   | order-4711-alone |
    Then the payment succeeds
    And the acquirer did not receive <name>

    Examples:
      | mode     | name              | why                        |
      | INTERNAL | merchantInvoiceId | not sent onward            |
      | EXTERNAL | merchantInvoiceId | not sent onward            |
      | INTERNAL | merchantMemo      | it appears only in reports |
      | EXTERNAL | merchantMemo      | it appears only in reports |

  @req:SVC-18 @req:TDS-01
  Scenario Outline: Results of another MPI reach the card host unchanged
    When the merchant debits 92.00 EUR with
      | testMode                          | EXTERNAL                                                         |
      | paymentBrand                      | <brand>                                                          |
      | card.number                       | <number>                                                         |
      | card.cvv                          | <cvv>                                                            |
      | threeDSecure.eci                  | <eci>                                                            |
      | threeDSecure.verificationId       | <cavv>                                                           |
      | threeDSecure.xid                  | MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw |
      | threeDSecure.enrollmentStatus     | Y                                                                |
      | threeDSecure.authenticationStatus | <status>                                                         |
      | threeDSecure.version              | <version>                                                        |
    Then the payment succeeds
    And the card host received
      | threeDSecure.eci                  | <eci>                                                            |
      | threeDSecure.verificationId       | <cavv>                                                           |
      | threeDSecure.xid                  | MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw |
      | threeDSecure.enrollmentStatus     | Y                                                                |
      | threeDSecure.authenticationStatus | <status>                                                         |
      | threeDSecure.version              | <version>                                                        |

    Examples:
      | brand  | number           | cvv  | eci | cavv                         | status | version | why                  |
      | VISA   | 4200000000000000 | 123  | 05  | AAABBWFlmQAAAABjRWWZEEFgFz8= | Y      | 2.2.0   | authenticated        |
      | VISA   | 4200000000000000 | 123  | 06  | AAACAgSRBklmQCFgMpEGAAAAAAA= | A      | 2.1.0   | attempted            |
      | MASTER | 5454545454545454 | 123  | 02  | jJ81HADVRtXfCBATEp01CJUAAAA= | Y      | 2.2.0   | authenticated        |
      | MASTER | 5454545454545454 | 123  | 01  | jGvQIvG/5UhjAREALGYXemQLXPI= | A      | 1.0.2   | attempted, version 1 |
      | AMEX   | 377777777777770  | 1234 | 05  | AAABBWFlmQAAAABjRWWZEEFgFz8= | Y      | 2.2.0   | another scheme       |

  @req:SVC-15 @req:COF-01
  Scenario Outline: Every value of a standing instruction reaches the card host
    When the merchant debits 9.90 EUR with
      | testMode                   | EXTERNAL |
      | standingInstruction.mode   | <mode>   |
      | standingInstruction.source | <source> |
      | standingInstruction.type   | <type>   |
    Then the payment succeeds
    And the card host received
      | standingInstruction.mode   | <mode>   |
      | standingInstruction.source | <source> |
      | standingInstruction.type   | <type>   |

    Examples:
      | mode     | source | type        | why                  |
      | INITIAL  | CIT    | UNSCHEDULED | a card on file       |
      | INITIAL  | CIT    | RECURRING   | a subscription       |
      | INITIAL  | CIT    | INSTALLMENT | installments         |
      | REPEATED | CIT    | UNSCHEDULED | one click            |
      | REPEATED | MIT    | UNSCHEDULED | without the shopper  |
      | REPEATED | MIT    | RECURRING   | the next month       |
      | REPEATED | MIT    | INSTALLMENT | the next installment |

  @req:COF-02 @req:SVC-15
  Scenario: A charge of a series is sent to the card host with the reference of the series
    Given a series started by the shopper in the test mode EXTERNAL
    When the merchant charges 9.90 EUR in the test mode EXTERNAL, with the reference of the series
    Then the payment succeeds
    And the card host received the reference of the series

  @req:SVC-17 @req:RISK-04 @req:RISK-02
  Scenario Outline: The risk system receives amount and brand
    When the merchant requests a risk check of <amount> <currency> by the <brand> card <number>
    Then the risk check succeeds
    And the risk system received RI of <amount> <currency> for <brand>

    Examples:
      | amount | currency | brand  | number           | why                        |
      | 92.00  | EUR      | VISA   | 4200000000000000 | an ordinary one            |
      | 5.10   | USD      | MASTER | 5454545454545454 | another brand and currency |
      | 700.00 | JPY      | AMEX   | 377777777777770  | a third brand              |

  @needs:control
  @req:CUST-01 @req:CUST-03 @req:CUST-05 @req:CUST-07 @req:ADDR-02 @req:ADDR-03 @req:SHIP-01
  @req:MERCH-02 @req:CART-01 @req:CART-03 @req:CART-04 @req:AIR-01 @req:REC-02 @req:GIFT-01
  @req:CUSTOM-01 @req:RISK-03 @req:RISK-01 @req:PAY-08 @req:PAY-11 @req:PAY-07 @req:CARD-03
  @req:CARD-04 @req:TRN-02
  Scenario: Every field reaches the card host as it was sent
    When the merchant debits 92.00 EUR with
      | testMode                                   | EXTERNAL            |
      | card.expiryMonth                           | 07                  |
      | card.expiryYear                            | 2098                |
      | customer.givenName                         | Jane                |
      | customer.surname                           | Jones               |
      | customer.phone                             | +49 30 1234-5       |
      | customer.identificationDocType             | PASSPORT            |
      | customer.identificationDocId               | L01X00T47           |
      | customer.status                            | EXISTING            |
      | billing.street1                            | Main Street         |
      | billing.houseNumber1                       | 5                   |
      | billing.houseNumber2                       | b                   |
      | billing.country                            | DE                  |
      | shipping.street1                           | High Street         |
      | shipping.houseNumber1                      | 7                   |
      | shipping.houseNumber2                      | c                   |
      | shipping.method                            | NEXT_DAY_OVERNIGHT  |
      | shipping.preference                        | NO_SHIPPING         |
      | shipping.customer.phone                    | 0049 (30) 99        |
      | shipping.customer.identificationDocType    | IDCARD              |
      | shipping.customer.identificationDocId      | X01X00T48           |
      | merchant.data[a.b]                         | x                   |
      | cart.items[0].name                         | Book                |
      | cart.items[0].quantity                     | 1.125               |
      | cart.items[0].tax                          | 19.5                |
      | cart.items[1].name                         | Pen                 |
      | cart.payments[0].status                    | authorized          |
      | cart.payments[1].status                    | pending             |
      | airline.passengers[0].name                 | Jane                |
      | airline.passengers[1].legs[0].flightNumber | SG1                 |
      | recurring.numberOfInstallments             | 12                  |
      | giftCard.type                              | GRADUATION          |
      | giftCard.message                           | Well done           |
      | customParameters[note]                     | twice               |
      | risk.orderTimestamp                        | 2020-01-31 10:00:00 |
      | risk.channelId                             | channel-4711        |
      | merchantTransactionId                      | order-4711          |
      | transactionCategory                        | EC                  |
      | descriptor                                 | Büchershop          |
      | customer.companyName                       | Möller & Söhne      |
      | billing.city                               | Köln                |
    Then the payment succeeds
    And the card host received
      | card.expiryMonth                           | 07                  |
      | card.expiryYear                            | 2098                |
      | customer.givenName                         | Jane                |
      | customer.surname                           | Jones               |
      | customer.phone                             | +49 30 1234-5       |
      | customer.identificationDocType             | PASSPORT            |
      | customer.identificationDocId               | L01X00T47           |
      | customer.status                            | EXISTING            |
      | billing.street1                            | Main Street         |
      | billing.houseNumber1                       | 5                   |
      | billing.houseNumber2                       | b                   |
      | billing.country                            | DE                  |
      | shipping.street1                           | High Street         |
      | shipping.houseNumber1                      | 7                   |
      | shipping.houseNumber2                      | c                   |
      | shipping.method                            | NEXT_DAY_OVERNIGHT  |
      | shipping.preference                        | NO_SHIPPING         |
      | shipping.customer.phone                    | 0049 (30) 99        |
      | shipping.customer.identificationDocType    | IDCARD              |
      | shipping.customer.identificationDocId      | X01X00T48           |
      | merchant.data[a.b]                         | x                   |
      | cart.items[0].name                         | Book                |
      | cart.items[0].quantity                     | 1.125               |
      | cart.items[0].tax                          | 19.5                |
      | cart.items[1].name                         | Pen                 |
      | cart.payments[0].status                    | authorized          |
      | cart.payments[1].status                    | pending             |
      | airline.passengers[0].name                 | Jane                |
      | airline.passengers[1].legs[0].flightNumber | SG1                 |
      | recurring.numberOfInstallments             | 12                  |
      | giftCard.type                              | GRADUATION          |
      | giftCard.message                           | Well done           |
      | customParameters[note]                     | twice               |
      | risk.orderTimestamp                        | 2020-01-31 10:00:00 |
      | risk.channelId                             | channel-4711        |
      | merchantTransactionId                      | order-4711          |
      | transactionCategory                        | EC                  |
      | descriptor                                 | Büchershop          |
      | customer.companyName                       | Möller & Söhne      |
      | billing.city                               | Köln                |
