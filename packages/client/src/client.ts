import type { Project, ResourceUpdateAction, Searches } from '../dist/api-types.js';
import { createByPredicate, createExport, createImport } from './bulk/bulk.ts';
import { errorOf } from './errors.ts';
import { createImages, type Images } from './images.ts';
import { bodyOf } from './json.ts';
import { type ApiCall, type ApiResult, createRequester } from './request.ts';
import { createResources, type Resources } from './resources.ts';
import type { SearchesOptions } from './search.ts';
import { createSender } from './send.ts';
import { createSession, type Session } from './session.ts';
import {
  createEvents,
  createLineReader,
  createStreamer,
  type Event,
  type EventOptions,
  type StreamCall,
} from './stream.ts';
import { type CreatedClient, type Credentials, requestTokens, tokensOf } from './tokens.ts';

export interface ClientOptions {
  /** Such as `https://api.eu-central-1.aws.example.com`. */
  readonly baseUrl: string;
  readonly projectKey: string;
  /** Credentials of an API client, for use on a server. */
  readonly credentials?: Credentials | CreatedClient;
  /** The key of a publishable API client, for pages in browsers: it reads what is published. */
  readonly publishableKey?: string;
  /**
   * Returns an access token: for browsers, which get theirs from a server that holds the secret. Called again shortly before the token
   * expires, and when the service refuses it.
   */
  readonly token?: () => string | Promise<string>;
  /** How often a request that failed is sent again, where that is safe. Default: 3. */
  readonly retries?: number;
  /** The longest a single attempt may take. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Sent with every request, such as `{ 'x-correlation-id': … }`. By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: that of the runtime. */
  readonly fetch?: typeof fetch;
}

/** One project of a service. */
export interface Client {
  /** Resources with fields of type T; A are the update actions, if the service has further ones. */
  resources<T = Record<string, unknown>, A = ResourceUpdateAction>(): Resources<T, A>;
  readonly images: Images;
  /** A session of a visitor: its cart, apart from all others. The id is at random, such as `crypto.randomUUID()`, and opens the session. */
  session(id: string): Session;
  /**
   * The changes of the project, one after the other, without an end. It connects again by itself, and goes on behind the
   * last event. Save the `id` of an event when you are done with it: as `after` it is where to begin the next time. Throws
   * `InvalidRequestError` `CursorGone` if the events behind it are no longer kept.
   */
  events(options?: EventOptions): AsyncIterable<Event>;
  /** The counts of the project, and the scopes of the token. */
  project(): Promise<Project>;
  /** What was searched for, the most frequent texts first. Needs the scope manage_project. */
  searches(options?: SearchesOptions): Promise<Searches>;
  /** Any request in the project, with token, retries and errors as all others. */
  request(call: ApiCall): Promise<ApiResult>;
  /** A request in the project whose response is read as it arrives, such as an export in CSV. It is sent once. */
  stream(call: StreamCall): Promise<Response>;
}

/** Opens a client. Nothing is sent before the first request. */
export function createClient(options: ClientOptions): Client {
  const { projectKey, credentials, publishableKey, retries = 3, timeoutMs = 30_000, headers = {} } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const fetchOf = options.fetch ?? ((...given: Parameters<typeof fetch>) => fetch(...given));
  const send = createSender({ fetch: fetchOf, retries, timeoutMs });
  const { token = publishableKey === undefined ? undefined : () => publishableKey } = options;
  if ([credentials, publishableKey, options.token].filter((each) => each !== undefined).length !== 1)
    throw new TypeError('Expected either credentials, publishableKey or token.');
  const tokens = token ? tokensOf(token) : requestTokens(send, baseUrl, credentials!);
  const base = `${baseUrl}/${encodeURIComponent(projectKey)}`;
  const request = createRequester(send, tokens, base, headers);
  const open = createStreamer(fetchOf, tokens, base, headers);
  const lines = createLineReader(open, { retries, timeoutMs });
  async function stream(call: StreamCall): Promise<Response> {
    const response = await open(call, new AbortController().signal);
    if ('body' in response) return response;
    throw errorOf(response.status, bodyOf(response), undefined);
  }
  const bulk = { import: createImport(lines), export: createExport(lines), ...createByPredicate(lines) };
  return {
    resources: <T, A>() => createResources<T, A>(request, bulk),
    images: createImages(request),
    session: (id) => createSession(request, id),
    events: createEvents(open),
    project: async () => (await request({ path: '' })).body as Project,
    searches: async ({ signal, ...query } = {}) =>
      (await request({ path: '/searches', query: { ...query }, signal })).body as Searches,
    request,
    stream,
  };
}
