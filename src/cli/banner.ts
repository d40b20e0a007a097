import type { App } from '../app.ts';
import { servicePath } from '../config/base-path.ts';
import type { Config } from '../config/settings.ts';
import { locateStore } from '../configured-store.ts';
import { version } from '../version.ts';

/**
 * The text after the start, on standard error; logs go to standard output. Only a terminal (`isTerminal`) shows secrets, since
 * whatever else reads standard error may keep it: that of a new administrator, and `code`, which logs the administrator in to
 * the console once.
 */
export function banner(
  config: Config,
  admin: App['admin'],
  address: string,
  { isTerminal, code }: { readonly isTerminal: boolean; readonly code?: string | undefined },
): string {
  const store = locateStore(config);
  const secret = isTerminal ? admin.secret : undefined;
  const credentials = secret === undefined ? undefined : `${admin.clientId}:${secret}`;
  const shown = credentials ?? `<client id>:<secret>`;
  const processes = config.workers > 1 ? [`  Workers       ${config.workers}`] : [];
  // Under the path of a proxy, the pages can be opened through the proxy only.
  const pages = servicePath(config) === '' ? address : config.issuer;
  const lines = [
    `Generic Resource Service ${version}`,
    '',
    `  Address       ${address}`,
    ...(config.console
      ? [`  Console       ${pages}/console${code === undefined || !isTerminal ? '' : `#code=${code}`}`]
      : []),
    `  API docs      ${pages}/docs`,
    `  Data          ${store.engine.describe(store.address)} (${store.engine.name})`,
    ...processes,
    `  Admin client  ${admin.clientId}${admin.file === undefined ? ' (from the settings)' : `, in ${admin.file}`}`,
    ...(secret === undefined ? [] : [`  Admin secret  ${secret}   (shown only once)`]),
    '',
    'Get a token for everything in the project my-shop:',
    `  curl -u '${shown}' -d 'grant_type=client_credentials&scope=manage_project:my-shop' ${address}/oauth/token`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}
