import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { acknowledgedWrites, compareLedger } from '../ledger.ts';
import type { Proof, ProofRun, Verdict } from '../proof.ts';
import { type Random, randomOf } from '../random.ts';
import { crashImage } from './crash-image.ts';
import { type ImageProcess, startImageProcess } from './image-process.ts';
import { ledgerAt, type TracedService, traceService } from './trace-service.ts';

/** Images made of one traced service; then another one is traced. */
const imagesOfTrace = 500;
const processes = 2;
/** Each so many images are also listed by several indexes and searched. */
const queriedEvery = 8;

/** The database and its log. The shared memory of the log is created at each start, and a lock is no data. */
const isPart = (path: string) => /\/grs\.db(-(?!shm$|lock$)[a-z-]+)?$/.test(path);

interface Figures {
  images: number;
  traces: number;
  /** Writes and syncs of files among which the power was lost. */
  fileEvents: number;
  /** Acknowledged writes that all images together had to have. */
  expectedWrites: number;
}

/** Loses the power at a random point of a trace, and opens what a disk could have kept. */
async function losePower(
  traced: TracedService,
  random: Random,
  { opener, folder, figures }: { readonly opener: ImageProcess; readonly folder: string; readonly figures: Figures },
): Promise<readonly string[]> {
  const point = random.integer(0, traced.events.at(-1)!.end + 1);
  mkdirSync(folder);
  for (const [path, content] of crashImage(traced.events, point, isPart, random)) {
    writeFileSync(join(folder, basename(path)), content);
  }
  const ledger = ledgerAt(traced, point);
  const byQueries = random.integer(1, queriedEvery) === 1;
  const opened = await opener.open({ folder, ids: [...ledger.keys()], byQueries });
  rmSync(folder, { recursive: true });
  figures.images += 1;
  figures.expectedWrites += acknowledgedWrites(ledger);
  // A store that was not opened has nothing to compare.
  const isOpened = !opened.violations.some((violation) => violation.startsWith('start:'));
  const { violations } = isOpened ? compareLedger(ledger, opened.found) : { violations: [] };
  return [...opened.violations, ...violations].map((violation) => `${violation}, at ${point}`);
}

/** Many images of one traced service. */
async function proveTrace(count: number, run: ProofRun, scratch: string, figures: Figures): Promise<readonly string[]> {
  const dataDir = join(scratch, 'traced');
  mkdirSync(dataDir);
  const settings = { READ_THREADS: '2', SEARCH_THREADS: '2' };
  const traced = await traceService(dataDir, settings, run.build);
  rmSync(dataDir, { recursive: true });
  figures.traces += 1;
  figures.fileEvents += traced.events.filter(({ kind }) => kind !== 'print').length;
  const violations = [...traced.violations];
  const openers = Array.from({ length: processes }, startImageProcess);
  // A seed for each image: which process opens it is a matter of time.
  const seeds = Array.from({ length: count }, () => run.random.integer(1, 2 ** 31));
  try {
    await Promise.all(
      openers.map(async (opener, index) => {
        for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
          const folder = join(scratch, `image-${index}`);
          violations.push(...(await losePower(traced, randomOf(seed), { opener, folder, figures })));
          run.progress(figures.images);
        }
      }),
    );
  } finally {
    for (const opener of openers) opener.close();
  }
  return violations;
}

async function prove(run: ProofRun): Promise<Verdict> {
  // Images are written and thrown away by the thousand: in memory, where there is such a folder.
  const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'grs-power-'));
  const figures: Figures = { images: 0, traces: 0, fileEvents: 0, expectedWrites: 0 };
  const violations: string[] = [];
  try {
    for (let done = 0; done < run.size; done += imagesOfTrace) {
      violations.push(...(await proveTrace(Math.min(imagesOfTrace, run.size - done), run, scratch, figures)));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  if (figures.expectedWrites < run.size) violations.push('idle: the images had to have too few acknowledged writes');
  return { violations, figures: { ...figures } };
}

const canTrace = () => spawnSync('strace', ['-f', '-e', 'trace=write', 'true']).status === 0;

export const powerLoss: Proof = {
  claim:
    'Whatever of the unsynced writes a disk keeps, loses, reorders or tears when the power goes, the service starts on it, every acknowledged write is there, and lists, search and “grs check” agree.',
  unit: 'images',
  size: 50_000,
  control: { build: 'syncs-late', size: 16, kind: /^(lost|start|changed|check): / },
  obstacle: () => (canTrace() ? undefined : 'The proof of power loss needs strace, and the right to trace.'),
  prove,
};
