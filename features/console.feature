Feature: The console
  The people who look after merchants see their access tokens by their role.

  @req:AUTH-05 @needs:control @decision:D-495
  Scenario: An administrator is shown an access token on request
    Given a person at the console in the role administrator
    When the person asks for the value of the access token
    Then the page shows the access token of the merchant

  @req:AUTH-05 @needs:control @decision:D-495
  Scenario Outline: A list of access tokens shows no value
    Given a person at the console in the role <role>
    When the person opens the access tokens of the merchant
    Then the page shows the last digits of the access token and not the token

    Examples:
      | role          | why                           |
      | administrator | the value is shown on request |
      | operator      | it is never shown             |
      | viewer        | it is never shown             |

  @req:AUTH-05 @needs:control @decision:D-493
  Scenario Outline: An access token is not shown without administration rights
    Given a person at the console in the role <role>
    When the person asks for the value of the access token
    Then the value of the access token is refused

    Examples:
      | role     | why                         |
      | operator | it may act, not see it      |
      | viewer   | it may read everything else |
