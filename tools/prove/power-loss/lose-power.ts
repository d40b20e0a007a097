import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { acknowledgedWrites, compareLedger } from '../ledger.ts';
import { randomOf } from '../random.ts';
import { crashImage } from './crash-image.ts';
import { type OpenedImage, openService } from './open-service.ts';
import { openStore } from './open-store.ts';
import { ledgerAt, type TracedService } from './trace-service.ts';

export interface LostPower {
  readonly violations: readonly string[];
  /** Acknowledged writes that the image had to have. */
  readonly expectedWrites: number;
  /** The whole service was started on it. */
  readonly isService: boolean;
}

/** The whole service starts on one image in this many; on the others only its store. */
const servedEvery = 20;

/** The database and its log. The shared memory of the log is created at each start, and a lock is no data. */
const isPart = (path: string) => /\/grs\.db(-(?!shm$|lock$)[a-z-]+)?$/.test(path);

async function open(folder: string, isService: boolean, follows: boolean): Promise<OpenedImage | string> {
  try {
    return await (isService ? openService(folder) : openStore(folder, follows));
  } catch (error) {
    return `start: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Loses the power at a random point of a traced service, makes what a disk could have kept in a folder, and opens it. */
export async function losePower(traced: TracedService, folder: string, seed: number): Promise<LostPower> {
  const random = randomOf(seed);
  const point = random.integer(0, traced.events.at(-1)!.end + 1);
  const isService = random.integer(1, servedEvery) === 1;
  const follows = random.integer(1, 2) === 1;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [path, content] of crashImage(traced.events, point, isPart, random)) {
    writeFileSync(join(folder, basename(path)), content);
  }
  const ledger = ledgerAt(traced, point);
  const opened = await open(folder, isService, follows);
  // A store that was not opened has nothing to compare.
  const violations =
    typeof opened === 'string' ? [opened] : [...opened.violations, ...compareLedger(ledger, opened.found).violations];
  return {
    violations: violations.map((violation) => `${violation}, at ${point}, seed ${seed}`),
    expectedWrites: acknowledgedWrites(ledger),
    isService,
  };
}
