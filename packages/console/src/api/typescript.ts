import { type Call, exampleFile, otherHeaders } from './client.ts';
import { Exact, isMap, type Json, type JsonMap } from './json.ts';

/** Path segments after `resource/` that are not ids. All but lists are called with `request` of the client. */
export const notIds: ReadonlySet<string> = new Set([
  ...['sorted-query-parameters', 'searchApiPattern', 'suggestions', 'artificially-complex'],
  ...['deleted', 'batch', 'by-predicate', 'import', 'export', 'images', 'json-serializable-primitive-type'],
  ...['namespace-action', 'namespace-action-with-example', 'namespace-action-with-headers'],
]);

const clientPackage = 'generic-resource-service-client';
const name = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A value as TypeScript writes it; whole numbers beyond 2⁵³ as `bigint`, which the client sends with all digits. */
function literal(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Exact) return /^-?\d+$/.test(value.source) ? `${value.source}n` : value.source;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item as Json)).join(', ')}]`;
  if (!isMap(value)) return String(value);
  const members = Object.entries(value).map(([key, item]) => {
    const shown = key === '__proto__' ? `['__proto__']` : name.test(key) ? key : quoted(key);
    return `${shown}: ${literal(item)}`;
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function options(query: URLSearchParams | undefined): string {
  const names = [...new Set(query?.keys() ?? [])];
  const entries = names.map((key): [string, Json] => {
    const values = query!.getAll(key);
    const [first = ''] = values;
    if (values.length > 1) return [key, values];
    if (first === 'true' || first === 'false') return [key, first === 'true'];
    return [key, key !== 'where' && /^\d{1,15}$/.test(first) ? Number(first) : first];
  });
  return entries.length === 0 ? '' : literal(Object.fromEntries(entries));
}

/** The call as a statement for the client package, where it has a method for it. */
function statement(call: Call, segments: readonly string[]): string {
  const { method = 'GET', path, query, json, body } = call;
  const headers = otherHeaders(call);
  const [collection, id] = segments;
  const withOptions = options(query);
  const more = withOptions === '' ? '' : `, ${withOptions}`;
  if (collection === 'resource' && segments.length <= 2) {
    const target = id === undefined || notIds.has(id) ? undefined : `{ id: ${quoted(id)} }`;
    const draft = isMap(json) ? json : ({} as JsonMap);
    if (method === 'GET' && id === 'sorted-query-parameters') return `await resources.list(${withOptions});`;
    if (method === 'GET' && target) return `await resources.get(${target}${more});`;
    if (method === 'DELETE' && target) return `await resources.delete(${target}${more});`;
    if (method === 'POST' && target) {
      const version = draft.version === undefined ? '' : `, { version: ${literal(draft.version)} }`;
      return `await resources.update(${target}, ${literal(draft.actions ?? [])}${version});`;
    }
    if (method === 'PUT' && id === undefined) return `await resources.replace(${literal(draft)});`;
    if (method === 'POST' && id === undefined) return `await resources.create(${literal(draft)});`;
  }
  const parts = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)}`]),
    `path: ${quoted(path.slice(path.indexOf('/', 1)))}`,
    ...(withOptions === '' ? [] : [`query: ${withOptions}`]),
    ...(headers.length === 0 ? [] : [`headers: ${literal(Object.fromEntries(headers))}`]),
    ...(json === undefined ? [] : [`body: ${literal(json)}`]),
    ...(body === undefined ? [] : [`body: await openAsBlob(${quoted(exampleFile)}, { type: ${quoted(body.type)} })`]),
  ];
  return `await client.request({ ${parts.join(', ')} });`;
}

/** The call as a program for the package `generic-resource-service-client`. `address`: of the service. */
export function typescriptOf(call: Call, address: string): string {
  const [projectKey = '', ...segments] = call.path.split('/').slice(1).map(decodeURIComponent);
  const own = statement(call, segments);
  return [
    ...(call.body === undefined ? [] : ["import { openAsBlob } from 'node:fs';"]),
    `import { createClient } from ${quoted(clientPackage)};`,
    '',
    `const client = createClient({ baseUrl: ${quoted(address)}, projectKey: ${quoted(projectKey)}, credentials: { clientId, clientSecret } });`,
    ...(own.startsWith('await resources.') ? ['const resources = client.resources();'] : []),
    `const result = ${own}`,
    '',
  ].join('\n');
}
