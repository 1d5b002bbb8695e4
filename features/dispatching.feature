Feature: Channels of a merchant
  A merchant with rules of dispatching sends payments for its own entity: the rules choose the channel.
  A channel takes the brands and currencies it is set up for.

  @req:AUTH-02 @needs:control @decision:D-111 @pattern:limit
  Scenario Outline: The first rule that fits chooses the channel
    Given a merchant whose payments are dispatched by
      | dollars | currencies | USD CAD |
      | masters | brands     | MASTER  |
      | large   | amount_min | 100.00  |
      | small   | amount_max | 1.00    |
      | all     |            |         |
    When the merchant debits <amount> <currency> for its own entity with
      | card.number  | <number> |
      | paymentBrand | <brand>  |
    Then the payment succeeds
    And the acquirer received it from the channel <channel>

    Examples:
      | amount | currency | brand  | number           | channel | why                           |
      | 50.00  | EUR      | VISA   | 4200000000000000 | all     | no rule but the last          |
      | 50.00  | USD      | VISA   | 4200000000000000 | dollars | its currency                  |
      | 50.00  | CAD      | VISA   | 4200000000000000 | dollars | the second currency of a list |
      | 50.00  | EUR      | MASTER | 5454545454545454 | masters | its brand                     |
      | 500.00 | USD      | MASTER | 5454545454545454 | dollars | the first of several          |
      | 99.99  | EUR      | VISA   | 4200000000000000 | all     | a cent less                   |
      | 100.00 | EUR      | VISA   | 4200000000000000 | large   | the least amount              |
      | 100.01 | EUR      | VISA   | 4200000000000000 | large   | a cent more                   |
      | 1.00   | EUR      | VISA   | 4200000000000000 | small   | the largest amount            |
      | 1.01   | EUR      | VISA   | 4200000000000000 | all     | a cent more                   |

  @req:AUTH-02 @needs:control @decision:D-111
  Scenario Outline: A rule may ask for the shopper's country
    Given a merchant whose payments are dispatched by
      | austria | countries | AT CH |
      | all     |           |       |
    When the merchant <verb> 50.00 EUR for its own entity with
      | billing.country | <country> |
    Then the payment succeeds
    And the acquirer received it from the channel <channel>

    Examples:
      | verb       | country | channel | why                          |
      | debits     | AT      | austria | the first country of a list  |
      | authorizes | CH      | austria | the second country of a list |
      | credits    | DE      | all     | another country              |

  @req:AUTH-02 @needs:control @decision:D-111
  Scenario Outline: A rule may ask for the place in a series
    Given a merchant whose payments are dispatched by
      | begins  | recurring | initial  |
      | goes_on | recurring | repeated |
      | all     |           |          |
    When the merchant debits 50.00 EUR for its own entity with
      | recurringType | <mark> |
    Then the payment succeeds
    And the acquirer received it from the channel <channel>

    Examples:
      | mark     | channel | why                |
      | INITIAL  | begins  | the first          |
      | REPEATED | goes_on | one of those after |
      |          | all     | no series          |

  @req:AUTH-02 @needs:control @decision:D-111
  Scenario Outline: A payment that no rule takes is refused
    Given a merchant whose payments are dispatched by
      | dollars | <criterion> | <value> |
    When the merchant debits 50.00 EUR for its own entity
    Then the payment is refused with <code>

    Examples:
      | criterion  | value  | code        | why              |
      | currencies | USD    | 800.160.110 | another currency |
      | brands     | MASTER | 800.160.110 | another brand    |
      | amount_min | 50.01  | 800.160.130 | a cent too small |
      | amount_max | 49.99  | 800.160.130 | a cent too large |

  @req:AUTH-02 @needs:control @decision:D-111
  Scenario: A merchant with rules of dispatching may still name a channel
    Given a merchant whose payments are dispatched by
      | dollars | currencies | USD |
      | all     |            |     |
    When the merchant debits 50.00 EUR on the channel dollars
    Then the payment succeeds
    And the acquirer received it from the channel dollars

  @req:AUTH-02 @needs:control @decision:D-111
  Scenario: A merchant without rules of dispatching is no entity of a payment
    Given a merchant with the channels web and shop
    When the merchant debits 50.00 EUR for its own entity
    Then the credentials are refused as unknown

  @req:AUTH-02 @req:END-08 @needs:control @decision:D-670
  Scenario Outline: The rules choose the channel of what a registration pays
    Given a merchant whose payments are dispatched by
      | dollars | currencies | USD    |
      | large   | amount_min | 100.00 |
      | visas   | brands     | VISA   |
    And the merchant names its own entity
    And the registration created by a payment
    When the merchant debits <amount> <currency> from the registration
    Then the payment succeeds
    And the acquirer received it from the channel <channel>

    Examples:
      | amount | currency | channel | why                      |
      | 9.00   | USD      | dollars | its currency             |
      | 100.00 | EUR      | large   | the least amount         |
      | 9.00   | EUR      | visas   | the brand of the account |

  @req:AUTH-02 @needs:control @decision:D-111
  Scenario Outline: A checkout that is updated is paid on the channel of what it has in the end
    Given a merchant whose payments are dispatched by
      | small | amount_max | 50.00 |
      | large | amount_min | 50.01 |
    And the merchant names its own entity
    And a checkout for 10.00 EUR
    And the merchant changes the checkout with amount "<amount>"
    When the shopper pays in the checkout by card
    Then the payment succeeds
    And the acquirer received it from the channel <channel>

    Examples:
      | amount | channel | why                |
      | 50.00  | small   | the largest amount |
      | 50.01  | large   | a cent more        |

  @req:AUTH-02 @needs:control @decision:D-111
  Scenario: An update of a checkout that no rule takes is refused
    Given a merchant whose payments are dispatched by
      | small | amount_max | 50.00 |
    And the merchant names its own entity
    And a checkout for 10.00 EUR
    When the merchant changes the checkout with amount "50.01"
    Then the payment is refused with 800.160.130

  @req:AUTH-02 @req:JOB-01 @needs:control @decision:D-111
  Scenario: A reschedule that no rule takes is refused
    Given a merchant whose payments are dispatched by
      | small | amount_max | 50.00 |
    And the merchant names its own entity
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    When the merchant reschedules it to 50.01 EUR
    Then the payment is refused with 800.160.130

  @req:AUTH-02 @req:SVC-21 @needs:control @decision:D-670
  Scenario: A report for the merchant's own entity contains the payments of every channel
    Given a merchant whose payments are dispatched by
      | dollars | currencies | USD |
      | euros   | currencies | EUR |
    And a debit of 10.00 EUR on the channel dollars
    And a debit of 20.00 EUR on the channel euros
    And the merchant names its own entity
    When the merchant requests a report of all days
    Then the report contains the amounts "10.00 20.00"

  @req:AUTH-02 @needs:control
  Scenario Outline: A payment is sent on the channel that it names
    Given a merchant with the channels web and shop
    When the merchant debits 50.00 EUR on the channel <channel>
    Then the payment succeeds
    And the acquirer received it from the channel <channel>

    Examples:
      | channel | why        |
      | web     | the first  |
      | shop    | the second |

  @req:PAY-04 @req:CARD-02 @needs:channels
  Scenario Outline: A channel takes its brands alone
    Given a merchant whose channel takes VISA and AMEX alone
    When the shopper's card <number> of <brand> with the code <cvv> is debited 92.00 EUR
    Then <outcome>

    Examples:
      | brand  | number           | cvv  | outcome                | why                  |
      | VISA   | 4111111111111111 | 123  | the payment succeeds   | the first of a list  |
      | AMEX   | 371449635398431  | 1234 | the payment succeeds   | the second of a list |
      | MASTER | 5105105105105100 | 123  | the payment is refused | not in the list      |

  @req:PAY-03 @needs:channels
  Scenario Outline: A channel takes its currencies alone
    Given a merchant whose channel takes EUR and USD alone
    When the merchant debits 92.00 <currency>
    Then <outcome>

    Examples:
      | currency | outcome                | why                  |
      | EUR      | the payment succeeds   | the first of a list  |
      | USD      | the payment succeeds   | the second of a list |
      | GBP      | the payment is refused | not in the list      |
