import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Proof, ProofRun, Verdict } from '../proof.ts';
import { losePower } from './lose-power.ts';
import type { TraceEvent } from './syscall-trace.ts';
import { traceService } from './trace-service.ts';

/** Images made of one traced service; then another one is traced. */
const imagesOfTrace = 500;

interface Figures {
  images: number;
  /** Of these, images on which the whole service was started. */
  served: number;
  traces: number;
  /** Writes and syncs of files among which the power was lost. */
  fileEvents: number;
  /** Of these, syncs of the database, which checkpoints make. */
  databaseSyncs: number;
  /** Acknowledged writes that all images together had to have. */
  expectedWrites: number;
}

/** Many images of one traced service. */
async function proveTrace(count: number, run: ProofRun, scratch: string, figures: Figures): Promise<readonly string[]> {
  const dataDir = join(scratch, 'traced');
  mkdirSync(dataDir);
  const settings = {};
  const traced = await traceService(dataDir, settings, run.build);
  rmSync(dataDir, { recursive: true });
  figures.traces += 1;
  figures.fileEvents += traced.events.filter(({ kind }) => kind !== 'print').length;
  const isSync = (event: TraceEvent) => event.kind === 'sync' && event.path.endsWith('/grs.db');
  figures.databaseSyncs += traced.events.filter(isSync).length;
  const violations = [...traced.violations];
  for (let image = 0; image < count && !run.isEnough(violations); image += 1) {
    const lost = await losePower(traced, join(scratch, 'image'), run.random.integer(1, 2 ** 31));
    violations.push(...lost.violations);
    figures.images += 1;
    figures.served += Number(lost.isService);
    figures.expectedWrites += lost.expectedWrites;
    run.progress(figures.images);
  }
  return violations;
}

async function prove(run: ProofRun): Promise<Verdict> {
  // Images are written and thrown away by the thousand: in memory, where there is such a folder.
  const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'grs-power-'));
  const figures: Figures = { images: 0, served: 0, traces: 0, fileEvents: 0, databaseSyncs: 0, expectedWrites: 0 };
  const violations: string[] = [];
  try {
    for (let done = 0; done < run.size && !run.isEnough(violations); done += imagesOfTrace) {
      violations.push(...(await proveTrace(Math.min(imagesOfTrace, run.size - done), run, scratch, figures)));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  if (figures.expectedWrites < figures.images)
    violations.push('idle: the images had to have too few acknowledged writes');
  return { violations, figures: { ...figures } };
}

const canTrace = () => spawnSync('strace', ['-f', '-e', 'trace=write', 'true']).status === 0;

export const powerLoss: Proof = {
  claim:
    'The power fails, and the disk keeps, loses, reorders or tears unsynced writes. The store opens, it has every acknowledged write, and “grs check” finds nothing. On one image in twenty the whole service starts, and its lists and searches agree with the resources.',
  unit: 'images',
  size: 50_000,
  controls: [{ build: 'syncs-late', size: 24, kind: /^(lost|start|changed|check): / }],
  obstacle: () => (canTrace() ? undefined : 'The proof of power loss needs strace, and the right to trace.'),
  prove,
};
