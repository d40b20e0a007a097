import { readFileSync } from 'node:fs';
import { StoreRefused } from '../../engine.ts';

/** TLS between the service and PostgreSQL: the options `ssl…` of an address, and what may be wrong with a certificate. */

/** Driver options for each mode. By default the driver checks the certificate and the host name. */
const modes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  disable: { sslmode: 'disable' },
  'no-verify': { sslmode: 'no-verify' },
  prefer: { sslmode: 'verify-full' },
  require: { sslmode: 'verify-full' },
  // The driver has this mode only with the meanings of libpq.
  'verify-ca': { sslmode: 'verify-ca', uselibpqcompat: 'true' },
  'verify-full': { sslmode: 'verify-full' },
};

const files = ['sslrootcert', 'sslcert', 'sslkey'] as const;

/** Makes of the options of an address what the driver understands. Throws `StoreRefused` for what cannot be used. */
export function setTlsOptions(options: URLSearchParams, variable: string): void {
  // The authorities that Node brings, which it uses by itself.
  if (options.get('sslrootcert') === 'system') options.delete('sslrootcert');
  const mode = options.get('sslmode');
  if (mode !== null) {
    const set = Object.hasOwn(modes, mode) ? modes[mode] : undefined;
    if (!set)
      throw new StoreRefused(`${variable}: sslmode=${mode} is not known; use ${Object.keys(modes).join(', ')}.`);
    for (const [name, value] of Object.entries(set)) options.set(name, value);
  }
  if (mode === 'verify-ca' && !options.has('sslrootcert')) {
    throw new StoreRefused(
      `${variable}: sslmode=verify-ca needs sslrootcert=<file> with the certificate of your authority. For a server with a certificate of a public authority use sslmode=verify-full.`,
    );
  }
  for (const name of files) {
    const file = options.get(name);
    if (file !== null) assertReadable(file, `${variable}: ${name}=${file}`);
  }
}

function assertReadable(file: string, named: string): void {
  try {
    readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const remedy =
      code === 'ENOENT' ? 'Name a file in PEM form by its full path' : 'Let the user of the service read it';
    throw new StoreRefused(`${named} cannot be read (${code}). ${remedy}; in a container, mount it there.`);
  }
}

const unknownAuthority =
  'Name the certificate of its authority by sslrootcert=<file> in the address, or use sslmode=no-verify, which encrypts but does not check who the server is';
const expired = 'Renew the certificate of the server, and check the clock of both machines';

/** What to do about a certificate, by the code that Node gives the error. */
const advice: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_SIGNATURE_FAILURE: unknownAuthority,
  CERT_HAS_EXPIRED: expired,
  CERT_NOT_YET_VALID: expired,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'Use the host name of the certificate in the address, or sslmode=verify-ca with sslrootcert=<file>, which does not compare the names',
};

/** In the words of the driver, which gives it no code. */
const withoutTls = /does not support SSL connections/;

/** What to do about TLS that cannot be used; undefined for any other error. */
export function tlsAdvice(error: unknown): string | undefined {
  const { code = '', message = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (withoutTls.test(message))
    return 'Switch TLS on at the server (ssl = on), or use sslmode=disable in a network that you trust';
  if (/no encryption/.test(message))
    return 'The server takes only encrypted connections: add sslmode=verify-full to the address';
  return Object.hasOwn(advice, code) ? advice[code] : undefined;
}
