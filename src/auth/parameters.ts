import { ServiceError } from '../contract/errors.ts';

export type Parameters = ReadonlyMap<string, string>;

/** One value per name, from the query and from a form body alike. A name given twice is refused (RFC 6749 §3.2). */
export function parseParameters(url: string, contentType: string | undefined, body: Uint8Array): Parameters {
  const question = url.indexOf('?');
  const query = question < 0 ? '' : url.slice(question + 1);
  const parameters = new Map<string, string>();
  for (const text of [query, decodeBody(contentType, body)]) {
    for (const [name, value] of new URLSearchParams(text)) {
      if (parameters.has(name)) throw new ServiceError('invalid_request', `Duplicate parameter: ${name.slice(0, 64)}.`);
      parameters.set(name, value);
    }
  }
  // RFC 6749 §2.3.1: a secret must not be in a URL, which proxies log.
  if (new URLSearchParams(query).has('client_secret')) {
    throw new ServiceError(
      'invalid_request',
      'client_secret must not be in the address. Send it by HTTP Basic Authentication.',
    );
  }
  return parameters;
}

/** Clients send raw spaces and colons, which form decoding leaves alone, and JSON content types on empty bodies. */
function decodeBody(contentType: string | undefined, body: Uint8Array): string {
  if (body.length === 0) return '';
  if (contentType !== undefined && !/^application\/x-www-form-urlencoded *(;|$)/i.test(contentType)) {
    throw new ServiceError(
      'invalid_request',
      'Send the parameters as application/x-www-form-urlencoded or in the query.',
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new ServiceError('invalid_request', 'The body is not valid UTF-8.');
  }
}

/** The parameter, or 400 `invalid_request`. An empty value counts as omitted (RFC 6749 §3.2). */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value) return value;
  throw new ServiceError('invalid_request', `Missing required parameter: ${name}.`);
}
