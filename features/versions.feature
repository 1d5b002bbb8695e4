Feature: Versions
  A merchant that integrated with an earlier release needs no change.

  @req:VER-02 @needs:control @decision:D-203
  Scenario Outline: Responses keep the members of an earlier release
    When the merchant repeats the recorded requests of release <release>: <flow>
    Then each response still has the recorded status and members

    Examples:
      | release | flow                                       | why                               |
      | 0.1.0   | a debit that is read and refunded          | the first thing a merchant builds |
      | 0.1.0   | an authorization that is captured in parts | goods are sent in parts           |
      | 0.1.0   | an authorization that is reversed          | nothing was sent                  |
      | 0.1.0   | requests that are refused                  | shops show why                    |
      | 0.1.0   | a registration that is charged and removed | a stored card                     |
      | 0.1.0   | a checkout that is paid                    | a session of the form             |
      | 0.1.0   | a direct debit and a redirect              | no cards                          |
      | 0.1.0   | a schedule that is made and ended          | a subscription                    |
      | 0.1.0   | checks, reports and chargebacks            | the back office                   |
