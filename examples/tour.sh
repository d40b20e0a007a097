#!/usr/bin/env bash
# The tour of README.md in one file. It needs curl and node, and a service started in this folder (npm start).
. "$(dirname "$0")/needs.sh"

[ -z "${ZSH_VERSION-}" ] || setopt interactivecomments
BASE=${BASE:-http://127.0.0.1:8080}
ADMIN=$(node -p 'const c = JSON.parse(fs.readFileSync("data/admin-client.json")); c.clientId + ":" + c.clientSecret')
TOKEN=$(curl -s -u "$ADMIN" -d 'grant_type=client_credentials&scope=manage_project:my-shop' "$BASE/oauth/token" |
  node -p 'JSON.parse(fs.readFileSync(0)).access_token')
api() {
  curl -s -w '\nHTTP %{http_code}\n\n' -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"
}

# Create a resource. Any JSON fields are kept. → 201
api "$BASE/my-shop/resource" -d '{
  "key": "shoe-1", "name": { "en": "Running shoe" }, "color": "blue",
  "objectTypeProperty": { "arrayOfIntExample": [1, 6, 9007199254740993] }
}'

# Read it by its key; the ETag header stands for its version. → 200
api -i "$BASE/my-shop/resource/key=shoe-1"

# Apply an update action to the version you have seen. → 200
api "$BASE/my-shop/resource/key=shoe-1" -d '{
  "version": 1, "actions": [{ "action": "changeSomeProperty", "someProperty": "light" }]
}'

# The same again is too late: the response has the current version and what has changed since. → 409
api "$BASE/my-shop/resource/key=shoe-1" -d '{
  "version": 1, "actions": [{ "action": "changeSomeProperty", "someProperty": "heavy" }]
}'

# Merge fields into it; null removes a field. → 201
api -X PATCH "$BASE/my-shop/resource" -d '{ "key": "shoe-1", "color": null, "weight": 210 }'

# List what a predicate selects, on any field. → 200
api -G "$BASE/my-shop/resource/sorted-query-parameters" \
  --data-urlencode 'where=arrayOfIntExample contains any (6) and name(en = "Running shoe")' \
  --data-urlencode 'sort=lastModifiedAt desc'

# Check only whether there is one. → 200
api -I "$BASE/my-shop/resource?integerParameter=6"

# There is none with a 7. → 404
api -I "$BASE/my-shop/resource?integerParameter=7"

# Change the staged projection only. → 200
api "$BASE/my-shop/resource/key=shoe-1" -d '{
  "version": 3, "actions": [{ "action": "setField", "path": "weight", "value": 190, "staged": true }]
}'

# Readers still see a weight of 210 … → 200
api "$BASE/my-shop/resource/key=shoe-1"

# … unless they ask for the staged one. → 200
api "$BASE/my-shop/resource/key=shoe-1?staged=true"

# Publish it: now all readers see 190. → 200
api "$BASE/my-shop/resource/key=shoe-1" -d '{ "version": 4, "actions": [{ "action": "publish" }] }'

# Delete it, unless it has changed since version 5; the response is what was deleted. → 200
api -X DELETE "$BASE/my-shop/resource/key=shoe-1?version=5"
