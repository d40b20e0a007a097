import type { ApiRequest } from '../http/route.ts';
import type { ConsoleDeps } from './session-routes.ts';

/**
 * A cookie of the console, which scripts never see. `sameSite`: `Strict`, or `Lax` for one that is needed when another site leads here. `isSecure`: the service is reached by
 * https. The cookie then has the prefix `__Host-` (RFC 6265bis §4.1.3), so that no other host of the domain can set it;
 * browsers demand the path / of it. Without https the path keeps it from requests that need it not.
 */
export function createCookie(
  name: string,
  options: { readonly path: string; readonly sameSite: 'Strict' | 'Lax'; readonly isSecure: boolean },
) {
  const { path, sameSite, isSecure } = options;
  const fullName = isSecure ? `__Host-${name}` : name;
  const attributes = `Path=${isSecure ? '/' : path}; HttpOnly; SameSite=${sameSite}`;
  return {
    /** The header that sets the cookie with a lifetime in seconds; 0 removes it. The value has no characters with a meaning in cookies. */
    set: (value: string, maxAgeSeconds: number): Readonly<Record<string, string>> => ({
      'set-cookie': `${fullName}=${value}; ${attributes}; Max-Age=${maxAgeSeconds}${isSecure ? '; Secure' : ''}`,
    }),
    /** Its value in the header Cookie. */
    read(header: string | undefined): string | undefined {
      const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
      return pairs.find(([one]) => one === fullName)?.[1];
    },
  };
}

type Reached = Pick<ConsoleDeps, 'isSecure' | 'servicePath'>;

/**
 * True if the browser uses https. Where the settings do not say so, behind a proxy that ends TLS, the Origin header does if
 * there is one, else the headers of the proxy. A client that forges them only changes the names of its own cookies.
 */
export function isHttps({ isSecure }: Reached, { headers }: Pick<ApiRequest, 'headers'>): boolean {
  return isSecure || (headers.origin?.startsWith('https:') ?? headers['x-forwarded-proto'] === 'https');
}

/** The cookie of a session. */
export function sessionCookie(reached: Reached, request: ApiRequest) {
  const path = `${reached.servicePath}/console/session`;
  return createCookie('grs-console', { path, sameSite: 'Strict', isSecure: isHttps(reached, request) });
}
