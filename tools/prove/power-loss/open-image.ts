/**
 * Run in a process of its own, for many images one after the other: starts the service on a folder, asks it by HTTP for
 * everything, ends it and checks the folder as `grs check` does. A process for each image would take most of the time.
 */
import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../../src/app.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import { locateStore } from '../../../src/configured-store.ts';
import { noLog } from '../../../src/telemetry/log.ts';
import type { Found } from '../ledger.ts';
import { readEach, readProject } from '../resources.ts';
import { createClient, requestToken, serviceSettings } from '../service-process.ts';
import { project } from './trace-service.ts';

export interface ImageToOpen {
  readonly folder: string;
  /** The resources to be read. */
  readonly ids: readonly string[];
  /** True: all resources are listed, by several indexes, and searched. It takes three times as long. */
  readonly byQueries: boolean;
}

/** What was found in a folder. */
export interface OpenedImage {
  readonly found: ReadonlyMap<string, Found>;
  /** Why the start was refused, and what disagrees. */
  readonly violations: readonly string[];
}

const settings = { READ_THREADS: '2', SEARCH_THREADS: '2', LOG_LEVEL: 'fatal' };

async function openImage({ folder, ids, byQueries }: ImageToOpen): Promise<OpenedImage> {
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
    if (!byQueries) return { found: await readEach(request, project, token, ids), violations };
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

process.on('message', async (image: ImageToOpen) => {
  const opened = await openImage(image).catch((error: unknown): OpenedImage => {
    return { found: new Map(), violations: [`start: ${error instanceof Error ? error.message : String(error)}`] };
  });
  process.send?.(opened);
});
// The proof has ended.
process.on('disconnect', () => process.exit());
