import { servicePath } from './base-address.ts';
import { type Json, type JsonMap, parseJson, writeJson } from './json.ts';

/** A response that is no success. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: JsonMap;
  /** All errors of the response. */
  readonly errors: readonly JsonMap[];

  constructor(status: number, code: string, message: string, errors: readonly JsonMap[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = errors[0] ?? {};
    this.errors = errors;
  }
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the address of the service, such as `/shop/resource`. Made by `pathOf`. */
  readonly path: string;
  readonly query?: URLSearchParams | undefined;
  readonly json?: Json | undefined;
  readonly body?: Blob | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined without a body, or if it is not JSON. */
  readonly body: Json | undefined;
}

/** A path of segments. Each is encoded; those that would leave the path are refused. */
export function pathOf(...segments: readonly string[]): string {
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..')
      throw new TypeError(`Not a segment of a path: '${segment}'`);
  }
  return `/${segments.map(encodeURIComponent).join('/')}`;
}

/** The address of a call, below that of the service. */
export const urlOf = ({ path, query }: Call): string => (query && query.size > 0 ? `${path}?${query}` : path);

/** A response may have fifty errors. */
const shownErrors = 5;

/** The error of a response, by its body as far as that is JSON. */
export function errorOf(status: number, body: Json | undefined): ApiError {
  const { errors = [], message } = (body ?? {}) as { errors?: readonly JsonMap[]; message?: string };
  const first = errors[0] ?? {};
  const all = errors
    .slice(0, shownErrors)
    .flatMap((error) => (typeof error.message === 'string' ? [error.message] : []));
  const more = errors.length > shownErrors ? [`… and ${errors.length - shownErrors} more`] : [];
  const text = [...all, ...more].join('\n') || (message ?? `The service responded with status ${status}.`);
  return new ApiError(status, (first.code as string | undefined) ?? 'Unknown', text, errors);
}

/** Sends a call. Throws `ApiError`, also where there is no response (status 0), and `AbortError`. */
export async function send(call: Call, token: string | undefined): Promise<Answer> {
  const { method = 'GET', json, body, headers, signal } = call;
  const init: RequestInit = {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? (body ?? null) : writeJson(json),
    signal: signal ?? null,
  };
  let response: Response;
  try {
    response = await fetch(servicePath + urlOf(call), init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(
      0,
      'NoConnection',
      'The service cannot be reached. Nothing is lost: try again when it is there.',
    );
  }
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const parsed = isJson && text !== '' ? parseJson(text) : undefined;
  if (!response.ok) throw errorOf(response.status, parsed);
  return { status: response.status, headers: response.headers, body: parsed };
}

/** The file that a copied call uploads, where its body is no JSON. */
export const exampleFile = 'image.jpg';

/** The headers of a call beside the type of its body, such as those of a condition. */
export const otherHeaders = ({ headers = {} }: Call): readonly (readonly [string, string])[] =>
  Object.entries(headers).filter(([name]) => name !== 'content-type');

/** The call as a command for a shell. `address`: of the service, such as `https://api.example.com`. */
export function curlOf(call: Call, address: string): string {
  const { method = 'GET', json, body, headers = {} } = call;
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    quoted(address + urlOf(call)),
    '-H "authorization: Bearer $TOKEN"',
    ...otherHeaders(call).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quoted(writeJson(json))}`]),
    ...(body === undefined
      ? []
      : [`-H ${quoted(`content-type: ${headers['content-type'] ?? body.type}`)}`, `--data-binary @${exampleFile}`]),
  ].join(' ');
}
