import { signal } from '@preact/signals';
import { type Answer, ApiError, type Call, send } from '../api/client.ts';

/** Who is logged in. */
export interface Session {
  readonly clientId: string;
  readonly name: string;
  /** Absent for the administrator. */
  readonly projectKey?: string;
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

/** In memory only: no other page can read them, and they end with the tab. */
const tokens = new Map<string, Promise<Token>>();

type Login = { readonly code: string } | { readonly clientId: string; readonly clientSecret: string };

/** Logs in. Throws `ApiError`. */
export async function logIn(login: Login): Promise<void> {
  const { body } = await send({ method: 'POST', path, json: login }, undefined);
  tokens.clear();
  session.value = body as unknown as Session;
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
}

async function requestToken(projectKey: string): Promise<Token> {
  const { body } = await send({ method: 'PUT', path, json: { projectKey } }, undefined);
  const { token } = body as unknown as {
    token: { accessToken: string; expiresInSeconds: number; scopes: readonly string[] };
  };
  scopes.value = new Set(token.scopes.map((scope) => scope.slice(0, scope.indexOf(':'))));
  return { text: token.accessToken, scopes: token.scopes, renewAtMs: Date.now() + token.expiresInSeconds * 750 };
}

async function tokenOf(projectKey: string): Promise<string> {
  const known = await tokens.get(projectKey)?.catch(() => undefined);
  if (known && Date.now() < known.renewAtMs) return known.text;
  const requested = requestToken(projectKey);
  tokens.set(projectKey, requested);
  return (await requested).text;
}

/** The access token of a project, for streams. Throws `ApiError`. */
export const accessToken = tokenOf;

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
