/**
 * Shows /openapi.json. Elements are made one by one and texts are set as text, so nothing in the document is ever parsed
 * as markup.
 */
import { enableTrying, tryPart } from './try.js';

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'];
const maxDepth = 5;

/** Makes an element with attributes and children, which are elements or texts. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Paragraphs of a text, which may contain `code`. Empty lines separate them. */
function prose(text) {
  return text.split(/\n{2,}/).map((paragraph) => make('p', {}, ...inline(paragraph)));
}

function inline(text) {
  return text.split(/(`[^`]+`)/).map((part) => (part.startsWith('`') ? make('code', {}, part.slice(1, -1)) : part));
}

function resolve(api, value) {
  if (value?.$ref === undefined) return value;
  const names = value.$ref.slice(2).split('/');
  return names.reduce((node, name) => node?.[name], api) ?? {};
}

function operationsOf(api) {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ ...item[method], method, path })),
  );
}

/** A short description of a schema: `array of integer, 0 to 500`. */
function typeOf(api, reference) {
  const schema = resolve(api, reference) ?? {};
  const options = schema.oneOf ?? schema.anyOf;
  if (options) return options.map((option) => nameOf(api, option)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const type = [schema.type ?? 'any'].flat().join(' or ');
  return [type === 'array' ? `array of ${nameOf(api, schema.items)}` : type, ...boundsOf(schema)].join(', ');
}

/** The name of a schema, or what it is if it has none. */
function nameOf(api, reference) {
  return resolve(api, reference)?.title ?? typeOf(api, reference);
}

function boundsOf(schema) {
  const bounds = [];
  if (schema.format) bounds.push(schema.format);
  if (schema.minimum !== undefined && schema.maximum !== undefined)
    bounds.push(`${schema.minimum} to ${schema.maximum}`);
  else if (schema.minimum !== undefined) bounds.push(`at least ${schema.minimum}`);
  else if (schema.maximum !== undefined) bounds.push(`at most ${schema.maximum}`);
  if (schema.maxLength !== undefined) bounds.push(`${schema.minLength ?? 0} to ${schema.maxLength} characters`);
  if (schema.maxItems !== undefined) bounds.push(`${schema.minItems ?? 0} to ${schema.maxItems} items`);
  if (schema.default !== undefined) bounds.push(`default ${JSON.stringify(schema.default)}`);
  const [family] = Object.keys(schema.patternProperties ?? {});
  if (family) bounds.push(`any name that matches ${family}`);
  if (schema.pattern) bounds.push(`matches ${schema.pattern}`);
  return bounds;
}

/** Rows of a schema's properties. Those of nested objects have their whole path. */
function propertyRows(api, reference, prefix = '', depth = 0) {
  const schema = resolve(api, reference) ?? {};
  const parts = [schema, ...(schema.allOf ?? []).map((part) => resolve(api, part))];
  return parts.flatMap((part) =>
    Object.entries(part.properties ?? {}).flatMap(([name, member]) => {
      const property = resolve(api, member);
      const path = `${prefix}${name}`;
      const row = { path, property, required: part.required?.includes(name) === true };
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
  return table(
    ['Field', 'Meaning'],
    rows.map(({ path, property, required }) => [named(path, required), described(api, property, property.description)]),
  );
}

function named(name, required) {
  return [make('code', {}, name), ...(required ? [make('span', { class: 'required' }, 'required')] : [])];
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

/** An example for a schema that has none. */
function sampleOf(api, reference, depth = 0) {
  const schema = resolve(api, reference) ?? {};
  const given = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (given !== undefined || depth > maxDepth) return given ?? null;
  const option = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (option) return sampleOf(api, option, depth + 1);
  const type = [schema.type].flat()[0];
  if (type === 'array') return [sampleOf(api, schema.items, depth + 1)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'string') return 'text';
  const members = Object.entries(schema.properties ?? {});
  return Object.fromEntries(members.map(([name, member]) => [name, sampleOf(api, member, depth + 1)]));
}

function exampleOf(api, media) {
  const first = resolve(api, Object.values(media.examples ?? {})[0]);
  return media.example ?? first?.value ?? sampleOf(api, media.schema);
}

const pretty = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function figure(caption, text) {
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
  return make('figure', { class: 'example' }, make('figcaption', {}, caption, copy), block);
}

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The request as a command line. */
function curlOf(api, operation) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(api, parameter));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
    return encodeURIComponent(parameter?.example ?? name);
  });
  const lines = [`curl ${methodOption(operation)}${quote(location.origin + path)}`];
  const schemes = (operation.security ?? api.security ?? []).flatMap((entry) => Object.keys(entry));
  if (schemes.includes('bearer')) lines.push('-H "Authorization: Bearer $TOKEN"');
  if (schemes.includes('client')) lines.push('-u "$CLIENT_ID:$CLIENT_SECRET"');
  for (const header of parameters.filter((parameter) => parameter.in === 'header' && parameter.required)) {
    lines.push(`-H ${quote(`${header.name}: ${header.example ?? sampleOf(api, header.schema)}`)}`);
  }
  return [...lines, ...dataLines(api, operation.requestBody)].join(' \\\n  ');
}

function methodOption({ method, requestBody }) {
  if (method === 'head') return '--head ';
  return method === 'get' || (method === 'post' && requestBody) ? '' : `-X ${method.toUpperCase()} `;
}

function dataLines(api, body) {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? [];
  if (type === undefined) return [];
  const contentType = `-H ${quote(`Content-Type: ${type}`)}`;
  if (type.startsWith('image/')) return [contentType, '--data-binary @image'];
  const example = exampleOf(api, media);
  if (type === 'application/x-www-form-urlencoded' && typeof example === 'object') {
    return Object.entries(example ?? {}).map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`);
  }
  return [contentType, `-d ${quote(typeof example === 'string' ? example : JSON.stringify(example))}`];
}

function parameterTable(api, operation) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(api, parameter));
  if (parameters.length === 0) return [];
  const rows = parameters.map((parameter) => [
    named(parameter.name, parameter.required),
    [make('span', { class: 'type' }, parameter.in)],
    described(api, parameter.schema, parameter.description),
  ]);
  return [make('h3', {}, 'Parameters'), table(['Name', 'In', 'Meaning'], rows)];
}

function bodyPart(api, { requestBody }) {
  const [, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!media) return [];
  const types = Object.keys(requestBody.content).flatMap((type, index) => [
    index > 0 ? ', ' : '',
    make('code', {}, type),
  ]);
  const note = requestBody.required ? ' (required)' : '';
  return [make('h3', {}, 'Body ', ...types, note), schemaTable(api, media.schema)];
}

function responsePart(api, { responses }) {
  const items = Object.entries(responses).map(([status, reference]) => {
    const response = resolve(api, reference);
    const kind = status >= '500' ? ' failed' : status >= '400' ? ' refused' : '';
    const summary = make(
      'summary',
      { class: 'status-line' },
      make('span', { class: `status${kind}` }, status),
      ' ',
      ...inline(response.description),
    );
    return make('details', {}, summary, ...responseDetails(api, response, status));
  });
  return [make('h3', {}, 'Responses'), make('div', { class: 'responses' }, ...items)];
}

function responseDetails(api, response, status) {
  const headers = Object.entries(response.headers ?? {}).map(([name, reference]) => [
    [make('code', {}, name)],
    inline(resolve(api, reference).description ?? ''),
  ]);
  const media = Object.entries(response.content ?? {});
  return [
    ...(headers.length > 0 ? [table(['Header', 'Meaning'], headers)] : []),
    ...media.flatMap(([type, content]) => [
      ...(status < '400' ? [schemaTable(api, content.schema)] : []),
      ...examplesOf(api, type, content),
    ]),
  ];
}

function examplesOf(api, type, content) {
  const named = Object.entries(content.examples ?? {});
  if (named.length === 0) return [figure(type, pretty(exampleOf(api, content)))];
  return named.map(([name, reference]) => figure(name, pretty(resolve(api, reference).value)));
}

function scopePart(operation) {
  const scopes = (operation.security ?? []).flatMap((entry) => entry.oauth2 ?? []);
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
  const element = make(
    'details',
    { class: 'operation', id: operation.operationId },
    make(
      'summary',
      {},
      methodBadge(operation.method),
      make('span', { class: 'path' }, operation.path),
      make('span', { class: 'brief' }, operation.summary ?? ''),
    ),
  );
  // The content is made when it is first opened, so that a page of many endpoints appears at once.
  element.addEventListener('toggle', () => element.open && fill(api, operation, element), { once: false });
  return element;
}

function fill(api, operation, element) {
  if (element.querySelector('.body')) return;
  const left = make(
    'div',
    {},
    ...prose((operation.description ?? '').replace(/\n\nScopes: .*$/s, '')),
    ...scopePart(operation),
    ...parameterTable(api, operation),
    ...bodyPart(api, operation),
    ...responsePart(api, operation),
  );
  element.append(
    make(
      'div',
      { class: 'body' },
      left,
      make('div', {}, ...requestExamples(api, operation), ...tryPart(api, operation)),
    ),
  );
}

function requestExamples(api, operation) {
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const body = media && !type.startsWith('image/') ? [figure(`Body, ${type}`, pretty(exampleOf(api, media)))] : [];
  const [status, response] = Object.entries(operation.responses).find(([code]) => code < '300') ?? [];
  const [responseType, responseMedia] = Object.entries(resolve(api, response)?.content ?? {})[0] ?? [];
  const shown =
    responseType === 'application/json' ? [figure(`Response, ${status}`, pretty(exampleOf(api, responseMedia)))] : [];
  return [make('h3', {}, 'Example'), figure('Request', curlOf(api, operation)), ...body, ...shown];
}

function searchText(operation) {
  const scopes = (operation.security ?? []).flatMap((entry) => entry.oauth2 ?? []);
  const errors = JSON.stringify(operation.responses);
  const { method, path, operationId, summary, description, tags } = operation;
  return [method, path, operationId, summary, description, tags, scopes, errors].flat().join(' ').toLowerCase();
}

function show(api) {
  enableTrying({ make, resolve, exampleOf });
  document.title = `${api.info.title} – API`;
  document.querySelector('#title').textContent = api.info.title;
  document.querySelector('#version').textContent = api.info.version;
  document.querySelector('#about').replaceChildren(...prose(api.info.description ?? ''));
  const entries = operationsOf(api).map((operation) => ({
    tag: operation.tags?.[0] ?? '',
    text: searchText(operation),
    element: operationElement(api, operation),
    link: make(
      'li',
      {},
      make(
        'a',
        { href: `#${operation.operationId}` },
        methodBadge(operation.method),
        operation.summary ?? operation.path,
      ),
    ),
  }));
  const groups = (api.tags ?? []).map(({ name }) =>
    groupOf(
      name,
      entries.filter(({ tag }) => tag === name),
    ),
  );
  document.querySelector('#operations').replaceChildren(...groups.map(({ section }) => section));
  document.querySelector('#nav').replaceChildren(...groups.flatMap(({ links }) => links));
  listen(entries, groups);
}

function groupOf(name, members) {
  const title = make('h2', {}, name);
  const section = make('section', { class: 'tag' }, title, ...members.map(({ element }) => element));
  const links = [make('h2', {}, name), make('ul', {}, ...members.map(({ link }) => link))];
  return { section, links, members };
}

function listen(entries, groups) {
  const search = document.querySelector('#search');
  const filter = () => applyFilter(search.value, entries, groups);
  search.addEventListener('input', filter);
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !/^(?:INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')) {
      event.preventDefault();
      search.focus();
    } else if (event.key === 'Escape' && document.activeElement === search) {
      search.value = '';
      filter();
    }
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
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  for (const entry of entries) {
    const isHit = words.every((word) => entry.text.includes(word));
    entry.element.hidden = !isHit;
    entry.link.hidden = !isHit;
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
  const note = make('p', { class: 'note', role: 'alert' }, `The documentation cannot be loaded: ${error.message}.`);
  document.querySelector('#operations').replaceChildren(note);
}
