"""Rules between parameters, which an OpenAPI document cannot state: requests that break them are refused on purpose, and are not made."""
import datetime
import re
import urllib.parse
import schemathesis


@schemathesis.hook
def filter_case(context, case):
    query = case.query or {}

    def given(name):
        value = query.get(name)
        values = value if isinstance(value, list) else [value]
        return any(one is not None and str(one).strip(BLANKS) != "" for one in values)

    def restricts(name):
        return given(name) and str(query[name]).strip(BLANKS).upper() not in ("ANY", "ALL")

    # A request has texts only: a number or a text where a list is expected is a list of one.
    if any(name in query and not isinstance(query[name], list) for name in lists_of(context.operation)):
        return False
    # "The address is longer than 8192 characters": whatever else is wrong with it.
    if len(urllib.parse.urlencode(query, doseq=True)) > MOST_CHARACTERS:
        return False
    # A range goes from low to high.
    for name in ("sectionCodes", "courseNumber"):
        for item in text_of(query.get(name)).split(","):
            ends = [int(digits) for digits in (re.sub(r"\D", "", end) for end in item.split("-")) if digits]
            if ends != sorted(ends):
                return False
    # Blanks alone count as absent, as an empty value does.
    if context.operation.path.endswith("/search") and not given("q"):
        return False

    # "cacheOnly cannot be true if cache is false", and "asOf cannot be given if cache is false"
    if query.get("cache") in (False, "false") and (query.get("cacheOnly") in (True, "true") or given("asOf")):
        return False
    if context.operation.path.endswith(("/schedule", "/websoc")) and not is_true(query.get("cacheOnly")):
        # "needs one of ge, department, sectionCodes and instructorName", and includeCoCourses needs cacheOnly.
        if is_true(query.get("includeCoCourses")) or not any(restricts(name) for name in RESTRICTING):
            return False
    # "fields cannot be given with the format csv", but an explanation is always JSON.
    if given("fields") and given("format") and text_of(query["format"]) != "json" and not is_true(query.get("explain")):
        return False
    if given("room") and not given("building"):
        return False
    if context.operation.path.endswith("/week"):
        parts = [query.get(name) for name in ("year", "month", "day")]
        # "give all of year, month and day, or none of them"
        if any(given(name) for name in ("year", "month", "day")) and not is_date(parts):
            return False
    return True


# What String.prototype.trim removes, and the comma, which separates values.
BLANKS = " \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff,"

MOST_CHARACTERS = 7500

RESTRICTING = ("ge", "department", "sectionCodes", "instructorName")


def lists_of(operation):
    parameters = operation.definition.raw.get("parameters", [])
    return [one["name"] for one in parameters if one.get("schema", {}).get("type") == "array"]


def text_of(value):
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def is_true(value):
    return str(value).lower() in ("true", "1")


def is_date(parts):
    try:
        return bool(datetime.date(*(int(part) for part in parts)))
    except (TypeError, ValueError, OverflowError):
        return False
