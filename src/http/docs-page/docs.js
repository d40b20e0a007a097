/**
 * Shows /openapi.json. Elements are made one by one and texts are set as text, so nothing in the document is ever parsed
 * as markup.
 */
import { tryPart } from './try.js';

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'];
const maxDepth = 5;

/** Makes an element with attributes and children, which are elements or texts. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Paragraphs of a text, which may contain `code`. Empty lines separate them. */
function prose(text) {
  return text.split(/\n{2,}/).map((paragraph) => make('p', {}, ...inline(paragraph)));
}

function inline(text) {
  return text.split(/(`[^`]+`)/).map((part) => (part.startsWith('`') ? make('code', {}, part.slice(1, -1)) : part));
}

/** The part of the document that a reference names; anything else as it is. */
export function resolve(api, value) {
  if (value?.$ref === undefined) return value ?? {};
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((node, name) => node[name], api);
}

function operationsOf(api) {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ ...item[method], method, path })),
  );
}

/** A short description of a schema: `array of integer, 0 to 500`. */
function typeOf(api, reference) {
  const schema = resolve(api, reference);
  if (schema.oneOf) return schema.oneOf.map((option) => nameOf(api, option)).join(' or ');
  const words = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (words) return words.map((value) => JSON.stringify(value)).join(' | ');
  const type = [schema.type ?? 'any'].flat().join(' or ');
  return [type === 'array' ? `array of ${nameOf(api, schema.items)}` : type, ...boundsOf(schema)].join(', ');
}

/** The name of a schema, or what it is if it has none. */
function nameOf(api, reference) {
  return resolve(api, reference).title ?? typeOf(api, reference);
}

function boundsOf({ format, minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems, pattern, ...schema }) {
  const bounds = [];
  if (format) bounds.push(format);
  if (minimum !== undefined && maximum !== undefined) bounds.push(`${minimum} to ${maximum}`);
  else if (minimum !== undefined) bounds.push(`at least ${minimum}`);
  else if (maximum !== undefined) bounds.push(`at most ${maximum}`);
  if (maxLength !== undefined) bounds.push(`${minLength} to ${maxLength} characters`);
  if (maxItems !== undefined) bounds.push(`${minItems} to ${maxItems} items`);
  if (schema.default !== undefined) bounds.push(`default ${JSON.stringify(schema.default)}`);
  if (pattern) bounds.push(`matches ${pattern}`);
  return bounds;
}

/** Rows of a schema's properties. Those of nested objects have their whole path. */
function propertyRows(api, reference, prefix = '', depth = 0) {
  const schema = resolve(api, reference);
  const parts = [schema, ...(schema.allOf ?? []).map((part) => resolve(api, part))];
  return parts.flatMap((part) =>
    Object.entries(part.properties ?? {}).flatMap(([name, member]) => {
      const property = resolve(api, member);
      const path = `${prefix}${name}`;
      const row = [named(path, part.required?.includes(name)), described(api, property, property.description)];
      if (depth >= maxDepth) return [row];
      const isArray = property.type === 'array';
      const inner = isArray ? property.items : property;
      return [row, ...propertyRows(api, inner, `${path}${isArray ? '[]' : ''}.`, depth + 1)];
    }),
  );
}

function schemaTable(api, schema) {
  const rows = propertyRows(api, schema);
  if (rows.length === 0) return make('p', { class: 'type' }, typeOf(api, schema));
  return table(['Field', 'Meaning'], rows);
}

function named(name, required) {
  return [make('code', {}, name), ...(required ? [make('span', { class: 'required' }, ' required')] : [])];
}

function described(api, schema, description) {
  const meaning = description ? [make('p', {}, ...inline(description))] : [];
  return [make('span', { class: 'type' }, typeOf(api, schema)), ...meaning];
}

function table(titles, rows) {
  const head = make('tr', {}, ...titles.map((title) => make('th', { scope: 'col' }, title)));
  const body = rows.map(([first, ...rest]) =>
    make('tr', {}, make('th', { scope: 'row' }, ...first), ...rest.map((cell) => make('td', {}, ...cell))),
  );
  return make('div', { class: 'scroll' }, make('table', {}, make('thead', {}, head), make('tbody', {}, ...body)));
}

/** The example of a body; undefined where it has none, such as a file. */
export function exampleOf(api, { example, examples = {}, schema }) {
  return example ?? resolve(api, Object.values(examples)[0]).value ?? resolve(api, schema).examples?.[0];
}

export const pretty = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** A text, or a value as JSON, that can be copied; nothing for one that is undefined. */
function figures(caption, value) {
  if (value === undefined) return [];
  const text = pretty(value);
  const copy = make('button', { type: 'button' }, 'Copy');
  copy.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    copy.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
    if (!isCopied) getSelection().selectAllChildren(block);
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 1500);
  });
  const block = make('pre', { tabindex: '0' }, text);
  return [make('figure', { class: 'example' }, make('figcaption', {}, caption, copy), block)];
}

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The media type and the content that a body has first; undefined for one that has none. */
export function firstContent(body) {
  return Object.entries(body?.content ?? {})[0];
}

/** The parameters of an operation. */
export function parametersOf(api, { parameters }) {
  return parameters.map((parameter) => resolve(api, parameter));
}

/** The request as a command line. */
function curlOf(api, operation) {
  const parameters = parametersOf(api, operation);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => {
    const { example } = parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(example);
  });
  const lines = [`curl ${methodOption(operation)}${quote(location.origin + path)}`];
  const schemes = operation.security.flatMap((entry) => Object.keys(entry));
  if (schemes.includes('bearer')) lines.push('-H "Authorization: Bearer $TOKEN"');
  if (schemes.includes('client')) lines.push('-u "$CLIENT_ID:$CLIENT_SECRET"');
  for (const header of parameters.filter((parameter) => parameter.in === 'header' && parameter.required)) {
    lines.push(`-H ${quote(`${header.name}: ${header.example}`)}`);
  }
  return [...lines, ...dataLines(api, operation.requestBody)].join(' \\\n  ');
}

function methodOption({ method, requestBody }) {
  if (method === 'head') return '--head ';
  return method === 'get' || (method === 'post' && requestBody) ? '' : `-X ${method.toUpperCase()} `;
}

function dataLines(api, body) {
  const [type, media] = firstContent(body) ?? [];
  if (type === undefined) return [];
  const contentType = `-H ${quote(`Content-Type: ${type}`)}`;
  if (type.startsWith('image/')) return [contentType, '--data-binary @image'];
  if (type === 'application/x-www-form-urlencoded') {
    return Object.entries(media.example).map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`);
  }
  const example = exampleOf(api, media);
  return [contentType, `-d ${quote(typeof example === 'string' ? example : JSON.stringify(example))}`];
}

function parameterTable(api, operation) {
  const rows = parametersOf(api, operation).map((parameter) => [
    named(parameter.name, parameter.required),
    [make('span', { class: 'type' }, parameter.in)],
    described(api, parameter.schema, parameter.description),
  ]);
  return [make('h3', {}, 'Parameters'), table(['Name', 'In', 'Meaning'], rows)];
}

function bodyPart(api, { requestBody }) {
  const [, media] = firstContent(requestBody) ?? [];
  if (!media) return [];
  const types = Object.keys(requestBody.content).join(', ');
  const note = requestBody.required ? ' (required)' : '';
  return [make('h3', {}, 'Body ', make('code', {}, types), note), schemaTable(api, media.schema)];
}

function responsePart(api, { responses }) {
  const items = Object.entries(responses).map(([status, response]) => {
    const kind = status >= '500' ? ' failed' : status >= '400' ? ' refused' : '';
    const badge = make('span', { class: `status${kind}` }, status);
    const summary = make('summary', {}, badge, ' ', ...inline(response.description));
    return make('details', {}, summary, ...responseDetails(api, response, status));
  });
  return [make('h3', {}, 'Responses'), make('div', { class: 'responses' }, ...items)];
}

function responseDetails(api, response, status) {
  const headers = Object.entries(response.headers).map(([name, reference]) => [
    [make('code', {}, name)],
    inline(resolve(api, reference).description),
  ]);
  return [
    table(['Header', 'Meaning'], headers),
    ...Object.entries(response.content ?? {}).flatMap(([type, content]) => [
      ...(status < '400' ? [schemaTable(api, content.schema)] : []),
      ...examplesOf(api, type, content),
    ]),
  ];
}

function examplesOf(api, type, content) {
  if (!content.examples) return figures(type, exampleOf(api, content));
  return Object.entries(content.examples).flatMap(([name, reference]) => figures(name, resolve(api, reference).value));
}

function scopePart({ security }) {
  const scopes = security.flatMap((entry) => entry.oauth2 ?? []);
  if (scopes.length === 0) return [];
  return [
    make('h3', {}, scopes.length > 1 ? 'One of these scopes' : 'Scope'),
    make('ul', { class: 'scopes' }, ...scopes.map((scope) => make('li', {}, make('code', {}, scope)))),
  ];
}

function methodBadge(method) {
  return make('span', { class: `method ${method}` }, method.toUpperCase());
}

function operationElement(api, operation) {
  const summary = make(
    'summary',
    {},
    methodBadge(operation.method),
    make('span', { class: 'path' }, operation.path),
    make('span', { class: 'brief' }, operation.summary),
  );
  const element = make('details', { class: 'operation', id: operation.operationId }, summary);
  // The content is made when it is first opened, so that a page of many endpoints appears at once.
  element.addEventListener('toggle', () => element.append(contentOf(api, operation)), { once: true });
  return element;
}

function contentOf(api, operation) {
  const left = make(
    'div',
    {},
    ...prose(operation.description.replace(/\n\nScopes: .*$/s, '')),
    ...scopePart(operation),
    ...parameterTable(api, operation),
    ...bodyPart(api, operation),
    ...responsePart(api, operation),
  );
  return make(
    'div',
    { class: 'body' },
    left,
    make('div', {}, ...requestExamples(api, operation), ...tryPart(api, operation)),
  );
}

function requestExamples(api, operation) {
  const [status, response] = Object.entries(operation.responses).find(([code]) => code < '300');
  const [type, media] = firstContent(operation.requestBody) ?? [];
  const [responseType, responseMedia] = firstContent(response) ?? [];
  return [
    make('h3', {}, 'Example'),
    ...figures('Request', curlOf(api, operation)),
    ...(media ? figures(`Body, ${type}`, exampleOf(api, media)) : []),
    ...(responseType === 'application/json' ? figures(`Response, ${status}`, exampleOf(api, responseMedia)) : []),
  ];
}

function searchText(operation) {
  const { method, path, operationId, summary, description, tags, security, responses } = operation;
  return JSON.stringify([method, path, operationId, summary, description, tags, security, responses]).toLowerCase();
}

function show(api) {
  document.title = `${api.info.title} – API`;
  document.querySelector('#title').textContent = api.info.title;
  document.querySelector('#version').textContent = api.info.version;
  document.querySelector('#about').replaceChildren(...prose(api.info.description));
  const entries = operationsOf(api).map((operation) => ({
    tag: operation.tags[0],
    text: searchText(operation),
    element: operationElement(api, operation),
    link: make(
      'li',
      {},
      make('a', { href: `#${operation.operationId}` }, methodBadge(operation.method), operation.summary),
    ),
  }));
  const groups = [...Map.groupBy(entries, ({ tag }) => tag)].map(([name, members]) => groupOf(name, members));
  document.querySelector('#operations').replaceChildren(...groups.map(({ section }) => section));
  document.querySelector('#nav').replaceChildren(...groups.flatMap(({ links }) => links));
  listen(entries, groups);
}

function groupOf(name, members) {
  const section = make('section', {}, make('h2', {}, name), ...members.map(({ element }) => element));
  const links = [make('h2', {}, name), make('ul', {}, ...members.map(({ link }) => link))];
  return { section, links, members };
}

function listen(entries, groups) {
  const search = document.querySelector('#search');
  const filter = () => applyFilter(search.value, entries, groups);
  search.addEventListener('input', filter);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(?:INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')) return;
    event.preventDefault();
    search.focus();
  });
  const openAll = (isOpen) => () => {
    for (const { element } of entries) if (!element.hidden) element.open = isOpen;
  };
  document.querySelector('#expand').addEventListener('click', openAll(true));
  document.querySelector('#collapse').addEventListener('click', openAll(false));
  addEventListener('hashchange', openTarget);
  // Beside the endpoints where there is room; else above them, closed.
  const menu = document.querySelector('#menu');
  const wide = matchMedia('(min-width: 52rem)');
  const fit = () => {
    menu.open = wide.matches;
  };
  wide.addEventListener('change', fit);
  menu.addEventListener('click', (event) => {
    if (!wide.matches && event.target.closest('a')) menu.open = false;
  });
  fit();
  filter();
  openTarget();
}

function applyFilter(text, entries, groups) {
  const words = text.toLowerCase().split(/\s+/);
  for (const entry of entries) {
    entry.element.hidden = entry.link.hidden = !words.every((word) => entry.text.includes(word));
  }
  for (const { section, links, members } of groups) {
    const isEmpty = members.every(({ element }) => element.hidden);
    for (const element of [section, ...links]) element.hidden = isEmpty;
  }
  const shown = entries.filter(({ element }) => !element.hidden).length;
  const count = shown === entries.length ? `${shown} endpoints` : `${shown} of ${entries.length} endpoints`;
  document.querySelector('#count').textContent = count;
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (const link of document.querySelectorAll('nav a')) {
    link.setAttribute('aria-current', String(link.getAttribute('href') === location.hash));
  }
  if (target?.tagName !== 'DETAILS') return;
  target.open = true;
  target.scrollIntoView();
  target.querySelector('summary').focus({ preventScroll: true });
}

try {
  const response = await fetch(new URL('../openapi.json', import.meta.url));
  if (!response.ok) throw new Error(`the server returned ${response.status}`);
  show(await response.json());
} catch (error) {
  const note = make('p', { role: 'alert' }, `The documentation cannot be loaded: ${error.message}.`);
  document.querySelector('#operations').replaceChildren(note);
}
