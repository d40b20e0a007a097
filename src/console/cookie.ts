/** A cookie of the console: which scripts never see, and which only some paths get. */
export interface Cookie {
  /** The header that sets it for so many seconds; 0 removes it. The value has no characters with a meaning in cookies. */
  set(value: string, maxAgeSeconds: number): Readonly<Record<string, string>>;
  /** Its value in the header Cookie. */
  read(header: string | undefined): string | undefined;
}

/**
 * `sameSite`: `Strict`, or `Lax` for one that is needed when another site leads here. `isSecure`: sent by https only.
 */
export function createCookie(
  name: string,
  options: { readonly path: string; readonly sameSite: 'Strict' | 'Lax'; readonly isSecure: boolean },
): Cookie {
  const { path, sameSite, isSecure } = options;
  const attributes = `Path=${path}; HttpOnly; SameSite=${sameSite}`;
  return {
    set: (value, maxAgeSeconds) => ({
      'set-cookie': `${name}=${value}; ${attributes}; Max-Age=${maxAgeSeconds}${isSecure ? '; Secure' : ''}`,
    }),
    read(header) {
      const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
      return pairs.find(([one]) => one === name)?.[1];
    },
  };
}

/** The cookie of a session. */
export function sessionCookie(isSecure: boolean): Cookie {
  return createCookie('grs-console', { path: '/console/session', sameSite: 'Strict', isSecure });
}
