import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeArgsOf } from './controls.ts';
import { storeOf, unavailability, untilReady, untilSessionsEnd } from './database.ts';
import { acknowledgedWrites, compareLedger, type Ledger } from './ledger.ts';
import type { Proof, ProofRun, Verdict } from './proof.ts';
import { readProject } from './resources.ts';
import { dataFolder, NoAnswer, runCommand, type ServiceProcess, startService } from './service-process.ts';
import { waitUntil } from './wait-until.ts';
import { type Writing, writeResources } from './write-resources.ts';

const writers = 16;
/** Cycles on one data folder; then everything in it is compared once more and checked. */
const cyclesOfFolder = 50;
/** The longest time from the first writes to the kill. */
const longestMs = 400;

interface Project {
  readonly name: string;
  readonly ledger: Ledger;
}

/** What is found by all cycles. */
interface Tally {
  readonly violations: string[];
  readonly figures: { cycles: number; acknowledged: number; unacknowledged: number; checks: number };
}

const childrenFile = (pid: number) => `/proc/${pid}/task/${pid}/children`;

/** The processes that a process started; none where the system does not list them. */
function childrenOf(pid: number): readonly number[] {
  const file = childrenFile(pid);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills the service, and waits until its workers and its database have noticed. */
async function kill(service: ServiceProcess, violations: string[], run: ProofRun): Promise<void> {
  const workers = childrenOf(service.pid);
  service.kill('SIGKILL');
  await service.ended;
  const lastMs = performance.now() + 10_000;
  while (workers.some(isAlive)) {
    if (performance.now() > lastMs) {
      violations.push('orphan: a worker goes on 10 s after the service was killed');
      for (const worker of workers) if (isAlive(worker)) process.kill(worker, 'SIGKILL');
    }
    await pause(10);
  }
  violations.push(...(await untilSessionsEnd(run)));
}

/** Writes from many connections and kills the service in the middle. */
async function crash(writing: Writing, run: ProofRun): Promise<void> {
  const { service, ledger, violations } = writing;
  const work = Promise.allSettled(Array.from({ length: writers }, (_, writer) => writeResources(writing, writer)));
  await waitUntil(() => acknowledgedWrites(ledger) > writers, work);
  await pause(run.random.integer(0, longestMs));
  await kill(service, violations, run);
  for (const result of await work) {
    if (result.status === 'rejected' && !(result.reason instanceof NoAnswer)) throw result.reason;
  }
}

async function compare(service: ServiceProcess, { name, ledger }: Project, token: string, tally: Tally): Promise<void> {
  const { found, disagreements } = await readProject(service.request, name, token);
  const { violations, unacknowledged } = compareLedger(ledger, found);
  tally.violations.push(...disagreements, ...violations.map((violation) => `${violation}, in ${name}`));
  if (unacknowledged > writers) tally.violations.push(`unknown: ${name}: ${unacknowledged} writes without a response`);
  tally.figures.unacknowledged += unacknowledged;
}

/** One data folder, or projects of one database: cycles of start, comparison, writes and kill; then all of it compared, stopped and checked. */
async function proveFolder(number: number, cycles: number, run: ProofRun, tally: Tally): Promise<void> {
  const folder = dataFolder();
  const projects = Array.from(
    { length: cycles },
    (_, cycle): Project => ({
      ...{ name: `${run.name}-${number}-${cycle}`, ledger: new Map() },
    }),
  );
  const start = async () => {
    // One process, or two with one writer.
    const processes = { WORKERS: String(run.random.integer(1, 2)) };
    const environment = { ...storeOf(run), ...processes };
    const service = await startService(folder.path, environment, { nodeArgs: nodeArgsOf(run.build) });
    await untilReady(run, service);
    return { service, token: await service.token(projects.map(({ name }) => `manage_project:${name}`).join(' ')) };
  };
  try {
    for (const [cycle, project] of projects.entries()) {
      const { service, token } = await start();
      const before = projects[cycle - 1];
      if (before) await compare(service, before, token, tally);
      const { violations } = tally;
      const writing = { service, token, project: project.name, ledger: project.ledger, prefix: '', violations };
      await crash({ ...writing, unavailability: (answer) => unavailability(run, answer) }, run);
      tally.figures.cycles += 1;
      tally.figures.acknowledged += acknowledgedWrites(project.ledger);
      run.progress(tally.figures.cycles);
    }
    const { service, token } = await start();
    for (const project of projects) await compare(service, project, token, { ...tally, figures: { ...tally.figures } });
    service.kill('SIGTERM');
    const { code } = await service.ended;
    if (code !== 0) tally.violations.push(`stop: exit code ${code} after SIGTERM`);
    const check = await runCommand(['check'], { ...storeOf(run), DATA_DIR: folder.path });
    if (check.code !== 0) tally.violations.push(`check: ${check.stdout}${check.stderr}`);
    tally.figures.checks += 1;
  } catch (error) {
    tally.violations.push(`start: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    folder.remove();
  }
}

async function prove(run: ProofRun): Promise<Verdict> {
  const tally: Tally = { violations: [], figures: { cycles: 0, acknowledged: 0, unacknowledged: 0, checks: 0 } };
  for (let done = 0; done < run.size; done += cyclesOfFolder) {
    await proveFolder(done / cyclesOfFolder, Math.min(cyclesOfFolder, run.size - done), run, tally);
  }
  // Fewer would say nothing of a kill in the middle of writes.
  if (tally.figures.acknowledged < run.size * writers) {
    tally.violations.push(`idle: only ${tally.figures.acknowledged} acknowledged writes in ${run.size} cycles`);
  }
  return tally;
}

export const kill9: Proof = {
  claim:
    'After a SIGKILL in the middle of writes, by one process or two, every acknowledged write is there, nothing else is, and lists, search and “grs check” agree.',
  unit: 'cycles',
  size: 2000,
  takesDatabase: true,
  controls: [{ build: 'acknowledges-early', size: 4, kind: /^lost: / }],
  prove,
};
