Feature: Jobs of schedules
  What a job may say, and that it is executed while the merchant waits: without a clock that is set.

  @req:JOB-01
  Scenario Outline: A malformed field of a job is refused
    Given a card stored for a subscription
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
    Given a card stored for a subscription
    When the merchant schedules 9.99 EUR with
      | job.dayOfMonth | 05 |
      | job.dayOfWeek  | 2  |
    Then the request is refused, naming job.dayOfWeek

  @req:JOB-04
  Scenario: A number without its unit is refused
    Given a card stored for a subscription
    When the merchant schedules 9.99 EUR with
      | job.dayOfMonth   | 05 |
      | job.noticeNumber | 14 |
    Then the request is refused, naming job.noticeUnit

  @req:END-09 @decision:D-160
  Scenario: An unknown schedule is not found
    When the merchant reads an unknown schedule
    Then the request is refused as not found

  @req:JOB-01 @req:JOB-03 @req:SVC-20 @needs:pauses @needs:reports
  Scenario: A job is executed at the times of its fields, until its end
    Given a card stored for a subscription
    And a schedule of 9.99 EUR for one minute with
      | job.second | 00,10,20,30,40,50 |
      | job.minute | *                 |
      | job.hour   | *                 |
    When the merchant waits 11 seconds
    Then the schedule has charged the card

  @req:JOB-05 @req:SVC-20 @needs:pauses @needs:reports
  Scenario: A job is executed at the times of its expression, which overrides its fields
    Given a card stored for a subscription
    And a schedule of 9.99 EUR for one minute with
      | job.year       | 2099                        |
      | job.expression | 0,10,20,30,40,50 * * * * ? |
    When the merchant waits 11 seconds
    Then the schedule has charged the card

  @req:JOB-03 @req:SVC-20 @needs:pauses @needs:reports
  Scenario: A job is not executed before its start
    Given a card stored for a subscription
    And a schedule of 9.99 EUR for one minute with
      | job.second    | 00,10,20,30,40,50 |
      | job.minute    | *                 |
      | job.hour      | *                 |
      | job.startDate | TOMORROW          |
    When the merchant waits 11 seconds
    Then the schedule has not charged the card

  @req:JOB-04 @req:SVC-20 @needs:pauses @needs:reports
  Scenario: A job that was descheduled is not executed
    Given a card stored for a subscription
    And a schedule of 9.99 EUR for one minute with
      | job.second | 00,10,20,30,40,50 |
      | job.minute | *                 |
      | job.hour   | *                 |
    And it is descheduled
    When the merchant waits 11 seconds
    Then the schedule has not charged the card

  @req:JOB-01 @req:SVC-20 @needs:pauses @needs:reports
  Scenario Outline: A job is executed in the months and on the days of its lists alone
    Given a card stored for a subscription
    And a schedule of 9.99 EUR for one minute with
      | job.second | 00,10,20,30,40,50 |
      | job.minute | *                 |
      | job.hour   | *                 |
      | <name>     | <value>           |
    When the merchant waits 11 seconds
    Then the schedule has <whether> the card

    Examples:
      | name          | value                               | whether | why           |
      | job.month     | 01,02,03,04,05,06,07,08,09,10,11,12 | charged | any month     |
      | job.dayOfWeek | 1,2,3,4,5,6,7                       | charged | any day       |
      | job.year      | 2020,THIS,2099                      | charged | also this year |
