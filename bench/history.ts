/**
 * `npm run bench:history`: what the log of changes costs an update. Two services, one that keeps history and one that does
 * not, get the same updates by actions and the same overwriting drafts over 32 connections, in portions that take turns so
 * that both meet the same machine. Prints updates per second, processor time of each, and the bytes of a version.
 * Options: --resources <count> (5,000), --updates <of each round> (10,000), --rounds <count> (6).
 */
import { parseArgs } from 'node:util';
import { draft } from './documents.ts';
import { importLines } from './import-lines.ts';
import { type MakeRequest, runLoad } from './load.ts';
import { cpuSeconds, fetchToken, folderBytes, type Running, startService, temporaryFolder } from './service.ts';

const { values } = parseArgs({
  options: {
    resources: { type: 'string', default: '5000' },
    updates: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '6' },
  },
});
const resources = Number(values.resources);
const updates = Number(values.updates);
const rounds = Number(values.rounds);
const connections = 32;
const say = (text: string) => process.stdout.write(`${text}\n`);

interface Side {
  readonly name: string;
  readonly folder: ReturnType<typeof temporaryFolder>;
  readonly service: Running;
  readonly token: string;
  /** Of each resource. */
  readonly versions: Uint32Array;
  /** Updates so far. */
  sent: number;
}

async function open(name: string, retentionDays: string): Promise<Side> {
  const folder = temporaryFolder();
  const service = await startService(folder.path, { HISTORY_RETENTION_DAYS: retentionDays });
  const token = await fetchToken(service.port, 'manage_project:bench');
  await importLines(service, { project: 'bench', token }, (n) => draft(n, `r-${n}`), resources);
  return { name, folder, service, token, versions: new Uint32Array(resources).fill(1), sent: 0 };
}

function withBody({ token }: Side, method: string, path: string, body: string): string {
  const head = `${method} /bench${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** A resource is updated again after all others, so that no two updates of one meet. */
const byAction =
  (side: Side): MakeRequest =>
  () => {
    const n = side.sent++;
    const at = n % resources;
    const actions = [{ action: 'changeSomeProperty', someProperty: `value ${n}` }];
    const body = JSON.stringify({ version: side.versions[at], actions });
    side.versions[at]! += 1;
    return withBody(side, 'POST', `/resource/key=r-${at}`, body);
  };

/** Changes all words of the document, and most of its numbers. */
const byDraft =
  (side: Side): MakeRequest =>
  () => {
    const n = side.sent++;
    const at = n % resources;
    side.versions[at]! += 1;
    return withBody(side, 'PUT', '/resource', JSON.stringify(draft(n + 1 + resources, `r-${at}`)));
  };

interface Cost {
  seconds: number;
  cpuSeconds: number;
}

async function run(side: Side, make: MakeRequest): Promise<Cost> {
  const { service } = side;
  const before = cpuSeconds(service);
  const begunMs = performance.now();
  const { statuses } = await runLoad({ port: service.port, connections, requests: updates, ms: 600_000, make });
  if ((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0) !== updates)
    throw new Error(`not all were updated: ${[...statuses]}`);
  return { seconds: (performance.now() - begunMs) / 1000, cpuSeconds: cpuSeconds(service) - before };
}

/** The size of the log of changes that the service tells. */
async function historyBytes({ service }: Side): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${service.port}/metrics`);
  const text = await response.text();
  return Number(/^grs_history_bytes (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1]!;

async function compare(name: string, sides: readonly Side[], makeOf: (side: Side) => MakeRequest): Promise<void> {
  const costs = sides.map((): Cost[] => []);
  const bytes = await Promise.all(sides.map(historyBytes));
  // The first round is not counted: V8 compiles what it sees often.
  for (let round = 0; round <= rounds; round += 1) {
    for (const turn of [0, 1]) {
      const at = (round + turn) % 2;
      const cost = await run(sides[at]!, makeOf(sides[at]!));
      if (round > 0) costs[at]!.push(cost);
    }
  }
  for (const [at, side] of sides.entries()) {
    const rate = updates / median(costs[at]!.map(({ seconds }) => seconds));
    const cpu = median(costs[at]!.map((each) => (each.cpuSeconds * 1e6) / updates));
    const least = Math.min(...costs[at]!.map((each) => (each.cpuSeconds * 1e6) / updates));
    say(
      `${name}, ${side.name}: ${Math.round(rate)}/s, ${Math.round(cpu)} µs of processor time (least ${Math.round(least)})`,
    );
  }
  const ratios = (of: (cost: Cost) => number) => costs[0]!.map((cost, at) => of(cost) / of(costs[1]![at]!));
  const cpuShare = median(ratios((cost) => cost.cpuSeconds));
  const rateShare = median(ratios((cost) => 1 / cost.seconds));
  say(
    `  medians of the rounds: processor time ${cpuShare.toFixed(3)} times, updates per second ${rateShare.toFixed(3)} times`,
  );
  const more = (await historyBytes(sides[0]!)) - bytes[0]!;
  say(`  ${Math.round(more / ((rounds + 1) * updates))} bytes of history for each version`);
}

const sides = [await open('with history', '30'), await open('without', '0')];
try {
  await compare('update by an action', sides, byAction);
  await compare('overwritten by a draft', sides, byDraft);
  for (const { name, folder } of sides) say(`${name}: ${Math.round(folderBytes(folder.path) / 1e6)} MB of files`);
} finally {
  for (const { service, folder } of sides) {
    await service.stop();
    folder.remove();
  }
}
