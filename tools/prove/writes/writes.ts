import type { Proof, ProofRun, Verdict } from '../proof.ts';
import { waitUntil } from '../wait-until.ts';
import { follow, readLog } from './clients/follower.ts';
import { keepReading } from './clients/reader.ts';
import { keepUploading } from './clients/uploader.ts';
import { keepWriting } from './clients/writer.ts';
import { startCluster } from './cluster.ts';
import { completed } from './completed.ts';
import { keepEvidence } from './evidence.ts';
import { findDisagreements, findInStore, findMissingFiles } from './quiet.ts';
import type { LoggedEvent, Recorded, Rule } from './record.ts';
import { findBatches } from './rules/batches.ts';
import { findDocuments } from './rules/documents.ts';
import { findEffects } from './rules/effects.ts';
import { findFeeds } from './rules/feeds.ts';
import { findMany } from './rules/many.ts';
import { findOrder } from './rules/order.ts';
import { findRepeats } from './rules/repeats.ts';
import { findPreconditions, findReplays } from './rules/replay.ts';
import { findVariants } from './rules/variants.ts';
import { findTags, findVersions } from './rules/versions.ts';
import { World } from './world.ts';

const writers = 10;
const readers = 4;
const uploaders = 2;
/** Writes that have a response before each restart, and after the last one. */
const [leastWrites, mostWrites] = [60, 300];
/** A project is moved to another store at the end of one round in this many. */
const movedEvery = 4;

/** All that must hold of what was done and seen. */
export const rules: readonly Rule[] = [
  ...[findEffects, findVersions, findTags, findReplays, findPreconditions, findOrder],
  ...[findRepeats, findBatches, findMany, findFeeds, findDocuments, findVariants],
];

interface Tally {
  readonly violations: string[];
  readonly evidence: string[];
  readonly figures: { rounds: number; writes: number; acknowledged: number; refused: number; unknown: number } & {
    reads: number;
    events: number;
    restarts: number;
  };
}

async function proveRound(run: ProofRun, round: number, tally: Tally): Promise<void> {
  const { random } = run;
  const { figures, violations, evidence } = tally;
  const foundBefore = violations.length;
  const projects = ['a', 'b'].map((name) => `${run.name}-${round}-${name}`);
  const cluster = await startCluster(run, run.workers ?? random.integer(1, 3));
  try {
    const token = await cluster.of(0).token(projects.map((project) => `manage_project:${project}`).join(' '));
    const world = new World(cluster, run, projects, token);
    const clients = [
      ...Array.from({ length: writers }, (_, client) => keepWriting(world, client)),
      ...Array.from({ length: readers }, (_, client) => keepReading(world, client)),
      ...Array.from({ length: uploaders }, (_, client) => keepUploading(world, client)),
    ];
    const followers = projects.flatMap((project) =>
      (['sse', 'ndjson', 'pages'] as const).map((by, client) => follow(world, client, project, by)),
    );
    const all = Promise.all([...clients, ...followers]);
    // Reported where it is awaited.
    all.catch(() => {});
    for (let restarts = run.size < 1 ? 1 : random.integer(1, 2); restarts > 0; restarts -= 1) {
      await untilWritten(world, all);
      await cluster.restart(random.pick(['SIGKILL', 'SIGTERM'] as const));
      figures.restarts += 1;
    }
    await untilWritten(world, all);
    world.isStopped = true;
    await all;
    const recorded = await record(world);
    count(recorded, tally);
    violations.push(...world.violations);
    for (const rule of rules) violations.push(...rule(recorded));
    violations.push(...(await findDisagreements(world, recorded)), ...(await findMissingFiles(world)));
    violations.push(
      ...(await cluster.stop()),
      ...(await findInStore(cluster, round % movedEvery === 0 ? projects.slice(0, 1) : [])),
    );
    const found = violations.slice(foundBefore);
    // Of a weakened build something has to be found.
    if (found.length > 0 && run.build === undefined) {
      evidence.push(await keepEvidence(run, { round, violations: found, recorded }));
    }
  } catch (error) {
    violations.push(`start: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    cluster.remove();
  }
}

/** Waits until clients have written a while. */
function untilWritten(world: World, clients: Promise<unknown>): Promise<void> {
  const enough = world.answered + world.random.integer(leastWrites, mostWrites);
  return waitUntil(() => world.answered > enough, clients);
}

/**
 * Reads the logs, and for each follower the rest that it had not come to. What a client sent that broke off may still be
 * committed meanwhile: what follows the end of the log as it was read first is left out.
 */
async function record(world: World): Promise<Recorded> {
  const logs = new Map<string, readonly LoggedEvent[]>();
  for (const project of world.projects) {
    const { events } = await readLog(world, 0, project, undefined);
    logs.set(project, completed(project, events, world.followed));
  }
  const followed = [];
  for (const { project, by, events } of world.followed) {
    const rest = await readLog(world, world.random.integer(0, 2), project, events.at(-1)?.id);
    const end = logs.get(project)?.at(-1)?.sequence ?? 0;
    const read = [...events, ...rest.events].filter(({ sequence }) => sequence <= end);
    followed.push({ project, by, events: read });
  }
  return { engine: world.cluster.engine, writes: world.writes, reads: world.reads, followed, logs };
}

function count({ writes, reads, logs }: Recorded, { figures }: Tally): void {
  figures.rounds += 1;
  figures.reads += reads.length;
  for (const log of logs.values()) figures.events += log.length;
  for (const { answer } of writes) {
    if (answer === 'refused') continue;
    figures.writes += 1;
    if (answer === 'unknown') figures.unknown += 1;
    else if (answer.status < 300) figures.acknowledged += 1;
    else figures.refused += 1;
  }
}

async function prove(run: ProofRun): Promise<Verdict> {
  const tally: Tally = {
    ...{ violations: [], evidence: [] },
    figures: {
      ...{ rounds: 0, writes: 0, acknowledged: 0, refused: 0, unknown: 0 },
      ...{ reads: 0, events: 0, restarts: 0 },
    },
  };
  const begunMs = performance.now();
  const minutes = () => (performance.now() - begunMs) / 60_000;
  for (let round = 0; round === 0 || (minutes() < run.size && !run.isEnough(tally.violations)); round += 1) {
    await proveRound(run, round, tally);
    run.progress(Math.round(minutes() * 10) / 10);
  }
  if (tally.figures.events < tally.figures.rounds * 20) {
    tally.violations.push(`idle: only ${tally.figures.events} changes in ${tally.figures.rounds} rounds`);
  }
  return tally;
}

export const writes: Proof = {
  claim:
    'Clients write at the same time to several processes, which are killed and restarted, over connections that break. Each acknowledged write takes effect once, on the version that it names. Reads, lists, searches, exports, events and earlier versions show one history of each resource. Batches are atomic, a repeated request gets the first response, “grs check” finds nothing, and a moved project is identical.',
  unit: 'minutes',
  size: 60,
  takesDatabase: true,
  takesWorkers: true,
  // One round each, which is longer.
  controls: [
    { build: 'acknowledges-early', size: 0.05, kind: /^(lost|stale): / },
    { build: 'ignores-versions', size: 0.05, kind: /^precondition: / },
    { build: 'applies-unseen', size: 0.05, kind: /^(gap|order|lost): |DataCorruption/ },
    { build: 'serves-old-records', size: 0.05, kind: /^stale: /, workers: 3 },
    { build: 'forgets-repeats', size: 0.05, kind: /^(twice|repeat): / },
    // A change that was decided on one that is not there leaves an earlier version that cannot be restored.
    { build: 'splits-batches', size: 0.05, kind: /^(half|lost): |DataCorruption/ },
    { build: 'skips-events', size: 0.05, kind: /^(skipped|lost): / },
  ],
  prove,
};
