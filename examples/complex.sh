#!/usr/bin/env bash
# The complex path: one request that creates or updates, with parameters in path and query (E9).
. "$(dirname "$0")/begin.sh"

endpoint="$URL/resource/artificially-complex/path/uri-parameter-one=north/12?queryParameterOne=1.5&queryParameterTwo=x"

# Created. → 201
api "$endpoint" -d '{ "id": "complex-1", "key": "c 1", "createdAt": "2024-02-29T12:00:00+01:00",
  "createdBy": { "firstName": "Ada", "lastName": "Byron" }, "custom": "yes", "eleventhPropery": "as it is spelled" }'

# The second time it is updated. → 200
api "$endpoint" -d '{ "id": "complex-1", "custom": "no" }'

# A version that is a number is the expected one. → 409
api "$endpoint" -d '{ "id": "complex-1", "version": "1" }'

# Its arrays are fields like any others. → 201
api -X PATCH "$URL/resource" -d '{ "id": "complex-1", "objectTypeProperty": { "arrayOfIntExample": [1, 2] } }'

# A client that asks for a form gets the arrays as one. → 203
api -H 'Accept: application/x-www-form-urlencoded' "$endpoint" -d '{ "id": "complex-1" }'

# What was stored. → 200
api "$URL/resource/complex-1"

# Clean up. → 200
api -X DELETE "$URL/resource/complex-1"
