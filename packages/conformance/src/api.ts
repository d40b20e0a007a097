import { randomUUID } from 'node:crypto';

// biome-ignore lint/suspicious/noExplicitAny: checks look into bodies of any shape.
export type AnyJson = any;

export interface Answer {
  /** Method and path, for messages. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed as JSON; undefined where it is empty or no JSON. */
  readonly json: AnyJson;
}

/** Tokens of different rights: to write and upload, to read, none, or a given one. */
export type Right = 'manage' | 'view' | 'none';

/** Parameters by name; several values of one in a list. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

export interface Sent {
  readonly query?: Query;
  /** A text or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: `manage`. */
  readonly right?: Right;
}

/** The implementation under test, as the checks see it. */
export interface Api {
  readonly baseUrl: string;
  readonly project: string;
  /** Sends a request to a path below `/{projectKey}/resource`. */
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  /** Sends a request to any address. */
  sendTo(method: string, url: string, sent?: Sent): Promise<Answer>;
  /** A name that no other check and no other run has. */
  unique(name: string): string;
  /** Writes a resource with PUT and returns it; `removeAll` deletes it. Throws unless the status is 201. */
  create(fields?: Readonly<Record<string, unknown>>): Promise<AnyJson>;
  /** Applies update actions to a version. */
  update(id: string, version: number, ...actions: readonly unknown[]): Promise<Answer>;
  /** Deletes what `create` and `owned` know. */
  removeAll(): Promise<void>;
  /** Has `removeAll` delete a resource. */
  owned(id: string): void;
}

export interface Access {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly project: string;
  /** The token of each right, or undefined. */
  readonly tokens: Readonly<Record<'manage' | 'view', string | undefined>>;
  /** Milliseconds that a request may take. */
  readonly timeoutMs: number;
}

/** Opens the way to an implementation. */
export function openApi({ baseUrl, project, tokens, timeoutMs }: Access): Api {
  const run = randomUUID().slice(0, 8);
  const ids = new Set<string>();
  let names = 0;

  async function sendTo(method: string, url: string, sent: Sent = {}): Promise<Answer> {
    const { query, body, headers = {}, right = 'manage' } = sent;
    const all = new Headers(headers);
    const token = right === 'none' ? undefined : tokens[right];
    if (token !== undefined && !all.has('authorization')) all.set('authorization', `Bearer ${token}`);
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    if (body !== undefined && !all.has('content-type')) all.set('content-type', 'application/json');
    const payload = body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) };
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url + queryText(query), {
      method,
      headers: all,
      redirect: 'manual',
      signal,
      ...payload,
    });
    const text = await response.text();
    const request = `${method} ${url.slice(baseUrl.length)}${queryText(query)}`;
    return { request, status: response.status, headers: response.headers, text, json: parseJson(text) };
  }

  const send = (method: string, path: string, sent?: Sent) =>
    sendTo(method, `${baseUrl}/${encodeURIComponent(project)}/resource${path}`, sent);

  return {
    ...{ baseUrl, project, send, sendTo },
    update: (id, version, ...actions) => send('POST', `/${id}`, { body: { version, actions } }),
    unique: (name) => `conformance-${run}-${++names}-${name}`,
    owned: (id) => ids.add(id),
    async create(fields = {}) {
      const { status, json, text } = await send('PUT', '', { body: fields });
      if (status !== 201) throw new Error(`The resource of this check was not created: ${status} ${text}`);
      ids.add(json.id);
      return json;
    },
    async removeAll() {
      for (const id of ids) await send('DELETE', `/${encodeURIComponent(id)}`);
      ids.clear();
    },
  };
}

function queryText(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The token endpoint cannot be reached, or gave no token. */
export class NoToken extends Error {}

/** Gets a token by client credentials. Throws `NoToken`. */
export async function grantToken(baseUrl: string, credentials: string, scope: string): Promise<string> {
  const address = `${baseUrl}/oauth/token`;
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  }).catch((error: Error) => {
    throw new NoToken(
      `${address} cannot be reached: ${error.cause instanceof Error ? error.cause.message : error.message}`,
    );
  });
  const text = await response.text();
  const token = (parseJson(text) as { access_token?: unknown } | undefined)?.access_token;
  if (typeof token !== 'string')
    throw new NoToken(`${address} gave no token for ${scope}: ${response.status} ${text.slice(0, 300)}`);
  return token;
}
