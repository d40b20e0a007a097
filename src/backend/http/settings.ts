import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { fieldsOf, getOwn } from '../../domain/json/object.ts';
import { isAddressRange } from '../../network/address-range.ts';
import type { HttpSettings } from '../settings.ts';
import { actionsAt, type Complain, knownNames, objectAt } from '../settings-checks.ts';
import { createAddressGuard } from './address-guard.ts';

const names = [
  ...['kind', 'url', 'allow', 'headers', 'actions', 'caFile', 'maxConcurrent', 'failuresToOpen', 'openMs'],
] as const;

/** Ports of services that do not speak HTTP, beside those below 1024: a request must not be taken for a command. */
const forbiddenPorts: ReadonlySet<number> = new Set([3306, 5432, 6379, 9200, 11211, 27017]);

/** Headers that the service sets itself, or that would change what the connection is. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'content-length', 'content-type', 'transfer-encoding', 'accept', 'accept-encoding'],
  ...['upgrade', 'te', 'trailer', 'expect', 'x-correlation-id', 'idempotency-key', 'x-project-key', 'x-client-id'],
]);

/** Reads the settings of an http backend; adds what is wrong with them. */
export function checkHttpSettings(one: JsonObject, place: string, folder: string, complain: Complain): HttpSettings {
  knownNames(one, names, place, complain);
  const at = (name: string) => `${place}.${name}`;
  const number = (name: string, usual: number, least: number, most: number) =>
    numberAt(getOwn(one, name), at(name), usual, least, most, complain);
  const allow = rangesAt(getOwn(one, 'allow'), at('allow'), complain);
  return {
    kind: 'http',
    url: urlAt(getOwn(one, 'url'), at('url'), allow, complain),
    allow,
    headers: headersAt(getOwn(one, 'headers'), at('headers'), complain),
    actions: actionsAt(getOwn(one, 'actions'), at('actions'), complain),
    ca: pemAt(getOwn(one, 'caFile'), at('caFile'), folder, complain),
    maxConcurrent: number('maxConcurrent', 50, 1, 10_000),
    failuresToOpen: number('failuresToOpen', 5, 1, 1000),
    openMs: number('openMs', 5000, 100, 600_000),
  };
}

function numberAt(
  value: JsonValue | undefined,
  place: string,
  usual: number,
  least: number,
  most: number,
  complain: Complain,
): number {
  if (value === undefined) return usual;
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  complain(place, `a whole number from ${least} to ${most} expected`);
  return usual;
}

function rangesAt(value: JsonValue | undefined, place: string, complain: Complain): readonly string[] {
  if (value === undefined) return [];
  const ranges = Array.isArray(value)
    ? value.filter((range) => typeof range === 'string' && isAddressRange(range))
    : [];
  if (Array.isArray(value) && ranges.length === value.length) return ranges as readonly string[];
  complain(place, 'an array of addresses or CIDR ranges such as 10.1.0.0/16 expected');
  return [];
}

/** An URL in which the project may stand for a part of the path, and for nothing else. */
function urlAt(value: JsonValue | undefined, place: string, allow: readonly string[], complain: Complain): string {
  const text = typeof value === 'string' ? value : '';
  const [url, other] = ['a', 'b'].map((key) => URL.parse(text.replaceAll('{projectKey}', key)));
  if (!url || !other) complain(place, 'an URL such as https://backend.example.com/actions expected');
  else for (const problem of urlProblems(url, other, allow)) complain(place, problem);
  return text;
}

function* urlProblems(url: URL, other: URL, allow: readonly string[]): Generator<string> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') yield `https: expected, not ${url.protocol}`;
  if (url.protocol === 'http:' && allow.length === 0) {
    yield 'https: expected; plain http: is for addresses of your own network only, which allow must name';
  }
  if (url.origin !== other.origin) yield '{projectKey} expected in the path only';
  if (url.username !== '' || url.password !== '') yield 'no user and password expected; use headers';
  if (url.search !== '' || url.hash !== '') yield 'no query and no fragment expected';
  if ((port < 1024 && port !== 80 && port !== 443) || forbiddenPorts.has(port)) yield `port ${port} is not for HTTP`;
  const guard = createAddressGuard(allow, url.protocol === 'http:', () => Promise.resolve([]));
  if (isIP(host) !== 0 && !guard.allows(host)) yield `${host} is not a public address, and allow does not name it`;
}

function headersAt(value: JsonValue | undefined, place: string, complain: Complain): Readonly<Record<string, string>> {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, text] of fieldsOf(objectAt(value ?? {}, place, complain))) {
    const own = name.toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || own === '__proto__')
      complain(`${place}.${name}`, 'a header name expected');
    else if (ownHeaders.has(own)) complain(`${place}.${name}`, 'the service sets this header itself');
    else if (typeof text !== 'string' || !/^[\t\x20-\x7e]+$/.test(text)) {
      // The value may be a secret: it is not shown.
      complain(`${place}.${name}`, 'a text of printable ASCII characters expected');
    } else headers[own] = text;
  }
  return headers;
}

function pemAt(value: JsonValue | undefined, place: string, folder: string, complain: Complain): string | undefined {
  if (value === undefined) return undefined;
  try {
    const pem = readFileSync(resolve(folder, String(value)), 'utf8');
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  } catch {
    // Falls through to the complaint, which names the place.
  }
  complain(place, 'the path of a readable file with certificates in PEM expected');
  return undefined;
}
