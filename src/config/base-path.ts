import type { Config } from './settings.ts';

/** The path under which a proxy serves the service: that of ISSUER, such as `/grs`; mostly empty. */
export const servicePath = ({ issuer }: Config): string =>
  issuer === undefined ? '' : new URL(issuer).pathname.replace(/\/$/, '');
