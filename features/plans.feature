@req:SVC-20
Feature: Plans of schedules
  What becomes of a schedule over time: how it stands, when a charge is tried again, what an execution pays
  with, and how a chain of rescheduled ones goes on.

  @needs:clock @needs:scripts @decision:D-161
  Scenario Outline: A declined charge is tried again where that may help
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
      | job.month      | 01 |
    And the acquirer declines every payment with <code>
    When 10 days pass
    Then the card was charged on <days>

    Examples:
      | code        | days        | why                       |
      | 800.100.155 | 01-05 01-09 | above the credit          |
      | 800.100.162 | 01-05 01-09 | above a limit             |
      | 800.100.163 | 01-05 01-09 | too often                 |
      | 800.100.176 | 01-05 01-09 | not available now         |
      | 800.100.203 | 01-05 01-09 | not enough money          |
      | 900.100.600 | 01-05 01-09 | no connection             |
      | 800.100.152 | 01-05       | the acquirer gives no reason |
      | 800.100.157 | 01-05       | an expired card stays so  |
      | 800.100.171 | 01-05       | a stolen card stays so    |

  @needs:clock @needs:scripts @decision:D-161
  Scenario: A charge that succeeds at a later try is not tried again
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
      | job.month      | 01 |
    And the acquirer declines 1 payment with 800.100.203
    When 60 days pass
    Then the card was charged on 01-05 01-09
    And the newest charge shows result.code "000.100.110"
    And the newest charge shows source "MACRETRY"

  @req:JOB-04 @needs:clock @needs:scripts @decision:D-161
  Scenario: What is descheduled is not tried again
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    And the acquirer declines every payment with 800.100.203
    And 5 days pass
    And it is descheduled
    When 60 days pass
    Then the card was charged on 01-05

  @req:EVT-01 @needs:clock @needs:scripts @needs:inbox
  Scenario: A declined execution is notified with its reason
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And the merchant has a webhook endpoint for PAYMENT events
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    And the acquirer declines every payment with 800.100.152
    When 10 days pass
    Then 1 notification has arrived
    And the notification is of type PAYMENT and action CREATED
    And the notification shows result.code "800.100.152"

  @needs:clock @decision:D-161
  Scenario Outline: An execution pays with all that the schedule says
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 05      |
      | customer.givenName | Jane    |
      | customer.surname   | Jones   |
      | <name>             | <value> |
    When 10 days pass
    Then the newest charge shows <path> "<shown>"

    Examples:
      | name                   | value             | path                       | shown             | why                   |
      | customParameters[note] | monthly           | customParameters.note      | monthly           | a custom parameter    |
      | customer.companyName   | Jones Ltd         | customer.companyName       | Jones Ltd         | the shopper           |
      | descriptor             | Jones Books       | descriptor                 | Jones Books       | the statement         |
      | billing.city           | Berlin            | billing.city               | Berlin            | an address            |
      | cart.items[0].name     | Magazine          | cart.items[0].name         | Magazine          | what is sold          |
      | merchant.name          | Jones Magazines   | merchant.name              | Jones Magazines   | who sells it          |
      | testMode               | EXTERNAL          | result.code                | 000.100.112       | at the card host      |
      | testMode               | INTERNAL          | result.code                | 000.100.110       | at the simulators     |

  @req:END-10 @needs:clock @decision:D-160
  Scenario Outline: A plan says what it made and when it goes on
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05     |
      | paymentType    | <type> |
    And <span> pass
    When the merchant reads the schedule
    Then the plan is active
    And the plan has made <count> executions
    And the plan continues on <next>
    And the response shows plan.paymentType "<type>"
    And the response shows job.dayOfMonth "05"
    And the response shows amount "9.99"

    Examples:
      | type | span    | count | next  | why          |
      | PA   | 3 days  | 0     | 01-05 | none so far  |
      | CD   | 4 days  | 1     | 02-05 | the first    |
      | DB   | 70 days | 3     | 04-05 | three        |

  @req:END-10 @needs:clock @needs:scripts @decision:D-160
  Scenario: A plan says how its last execution went
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    And the acquirer declines every payment with 800.100.152
    And 40 days pass
    When the merchant reads the schedule
    Then the response shows plan.lastExecution.result.code "800.100.152"
    And the plan has made 2 executions

  @req:END-10 @req:JOB-04 @needs:clock @decision:D-159
  Scenario: A plan under notice says when it ends
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 05      |
      | job.noticeNumber   | 40      |
      | job.noticeUnit     | DAY     |
      | job.noticeCallable | ANYTIME |
    And it is descheduled
    When the merchant reads the schedule
    Then the plan is active
    And the plan ends on 02-10

  @req:END-10 @req:JOB-04 @needs:clock @decision:D-160
  Scenario: What is under notice is not descheduled again
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 05      |
      | job.noticeNumber   | 40      |
      | job.noticeUnit     | DAY     |
      | job.noticeCallable | ANYTIME |
    And it is descheduled
    When the merchant deschedules it
    Then the response shows result.code "100.360.303"

  @req:END-10 @req:JOB-04 @needs:clock @decision:D-160
  Scenario: What is under notice is not rescheduled
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 05      |
      | job.noticeNumber   | 40      |
      | job.noticeUnit     | DAY     |
      | job.noticeCallable | ANYTIME |
    And it is descheduled
    When the merchant reschedules it to 19.99 EUR
    Then the response shows result.code "100.360.300"

  @req:COF-03 @needs:clock @decision:D-698 @pattern:limit
  Scenario Outline: A schedule charges no more often than its series may
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth           | 05,06,07,08 |
      | standingInstruction.type | INSTALLMENT |
      | <limit>                  | <value>     |
    When 10 days pass
    Then the card was charged on <days>

    Examples:
      | limit                                    | value | days        | why              |
      | standingInstruction.numberOfInstallments | 2     | 01-05 01-06 | two installments |
      | standingInstruction.numberOfInstallments | 1     | 01-05       | one installment  |

  @req:COF-03 @needs:clock @decision:D-698 @pattern:limit
  Scenario Outline: A schedule is over with the last payment that its series may have
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth                           | 05,06,07,08 |
      | standingInstruction.type                 | INSTALLMENT |
      | standingInstruction.numberOfInstallments | 2           |
    And <span> pass
    When the merchant reads the schedule
    Then the plan has made <count> executions
    And the plan is <standing>

    Examples:
      | span    | count | standing | why                 |
      | 4 days  | 1     | active   | one is still to come |
      | 10 days | 2     | over     | it has made them all |

  @req:END-10 @decision:D-160
  Scenario: A list has every schedule of its card, also those that ended, and none of another card
    Given a card stored for a subscription
    And a schedule of 5.00 EUR with
      | job.dayOfMonth | 05 |
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    And it is rescheduled to 19.99 EUR
    And a schedule of 7.00 EUR with
      | job.dayOfMonth | 20 |
    When the merchant lists the schedules of the card
    Then 3 schedules are listed

  @req:END-10 @needs:clock @decision:D-160
  Scenario: The first schedule of a long chain ends all of it
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    And it is rescheduled to 19.99 EUR
    And it is rescheduled again to 29.99 EUR
    And 10 days pass
    And it is descheduled
    When 60 days pass
    Then the card was charged on 01-05
    And the newest charge was 29.99 EUR

  @req:END-10 @req:JOB-04 @needs:clock @decision:D-160 @decision:D-159 @pattern:limit
  Scenario: A minimum duration counts from the first execution of a chain
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 05    |
      | job.durationNumber | 3     |
      | job.durationUnit   | MONTH |
    And 10 days pass
    And it is rescheduled to 19.99 EUR with
      | job.dayOfMonth     | 10    |
      | job.durationNumber | 3     |
      | job.durationUnit   | MONTH |
    And it is descheduled
    When 190 days pass
    Then the card was charged on 01-05 02-10 03-10

  @req:END-10 @req:JOB-03 @req:JOB-04 @needs:clock @decision:D-160 @decision:D-159
  Scenario: A chain is not rescheduled to end before its minimum duration
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 05    |
      | job.durationNumber | 3     |
      | job.durationUnit   | MONTH |
    When the merchant reschedules it to 19.99 EUR with
      | job.dayOfMonth     | 05                  |
      | job.endDate        | YYYY-02-20 00:00:00 |
      | job.durationNumber | 3                   |
      | job.durationUnit   | MONTH               |
    Then the response shows result.code "100.250.120"

  @req:END-10 @needs:clock @decision:D-160
  Scenario: What is not sent when a schedule is replaced stays as it was
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth         | 05      |
      | paymentType            | PA      |
      | customParameters[note] | monthly |
    And it is rescheduled to 19.99 EUR
    When 10 days pass
    Then the newest charge was 19.99 EUR
    And the newest charge shows paymentType "PA"
    And the newest charge shows customParameters.note "monthly"

  @req:JOB-03 @needs:clock @decision:D-158 @pattern:limit
  Scenario: A start date that has passed is refused
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And 10 days pass
    When the merchant schedules 9.99 EUR with
      | job.dayOfMonth | 05                  |
      | job.startDate  | YYYY-01-10 23:59:58 |
    Then the response shows result.code "100.250.120"

  @req:PAY-02 @decision:D-161
  Scenario: A schedule of nothing is refused
    Given a card stored for a subscription
    When the merchant schedules 0.00 EUR with job.dayOfMonth "05"
    Then the response shows result.code "100.550.300"

  @req:JOB-04 @needs:clock @decision:D-159 @pattern:limit
  Scenario Outline: A month from the 31st ends with a shorter month
    Given the sandbox clock is frozen at the start of the year <year>
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 27,28,29 |
      | job.month          | 02,03    |
      | job.noticeNumber   | <number> |
      | job.noticeUnit     | MONTH    |
      | job.noticeCallable | ANYTIME  |
    And 30 days pass
    And it is descheduled
    When 100 days pass
    Then the card was charged on <days>

    Examples:
      | year | number | days        | why                      |
      | 2027 | 1      | 02-27       | 28 February ends it      |
      | 2028 | 1      | 02-27 02-28 | 29 February of a leap year |

  @req:JOB-05 @needs:clock @decision:D-156
  Scenario Outline: An expression means the fifth, the last and the nearest days
    Given the sandbox clock is frozen at the start of the year 2029
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.expression | <expression> |
    When 59 days pass
    Then the card was charged on <days>

    Examples:
      | expression            | days                    | why                                  |
      | 0 0 9 ? * 2#5         | 01-29                   | a fifth Monday, where there is one   |
      | 0 0 9 ? 1 L           | 01-06 01-13 01-20 01-27 | the last day of the week             |
      | 0 0 9 ? * 6L          | 01-26 02-23             | the last Friday, by its number       |
      | 0 0 9 ? * sun#1       | 01-07 02-04             | small letters                        |
      | 0 0 9 L-2W * ?        | 01-29 02-26             | the working day nearest to one before the last |
      | 0 0 9 1/14 1 ?        | 01-01 01-15 01-29       | steps from a day to the end          |
      | 0 0 9 ? jan-feb mon#3 | 01-15 02-19             | a range of names                     |

  @req:JOB-05 @needs:clock @decision:D-156
  Scenario Outline: An expression means times in ranges and steps
    Given the sandbox clock is frozen at the start of the year 2029
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.expression | <expression> |
    When 5 days pass
    Then the card was charged at <times>

    Examples:
      | expression          | times                               | why                  |
      | 0 0 8-10 5 1 ?      | 08:00:00 09:00:00 10:00:00          | a range of hours     |
      | 0 */20 9 5 1 ?      | 09:00:00 09:20:00 09:40:00          | steps from the first |
      | 0 10/25 9 5 1 ?     | 09:10:00 09:35:00                   | steps from another   |
      | 20/20 59 23 5 1 ?   | 23:59:20 23:59:40                   | steps of seconds     |
      | 0 0 22-1 5 1 ?      | 00:00:00 01:00:00 22:00:00 23:00:00 | over midnight        |
      | 0 0 8-20/6 5 1 ?    | 08:00:00 14:00:00 20:00:00          | a range in steps     |

  @req:HOST-01 @req:HOST-03 @needs:live @needs:clock @decision:D-88
  Scenario: A schedule of the live host is executed on the live host
    Given the sandbox clock is frozen at the start of a year
    And the merchant works on the live host
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    When 10 days pass
    Then the card was charged on 01-05
    And the newest charge shows result.code "000.000.000"
