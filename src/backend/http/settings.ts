import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type ActionName, actionNames } from '../../contract/backend-actions.ts';
import { createAddressGuard } from '../../network/address-guard.ts';
import { isAddressRange } from '../../network/address-range.ts';
import { portProblem } from '../../network/http-port.ts';
import type { SettingsObject } from '../settings.ts';

const names = [
  ...['kind', 'url', 'allow', 'headers', 'actions', 'caFile', 'maxConcurrent', 'failuresToOpen', 'openMs'],
] as const;

/** Headers that the service sets itself, or that would change the connection. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'content-length', 'content-type', 'transfer-encoding', 'accept', 'accept-encoding'],
  ...['upgrade', 'te', 'trailer', 'expect', 'x-correlation-id', 'idempotency-key', 'x-project-key', 'x-client-id'],
]);

export type HttpSettings = ReturnType<typeof readHttpSettings>;

/** Reads the settings of an http backend, and reports what is wrong with them. */
export function readHttpSettings(object: SettingsObject, folder: string) {
  object.allowOnly(names);
  const number = (name: string, usual: number, least: number, most: number) => {
    const value = object.get(name);
    if (value === undefined) return usual;
    if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    object.report(name, `expected a whole number from ${least} to ${most}`);
    return usual;
  };
  const allow = readRanges(object);
  return {
    kind: 'http' as const,
    url: readUrl(object, allow),
    allow,
    /** Sent with every request, by lower-case name. */
    headers: readHeaders(object.object('headers')),
    actions: readActions(object),
    ca: readCertificates(object, folder),
    maxConcurrent: number('maxConcurrent', 50, 1, 10_000),
    failuresToOpen: number('failuresToOpen', 5, 1, 1000),
    openMs: number('openMs', 5000, 100, 600_000),
  };
}

/** Addresses that are allowed beside the public ones. */
function readRanges(object: SettingsObject): readonly string[] {
  const value = object.get('allow');
  if (value === undefined) return [];
  const isRange = (range: unknown) => typeof range === 'string' && isAddressRange(range);
  if (Array.isArray(value) && value.every(isRange)) return value;
  object.report('allow', 'expected an array of addresses or CIDR ranges such as 10.1.0.0/16');
  return [];
}

/** The backend actions that the backend has; all of them unless it names some. */
function readActions(object: SettingsObject): readonly ActionName[] {
  const value = object.get('actions');
  if (value === undefined) return actionNames;
  const named = actionNames.filter((name) => Array.isArray(value) && value.includes(name));
  if (Array.isArray(value) && named.length === value.length && named.length > 0) return named;
  object.report('actions', `expected an array of some of ${actionNames.join(', ')}`);
  return actionNames;
}

/** A URL in whose path, and nowhere else, the project may be inserted. */
function readUrl(object: SettingsObject, allow: readonly string[]): string {
  const value = object.get('url');
  const text = typeof value === 'string' ? value : '';
  const [url, other] = ['a', 'b'].map((key) => URL.parse(text.replaceAll('{projectKey}', key)));
  if (!url || !other) object.report('url', 'expected a URL such as https://backend.example.com/actions');
  else for (const problem of urlProblems(url, other, allow)) object.report('url', problem);
  return text;
}

function* urlProblems(url: URL, other: URL, allow: readonly string[]): Generator<string> {
  const port = portProblem(url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') yield `expected https:, not ${url.protocol}`;
  if (url.protocol === 'http:' && allow.length === 0) {
    yield 'expected https:; plain http: is for addresses of your own network only, which allow must name';
  }
  if (url.origin !== other.origin) yield 'expected {projectKey} in the path only';
  if (url.username !== '' || url.password !== '') yield 'expected no user and password; use headers';
  if (url.search !== '' || url.hash !== '') yield 'expected no query and no fragment';
  if (port !== undefined) yield port;
  const guard = createAddressGuard(allow, url.protocol === 'http:');
  if (isIP(host) !== 0 && !guard.allows(host)) yield `${host} is not a public address, and allow does not name it`;
}

function readHeaders(object: SettingsObject | undefined): Readonly<Record<string, string>> {
  const headers: Record<string, string> = Object.create(null);
  for (const name of object?.names ?? []) {
    const own = name.toLowerCase();
    const text = object?.get(name);
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || own === '__proto__') object?.report(name, 'expected a header name');
    else if (ownHeaders.has(own)) object?.report(name, 'the service sets this header itself');
    else if (typeof text !== 'string' || !/^[\t\x20-\x7e]+$/.test(text)) {
      // Without the value, which may be a secret.
      object?.report(name, 'expected a text of printable ASCII characters');
    } else headers[own] = text;
  }
  return headers;
}

/** The certificate authorities to trust, as PEM; undefined for the default ones. */
function readCertificates(object: SettingsObject, folder: string): string | undefined {
  const value = object.get('caFile');
  if (value === undefined) return undefined;
  try {
    const pem = readFileSync(resolve(folder, String(value)), 'utf8');
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  } catch {
    // Reported below.
  }
  object.report('caFile', 'expected the path of a readable file with certificates in PEM');
  return undefined;
}
