import { setTimeout as pause } from 'node:timers/promises';
import type { Proof, ProofRun, Verdict } from '../proof.ts';
import { add, ask, ballast, exchange, keepAsking, keepWriting, queries, type World } from './clients.ts';
import { disturb } from './disturb.ts';
import { History } from './history.ts';
import { type Database, openDatabase, ServiceNode } from './nodes.ts';

const [services, writers, readers] = [3, 8, 8];
/** The longest that clients write before all services must answer equal, in new projects each time. */
const roundMs = 30_000;
/** Resources that one project has from the beginning, so that a copy of it takes a while. */
const ballastOfProject = 1200;
/** How long a service may refuse queries when nothing disturbs it any more. */
const recoveryMs = 60_000;

/** What an import says at its end. */
function summaryOf(text: string): { readonly created?: number; readonly unchanged?: number } {
  return JSON.parse(text.trimEnd().split('\n').at(-1)!);
}

/** Creates what is there from the beginning. */
async function fill(world: World, history: History): Promise<void> {
  const lines = Array.from({ length: ballastOfProject }, (_, n) =>
    JSON.stringify({ id: `b${n}`, kind: ballast, name: { en: `${ballast} ${n}` } }),
  );
  const headers = { 'content-type': 'application/x-ndjson' };
  const path = `/${history.project}/resource/import?mode=create`;
  // The first attempt may only fetch the token.
  for (let tries = 1; history.ballast === 0; tries += 1) {
    const answer = await exchange(world, world.nodes[0]!, { method: 'POST', path, headers, text: lines.join('\n') });
    // On a busy machine single lines may be refused: the response says so in its last line, whatever its status.
    const { created = 0, unchanged = 0 } =
      typeof answer === 'object' && answer.status === 200 ? summaryOf(answer.text) : {};
    if (created + unchanged === ballastOfProject) history.ballast = ballastOfProject;
    else if (tries === 5) throw new Error(`the import: ${JSON.stringify(answer)}`);
  }
}

/** When nothing is written any more, every service answers every query, as all others do. */
async function compare(world: World, history: History): Promise<void> {
  for (const create of queries.slice(1)) {
    const query = create(history, world.random);
    const answers: string[] = [];
    for (const node of world.nodes) {
      const untilMs = performance.now() + recoveryMs;
      let text = await ask(world, node, history, query);
      for (; text === undefined && performance.now() < untilMs; text = await ask(world, node, history, query))
        await pause(100);
      if (text === undefined) world.violations.push(`down: ${history.project}${query.path}: ${node.refusal}`);
      else answers.push(text);
    }
    if (new Set(answers).size > 1) world.violations.push(`differs: ${history.project}${query.path}`);
  }
}

async function proveRound(
  run: ProofRun,
  nodes: readonly ServiceNode[],
  database: Database,
  verdict: Found,
  ms: number,
) {
  const { violations, figures } = verdict;
  figures.rounds = (figures.rounds ?? 0) + 1;
  const histories = ['a', 'b'].map((name) => new History(`${run.name}-${figures.rounds}-${name}`));
  const scope = histories.map(({ project }) => `manage_project:${project}`).join(' ');
  for (const node of nodes) node.token = '';
  const world: World = { nodes, random: run.random, histories, violations, figures, scope };
  await fill(world, histories[0]!);
  const end = new AbortController();
  const enough = setInterval(() => run.isEnough(violations) && end.abort(), 100);
  const timer = setTimeout(() => end.abort(), ms);
  const disturbed = { nodes, database, histories, isControl: run.build !== undefined };
  await Promise.all([
    ...Array.from({ length: writers }, (_, writer) => keepWriting(world, writer, end.signal)),
    ...Array.from({ length: readers }, () => keepAsking(world, end.signal)),
    disturb(disturbed, run.random, end.signal, figures),
  ]);
  clearTimeout(timer);
  clearInterval(enough);
  if (run.isEnough(violations)) return;
  // A statement of a write whose answer was lost may still run.
  await pause(Math.min(ms, 6000));
  for (const history of histories) await compare(world, history);
}

interface Found {
  readonly violations: string[];
  readonly figures: Record<string, number>;
}

async function prove(run: ProofRun): Promise<Verdict> {
  const found: Found = { violations: [], figures: {} };
  const { violations, figures } = found;
  const database = await openDatabase(run.database);
  const nodes: ServiceNode[] = [];
  const begunMs = performance.now();
  const leftMs = () => run.size * 60_000 - (performance.now() - begunMs);
  try {
    // One after the other: the first one makes the schema. One of them has two processes.
    for (let at = 0; at < services; at += 1) nodes.push(await ServiceNode.start(run, database, at === 0));
    for (let round = 0; round === 0 || (leftMs() > 0 && !run.isEnough(violations)); round += 1) {
      await proveRound(run, nodes, database, found, Math.min(roundMs, run.size * 60_000));
      run.progress(Math.round((run.size - leftMs() / 60_000) * 10) / 10);
    }
  } catch (error) {
    violations.push(`start: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    for (const node of nodes) await node.close();
    await database.close();
  }
  if ((figures.queries ?? 0) < 20) add(figures, 'idle');
  if (figures.idle) violations.push(`idle: only ${figures.queries ?? 0} queries were answered`);
  return found;
}

export const histories: Proof = {
  claim:
    'Three services on one PostgreSQL, each with a mirror of its own, are written to and asked at the same time, while processes are killed and stopped, connections are cut and hang, PostgreSQL crashes, clocks jump, and logs are pruned or replaced. Each answer of a list, search, count, facet or existence check is one state of its project, and has every write that was acknowledged, or shown, before the query was sent; or it is 503 in time. In the end all services answer equal.',
  unit: 'minutes',
  size: 60,
  takesDatabase: true,
  startsPostgres: true,
  controls: [
    { build: 'asks-no-log', size: 1, kind: /^(stale|missing|count): / },
    { build: 'joins-late', size: 1, kind: /^(stale|missing|count): / },
    { build: 'skips-pulled-changes', size: 1, kind: /^(stale|missing|count|mixed): / },
    { build: 'serves-parts', size: 1, kind: /^(stale|missing|count|mixed): / },
  ],
  prove,
};
