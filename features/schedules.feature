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
  Scenario Outline: Each field of the time of a day is a value, a list or any value
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05       |
      | job.hour       | <hour>   |
      | job.minute     | <minute> |
      | job.second     | <second> |
    When 5 days pass
    Then the card was charged at <times>

    Examples:
      | hour     | minute   | second   | times                      | why                 |
      | 07       | 00,30    | 15       | 07:00:15 07:30:15          | two minutes         |
      | 07       | 59       | 00,30,59 | 07:59:00 07:59:30 07:59:59 | three seconds       |
      | 00,12,23 | 01       | 02       | 00:01:02 12:01:02 23:01:02 | three hours         |
      | 05,06    | 10,20    | 00       | 05:10:00 05:20:00 06:10:00 06:20:00 | each with each |
      | 23,07    | 00       | 00       | 07:00:00 23:00:00          | a list in any order |

  @req:JOB-01
  Scenario: Any hour is every hour of the day
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
      | job.hour       | *  |
      | job.minute     | 30 |
    When 10 days pass
    Then the card was charged 24 times

  @req:JOB-01
  Scenario: A job without a day is executed every day
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.month | 01,02 |
      | job.hour  | 09    |
    When 70 days pass
    Then the card was charged 59 times

  @req:JOB-01 @decision:D-157
  Scenario Outline: A day of the week is counted from Sunday
    Given the sandbox clock is frozen at the start of the year 2029
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfWeek | <weekday> |
    When 14 days pass
    Then the card was charged on <days>

    Examples:
      | weekday | days                                            | why                        |
      | 1       | 01-07 01-14                                     | Sundays                    |
      | 2       | 01-08 01-15                                     | 1 January 2029 is a Monday |
      | 4       | 01-03 01-10                                     | Wednesdays                 |
      | 7       | 01-06 01-13                                     | Saturdays                  |
      | 1,7     | 01-06 01-07 01-13 01-14                         | weekends                   |
      | 3,5     | 01-02 01-04 01-09 01-11                         | two days of the week       |

  @req:JOB-01
  Scenario Outline: A year is a value, a list or any year
    Given the sandbox clock is frozen at the start of the year 2029
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.year       | <year> |
      | job.month      | 11,01  |
      | job.dayOfMonth | 05     |
    When 380 days pass
    Then the card was charged on <days>

    Examples:
      | year      | days              | why                      |
      | 2029      | 01-05 11-05       | this year alone          |
      | 2030      | 01-05             | the next year alone      |
      | 2029,2030 | 01-05 11-05 01-05 | both                     |
      | *         | 01-05 11-05 01-05 | any                      |
      | 2032,2031 | never             | later ones, in any order |

  @req:JOB-01 @pattern:limit
  Scenario: The 29th of February comes in a leap year alone
    Given the sandbox clock is frozen at the start of the year 2027
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.month      | 02 |
      | job.dayOfMonth | 29 |
    When 425 days pass
    Then the card was charged on 02-29

  @req:JOB-02
  Scenario Outline: Either day field may be sent alone
    Given the sandbox clock is frozen at the start of the year 2029
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | <name> | <value> |
    When 8 days pass
    Then the card was charged on <days>

    Examples:
      | name           | value | days  | why                 |
      | job.dayOfMonth | 04    | 01-04 | a day of the month  |
      | job.dayOfWeek  | 5     | 01-04 | a day of the week   |

  @req:JOB-03 @pattern:limit
  Scenario: The start date is the first execution
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05                  |
      | job.startDate  | YYYY-02-05 00:00:00 |
    When 100 days pass
    Then the card was charged on 02-05 03-05 04-05

  @req:JOB-03 @decision:D-158 @pattern:limit
  Scenario: The start date is the first execution on any day
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05                  |
      | job.startDate  | YYYY-01-20 10:30:00 |
    When 50 days pass
    Then the card was charged on 01-20 02-05

  @req:JOB-03 @needs:control @decision:D-158 @pattern:limit
  Scenario: A trigger may count from the start date on, and at it
    Given a merchant whose sandbox sets D-158 to "trigger"
    And the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 20                  |
      | job.hour       | 09                  |
      | job.startDate  | YYYY-01-20 09:00:00 |
    When 51 days pass
    Then the card was charged on 01-20 02-20

  @req:JOB-03 @pattern:limit
  Scenario: Start and end date bound the executions
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05                  |
      | job.startDate  | YYYY-03-05 00:00:00 |
      | job.endDate    | YYYY-05-05 00:00:00 |
    When 195 days pass
    Then the card was charged on 03-05 04-05 05-05

  @req:JOB-03 @decision:D-158 @pattern:limit
  Scenario Outline: A job that would never be executed is refused
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    When the merchant schedules 9.99 EUR with
      | job.dayOfMonth | 05      |
      | job.month      | <month> |
      | job.year       | <year>  |
      | job.endDate    | <end>   |
    Then the response shows result.code "100.250.120"

    Examples:
      | month | year | end                 | why                             |
      | *     | *    | YYYY-01-04 23:59:59 | it ends before                  |
      | 02    | *    | YYYY-02-04 00:00:00 | it ends a day before            |
      | *     | 2020 | YYYY-12-31 00:00:00 | the year is over                |

  @req:JOB-03 @pattern:limit
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

  @req:JOB-03 @pattern:limit
  Scenario: A job may begin and end at one moment, and is executed then
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05                  |
      | job.startDate  | YYYY-02-05 00:00:00 |
      | job.endDate    | YYYY-02-05 00:00:00 |
    When 190 days pass
    Then the card was charged on 02-05

  @req:JOB-04 @decision:D-159 @pattern:limit
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

  @req:JOB-04 @decision:D-159 @pattern:limit
  Scenario Outline: A minimum duration is counted in each unit from the first execution
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | <days>   |
      | job.month          | <month>  |
      | job.durationNumber | <number> |
      | job.durationUnit   | <unit>   |
    And it is descheduled
    When 380 days pass
    Then the card was charged on <charged>

    Examples:
      | number | unit  | days           | month | charged                                                                 | why                          |
      | 1      | YEAR  | 05             | *     | 01-05 02-05 03-05 04-05 05-05 06-05 07-05 08-05 09-05 10-05 11-05 12-05 | not at the year's end itself |
      | 2      | MONTH | 05,20          | *     | 01-05 01-20 02-05 02-20                                                 | 5 March ends it              |
      | 2      | WEEK  | 02,09,16,23    | 01    | 01-02 01-09                                                             | the 16th ends it             |
      | 10     | DAY   | 02,07,11,12,17 | 01    | 01-02 01-07 01-11                                                       | the 12th ends it             |

  @req:JOB-04 @decision:D-159 @pattern:limit
  Scenario Outline: A minimum duration of hours, minutes or seconds is kept
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 05       |
      | job.hour           | <hour>   |
      | job.minute         | <minute> |
      | job.second         | <second> |
      | job.durationNumber | <number> |
      | job.durationUnit   | <unit>   |
    And it is descheduled
    When 20 days pass
    Then the card was charged at <times>

    Examples:
      | number | unit   | hour     | minute   | second   | times             | why                  |
      | 12     | HOUR   | 06,12,18 | 00       | 00       | 06:00:00 12:00:00 | 18:00 ends it        |
      | 40     | MINUTE | 06       | 00,20,40 | 00       | 06:00:00 06:20:00 | 06:40 ends it        |
      | 40     | SECOND | 06       | 00       | 00,20,40 | 06:00:00 06:00:20 | 40 seconds end it    |

  @req:JOB-04 @decision:D-159 @pattern:limit
  Scenario Outline: A notice period is counted in each unit from the notice
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | <days>   |
      | job.month          | <month>  |
      | job.noticeNumber   | <number> |
      | job.noticeUnit     | <unit>   |
      | job.noticeCallable | ANYTIME  |
    And it is descheduled
    When 380 days pass
    Then the card was charged on <charged>

    Examples:
      | number | unit  | days        | month | charged           | why                      |
      | 1      | YEAR  | 01          | 01,06 | 06-01             | the next year begins     |
      | 1      | MONTH | 01,15       | *     | 01-15             | 1 February ends it       |
      | 1      | WEEK  | 02,07,08    | *     | 01-02 01-07       | the 8th ends it          |
      | 4      | DAY   | 02,03,04,05 | *     | 01-02 01-03 01-04 | the 5th ends it          |

  @req:JOB-04 @decision:D-159 @pattern:limit
  Scenario: A notice given on the last day of a month ends on the same day of a later one
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 30      |
      | job.noticeNumber   | 2       |
      | job.noticeUnit     | MONTH   |
      | job.noticeCallable | ANYTIME |
    And 30 days pass
    And it is descheduled
    When 190 days pass
    Then the card was charged on 01-30 03-30

  @req:JOB-04 @decision:D-159 @pattern:limit
  Scenario Outline: A notice of hours, minutes or seconds is kept
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 01       |
      | job.month          | 01       |
      | job.hour           | <hour>   |
      | job.minute         | <minute> |
      | job.second         | <second> |
      | job.noticeNumber   | <number> |
      | job.noticeUnit     | <unit>   |
      | job.noticeCallable | ANYTIME  |
    And it is descheduled
    When 20 days pass
    Then the card was charged at <times>

    Examples:
      | number | unit   | hour     | minute      | second      | times             | why            |
      | 12     | HOUR   | 06,11,12 | 00          | 00          | 06:00:00 11:00:00 | 12:00 ends it  |
      | 30     | MINUTE | 00       | 10,20,30    | 00          | 00:10:00 00:20:00 | 00:30 ends it  |
      | 30     | SECOND | 00       | 00          | 10,20,30    | 00:00:10 00:00:20 | its last second |

  @req:JOB-04 @decision:D-159 @pattern:limit
  Scenario Outline: A notice at the end of the duration comes in time or too late
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth     | 05           |
      | job.noticeNumber   | 10           |
      | job.noticeUnit     | DAY          |
      | job.noticeCallable | DURATION_END |
      | job.durationNumber | 1            |
      | job.durationUnit   | MONTH        |
    And <passed> days pass
    And it is descheduled
    When 190 days pass
    Then the card was charged on <charged>

    Examples:
      | passed | charged     | why                                        |
      | 25     | 01-05       | 26 January is 10 days before the 5th       |
      | 26     | 01-05 02-05 | 27 January is too late: the next month too |

  @req:JOB-04
  Scenario: A job without terms ends at once
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    And 10 days pass
    And it is descheduled
    When 190 days pass
    Then the card was charged on 01-05

  @req:JOB-04 @decision:D-159 @pattern:limit
  Scenario: A job does not end before its minimum duration
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    When the merchant schedules 9.99 EUR with
      | job.dayOfMonth     | 05                  |
      | job.endDate        | YYYY-02-20 00:00:00 |
      | job.durationNumber | 2                   |
      | job.durationUnit   | MONTH               |
    Then the response shows result.code "100.250.120"

  @req:JOB-04 @decision:D-159 @pattern:limit
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

  @req:JOB-04 @decision:D-159 @pattern:limit
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

  @req:JOB-05
  Scenario Outline: An expression overrides each single field
    Given the sandbox clock is frozen at the start of the year 2029
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | <name>         | <value>      |
      | job.expression | 0 0 9 20 * ? |
    When 60 days pass
    Then the card was charged on 01-20 02-20
    And the card was charged at 09:00:00 09:00:00

    Examples:
      | name           | value | why                     |
      | job.year       | 2031  | another year            |
      | job.month      | 02    | one of the months       |
      | job.dayOfMonth | 10    | another day             |
      | job.dayOfWeek  | 2     | a day of the week       |
      | job.hour       | 10    | another hour            |
      | job.minute     | 30    | another minute          |
      | job.second     | 30    | another second          |

  @req:JOB-05 @decision:D-156
  Scenario Outline: An expression says what each of its fields can say
    Given the sandbox clock is frozen at the start of the year 2029
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.expression | <expression> |
    When 59 days pass
    Then the card was charged on <days>

    Examples:
      | expression             | days                          | why                                  |
      | 0 0 9 ? 1 2#2          | 01-08                         | the second Monday                    |
      | 0 0 9 ? * FRIL         | 01-26 02-23                   | the last Friday                      |
      | 0 0 9 ? FEB SAT        | 02-03 02-10 02-17 02-24       | a name of a day                      |
      | 0 0 9 ? 1 FRI-MON      | 01-01 01-05 01-06 01-07 01-08 01-12 01-13 01-14 01-15 01-19 01-20 01-21 01-22 01-26 01-27 01-28 01-29 | a range over the week's end |
      | 0 0 9 14W * ?          | 01-15 02-14                   | the working day nearest to a Sunday  |
      | 0 0 9 LW 2 ?           | 02-28                         | the last working day                 |
      | 0 0 9 L-2 * ?          | 01-29 02-26                   | two days before the last             |
      | 0 0 9 5 * ? 2030       | never                         | a year                               |
      | 0 0 9 5 * ? 2028-2029  | 01-05 02-05                   | a range of years                     |
      | 0 0 9 10/10 1 ?        | 01-10 01-20 01-30             | steps from a day                     |

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

  @req:JOB-05 @decision:D-156 @pattern:limit
  Scenario Outline: The working day nearest to a weekend is in the same month
    Given the sandbox clock is frozen at the start of the year <year>
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.expression | 0 0 9 <day>W 1 ? |
    When 10 days pass
    Then the card was charged on <charged>

    Examples:
      | year | day | charged | why                                     |
      | 2027 | 2   | 01-01   | a Saturday: the day before              |
      | 2028 | 1   | 01-03   | a Saturday that is the first: after it  |
      | 2027 | 3   | 01-04   | a Sunday: the day after                 |

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
  Scenario: A plan is rescheduled to other times
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
      | job.hour       | 09 |
    And 10 days pass
    And it is rescheduled to 19.99 EUR with
      | job.dayOfMonth | 20 |
    When 50 days pass
    Then the card was charged on 01-05 01-20 02-20
    And the card was charged at 09:00:00 00:00:00 00:00:00
    And the newest charge was 19.99 EUR

  @req:END-10 @decision:D-160
  Scenario Outline: An amount is rescheduled in any currency
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth | 05 |
    And it is rescheduled to <money>
    When 10 days pass
    Then the newest charge was <money>

    Examples:
      | money      | why                 |
      | 0.01 EUR   | the smallest amount |
      | 7.50 USD   | another currency    |
      | 1200.00 JPY | a currency without decimals |

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

  @req:SVC-20 @req:SVC-15 @req:COF-01 @decision:D-161
  Scenario Outline: An execution is the next of a series, or what the schedule says
    Given the sandbox clock is frozen at the start of a year
    And a card stored for a subscription
    And a schedule of 9.99 EUR with
      | job.dayOfMonth             | 05      |
      | standingInstruction.<name> | <value> |
    When 10 days pass
    Then the newest charge shows standingInstruction.mode "<mode>"
    And the newest charge shows standingInstruction.type "<type>"

    Examples:
      | name     | value       | mode     | type        | why                   |
      | expiry   | 2099-12-31  | REPEATED | RECURRING   | it says nothing of it |
      | type     | UNSCHEDULED | REPEATED | UNSCHEDULED | it says a part of it  |
