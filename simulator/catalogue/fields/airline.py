"""Airline tickets: passengers and their legs."""

from simulator.grammar.formats import amount_two_decimals, date, text
from simulator.grammar.parameters import CONDITIONAL, Param, table

# fmt: off
AIRLINE = table("Airline", (
    Param("airline.totalTaxAmount",                    amount_two_decimals(), CONDITIONAL),
    Param("airline.totalFeesAmount",                   amount_two_decimals(), CONDITIONAL),
    Param("airline.totalFareAmount",                   amount_two_decimals(), CONDITIONAL),
    Param("airline.ticketIssueDate",                   date(),                CONDITIONAL),
    Param("airline.ticketIssueAddress",                text(255),             CONDITIONAL),
    Param("airline.thirdPartyBooking",                 text(255),             CONDITIONAL),
    Param("airline.bookingtype",                       text(255),             CONDITIONAL),
    Param("airline.ticketDeliveryMethod",              text(255),             CONDITIONAL),
    Param("airline.bookingRefNum",                     text(255),             CONDITIONAL),
    Param("airline.agentName",                         text(255),             CONDITIONAL),
    Param("airline.agentCode",                         text(255),             CONDITIONAL),
    Param("airline.passengers[n].type",                text(255),             CONDITIONAL),
    Param("airline.passengers[n].name",                text(255),             CONDITIONAL),
    Param("airline.passengers[n].ticketRestricted",    text(255),             CONDITIONAL),
    Param("airline.passengers[n].ticketNumber",        text(255),             CONDITIONAL),
    Param("airline.passengers[n].status",              text(255),             CONDITIONAL),
    Param("airline.passengers[n].phone",               text(255),             CONDITIONAL),
    Param("airline.passengers[n].frequentFlyerNumber", text(255),             CONDITIONAL),
    Param("airline.passengers[n].email",               text(255),             CONDITIONAL),
    Param("airline.passengers[n].dob",                 text(255),             CONDITIONAL),
    Param("airline.passengers[n].checkDigit",          text(255),             CONDITIONAL),
), echo=True, personal=("airline.passengers[n].",))

AIRLINE_LEG = table("Airline leg", (
    Param("airline.passengers[n].legs[n].taxAmount",          amount_two_decimals(), CONDITIONAL),
    Param("airline.passengers[n].legs[n].feesAmount",         amount_two_decimals(), CONDITIONAL),
    Param("airline.passengers[n].legs[n].fareAmount",         amount_two_decimals(), CONDITIONAL),
    Param("airline.passengers[n].legs[n].departureTaxAmount", amount_two_decimals(), CONDITIONAL),
    Param("airline.passengers[n].legs[n].departureDate",      date(),                CONDITIONAL),
    Param("airline.passengers[n].legs[n].arrivalDate",        date(),                CONDITIONAL),
    Param("airline.passengers[n].legs[n].timeToDeparture",    text(10),              CONDITIONAL,
          "days"),
    Param("airline.passengers[n].legs[n].ticketNumber",       text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].stopOverAllowed",    text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].restrictions",       text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].flightNumber",       text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].fareBasis",          text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].exchangeTicketNum",  text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].departureCountry",   text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].departureAirport",   text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].airlineName",        text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].airlineCode",        text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].departureTime",      text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].arrivalCountry",     text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].arrivalAirport",     text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].arrivalTime",        text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].couponNumber",       text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].classOfService",     text(255),             CONDITIONAL),
    Param("airline.passengers[n].legs[n].carrierCode",        text(255),             CONDITIONAL),
), echo=True, personal=("airline.passengers[n].",))
# fmt: on
