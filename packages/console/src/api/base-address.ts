/**
 * The path under which a proxy serves the service, such as `/grs`; empty without one. The script is in `console/assets/`
 * below it. Tests load this module from a file.
 */
export const servicePath = import.meta.url.startsWith('file:')
  ? ''
  : new URL('../..', import.meta.url).pathname.replace(/\/$/, '');

/** The address of the service as programs need it, such as `https://example.com/grs`. */
export const serviceAddress = () => new URL(import.meta.url).origin + servicePath;
