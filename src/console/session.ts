import { hash, randomBytes } from 'node:crypto';
import { expandScopes } from '../auth/scopes.ts';
import type { VerifiedToken } from '../auth/token.ts';
import { loginOf } from '../auth/token-validity.ts';
import type { TokenService } from '../auth/tokens.ts';
import { ServiceError } from '../contract/errors.ts';
import { type ScopeName, scopeNames, serviceScope } from '../contract/scopes.ts';
import type { ApiClient, ClientStore } from '../domain/ports/client-store.ts';
import { type OutsidePerson, packPerson, unpackPerson } from './outside-person.ts';

/** Who logs in: a client of this service, or a person whom an outside issuer knows. */
export type Visitor = ApiClient | OutsidePerson;

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
/** How long tabs that were faster than the cookie, or whose response was lost, may send a session that was replaced. */
const graceMs = 30_000;
/** Sessions of one process that were replaced within that time. Of more, the oldest are forgotten. */
const maxReplaced = 10_000;

const digestOf = (code: string) => hash('sha256', code, 'hex');

function noSession(message = 'You are not logged in, or your session has expired.'): ServiceError {
  return new ServiceError('invalid_token', message);
}

const isPerson = (visitor: Visitor): visitor is OutsidePerson => 'endsAtMs' in visitor;

/**
 * The part of a visitor that the page shows: also the projects that it may enter, and the only one where there cannot be
 * others. The administrator may enter all.
 */
export function viewSession(visitor: Visitor) {
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

/** The rights of a visitor in a project, and in the service as a whole. Throws 403 if the visitor has no rights. */
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

/**
 * Sessions of the console. A session is a token of this service with a scope that opens nothing in the API: it is kept in
 * a cookie that only these endpoints read, and can be exchanged for access tokens, which the page keeps in memory. Each
 * exchange replaces the session. All tokens of a login have its id, and end with it.
 */
export class Sessions {
  readonly #deps: SessionDeps;
  /** The code that logs the administrator in, which a start makes. */
  #code: { readonly digest: string; readonly untilMs: number } | undefined;
  /** By digest, sessions that were just replaced, oldest first, and by which: a tab may have sent the one before meanwhile. */
  readonly #replaced = new Map<string, { readonly next: Promise<string>; readonly untilMs: number }>();

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** A code that logs the administrator in once, within five minutes, in this process only. It replaces the one before. */
  createCode(): string {
    const code = randomBytes(16).toString('base64url');
    this.#code = { digest: digestOf(code), untilMs: this.#deps.nowMs() + codeLifetimeMs };
    return code;
  }

  /** The client of a code, which is used up by it. Throws 401. */
  redeemCode(code: string): ApiClient {
    const known = this.#code?.digest === digestOf(code) ? this.#code : undefined;
    if (known) this.#code = undefined;
    if (known && this.#deps.nowMs() < known.untilMs) return this.#deps.admin;
    throw noSession('The link was used before, or is older than five minutes. Log in with a client id and its secret.');
  }

  /** Begins a login: the content of its cookie. */
  begin(visitor: Visitor): Promise<string> {
    return this.#issue(visitor, this.#deps.newId());
  }

  /**
   * Replaces a session. The one before is accepted for half a minute more, from other tabs that sent it meanwhile, and
   * leads to the same next one. With a project also an access token with all rights there; `service`: for the service as
   * a whole. Throws 401, 403.
   */
  async renew(session: string | undefined, wanted?: { readonly projectKey: string } | 'service') {
    if (session === undefined) throw noSession();
    const next = await this.#replace(session);
    // Not the token of before: the login may have ended, or the client been deleted, since then.
    const token = await this.#verified(next);
    if (!token) throw noSession();
    const visitor = await this.#visitorOf(token);
    if (wanted === undefined) return { visitor, session: next };
    const { tokens } = this.#deps;
    const access = await tokens.issue(visitor, scopesFor(visitor, wanted), loginOf(token.caller.jti)!);
    return { visitor, session: next, token: access };
  }

  /** Ends a login: its sessions and access tokens, in all processes. */
  async end(session: string | undefined): Promise<void> {
    if (session === undefined) return;
    // Another tab may log out with the session before.
    const token = await this.#verified(await (this.#nextOf(session) ?? session));
    if (!token) return;
    const { tokens, nowMs, lifetimeSeconds } = this.#deps;
    // No token of the login can be issued after this, so none is valid longer.
    const expiresAtMs = nowMs() + lifetimeSeconds * 1000;
    await tokens.revoke({ caller: { jti: loginOf(token.caller.jti)! }, expiresAtMs });
  }

  async #verified(session: string): Promise<VerifiedToken | undefined> {
    const token = await this.#deps.tokens.inspect(session);
    return token?.scopes.includes(sessionScope) && loginOf(token.caller.jti) !== undefined ? token : undefined;
  }

  async #visitorOf({ caller, scopes }: VerifiedToken): Promise<Visitor> {
    const person = unpackPerson(caller.clientId, scopes);
    if (person) {
      if (this.#deps.nowMs() < person.endsAtMs) return person;
      throw noSession('Your session has expired: it ends when the rights that the issuer gave you expire.');
    }
    const client = await this.#deps.clients.getClient(caller.clientId);
    if (!client) throw noSession();
    return client;
  }

  async #issue(visitor: Visitor, loginId: string): Promise<string> {
    const scopes = [sessionScope, ...(isPerson(visitor) ? [packPerson(visitor)] : [])];
    return (await this.#deps.tokens.issue(visitor, scopes, loginId)).accessToken;
  }

  /** The session that one was just replaced by. */
  #nextOf(session: string): Promise<string> | undefined {
    const entry = this.#replaced.get(digestOf(session));
    return entry && this.#deps.nowMs() < entry.untilMs ? entry.next : undefined;
  }

  #remember(session: string, next: Promise<string>): void {
    const nowMs = this.#deps.nowMs();
    this.#replaced.set(digestOf(session), { next, untilMs: nowMs + graceMs });
    for (const [old, { untilMs }] of this.#replaced) {
      if (nowMs < untilMs && this.#replaced.size <= maxReplaced) return;
      this.#replaced.delete(old);
    }
  }

  /** The session that follows one. Two tabs that ask at the same time get the same. */
  async #replace(session: string): Promise<string> {
    const token = await this.#verified(session);
    const known = this.#nextOf(session);
    if (known) return known;
    if (!token) throw noSession();
    const visitor = await this.#visitorOf(token);
    const meanwhile = this.#nextOf(session);
    if (meanwhile) return meanwhile;
    const next = this.#issue(visitor, loginOf(token.caller.jti)!);
    this.#remember(session, next);
    const made = await next;
    // It is refused here even where the store cannot write, which must not keep people from looking at what is wrong.
    await this.#deps.tokens.revoke(token).catch(() => {});
    return made;
  }
}
