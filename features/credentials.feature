Feature: Credentials at every place
  Every request names its entity and shows a token of its merchant; no other place than the header will do.

  @req:AUTH-01 @req:AUTH-03
  Scenario Outline: No request is taken without credentials
    When a merchant without credentials <request>
    Then the credentials are refused as missing or malformed

    Examples:
      | request                              | why           |
      | reads a checkout                     | it sends none |
      | deletes a checkout                   | it sends none |
      | pays in a checkout                   | it sends none |
      | registers in a checkout              | it sends none |
      | reads the registration of a checkout | it sends none |
      | changes a registration               | it sends none |
      | extends a registration               | it sends none |
      | lists schedules                      | it sends none |
      | changes a schedule                   | it sends none |
      | deletes a schedule                   | it sends none |

  @req:AUTH-04
  Scenario Outline: No request is taken with a token that was never issued
    When a merchant with a token that was never issued <request>
    Then the credentials are refused as unknown

    Examples:
      | request                              | why           |
      | reads a checkout                     | it is unknown |
      | deletes a checkout                   | it is unknown |
      | pays in a checkout                   | it is unknown |
      | registers in a checkout              | it is unknown |
      | reads the registration of a checkout | it is unknown |
      | changes a registration               | it is unknown |
      | extends a registration               | it is unknown |
      | lists schedules                      | it is unknown |
      | changes a schedule                   | it is unknown |
      | deletes a schedule                   | it is unknown |

  @req:AUTH-07 @req:AUTH-01
  Scenario Outline: A token in the address authenticates nothing
    When a merchant with its token only in the address <request>
    Then the credentials are refused as missing or malformed

    Examples:
      | request                              | why                   |
      | takes a payment                      | the header is missing |
      | reads a payment                      | the header is missing |
      | captures a payment                   | the header is missing |
      | prepares a checkout                  | the header is missing |
      | reads a checkout                     | the header is missing |
      | changes a checkout                   | the header is missing |
      | deletes a checkout                   | the header is missing |
      | pays in a checkout                   | the header is missing |
      | registers in a checkout              | the header is missing |
      | reads the result of a checkout       | the header is missing |
      | reads the registration of a checkout | the header is missing |
      | stores an account                    | the header is missing |
      | reads a registration                 | the header is missing |
      | changes a registration               | the header is missing |
      | charges a registration               | the header is missing |
      | extends a registration               | the header is missing |
      | deletes a registration               | the header is missing |
      | schedules payments                   | the header is missing |
      | lists schedules                      | the header is missing |
      | reads a schedule                     | the header is missing |
      | changes a schedule                   | the header is missing |
      | ends a schedule                      | the header is missing |
      | deletes a schedule                   | the header is missing |
      | requests a report                    | the header is missing |
      | requests a risk check                | the header is missing |

  @req:AUTH-02
  Scenario Outline: Every request names its entity
    When a merchant that names no entity <request>
    Then the request is refused, naming entityId

    Examples:
      | request                              | why          |
      | takes a payment                      | none is sent |
      | reads a payment                      | none is sent |
      | captures a payment                   | none is sent |
      | prepares a checkout                  | none is sent |
      | reads a checkout                     | none is sent |
      | changes a checkout                   | none is sent |
      | deletes a checkout                   | none is sent |
      | pays in a checkout                   | none is sent |
      | registers in a checkout              | none is sent |
      | reads the result of a checkout       | none is sent |
      | reads the registration of a checkout | none is sent |
      | stores an account                    | none is sent |
      | reads a registration                 | none is sent |
      | changes a registration               | none is sent |
      | charges a registration               | none is sent |
      | extends a registration               | none is sent |
      | deletes a registration               | none is sent |
      | schedules payments                   | none is sent |
      | lists schedules                      | none is sent |
      | reads a schedule                     | none is sent |
      | changes a schedule                   | none is sent |
      | ends a schedule                      | none is sent |
      | deletes a schedule                   | none is sent |
      | requests a report                    | none is sent |
      | requests a risk check                | none is sent |

  @req:AUTH-06 @req:AUTH-02 @req:AUTH-04 @needs:other
  Scenario Outline: No request is made for the entity of another merchant
    Given two merchants of one sandbox
    When a merchant that names another merchant <request>
    Then the credentials are refused as unknown

    Examples:
      | request                              | why             |
      | takes a payment                      | it is another's |
      | reads a payment                      | it is another's |
      | captures a payment                   | it is another's |
      | prepares a checkout                  | it is another's |
      | reads a checkout                     | it is another's |
      | changes a checkout                   | it is another's |
      | deletes a checkout                   | it is another's |
      | pays in a checkout                   | it is another's |
      | registers in a checkout              | it is another's |
      | reads the result of a checkout       | it is another's |
      | reads the registration of a checkout | it is another's |
      | stores an account                    | it is another's |
      | reads a registration                 | it is another's |
      | changes a registration               | it is another's |
      | charges a registration               | it is another's |
      | extends a registration               | it is another's |
      | deletes a registration               | it is another's |
      | schedules payments                   | it is another's |
      | lists schedules                      | it is another's |
      | reads a schedule                     | it is another's |
      | changes a schedule                   | it is another's |
      | ends a schedule                      | it is another's |
      | deletes a schedule                   | it is another's |
      | requests a report                    | it is another's |
      | requests a risk check                | it is another's |

  @req:AUTH-04
  Scenario Outline: A token is known letter by letter
    When the merchant debits 92.00 EUR with its token <changed>
    Then the credentials are refused as unknown

    Examples:
      | changed                     | why               |
      | and one character more      | too long          |
      | in other letters            | small for capital |
      | twice in a row              | longer            |
      | without its first character | too short         |

  @req:AUTH-01 @req:AUTH-03
  Scenario Outline: No scheme but Bearer is taken
    When the merchant debits 92.00 EUR with its token under the scheme "<scheme>"
    Then the credentials are refused as missing or malformed

    Examples:
      | scheme        | why            |
      | Token         | a likely name  |
      | Basic         | another scheme |
      | OAuth         | an older one   |
      | Bearers       | a letter more  |
      | Bearer Bearer | twice          |

  @req:END-09 @req:END-02 @req:END-05 @req:END-07 @req:END-08 @req:END-10
  Scenario Outline: Everything that does not exist is not found anywhere
    When the merchant <request> that does not exist
    Then the request is refused as not found

    Examples:
      | request                              | why                  |
      | reads a checkout                     | no object has the id |
      | deletes a checkout                   | no object has the id |
      | pays in a checkout                   | no object has the id |
      | registers in a checkout              | no object has the id |
      | reads the registration of a checkout | no object has the id |
      | changes a registration               | no object has the id |
      | changes a schedule                   | no object has the id |
      | deletes a schedule                   | no object has the id |

  @req:LIM-01 @req:ERR-04 @req:ERR-05 @needs:throttling @needs:control @decision:D-87
  Scenario Outline: Every operation has its own limit
    Given a merchant limited to 1 request of every operation a minute
    When a merchant with a full window <request>
    Then the request is throttled
    And the response shows id as a payment id
    And the result description says too many requests and to retry later

    Examples:
      | request                              | why            |
      | takes a payment                      | the second one |
      | reads a payment                      | the second one |
      | captures a payment                   | the second one |
      | prepares a checkout                  | the second one |
      | reads a checkout                     | the second one |
      | changes a checkout                   | the second one |
      | deletes a checkout                   | the second one |
      | pays in a checkout                   | the second one |
      | registers in a checkout              | the second one |
      | reads the result of a checkout       | the second one |
      | reads the registration of a checkout | the second one |
      | stores an account                    | the second one |
      | reads a registration                 | the second one |
      | changes a registration               | the second one |
      | charges a registration               | the second one |
      | extends a registration               | the second one |
      | deletes a registration               | the second one |
      | schedules payments                   | the second one |
      | lists schedules                      | the second one |
      | reads a schedule                     | the second one |
      | changes a schedule                   | the second one |
      | ends a schedule                      | the second one |
      | deletes a schedule                   | the second one |
      | requests a report                    | the second one |
      | requests a risk check                | the second one |
