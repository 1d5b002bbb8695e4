Feature: Versions
  What worked in a version goes on working in it: merchants do not change their code for us.

  @req:VER-02 @needs:control @decision:D-203
  Scenario Outline: What a release answered is answered still
    When the merchant asks again what was recorded of release <release>: <flow>
    Then each answer still has what it had then

    Examples:
      | release | flow                                       | why                               |
      | 0.1.0   | a debit that is read and refunded          | the first thing a merchant builds |
      | 0.1.0   | an authorisation that is captured in parts | goods are sent in parts           |
      | 0.1.0   | an authorisation that is reversed          | nothing was sent                  |
      | 0.1.0   | requests that are refused                  | shops show why                    |
      | 0.1.0   | a registration that is charged and removed | a stored card                     |
      | 0.1.0   | a checkout that is paid                    | a session of the form             |
      | 0.1.0   | a direct debit and a redirect              | no cards                          |
      | 0.1.0   | a schedule that is made and ended          | a subscription                    |
      | 0.1.0   | checks, reports and chargebacks            | the back office                   |
