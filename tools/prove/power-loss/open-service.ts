import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../../src/app.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import { locateStore } from '../../../src/configured-store.ts';
import { noLog } from '../../../src/telemetry/log.ts';
import type { Found } from '../ledger.ts';
import { readProject } from '../resources.ts';
import { createClient, requestToken, serviceSettings } from '../service-process.ts';
import { project } from './trace-service.ts';

/** What was found in a folder. */
export interface OpenedImage {
  readonly found: ReadonlyMap<string, Found>;
  /** What disagrees. */
  readonly violations: readonly string[];
}

const settings = { LOG_LEVEL: 'fatal' };

/**
 * Starts the whole service on a folder, asks it by HTTP for everything, by several indexes and by search, ends it and
 * checks the folder as `grs check` does. Throws where the service refuses to start.
 */
export async function openService(folder: string): Promise<OpenedImage> {
  const config = parseConfig({ ...serviceSettings(folder), ...settings });
  const violations: string[] = [];
  const app = await createApp(config, { log: noLog, onFatal: (message) => violations.push(`fatal: ${message}`) });
  const agent = new Agent({ keepAlive: true });
  // The service's own listener would start every thread that queries may need.
  const server = createServer((...exchange) => app.server.listener.emit('request', ...exchange));
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const request = createClient((server.address() as AddressInfo).port, agent);
    const token = await requestToken(request, `manage_project:${project}`);
    const { found, disagreements } = await readProject(request, project, token);
    violations.push(...disagreements);
    return { found, violations };
  } finally {
    agent.destroy();
    server.close();
    await app.close();
    const { engine, address } = locateStore(config);
    const findings = await engine.check(address, false, () => {});
    violations.push(...findings.map((finding) => `check: ${finding}`));
  }
}
