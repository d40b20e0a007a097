"""What Schemathesis cannot know: the document says in words which requests are refused although they fit their schemas."""

import re

import schemathesis
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

REFUSALS = re.compile(
    "|".join(
        [
            # Two parameters, or members of a body, that exclude or need each other.
            r"send one of them",
            r"expected nothing.* beside cursor",
            r"expected either `tail` or `after`",
            r"expected either id or key|expected words \(both ways\), or from and to \(one way\)",
            r"only CSV has (it|one)",
            r"only together with",
            r"expected at most 16 locales",
            r"expected one text in one locale",
            r"by HTTP Basic Authentication or in the form, not both",
            # Texts with a grammar, and texts that the service made.
            r"Malformed parameter: (where|sort|expand|fields|facet|filter|filter\.query|filter\.facets):",
            r"Malformed parameter: (types|objectParameter|unionParameter|fuzzyLevel|cursor|after|Last-Event-ID):",
            r"Syntax error while parsing 'where'",
            r"is not valid CSV|The CSV is empty",
            r"unknown parameter|Duplicate parameter",
            r"The header of the CSV: column",
            r"a dotted path such as|a locale such as",
            r"a client has scopes of its own project only",
            r"Test-Header: expected a JSON object in the shape of a resource",
            # Schemathesis sends `0` for a list of entity tags.
            r"\* or a list of entity tags such as",
            # What is there already, or is not.
            r"A duplicate value .* exists for field",
            r"The version of a new resource must be 0 or absent",
            r"only a deleted one can be forgotten",
            r"is not deleted; the update action restore",
            r"sku and variant name different variants",
        ]
    )
)


@schemathesis.check
def accepts_valid_data(ctx, response, case):
    if response.status_code == 400 and (REFUSALS.search(response.text) or case.method == "HEAD"):
        return None
    return positive_data_acceptance(ctx, response, case)


@schemathesis.check
def refuses_invalid_data(ctx, response, case):
    # `null` is absent in every object, which schemas do not repeat for every member.
    return None if has_null(case.body) else negative_data_rejection(ctx, response, case)


def has_null(value):
    if isinstance(value, dict):
        return any(member is None or has_null(member) for member in value.values())
    return isinstance(value, list) and any(has_null(item) for item in value)


schemathesis.serializer.alias("application/x-ndjson", "text/plain")
