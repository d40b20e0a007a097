#!/usr/bin/env bash
# API clients, their tokens, and what the service knows about them.
. "$(dirname "$0")/begin.sh"

# Create an API client that may only read. Its secret is in this response and nowhere else. → 201
api "$URL/api-clients" -d '{ "name": "Reader", "scopes": ["view_test"] }' | tee reader.json

READER=$(head -n 1 reader.json | node -p 'const c = JSON.parse(fs.readFileSync(0)); c.id + ":" + c.secret')
rm reader.json

# It gets a token with its credentials; without `scope` the token has all of the client's. → 200
curl -s -w "$STATUS" -u "$READER" -d grant_type=client_credentials "$BASE/oauth/token" | tee token.json
READ_TOKEN=$(head -n 1 token.json | field access_token)
rm token.json

# Reading is allowed … → 200
curl -s -w "$STATUS" -H "Authorization: Bearer $READ_TOKEN" "$URL/resource?limit=1"

# … writing is not: the token is valid, but lacks the scope. → 403
curl -s -w "$STATUS" -H "Authorization: Bearer $READ_TOKEN" -H 'Content-Type: application/json' "$URL/resource" -d '{}'

# Without a token nothing is allowed. → 401
curl -s -w "$STATUS" "$URL/resource"

# What is the token good for? → 200
curl -s -w "$STATUS" -u "$READER" -d "token=$READ_TOKEN" "$BASE/oauth/introspect"

# Revoke it. → 200
curl -s -w "$STATUS" -u "$READER" -d "token=$READ_TOKEN" "$BASE/oauth/token/revoke"

# From now on it is refused. → 401
curl -s -w "$STATUS" -H "Authorization: Bearer $READ_TOKEN" "$URL/resource?limit=1"

# The public keys that verify tokens. → 200
curl -s -w "$STATUS" "$BASE/.well-known/jwks.json"

# The clients of the project. → 200
api "$URL/api-clients"

# Delete the client, which revokes all its tokens. → 200
api -X DELETE "$URL/api-clients/${READER%%:*}"
