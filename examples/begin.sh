# Sourced by the other examples: BASE, ADMIN ("id:secret"), TOKEN and the function `api`, which calls the API with the
# token and prints the status after the body. Run the examples in the folder where the service was started.

BASE=${BASE:-http://127.0.0.1:8080}
ADMIN=${ADMIN:-$(node -p 'const c = JSON.parse(fs.readFileSync("data/admin-client.json")); c.clientId + ":" + c.clientSecret')}
# Prints one field of the JSON object on standard input.
field() { node -p "JSON.parse(fs.readFileSync(0))['$1']"; }
TOKEN=$(curl -s -u "$ADMIN" "$BASE/oauth/token" \
  -d "grant_type=client_credentials&scope=manage_project:${PROJECT:-examples} manage_api_clients:${PROJECT:-examples}" | field access_token)
URL=$BASE/${PROJECT:-examples}
STATUS='\nHTTP %{http_code}\n\n'
api() { curl -s -w "$STATUS" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }
