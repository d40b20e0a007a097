import type { App } from '../app.ts';
import type { Config } from '../config/settings.ts';
import { locateStore } from '../configured-store.ts';
import { version } from '../version.ts';

/**
 * The text on the terminal after the start, on standard error; logs go to standard output. `code`: logs the administrator
 * in to the console once; only for a terminal, since what reads standard error may keep it.
 */
export function banner(config: Config, admin: App['admin'], address: string, code?: string): string {
  const store = locateStore(config);
  const credentials = admin.secret === undefined ? undefined : `${admin.clientId}:${admin.secret}`;
  const shown = credentials ?? `<client id>:<secret>`;
  const processes = config.workers > 1 ? [`  Workers       ${config.workers}`] : [];
  const lines = [
    `Generic Resource Service ${version}`,
    '',
    `  Address       ${address}`,
    ...(config.console ? [`  Console       ${address}/console${code === undefined ? '' : `#code=${code}`}`] : []),
    `  API docs      ${address}/docs`,
    `  Data          ${store.engine.describe(store.address)} (${store.engine.name})`,
    ...processes,
    `  Admin client  ${admin.clientId}${admin.file === undefined ? ' (from the settings)' : `, in ${admin.file}`}`,
    ...(admin.secret === undefined ? [] : [`  Admin secret  ${admin.secret}   (shown only once)`]),
    '',
    'Get a token for everything in the project my-shop:',
    `  curl -u '${shown}' -d 'grant_type=client_credentials&scope=manage_project:my-shop' ${address}/oauth/token`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}
