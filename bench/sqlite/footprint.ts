import { setTimeout as sleep } from 'node:timers/promises';
import { runLoad } from '../load.ts';
import { fill, project, say } from '../measure.ts';
import {
  fetchToken,
  folderBytes,
  ownMb,
  peakMb,
  type Running,
  residentMb,
  startService,
  temporaryFolder,
  writtenBytes,
} from '../service.ts';
import { type Stage, trials } from '../trials.ts';

/** Measures memory, disk, bytes written and start time of a store by its size. */

/** Writes of each kind that come alone. */
const loneWrites = 50;

/** A service counts as idle when so much time has passed since its start. */
const idleMs = 12_000;

/** Seconds without a byte written after which nothing is left to follow: the indexes do after five. */
const quietSeconds = 8;
const mostSeconds = 180;

/** Waits until the service writes nothing: what follows writes, and what merges the index, has ended. */
async function settled(service: Running): Promise<void> {
  let quiet = 0;
  for (let second = 0; second < mostSeconds && quiet < quietSeconds; second += 1) {
    const before = writtenBytes(service);
    await sleep(1000);
    quiet = writtenBytes(service) === before ? quiet + 1 : 0;
  }
  if (quiet < quietSeconds) say(`  !! still writing after ${mostSeconds} s`);
}

/** A filled store that nobody has open. */
export interface Filled {
  readonly stage: Omit<Stage, 'token'>;
  readonly peakMb: number;
  /** Lines with the figures and their goals. */
  readonly notes: readonly string[];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** ms from a start to the first response: of five starts, each on what `folder` returns. */
export async function firstResponseMs(
  folder: () => { readonly path: string; remove(): void },
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const { path, remove } = folder();
    const service = await startService(path, environment);
    times.push(service.startMs);
    await service.stop();
    remove();
  }
  return median(times);
}

/** Bytes that reach the disk for each of some writes that come one after the other, with what follows them. */
async function bytesOfLone(name: string, stage: Stage, service: Running): Promise<number> {
  const trial = trials.find((one) => one.name === name)!;
  await settled(service);
  const before = writtenBytes(service);
  const load = { port: service.port, connections: 1, pauseMs: 20, requests: loneWrites, ms: 60_000 };
  const { statuses } = await runLoad({ ...load, make: trial.make(stage) });
  if (statuses.get(trial.expectStatuses[0]!) !== loneWrites) say(`  !! lone ${name}: ${JSON.stringify([...statuses])}`);
  await settled(service);
  return (writtenBytes(service) - before) / loneWrites;
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;

/** Fills an empty folder through the API, measures what that took, and stops the service. */
export async function fillStore(
  path: string,
  count: number,
  environment: Readonly<Record<string, string>>,
): Promise<Filled> {
  const emptyMs = await firstResponseMs(temporaryFolder, environment);
  const service = await startService(path, environment);
  await sleep(idleMs);
  const [idleMb, idleOwnMb] = [residentMb(service), ownMb(service)];
  const token = await fetchToken(service.port, `manage_project:${project}`);
  const all = await fill(service, token, count + loneWrites);
  const stage = { ...all, count };
  const created = await bytesOfLone('create', stage, service);
  const untouched = { ...stage, idOf: (n: number) => all.idOf(count + n) };
  const updated = await bytesOfLone('update by an action', untouched, service);
  const [afterMb, afterOwnMb, peak] = [residentMb(service), ownMb(service), peakMb(service)];
  await service.stop();
  const perResource = folderBytes(path) / (count + 2 * loneWrites);
  const filledMs = await firstResponseMs(() => ({ path, remove: () => {} }), environment);
  const notes = [
    `first response: ${emptyMs.toFixed(0)} ms on an empty folder, ${filledMs.toFixed(0)} ms on this one (goal 300; medians of five)`,
    `RSS: idle ${idleMb} MB (goal 100), of these ${idleOwnMb} without pages of files; after the writes ${afterMb} MB (goal 250), ${afterOwnMb}`,
    `bytes written for a lone create ${kilobytes(created)}, for a lone update ${kilobytes(updated)} (goal 16)`,
    `disk per resource: ${kilobytes(perResource)} (goal 2.0)`,
  ];
  return { stage, peakMb: peak, notes };
}
