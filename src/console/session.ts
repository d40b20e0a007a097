import { hash, randomBytes } from 'node:crypto';
import { loginOf } from '../auth/revocations.ts';
import { expandScopes } from '../auth/scopes.ts';
import type { VerifiedToken } from '../auth/token.ts';
import type { TokenService } from '../auth/tokens.ts';
import { ServiceError } from '../contract/errors.ts';
import { type ScopeName, scopeNames, serviceScope } from '../contract/scopes.ts';
import type { ApiClient, ClientStore } from '../domain/ports/client-store.ts';
import { type OutsidePerson, packPerson, unpackPerson } from './outside-person.ts';

/** Who is logged in, as the page sees it. */
export interface SessionView {
  readonly clientId: string;
  readonly name: string;
  /** The only project that the client may enter; absent where there can be others. */
  readonly projectKey?: string | undefined;
  /** Of a person whom an outside issuer knows: the projects that it gives rights in. */
  readonly projectKeys?: readonly string[];
  /** May enter all projects. */
  readonly isAdministrator?: true;
}

export interface ConsoleToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly string[];
}

/** Who logs in: a client of this service, or a person whom an outside issuer knows. */
export type Visitor = ApiClient | OutsidePerson;

/** A session as it goes on: who it is, and the next content of its cookie. */
export interface Renewed {
  readonly visitor: Visitor;
  readonly session: string;
  /** An access token for the project that was asked for. */
  readonly token?: ConsoleToken;
}

/**
 * Sessions of the console. A session is a token of this service with a scope that opens nothing in the API: it is kept in
 * a cookie that only these endpoints read, and can be exchanged for access tokens, which the page keeps in memory. Each
 * exchange replaces the session. All tokens of a login have its id, and end with it.
 */
export interface Sessions {
  /** A code that logs the administrator in once, within five minutes; in this process only. */
  createCode(): string;
  /** The client of a code, which is used up by it. Throws 401. */
  redeemCode(code: string): ApiClient;
  /** Begins a login: the content of its cookie. */
  begin(visitor: Visitor): Promise<string>;
  /**
   * Replaces a session. The one before is accepted for half a minute more, from other tabs that sent it meanwhile, and
   * leads to the same next one. With a project also an access token with all rights there; `service`: for the service as a
   * whole. Throws 401, 403.
   */
  renew(session: string | undefined, wanted?: { readonly projectKey: string } | 'service'): Promise<Renewed>;
  /** Ends a login: its sessions and access tokens, in all processes. */
  end(session: string | undefined): Promise<void>;
}

export interface SessionDeps {
  readonly clients: ClientStore;
  readonly tokens: TokenService;
  readonly admin: ApiClient;
  /** Of sessions and of access tokens. */
  readonly lifetimeSeconds: number;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/** In a token: not the form `name:projectKey` of any scope, so that it opens nothing. */
const sessionScope = 'console';
const codeLifetimeMs = 5 * 60 * 1000;
/** More codes than these are not valid at a time. */
const maxCodes = 100;
/** How long tabs that were faster than the cookie, or whose response was lost, may send a session that was replaced. */
const graceMs = 30_000;
/** Sessions of one process that were replaced within that time. Of more, the oldest are forgotten. */
const maxReplaced = 10_000;

const digestOf = (code: string) => hash('sha256', code, 'hex');

function noSession(message = 'Nobody is logged in, or the session has ended.'): ServiceError {
  return new ServiceError('invalid_token', message);
}

const isPerson = (visitor: Visitor): visitor is OutsidePerson => 'endsAtMs' in visitor;

/** The part of a visitor that the page shows. */
export function viewSession(visitor: Visitor): SessionView {
  const { id, name } = visitor;
  if (isPerson(visitor)) {
    const inProjects = visitor.scopes.filter((scope) => scope !== serviceScope);
    const projectKeys = [...new Set(inProjects.map((scope) => scope.slice(scope.indexOf(':') + 1)))].sort();
    return { clientId: id, name, projectKeys, ...(projectKeys.length === 1 && { projectKey: projectKeys[0] }) };
  }
  const { projectKey } = visitor;
  return projectKey === undefined
    ? { clientId: id, name, isAdministrator: true }
    : { clientId: id, name, projectKey, projectKeys: [projectKey] };
}

/** The rights of a visitor in a project, and in the service as a whole. Throws 403 where there are none. */
function scopesFor(visitor: Visitor, wanted: { readonly projectKey: string } | 'service'): readonly string[] {
  const projectKey = wanted === 'service' ? undefined : wanted.projectKey;
  const isAdministrator = !isPerson(visitor) && visitor.projectKey === undefined;
  const held = isAdministrator
    ? [...scopeNames.map((name: ScopeName) => `${name}:${projectKey}`), serviceScope]
    : [...expandScopes(visitor.scopes)];
  const inProject = held.filter((scope) => projectKey !== undefined && scope.endsWith(`:${projectKey}`));
  const ofService = held.filter((scope) => scope === serviceScope);
  if (wanted === 'service' ? ofService.length > 0 : inProject.length > 0) return [...inProject, ...ofService];
  const where = wanted === 'service' ? 'for the service as a whole' : 'in this project';
  throw new ServiceError('insufficient_scope', `'${visitor.id}' has no scope ${where}.`);
}

/** Makes the sessions of a process. */
export function createSessions(deps: SessionDeps): Sessions {
  const { clients, tokens, admin, nowMs, newId } = deps;
  /** Digests of codes, and when they end. */
  const codes = new Map<string, number>();
  /** Digests of sessions that were replaced, in that order. */
  const replaced = new Map<string, { readonly next: Promise<string>; readonly untilMs: number }>();

  async function verified(session: string | undefined): Promise<VerifiedToken | undefined> {
    const token = session === undefined ? undefined : await tokens.inspect(session);
    return token?.scopes.includes(sessionScope) && loginOf(token.caller.jti) !== undefined ? token : undefined;
  }

  async function visitorOf({ caller, scopes }: VerifiedToken): Promise<Visitor> {
    const person = unpackPerson(caller.clientId, scopes);
    if (person) {
      if (nowMs() < person.endsAtMs) return person;
      throw noSession('The session has ended: it lasts no longer than what the issuer said about your rights.');
    }
    const client = await clients.getClient(caller.clientId);
    if (!client) throw noSession();
    return client;
  }

  async function issueSession(visitor: Visitor, loginId: string): Promise<string> {
    const scopes = [sessionScope, ...(isPerson(visitor) ? [packPerson(visitor)] : [])];
    return (await tokens.issue(visitor, scopes, loginId)).accessToken;
  }

  function forgetReplaced(): void {
    for (const [digest, { untilMs }] of replaced) {
      if (nowMs() < untilMs && replaced.size <= maxReplaced) return;
      replaced.delete(digest);
    }
  }

  /** The session that follows one. Two tabs that ask at the same time get the same. */
  async function replace(session: string): Promise<string> {
    const digest = digestOf(session);
    const isReplaced = (): Promise<string> | undefined => {
      const entry = replaced.get(digest);
      return entry && nowMs() < entry.untilMs ? entry.next : undefined;
    };
    const token = await verified(session);
    const known = isReplaced();
    if (known) return known;
    if (!token) throw noSession();
    const visitor = await visitorOf(token);
    const meanwhile = isReplaced();
    if (meanwhile) return meanwhile;
    const next = issueSession(visitor, loginOf(token.caller.jti)!);
    replaced.delete(digest);
    replaced.set(digest, { next, untilMs: nowMs() + graceMs });
    forgetReplaced();
    const made = await next;
    // It is refused here even where the store cannot write, which must not keep people from looking at what is wrong.
    await tokens.revoke(token).catch(() => {});
    return made;
  }

  return {
    createCode() {
      const code = randomBytes(16).toString('base64url');
      codes.set(digestOf(code), nowMs() + codeLifetimeMs);
      for (const digest of codes.keys()) if (codes.size > maxCodes) codes.delete(digest);
      return code;
    },
    redeemCode(code) {
      const digest = digestOf(code);
      const endsMs = codes.get(digest);
      codes.delete(digest);
      if (endsMs !== undefined && nowMs() < endsMs) return admin;
      throw noSession(
        'The link was used before, or is older than five minutes. Log in with a client id and its secret.',
      );
    },
    begin: (visitor) => issueSession(visitor, newId()),
    async renew(session, wanted) {
      if (session === undefined) throw noSession();
      const next = await replace(session);
      // Not the token of before: the login may have ended, or the client been deleted, since then.
      const token = await verified(next);
      if (!token) throw noSession();
      const visitor = await visitorOf(token);
      if (wanted === undefined) return { visitor, session: next };
      const loginId = loginOf(token.caller.jti)!;
      return { visitor, session: next, token: await tokens.issue(visitor, scopesFor(visitor, wanted), loginId) };
    },
    async end(session) {
      const token = session === undefined ? undefined : await verified(await currentOf(session));
      if (!token) return;
      // No token of the login can be issued after this, so none is valid longer.
      const expiresAtMs = nowMs() + deps.lifetimeSeconds * 1000;
      await tokens.revoke({ caller: { jti: loginOf(token.caller.jti)! }, expiresAtMs });
    },
  };

  /** The session itself, or the one that has just replaced it: another tab may log out with the one before. */
  async function currentOf(session: string): Promise<string> {
    const entry = replaced.get(digestOf(session));
    return entry && nowMs() < entry.untilMs ? entry.next : session;
  }
}
