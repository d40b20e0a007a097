import { StoreRefused } from '../../engine.ts';
import { setTlsOptions } from './tls.ts';

/** A server that a DATABASE_URL names, as an address of its own. */
export interface ServerAddress {
  /** Host and port, without credentials: for messages. */
  readonly name: string;
  readonly connectionString: string;
}

const variable = 'DATABASE_URL';
const modes: readonly string[] = ['read-write', 'primary'];

const form = /^(postgres(?:ql)?:\/\/)(?:([^@/]*)@)?([^/?@]*)(\/[^?]*)?(?:\?(.*))?$/;

/**
 * The servers of a `postgres://user:password@host1:port,host2:port/database?options` address, in their order. Of several,
 * the one that takes writes is used, which `target_session_attrs=read-write` may say. Throws
 * `StoreRefused`, without credentials, if the address is not of this form.
 */
export function parseAddress(url: string): readonly ServerAddress[] {
  const match = form.exec(url);
  if (!match)
    throw new StoreRefused(`${variable}: use postgres://user:password@host:5432/database, hosts separated by commas`);
  const [, scheme, credentials, hosts = '', path = '', query = ''] = match;
  const options = new URLSearchParams(query);
  const mode = options.get('target_session_attrs');
  if (mode !== null && !modes.includes(mode)) {
    throw new StoreRefused(`${variable}: target_session_attrs=${mode} is not known; the service reads and writes`);
  }
  options.delete('target_session_attrs');
  setTlsOptions(options, variable);
  const before = `${scheme}${credentials === undefined ? '' : `${credentials}@`}`;
  const after = `${path}${options.size === 0 ? '' : `?${options}`}`;
  return hosts.split(',').map((name) => ({ name: name || 'localhost', connectionString: before + name + after }));
}
