/* Rules of card numbers and codes, by the rows of brands that the gateway sent. */
function digitsOf(text) {
  return String(text)
    .replace(/[\uFF10-\uFF19]/g, function (digit) { return digit.charCodeAt(0) - 0xFF10; })
    .replace(/[\u0660-\u0669]/g, function (digit) { return digit.charCodeAt(0) - 0x0660; })
    .replace(/[\u06F0-\u06F9]/g, function (digit) { return digit.charCodeAt(0) - 0x06F0; })
    .replace(/\D/g, "");
}

function fitsLuhn(digits) {
  var sum = 0;
  for (var i = 0; i < digits.length; i += 1) {
    var digit = Number(digits.charAt(digits.length - 1 - i));
    var doubled = digit * 2;
    sum += i % 2 ? (doubled > 9 ? doubled - 9 : doubled) : digit;
  }
  return sum % 10 === 0;
}

/* How many digits of a number fit a range of a brand; 0 where they do not. */
function fitOf(digits, row) {
  var best = 0;
  for (var i = 0; i < row.ranges.length; i += 1) {
    var first = row.ranges[i][0];
    var last = row.ranges[i][1];
    var length = Math.min(digits.length, first.length);
    var begun = digits.substr(0, length);
    if (length && begun >= first.substr(0, length) && begun <= last.substr(0, length)) {
      best = Math.max(best, length);
    }
  }
  return best;
}

/* The brands a number may be of, the one that fits longest first. */
function brandsOf(digits, rows, offered) {
  var found = [];
  for (var i = 0; i < offered.length; i += 1) {
    var row = rows[offered[i]];
    var fit = row && row.detected ? fitOf(digits, row) : 0;
    if (fit) {
      found.push([fit, offered[i]]);
    }
  }
  found.sort(function (one, other) { return other[0] - one[0]; });
  return found.map(function (pair) { return pair[1]; });
}

/* Which word says what is wrong with a card number; empty where nothing is. */
function numberError(digits, row) {
  if (!digits) {
    return "cardNumberEmptyError";
  }
  if (!row) {
    return fitsLuhn(digits) && digits.length > 11 ? "" : "cardNumberError";
  }
  var isLong = row.lengths.indexOf(digits.length) !== -1;
  var isOfBrand = !row.detected || fitOf(digits, row) > 0;
  return isLong && isOfBrand && (!row.luhn || fitsLuhn(digits)) ? "" : "cardNumberError";
}

function codeError(digits, row, isRequired) {
  if (!digits) {
    return isRequired ? "cvvEmptyError" : "";
  }
  return digits.length === (row ? row.cvv : 3) ? "" : "cvvError";
}

/* A number in groups as cards show it. What is left over stays with the last group: a number that is
   pasted is longer than those of the brand that is chosen until its own brand is found. */
function grouped(digits, brand) {
  var sizes = brand === "AMEX" ? [4, 6] : [4, 4, 4, 4];
  var parts = [];
  var at = 0;
  for (var i = 0; i < sizes.length && at < digits.length; i += 1) {
    parts.push(digits.substr(at, sizes[i]));
    at += sizes[i];
  }
  return parts.concat(digits.substr(at) || []).join(" ");
}
