import { hash, randomBytes } from 'node:crypto';
import { grantScopes } from '../auth/scopes.ts';
import type { VerifiedToken } from '../auth/token.ts';
import type { TokenService } from '../auth/tokens.ts';
import { ServiceError } from '../contract/errors.ts';
import { type ScopeName, scopeNames, serviceScope } from '../contract/scopes.ts';
import type { ApiClient, ClientStore } from '../domain/ports/client-store.ts';

/** Who is logged in, as the page sees it. */
export interface SessionView {
  readonly clientId: string;
  readonly name: string;
  /** Keys of the projects that the client belongs to; absent for the administrator, who may enter all. */
  readonly projectKey?: string | undefined;
}

export interface ConsoleToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly string[];
}

/**
 * Sessions of the console. A session is a token of this service with a scope that opens nothing in the API: it is kept in
 * a cookie that only these endpoints read, and can be exchanged for access tokens, which the page keeps in memory. So it
 * needs no storage, holds in all processes, and can be revoked.
 */
export interface Sessions {
  /** A code that logs the administrator in once, within five minutes; in this process only. */
  createCode(): string;
  /** The client of a code, which is used up by it. Throws 401. */
  redeemCode(code: string): ApiClient;
  /** A new session: the content of its cookie. */
  begin(client: ApiClient): Promise<string>;
  /** The client of a session. Throws 401. */
  clientOf(session: string | undefined): Promise<ApiClient>;
  /** An access token for a project, with all scopes that the client has there; the administrator's has that of the service too. Throws 403 where it has none. */
  issue(client: ApiClient, projectKey: string): Promise<ConsoleToken>;
  end(session: string | undefined): Promise<void>;
}

export interface SessionDeps {
  readonly clients: ClientStore;
  readonly tokens: TokenService;
  readonly admin: ApiClient;
  readonly nowMs: () => number;
}

/** In a token: not the form `name:projectKey` of any scope, so that it opens nothing. */
const sessionScope = 'console';
const codeLifetimeMs = 5 * 60 * 1000;
/** More codes than these are not valid at a time. */
const maxCodes = 100;

const digestOf = (code: string) => hash('sha256', code, 'hex');

function noSession(message: string): ServiceError {
  return new ServiceError('invalid_token', message);
}

export function viewSession({ id, name, projectKey }: ApiClient): SessionView {
  return projectKey === undefined ? { clientId: id, name } : { clientId: id, name, projectKey };
}

/** Makes the sessions of a process. */
export function createSessions({ clients, tokens, admin, nowMs }: SessionDeps): Sessions {
  /** Digests of codes, and when they end. */
  const codes = new Map<string, number>();

  async function verified(session: string | undefined): Promise<VerifiedToken | undefined> {
    const token = session === undefined ? undefined : await tokens.inspect(session);
    return token?.scopes.length === 1 && token.scopes[0] === sessionScope ? token : undefined;
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
    begin: async (client) => (await tokens.issue(client, [sessionScope])).accessToken,
    async clientOf(session) {
      const token = await verified(session);
      const client = token && (await clients.getClient(token.caller.clientId));
      if (!client) throw noSession('Nobody is logged in, or the session has ended.');
      return client;
    },
    async issue(client, projectKey) {
      const all = scopeNames.map((name: ScopeName) => `${name}:${projectKey}`);
      const own =
        client.projectKey === undefined
          ? [...all, serviceScope]
          : client.scopes.filter((scope) => scope.endsWith(`:${projectKey}`));
      if (own.length === 0) {
        throw new ServiceError('insufficient_scope', `The API client '${client.id}' has no scope in this project.`);
      }
      return tokens.issue(client, grantScopes(client, own.join(' ')));
    },
    async end(session) {
      const token = await verified(session);
      if (token) await tokens.revoke(token);
    },
  };
}
