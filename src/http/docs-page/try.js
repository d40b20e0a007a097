/** Sends requests from the documentation page. The token stays in the memory of the page. */

import { exampleOf, firstContent, make, parametersOf, pretty } from './docs.js';

let token = '';

/** The path under which a proxy serves the service; mostly empty. The script is in `docs/` below it. */
const servicePath = new URL('..', import.meta.url).pathname.replace(/\/$/, '');

/** The form at the top that gets a token. */
const authorization = document.querySelector('#authorize');

function say(text) {
  authorization.querySelector('output').textContent = text;
}

async function getToken(event) {
  event.preventDefault();
  const { clientId, secret, scope } = Object.fromEntries(new FormData(event.currentTarget));
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
    scope,
  });
  try {
    const response = await fetch(`${servicePath}/oauth/token`, { method: 'POST', body });
    const answer = await response.json();
    token = answer.access_token ?? '';
    say(response.ok ? `Requests are now sent with ${answer.scope}.` : answer.message);
    if (response.ok) authorization.open = false;
  } catch (error) {
    say(error.message);
  }
}

authorization.hidden = false;
authorization.querySelector('form').addEventListener('submit', getToken);

function field(label, value, attributes = {}) {
  const input = make(attributes.rows ? 'textarea' : 'input', { ...attributes, spellcheck: 'false' });
  input.value = value;
  return { input, element: make('label', {}, make('span', {}, label), input) };
}

function urlOf(path, fields) {
  const query = new URLSearchParams();
  let filled = path;
  for (const { parameter, input } of fields) {
    if (parameter.in === 'path') filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
    else if (parameter.in === 'query' && input.value !== '') query.append(parameter.name, input.value);
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** The name of a member with an escape, which the parser of a browser may confuse with another. */
const escapedName = /"[^"\\]*(?:\\.[^"\\]*)+"\s*:/;

/** The text of a body, indented where it is JSON without numbers and names that this could change. */
function shown(text) {
  if (escapedName.test(text)) return text;
  try {
    const value = JSON.parse(text, (_, one, { source }) => {
      if (typeof one === 'number' && String(one) !== source) throw new SyntaxError('another number');
      return one;
    });
    return JSON.stringify(value, undefined, 2);
  } catch {
    return text;
  }
}

async function send(operation, fields, body, output) {
  if (operation.security.length > 0 && token === '') {
    authorization.open = true;
    authorization.querySelector('input').focus();
    say('This request needs a token.');
    return;
  }
  const headers = {};
  if (token !== '') headers.authorization = `Bearer ${token}`;
  for (const { parameter, input } of fields) {
    if (parameter.in === 'header' && input.value !== '') headers[parameter.name] = input.value;
  }
  if (body) headers['content-type'] = body.type;
  output.textContent = '…';
  try {
    const init = { method: operation.method.toUpperCase(), headers, ...(body && { body: body.input.value }) };
    const response = await fetch(servicePath + urlOf(operation.path, fields), init);
    const text = await response.text();
    output.textContent = `${response.status} ${response.statusText}\n\n${shown(text)}`;
  } catch (error) {
    output.textContent = error.message;
  }
}

/** The form that sends an operation; nothing for those whose body is no text, or that authenticate by themselves. */
export function tryPart(api, operation) {
  const [type, media] = firstContent(operation.requestBody) ?? [];
  const isOwn = operation.security.some((entry) => 'client' in entry);
  if (isOwn || (type !== undefined && !/json|csv/.test(type))) return [];
  const fields = parametersOf(api, operation)
    .filter((parameter) => parameter.in !== 'header' || /^If-|^X-External/.test(parameter.name))
    .map((parameter) => {
      const first = parameter.in === 'path' ? (parameter.example ?? '') : '';
      const label = `${parameter.name}${parameter.required ? ' (required)' : ''}`;
      return { parameter, ...field(label, String(first), parameter.in === 'path' ? { required: '' } : {}) };
    });
  const body = media && { type, ...field(`Body, ${type}`, pretty(exampleOf(api, media)), { rows: '8' }) };
  const output = make('pre', { role: 'status', tabindex: '0', 'aria-label': 'Response' });
  const form = make(
    'form',
    { class: 'try' },
    ...fields.map(({ element }) => element),
    ...(body ? [body.element] : []),
    make('button', { type: 'submit' }, 'Send'),
    output,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(operation, fields, body, output);
  });
  return [make('details', {}, make('summary', {}, 'Try it'), form)];
}
