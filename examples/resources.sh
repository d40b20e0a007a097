#!/usr/bin/env bash
# Create, read, overwrite, merge and delete single resources (E2, E3, E6, E7, E8, E11).
. "$(dirname "$0")/begin.sh"

# POST: a draft without id and key creates a resource with a new id. → 201
api "$URL/resource" -d '{ "objectTypeProperty": { "arrayOfStringExample": ["a", "b"] } }'

# POST with a key: created now … → 201
api "$URL/resource" -d '{ "key": "chair 7", "id": "chair-7", "color": "red", "size": { "w": 40, "h": 90 } }'

# … and the next time the draft's top-level fields are replaced: `size` is now without `h`, `color` stays. → 201
api "$URL/resource" -d '{ "key": "chair 7", "size": { "w": 41 } }'

# PATCH merges deeply, and null removes. → 201
api -X PATCH "$URL/resource" -d '{ "key": "chair 7", "size": { "h": 95 }, "color": null }'

# PUT replaces everything but the system fields. → 201
api -X PUT "$URL/resource" -d '{ "key": "chair 7", "name": { "en": "Chair" } }'

# Read by id; the ETag stands for this version of this resource. → 200
api -i "$URL/resource/chair-7"

# Read by key; special characters are percent-encoded. → 200
api "$URL/resource/key=chair%207"

# Read again with the ETag: unchanged, no body. → 304
TAG=$(curl -sS -o /dev/null -D - -H "Authorization: Bearer $TOKEN" "$URL/resource/chair-7" | sed -n 's/^[Ee][Tt]ag: \(.*\)\r$/\1/p')
api -H "If-None-Match: $TAG" "$URL/resource/chair-7"

# Create only: an existing one is not touched. → 412
api -X PUT -H 'If-None-Match: *' "$URL/resource" -d '{ "key": "chair 7" }'

# Overwrite only the version that was seen. → 412
api -X PUT -H 'If-Match: "1-0123456789"' "$URL/resource" -d '{ "key": "chair 7" }'

# A wrong shape is refused, and the response names the path. → 400
api "$URL/resource" -d '{ "objectTypeProperty": { "arrayOfIntExample": [1, 2, "three"] } }'

# Repeat a request safely: the same Idempotency-Key gets the first response … → 201
api -H 'Idempotency-Key: order-17' "$URL/resource" -d '{ "kind": "order" }'

# … and creates no second resource. → 201
api -H 'Idempotency-Key: order-17' "$URL/resource" -d '{ "kind": "order" }'

# Delete by id, whatever the version. → 200
api -X DELETE "$URL/resource/chair-7"

# It is gone. → 404
api "$URL/resource/chair-7"
