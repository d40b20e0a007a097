# Sourced by the other examples: BASE, ADMIN ("id:secret"), TOKEN and the function `api`, which calls the API with the
# token and prints the status after the body.
. "$(dirname "${BASH_SOURCE[0]}")/needs.sh"

ADMIN=${ADMIN:-$(node -p 'const c = JSON.parse(fs.readFileSync("data/admin-client.json")); c.clientId + ":" + c.clientSecret')}
# Prints one field of the JSON object on standard input.
field() { node -p "JSON.parse(fs.readFileSync(0))['$1']"; }
GRANT=$(curl -sS -u "$ADMIN" "$BASE/oauth/token" \
  -d "grant_type=client_credentials&scope=manage_project:${PROJECT:-examples} manage_api_clients:${PROJECT:-examples}")
TOKEN=$(field access_token <<<"$GRANT")
[ "$TOKEN" != undefined ] || fail "The service at $BASE gave no token: $(field message <<<"$GRANT")"
URL=$BASE/${PROJECT:-examples}
STATUS='\nHTTP %{http_code}\n\n'
api() { curl -sS -w "$STATUS" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }
