@needs:clock
Feature: Schedules
  A merchant charges a stored card repeatedly, at the times of a job.

  @req:SVC-20 @req:END-10
  Scenario: A monthly job is executed once a month for a year
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    When 364 days pass
    Then the card was charged on 01-05 02-05 03-05 04-05 05-05 06-05 07-05 08-05 09-05 10-05 11-05 12-05

  @req:SVC-20
  Scenario Outline: An execution is a payment of the type the schedule names
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05     |
      | paymentType    | <type> |
    When 10 days pass
    Then the card was charged on 01-05
    And the newest charge was 9.99 EUR

    Examples:
      | type | why                          |
      | PA   | an authorization             |
      | DB   | a sale                       |
      | CD   | money goes to the cardholder |

  @req:JOB-01
  Scenario Outline: A field of a job is a value, a list or any value
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.month      | <month> |
      | job.dayOfMonth | <day>   |
      | job.year       | *       |
    When 90 days pass
    Then the card was charged on <days>

    Examples:
      | month | day   | days                    | why                      |
      | *     | 20    | 01-20 02-20 03-20       | any month, one day       |
      | 02    | 20    | 02-20                   | one month                |
      | 01,03 | 10,20 | 01-10 01-20 03-10 03-20 | lists                    |
      | *     | 31    | 01-31 03-31             | a month may lack the day |
      | 05    | 20    | never                   | the month is later       |

  @req:JOB-01
  Scenario: The time of a day is second, minute and hour in UTC
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05    |
      | job.hour       | 07,19 |
      | job.minute     | 43    |
      | job.second     | 33    |
    When 10 days pass
    Then the card was charged at 07:43:33 19:43:33

  @req:JOB-01
  Scenario Outline: A malformed field of a job is refused
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    When the merchant schedules 9.99 EUR with <name> "<value>"
    Then the request is refused, naming <name>

    Examples:
      | name           | value | why                           |
      | job.hour       | 24    | a day has no such hour        |
      | job.hour       | 7     | two digits are written        |
      | job.minute     | 60    | an hour has no such minute    |
      | job.second     | 60    | a minute has no such second   |
      | job.month      | 13    | a year has no such month      |
      | job.dayOfMonth | 32    | no month has such a day       |
      | job.dayOfWeek  | 8     | a week has no such day        |
      | job.year       | 30    | a year has four digits        |
      | job.dayOfMonth | 5;6   | a list is written with commas |

  @req:JOB-02
  Scenario: A day of the month and a day of the week are not sent together
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    When the merchant schedules 9.99 EUR with
      | job.dayOfMonth | 05 |
      | job.dayOfWeek  | 2  |
    Then the request is refused, naming job.dayOfWeek

  @req:JOB-03
  Scenario: The start date is the first execution
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05                  |
      | job.startDate  | YYYY-02-05 00:00:00 |
    When 100 days pass
    Then the card was charged on 02-05 03-05 04-05

  @req:JOB-03 @decision:D-158
  Scenario: The start date is the first execution on any day
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05                  |
      | job.startDate  | YYYY-01-20 10:30:00 |
    When 50 days pass
    Then the card was charged on 01-20 02-05

  @req:JOB-03
  Scenario Outline: The end date is the last moment of an execution
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05    |
      | job.endDate    | <end> |
    When 190 days pass
    Then the card was charged on <days>

    Examples:
      | end                 | days        | why                |
      | YYYY-02-05 00:00:00 | 01-05 02-05 | the moment itself  |
      | YYYY-02-04 23:59:59 | 01-05       | a second before it |

  @req:JOB-04 @decision:D-159
  Scenario: A minimum duration is kept though the job is descheduled
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 05    |
      | job.durationNumber | 3     |
      | job.durationUnit   | MONTH |
    And it is descheduled
    When 190 days pass
    Then the card was charged on 01-05 02-05 03-05

  @req:JOB-04 @decision:D-159
  Scenario: Executions go on during a notice period
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 05      |
      | job.noticeNumber   | 40      |
      | job.noticeUnit     | DAY     |
      | job.noticeCallable | ANYTIME |
    And it is descheduled
    When 190 days pass
    Then the card was charged on 01-05 02-05

  @req:JOB-04 @decision:D-159
  Scenario: A late notice applies to the next end of the duration
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 05           |
      | job.noticeNumber   | 14           |
      | job.noticeUnit     | DAY          |
      | job.noticeCallable | DURATION_END |
      | job.durationNumber | 2            |
      | job.durationUnit   | MONTH        |
    And 60 days pass
    And it is descheduled
    When 190 days pass
    Then the card was charged on 01-05 02-05 03-05 04-05

  @req:JOB-04
  Scenario: A number without its unit is refused
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    When the merchant schedules 9.99 EUR with
      | job.dayOfMonth   | 05 |
      | job.noticeNumber | 14 |
    Then the request is refused, naming job.noticeUnit

  @req:JOB-05
  Scenario: An expression overrides the single fields
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05           |
      | job.hour       | 23           |
      | job.expression | 0 0 9 20 * ? |
    When 40 days pass
    Then the card was charged on 01-20
    And the card was charged at 09:00:00

  @req:JOB-05 @decision:D-156
  Scenario Outline: An expression may name the last day, a range and a month
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.expression | <expression> |
    When 95 days pass
    Then the card was charged on <days>

    Examples:
      | expression           | days              | why                          |
      | 0 0 0 L 1,3 ?        | 01-31 03-31       | the last day of a month      |
      | 0 0 0 10-30/10 JAN ? | 01-10 01-20 01-30 | a range in steps, and a name |

  @req:JOB-05 @decision:D-156
  Scenario Outline: An invalid expression is refused with the result code of its field
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    When the merchant schedules 9.99 EUR with job.expression "<expression>"
    Then the response shows result.code "<code>"

    Examples:
      | expression         | code        | why                              |
      | 0 0 24 1 * ?       | 100.250.121 | the hour                         |
      | 0 60 0 1 * ?       | 100.250.122 | the minute                       |
      | 0 0 0 32 * ?       | 100.250.123 | the day of the month             |
      | 0 0 0 1 13 ?       | 100.250.124 | the month                        |
      | 0 0 0 ? * 8        | 100.250.125 | the day of the week              |
      | 0 0 0 1 * MON      | 100.250.120 | two days that exclude each other |
      | every now and then | 100.250.111 | no expression at all             |

  @req:END-10 @decision:D-160
  Scenario: A schedule is read, and listed with its card
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    When the merchant lists the schedules of the card
    Then 1 schedule is listed

  @req:END-10 @decision:D-160
  Scenario: A rescheduled plan replaces the old one
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    And it is rescheduled to 19.99 EUR
    When the merchant reads the schedule
    Then the plan is inactive

  @req:END-10 @decision:D-160
  Scenario: A rescheduled plan charges the new amount at the old times
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    And it is rescheduled to 19.99 EUR
    When 50 days pass
    Then the card was charged on 01-05 02-05
    And the newest charge was 19.99 EUR

  @req:END-10 @decision:D-160
  Scenario: Descheduling any schedule of a chain ends the chain
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    And it is rescheduled to 19.99 EUR
    When the merchant deschedules the first schedule
    Then the schedule is accepted
    And the plan is inactive

  @req:END-10 @decision:D-160
  Scenario: A descheduled schedule cannot be descheduled again
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    And it is descheduled
    When the merchant deschedules it
    Then the response shows result.code "100.360.303"

  @req:END-10 @decision:D-160
  Scenario: A descheduled schedule cannot be rescheduled
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    And it is descheduled
    When the merchant reschedules it to 19.99 EUR
    Then the response shows result.code "100.360.300"

  @req:END-10 @decision:D-160
  Scenario: The older path creates a schedule
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    When the merchant schedules 9.99 EUR under the older path
    Then the schedule is accepted
    And the plan is active

  @req:END-09 @decision:D-160
  Scenario: An unknown schedule is not found
    When the merchant reads an unknown schedule
    Then the request is refused as not found

  @req:SVC-20 @decision:D-161
  Scenario: A schedule ends with its card
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    And the card is deleted
    And 50 days pass
    When the merchant reads the schedule
    Then the plan is inactive

  @req:SVC-20 @needs:scripts @decision:D-161
  Scenario: A charge declined for insufficient funds is retried
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
      | job.month      | 01 |
    And the acquirer declines every payment with 800.100.203
    When 60 days pass
    Then the card was charged on 01-05 01-09 01-13 01-17 01-21 01-25
