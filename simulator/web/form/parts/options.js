/* What the page chose: read when it is needed, since pages change it later. */
var OPTIONS = ("allowEmptyCardHolderName allowEmptyCvv applePay autofocus billingAddress"
  + " brandDetection brandDetectionPriority brandDetectionType browser clickToPay"
  + " disableCardExpiryDateValidation disableSubmitOnEnter displayBic enableSAQACompliance"
  + " errorMessages forceCardHolderEqualsBillingName googlePay iframeStyles inlineFlow labels locale"
  + " mandatoryBillingFields maskCvv numberFormatting paymentTarget paypal registrations"
  + " shopperResultTarget showCVVHint showLabels showPlaceholders showTaxNumberField spinner style"
  + " threeDIframeSize useSummaryPage validation").split(" ");
var CALLBACKS = ("onAfterSubmit onBeforeSubmitCard onBeforeSubmitCardPromise"
  + " onBeforeSubmitDirectDebit onBeforeSubmitOneClickCard onBeforeSubmitOnlineTransfer"
  + " onBeforeSubmitPrepayment onBeforeSubmitVirtualAccount onBlurCardHolder onBlurCardNumber"
  + " onBlurExpiryDate onBlurIframeCommunication onBlurSecurityCode onChangeBrand onDetectBin"
  + " onDetectBrand onError onFocusIframeCommunication onLoadThreeDIframe onReady"
  + " onReadyIframeCommunication onSaveTransactionData").split(" ");

function options() {
  var chosen = null;
  try {
    chosen = window.wpwlOptions;
  } catch (error) {
    warn("wpwlOptions: " + textFrom(error));
  }
  return chosen && typeof chosen === "object" ? chosen : {};
}

/* An option such as "style" or "registrations.requireCvv"; what cannot be read is not chosen. */
function option(path, otherwise) {
  var found = options();
  var names = path.split(".");
  try {
    for (var i = 0; i < names.length; i += 1) {
      found = found !== null && typeof found === "object"
        && Object.prototype.hasOwnProperty.call(found, names[i]) ? found[names[i]] : undefined;
    }
  } catch (error) {
    warn("option " + path + ": " + textFrom(error));
    found = undefined;
  }
  if (found === undefined || found === null) {
    return otherwise;
  }
  if (typeof otherwise === "boolean") {
    return typeof found === "string" ? found === "true" : Boolean(found);
  }
  if (typeof otherwise === "string") {
    return typeof found === "string" || typeof found === "number" ? String(found) : otherwise;
  }
  return found;
}

/* An option that is a map; anything else is an empty one. */
function mapOption(name) {
  var found = option(name, null);
  return found !== null && typeof found === "object" ? found : {};
}

/* An option that is a list of words, written as a list or as one text. */
function listOption(name) {
  var found = option(name, []);
  return Array.isArray(found) ? found : textFrom(found).split(/[\s,]+/);
}

/* Anything as a text; what cannot be one is empty. */
function textFrom(value) {
  try {
    return String(value);
  } catch (error) {
    return "";
  }
}

function warnOfUnknownOptions() {
  var unknown = Object.keys(options()).filter(function (name) {
    return !has(OPTIONS, name) && !has(CALLBACKS, name);
  });
  if (unknown.length) {
    warn("unknown options: " + unknown.join(", ").substr(0, 500));
  }
}

function warnOfUnknownLocale() {
  var wanted = String(option("locale", ownLocale())).substr(0, 35);
  if (opened.locale === "en" && !/^en/i.test(wanted)) {
    warn("unknown locale " + wanted + "; the form is in English");
  }
}

/* Call a function of the page. What it throws is logged, and changes nothing. */
function callback(name, self, values) {
  var called;
  try {
    called = options()[name];
    return typeof called === "function" ? called.apply(self, values || []) : undefined;
  } catch (error) {
    warn(name + ": " + textFrom(error));
    return undefined;
  }
}

function warn(text) {
  if (window.console && window.console.warn) {
    window.console.warn("paymentWidgets: " + text);
  }
}

/* Tell the page of an error: its name, its message and what belongs to it. */
function report(name, message, more) {
  var error = { name: name, message: message };
  each(more, function (key, value) { error[key] = value; });
  callback("onError", window, [error]);
}

function word(key) {
  var own = option(/Error$/.test(key) ? "errorMessages." + key : "labels." + key, null);
  if (typeof own === "string") {
    return own;
  }
  return (opened || closing).words[key] || ENGLISH[key] || key;
}

function fill(key, value) {
  return word(key).replace(/\{\w+\}/, function () { return value; });
}

/* The words of a field before anything is typed, if the page wants any. */
function placeholder(key) {
  return option("showPlaceholders", true) ? word(key) : null;
}
