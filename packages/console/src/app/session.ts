import { computed, signal } from '@preact/signals';
import { servicePath } from '../api/base-address.ts';
import { type Answer, ApiError, type Call, errorOf, send, urlOf } from '../api/client.ts';
import { type JsonMap, parseJson } from '../api/json.ts';
import { place } from './router.ts';

/** Who is logged in. */
export interface Session {
  readonly clientId: string;
  readonly name: string;
  /** The only project that can be opened; absent where there are others. */
  readonly projectKey?: string;
  /** The projects that can be opened; absent for the administrator. */
  readonly projectKeys?: readonly string[];
  readonly isAdministrator?: true;
}

interface Token {
  readonly text: string;
  readonly scopes: readonly string[];
  readonly renewAtMs: number;
}

const path = '/console/session';

/** Undefined until it is known; null where nobody is logged in. */
export const session = signal<Session | null | undefined>(undefined);

/** The scopes of the token of the project that is open, without the project. */
export const scopes = signal<ReadonlySet<string>>(new Set());

/** True if whoever is logged in may write resources of the open project. */
export const mayWrite = computed(() => scopes.value.has('manage_test') || scopes.value.has('manage_project'));

/** False until the first token says what may be done: what depends on that keeps its place in a page. */
export const areRightsKnown = signal(false);

/** In memory only: no other page can read them, and they end with the tab. */
const tokens = new Map<string, Promise<Token>>();

type Login = { readonly code: string } | { readonly clientId: string; readonly clientSecret: string };

/** Tells the other tabs, which share the session: that somebody logged in, took that up, or logged out. */
const tabs = new BroadcastChannel('grs-console');
/** Set in a window that was opened for a login only: it closes when the tab that waits has gone on. */
const popupKey = 'grs-console-popup';
const returnKey = 'grs-console-return';

tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data === 'in' && session.value === null) {
    void resume().then(
      () => session.value && tabs.postMessage('resumed'),
      () => {},
    );
  }
  if (data === 'out' && session.value) {
    tokens.clear();
    session.value = null;
  }
  if (data === 'resumed' && sessionStorage.getItem(popupKey) !== null) close();
});

/** Logs in. Throws `ApiError`. */
export async function logIn(login: Login): Promise<void> {
  const { body } = await send({ method: 'POST', path, json: login }, undefined);
  tokens.clear();
  session.value = body as unknown as Session;
  tabs.postMessage('in');
}

/** The host of the outside issuer that people can log in with, or undefined. */
export const outsideHost: string | undefined =
  document.querySelector<HTMLMetaElement>('meta[name="outside-login"]')?.content ?? undefined;

/**
 * Goes to the outside issuer: with this page, which comes back to where it was; or where something is being edited, with
 * a window of its own.
 */
export function goOutside(inOwnWindow: boolean): void {
  const address = `${servicePath}${path}/login`;
  if (!inOwnWindow) {
    sessionStorage.setItem(returnKey, location.pathname + location.search);
    location.assign(address);
    return;
  }
  // The new window begins with a copy of what is stored for this one.
  sessionStorage.setItem(popupKey, '1');
  open(address, '', 'popup,width=520,height=720');
  sessionStorage.removeItem(popupKey);
}

/** After the return from the outside issuer: takes up the session. Returns the address that was left for the login. */
export async function arrive(): Promise<string | undefined> {
  await resume();
  if (session.value) tabs.postMessage('in');
  const left = sessionStorage.getItem(returnKey) ?? undefined;
  sessionStorage.removeItem(returnKey);
  return left;
}

/** Takes up the session that the browser has, if it has one. */
export async function resume(): Promise<void> {
  try {
    const { body } = await send({ method: 'PUT', path, json: {} }, undefined);
    session.value = (body ?? null) as unknown as Session | null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 0) throw error;
    session.value = null;
  }
}

export async function logOut(): Promise<void> {
  await send({ method: 'DELETE', path }, undefined);
  tokens.clear();
  session.value = null;
  tabs.postMessage('out');
}

/** Stands for the whole service where a project key is expected. No project can have this key. */
const service = '*';

async function requestToken(projectKey: string): Promise<Token> {
  const json = projectKey === service ? { scope: 'service' } : { projectKey };
  const { body } = await send({ method: 'PUT', path, json }, undefined);
  const { token } = body as unknown as {
    token: { accessToken: string; expiresInSeconds: number; scopes: readonly string[] };
  };
  return { text: token.accessToken, scopes: token.scopes, renewAtMs: Date.now() + token.expiresInSeconds * 750 };
}

/** The access token of a project. Throws `ApiError`. */
export async function tokenOf(projectKey: string): Promise<string> {
  const known = await tokens.get(projectKey)?.catch(() => undefined);
  const isGood = known !== undefined && Date.now() < known.renewAtMs;
  if (!isGood) tokens.set(projectKey, requestToken(projectKey));
  const token = isGood ? known : await tokens.get(projectKey)!;
  if (projectKey === place.value.projectKey) showScopes(token.scopes);
  return token.text;
}

/** Rights differ from project to project: these are of the one that is open. */
function showScopes(granted: readonly string[]): void {
  const names = new Set(granted.map((scope) => scope.split(':', 1)[0]!));
  areRightsKnown.value = true;
  if (names.size !== scopes.value.size || [...names].some((name) => !scopes.value.has(name))) scopes.value = names;
}

/**
 * Sends a call in a project, with a token that is renewed where it ended. Where the session has ended as well, the page
 * asks for a new login and what was being edited stays.
 */
export async function call(projectKey: string, request: Call): Promise<Answer> {
  try {
    try {
      return await send(request, await tokenOf(projectKey));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      tokens.delete(projectKey);
      return await send(request, await tokenOf(projectKey));
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      tokens.delete(projectKey);
      session.value = null;
    }
    throw error;
  }
}

/** Sends a call as `call` does, and returns its body as the caller knows it to be. */
export async function read<T>(projectKey: string, request: Call): Promise<T> {
  return (await call(projectKey, request)).body as unknown as T;
}

/** As `read`, about the whole service; needs the administrator or the scope `view_service`. */
export const readService = <T>(request: Call): Promise<T> => read<T>(service, request);

/** Sends a call whose response is read as it arrives. Throws `ApiError`; `TypeError` without a response. */
export async function openStream(projectKey: string, request: Call): Promise<Response> {
  const { method = 'GET', body = null, headers, signal = null } = request;
  const authorization = `Bearer ${await tokenOf(projectKey)}`;
  const init = { method, body, headers: { ...headers, authorization }, signal };
  const response = await fetch(servicePath + urlOf(request), init);
  if (response.ok && response.body) return response;
  throw errorOf(response.status, await response.json().catch(() => undefined));
}

/** The lines of JSON of a response, as they arrive. */
export async function* jsonLines({ body }: Response): AsyncGenerator<JsonMap> {
  let rest = '';
  for await (const chunk of body!.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield parseJson(line) as JsonMap;
  }
  if (rest.trim() !== '') yield parseJson(rest) as JsonMap;
}
