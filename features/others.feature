Feature: Others without the right
  What belongs to a merchant is found and changed by that merchant alone. A shopper's form may pay in its
  own checkout, and nothing else.

  @req:AUTH-06 @req:END-08 @req:END-02 @req:SVC-22 @needs:other
  Scenario Outline: A payment belongs to its merchant
    Given two merchants of one sandbox
    And <before>
    When <who> tries to <deed>
    Then the request is refused like one for something unknown

    Examples:
      | before                             | who                           | deed                            | why                |
      | a debit of 92.00 EUR               | the other merchant            | read the payment                | it is another's    |
      | an authorized payment of 92.00 EUR | the other merchant            | capture the payment             | it is another's    |
      | a debit of 92.00 EUR               | the other merchant            | refund the payment              | it is another's    |
      | an authorized payment of 92.00 EUR | the other merchant            | reverse the payment             | it is another's    |
      | a debit of 92.00 EUR               | the other merchant            | rebill the payment              | it is another's    |
      | a debit of 92.00 EUR               | the other merchant            | charge back the payment         | it is another's    |
      | an authorized payment of 92.00 EUR | the other merchant            | record a receipt of the payment | it is another's    |
      | a debit of 92.00 EUR               | the other merchant            | report the payment              | it is another's    |
      | a debit of 92.00 EUR               | the other merchant            | report the payment in pages     | it is another's    |
      | a debit of 92.00 EUR               | a merchant of another sandbox | refund the payment              | of another sandbox |
      | an authorized payment of 92.00 EUR | a merchant of another sandbox | capture the payment             | of another sandbox |
      | a debit of 92.00 EUR               | a merchant of another sandbox | report the payment              | of another sandbox |

  @req:AUTH-06 @req:SVC-09 @req:END-04 @req:END-05 @needs:other
  Scenario Outline: A checkout belongs to its merchant
    Given two merchants of one sandbox
    And a checkout for 92.00 EUR
    When <who> tries to <deed>
    Then the request is refused like one for something unknown

    Examples:
      | who                           | deed                            | why                |
      | the other merchant            | read the result of the checkout | it is another's    |
      | the other merchant            | pay in the checkout             | it is another's    |
      | the other merchant            | change the checkout             | it is another's    |
      | the other merchant            | delete the checkout             | it is another's    |
      | a merchant of another sandbox | pay in the checkout             | of another sandbox |
      | a merchant of another sandbox | read the result of the checkout | of another sandbox |

  @req:AUTH-06 @req:SVC-10 @req:END-06 @req:END-07 @needs:other
  Scenario Outline: A registration checkout belongs to its merchant
    Given two merchants of one sandbox
    And a registration checkout
    When <who> tries to <deed>
    Then the request is refused like one for something unknown

    Examples:
      | who                           | deed                                  | why                |
      | the other merchant            | register in the checkout              | it is another's    |
      | the other merchant            | read the registration of the checkout | it is another's    |
      | a merchant of another sandbox | register in the checkout              | of another sandbox |

  @req:AUTH-06 @req:SVC-09 @needs:other
  Scenario Outline: An attempt of another merchant does not change the checkout
    Given two merchants of one sandbox
    And a checkout for 92.00 EUR
    And the other merchant tries to <deed>
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And the response shows amount "92.00"

    Examples:
      | deed                | why                |
      | change the checkout | the amount stays   |
      | delete the checkout | the checkout stays |
      | pay in the checkout | it was not paid    |

  @req:AUTH-06 @req:SVC-13 @req:SVC-11 @req:SVC-12 @req:TOK-01 @needs:other
  Scenario Outline: A stored card belongs to its merchant
    Given two merchants of one sandbox
    And <stored>
    When <who> tries to <deed>
    Then the request is refused like one for something unknown

    Examples:
      | stored                                | who                           | deed                                  | why                |
      | a stored card                         | the other merchant            | read the stored card                  | it is another's    |
      | a stored card                         | the other merchant            | change the stored card                | it is another's    |
      | a stored card                         | the other merchant            | extend the stored card                | it is another's    |
      | a stored card                         | the other merchant            | delete the stored card                | it is another's    |
      | a stored card                         | the other merchant            | charge the stored card                | it is another's    |
      | the registration created by a payment | the other merchant            | charge the stored card                | made by a payment  |
      | a stored card                         | the other merchant            | list the schedules of the stored card | it is another's    |
      | a stored card                         | a merchant of another sandbox | charge the stored card                | of another sandbox |
      | a stored card                         | a merchant of another sandbox | read the stored card                  | of another sandbox |

  @req:AUTH-06 @req:SVC-13 @needs:other
  Scenario Outline: A stored card is neither offered nor charged nor scheduled by another merchant
    Given two merchants of one sandbox
    And a stored card
    When the other merchant tries to <deed>
    Then the payment is refused

    Examples:
      | deed                                 | why                             |
      | offer the stored card                | in a checkout of its own        |
      | pay by the stored card in a checkout | in a checkout of its own        |
      | schedule the stored card             | it would be charged every month |

  @req:AUTH-06 @req:SVC-13 @needs:other
  Scenario Outline: An attempt of another merchant does not change the stored card
    Given two merchants of one sandbox
    And a stored card
    And the other merchant tries to <deed>
    When the merchant debits 9.90 EUR from the registration
    Then the payment succeeds
    And the response shows card.expiryYear "2099"

    Examples:
      | deed                   | why               |
      | delete the stored card | it is still there |
      | change the stored card | its expiry stays  |

  @req:AUTH-06 @req:SVC-20 @req:END-10 @req:JOB-04 @needs:other
  Scenario Outline: A schedule belongs to its merchant
    Given two merchants of one sandbox
    And a stored card
    And a schedule of the stored card
    When <who> tries to <deed>
    Then the request is refused like one for something unknown

    Examples:
      | who                           | deed                    | why                |
      | the other merchant            | read the schedule       | it is another's    |
      | the other merchant            | reschedule the schedule | it is another's    |
      | the other merchant            | deschedule the schedule | it is another's    |
      | a merchant of another sandbox | deschedule the schedule | of another sandbox |

  @req:AUTH-06 @req:SVC-20 @req:JOB-04 @needs:other
  Scenario Outline: An attempt of another merchant does not change the schedule
    Given two merchants of one sandbox
    And a stored card
    And a schedule of the stored card
    And the other merchant tries to <deed>
    When the merchant reads the schedule
    Then the plan is active

    Examples:
      | deed                    | why               |
      | deschedule the schedule | it goes on        |
      | reschedule the schedule | it is not another |

  @req:AUTH-06 @req:COF-02 @req:SVC-15 @needs:other @decision:D-123
  Scenario: The reference of a series is of use to its merchant alone
    Given two merchants of one sandbox
    And a series started by the shopper
    When the other merchant tries to charge with the reference of the series
    Then the payment is refused with 600.200.501

  @req:AUTH-06 @req:COF-02 @req:SVC-14 @needs:other
  Scenario: The card of a series is charged by its merchant alone
    Given two merchants of one sandbox
    And a series started by the shopper
    When the other merchant tries to charge the card of the series
    Then the request is refused like one for something unknown

  @req:FORM-12 @req:END-04 @req:AUTH-06 @req:PAY-02 @needs:control
  Scenario Outline: The form of a shopper sends what a shopper may say, and no more
    Given a checkout for 92.00 EUR
    When the payment form pays in the checkout with <name> "<value>"
    Then the request is refused, naming <name>

    Examples:
      | name                        | value                        | why                           |
      | amount                      | 0.01                         | the merchant's                |
      | currency                    | USD                          | the merchant's                |
      | paymentType                 | PA                           | the merchant's                |
      | descriptor                  | Other shop                   | the merchant's                |
      | merchantTransactionId       | order-4711                   | the merchant's                |
      | merchantInvoiceId           | invoice-4711                 | the merchant's                |
      | testMode                    | EXTERNAL                     | the merchant's                |
      | notificationUrl             | https://other.example/notify | the merchant's                |
      | cart.items[0].name          | Book                         | the merchant's                |
      | customParameters[order.no]  | 4711                         | without the prefix            |
      | customParameters[shopper_]  | 4711                         | the prefix in small letters   |
      | customParameters[xSHOPPER_] | 4711                         | the prefix not at the start   |
      | threeDSecure.eci            | 05                           | a result of an authentication |
      | threeDSecure.verificationId | AAABBWFlmQAAAABjRWWZEEFgFz8= | a result of an authentication |
      | risk.amount                 | 0.01                         | what the risk check uses      |
      | standingInstruction.source  | MIT                          | it would not be the shopper   |
      | recurringType               | REPEATED                     | it would need no code         |
      | overrideHolder              | true                         | the merchant's                |
      | result.code                 | approved                     | a result of a payment         |

  @req:END-04 @req:AUTH-06 @needs:control
  Scenario Outline: The result of a payment is not sent by a merchant
    When the merchant sends <name> "<value>" with <kind>
    Then the request is refused, naming <name>

    Examples:
      | kind                          | name        | value    | why                    |
      | a debit                       | result.code | approved | the gateway decides it |
      | a payment in a checkout       | result.code | approved | the gateway decides it |
      | a registration                | result.code | approved | the gateway decides it |
      | a payment from a registration | result.code | approved | the gateway decides it |
      | a capture                     | result.code | approved | the gateway decides it |

  @req:AUTH-01 @req:AUTH-06 @req:FORM-12 @req:AUTH-03 @needs:control
  Scenario Outline: The credentials of a form open nothing but its checkout
    Given a checkout for 92.00 EUR
    When the payment form tries to <deed>
    Then the credentials are refused as missing or malformed

    Examples:
      | deed                      | why                  |
      | read the result           | it is the merchant's |
      | take a payment of its own | it is the merchant's |
      | store a card of its own   | it is the merchant's |
      | change the checkout       | it is the merchant's |
      | delete the checkout       | it is the merchant's |
      | request a report          | it is the merchant's |
      | refund a payment          | it is the merchant's |

  @req:AUTH-04 @req:AUTH-06 @req:END-04 @needs:control
  Scenario: The credentials of a form do not pay in another checkout
    Given a checkout for 92.00 EUR
    When the payment form of another checkout for 1.00 EUR pays in the checkout
    Then the credentials are refused as unknown

  @req:AUTH-04 @req:END-04 @needs:control
  Scenario Outline: A form without credentials that were issued does not pay
    Given a checkout for 92.00 EUR
    When the payment form pays in the checkout with the credentials "<credentials>"
    Then the credentials are refused as unknown

    Examples:
      | credentials                                      | why          |
      | 000000000000000000000000000000000000000000000000 | never issued |
      | ffffffffffffffffffffffffffffffffffffffffffffffff | never issued |

  @req:SVC-13 @req:SVC-10 @req:END-04 @req:AUTH-06 @needs:control
  Scenario: A form does not pay by a stored card that the checkout does not offer
    Given a stored card
    And a checkout for 92.00 EUR
    When the payment form pays in the checkout by the stored card
    Then the request is refused, naming registrationId

  @req:SVC-13 @req:SVC-10 @req:END-04 @needs:control
  Scenario: A form pays by a stored card that the checkout offers
    Given a stored card
    And a checkout for 92.00 EUR that offers the stored card
    When the payment form pays in the checkout by the stored card
    Then the payment succeeds
    And the response shows amount "92.00"
