import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { migratePostgres } from '../src/record/postgres/maintenance/maintain.ts';
import { postgres } from '../src/store/postgres/engine.ts';
import { cleanUp } from './smoke-cluster/clean-up.ts';
import { describeCluster } from './smoke-cluster/shards.ts';
import { tryHangingNode } from './test-cluster/hanging-node.ts';
import { tryMoves } from './test-cluster/moves.ts';
import { tryProcesses } from './test-cluster/processes.ts';
import type { TrialResult } from './test-cluster/projects.ts';
import { trySettings } from './test-cluster/settings.ts';

const help = `Try on a Citus cluster what only a cluster can show, beyond tools/smoke-cluster.ts.

Usage:
  npx node tools/test-cluster.ts postgres://user:password@coordinator:5432/database

  settings  every node is safe, and plans as the service needs it
  hang      all that is on one worker hangs for 8 s; the other projects are served. Needs access to the workers, at the
            addresses that Citus knows and with the same user
  processes three processes, each connected to another node, are killed and started again under writers and readers of
            events: nothing acknowledged is lost, and each reader has every event once and in order
  moves     the shard of a project moves to another worker and back under updates. Other projects may be in it: they
            move with it

The service is part of the program. It brings the schema to this version and works in projects of its own, whose rows are
deleted afterwards. Use a database that is not served: what hangs, hangs for all.

Options:
  --only <trial>  one of them; may be repeated
  --seconds <n>   how long “processes” goes on (20). Stop or kill servers of the cluster meanwhile, if you like
  -h, --help      this text

Exit codes: 0 all is well, 1 something is not, 2 wrong arguments, 70 the database is not usable.`;

type Trial = (url: string, projects: readonly string[], seconds: number) => Promise<TrialResult>;

const trials: ReadonlyMap<string, Trial> = new Map<string, Trial>([
  ['settings', trySettings],
  ['hang', (url, projects) => tryHangingNode(url, projects.slice(0, -1))],
  // A project of its own, in whose log nothing else is.
  ['processes', (url, projects, seconds) => tryProcesses(url, projects.at(-1)!, seconds)],
  ['moves', (url, [, project]) => tryMoves(url, project!)],
]);

const options = {
  only: { type: 'string', multiple: true, default: [] as string[] },
  seconds: { type: 'string', default: '20' },
  help: { type: 'boolean', short: 'h' },
} as const;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function readArguments():
  | { readonly url: string; readonly names: readonly string[]; readonly seconds: number }
  | undefined {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) return undefined;
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0 || !postgres.isAddress(url)) {
    throw new Error(`expected one address: ${postgres.addressForm}`);
  }
  const unknown = values.only.find((name) => !trials.has(name));
  if (unknown !== undefined) throw new Error(`--only: expected one of ${[...trials.keys()].join(', ')}`);
  if (!/^[1-9]\d{0,4}$/.test(values.seconds)) throw new Error('--seconds: expected a number from 1 to 99999');
  return { url, seconds: Number(values.seconds), names: values.only.length > 0 ? values.only : [...trials.keys()] };
}

async function tryAll(url: string, names: readonly string[], seconds: number): Promise<boolean> {
  await migratePostgres(url, false);
  const cluster = await describeCluster(url);
  if (cluster === undefined) throw new Error('the database has no Citus extension');
  say(`Citus ${cluster.version}: ${cluster.nodes} nodes, ${cluster.shards} shards`);
  const name = `trial-${randomBytes(4).toString('hex')}`;
  const projects = Array.from({ length: 17 }, (_, n) => `${name}-${n}`);
  let isWell = true;
  try {
    for (const trial of names) {
      say(`\n${trial}`);
      const { lines, problems } = await trials.get(trial)!(url, projects, seconds);
      for (const line of lines) say(`  ${line}`);
      for (const problem of problems) say(`  WRONG  ${problem}`);
      isWell &&= problems.length === 0;
    }
    return isWell;
  } finally {
    say(`\n${await cleanUp(url, projects)} rows of these projects deleted.`);
  }
}

async function main(): Promise<number> {
  let given: ReturnType<typeof readArguments>;
  try {
    given = readArguments();
  } catch (error) {
    console.error(`test-cluster: ${(error as Error).message}. See --help.`);
    return 2;
  }
  if (given === undefined) {
    say(help);
    return 0;
  }
  try {
    const isWell = await tryAll(given.url, given.names, given.seconds);
    say(isWell ? 'All is well.' : 'Something is not as it should be.');
    return isWell ? 0 : 1;
  } catch (error) {
    console.error(`test-cluster: ${(error as Error).message}`);
    return 70;
  }
}

process.exitCode = await main();
