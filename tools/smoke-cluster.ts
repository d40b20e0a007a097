import { parseArgs } from 'node:util';
import { postgres } from '../src/store/postgres/engine.ts';
import { cleanUp } from './smoke-cluster/clean-up.ts';
import { recordStatements } from './smoke-cluster/recorded.ts';
import { startService } from './smoke-cluster/service.ts';
import { type Cluster, describeCluster, inspectStatements, placementsOf } from './smoke-cluster/shards.ts';
import { runSteps, type StepResult } from './smoke-cluster/steps.ts';
import { columns } from './smoke-cluster/table.ts';

const help = `Try the service on a PostgreSQL, or on a Citus cluster, and say whether all of it works there.

Usage:
  npx node tools/smoke-cluster.ts postgres://user:password@host:5432/database

Brings the schema of the database to this version (with the Citus extension the tables are distributed; name the
coordinator then), starts the service on loopback, and has it create, read, update, list, search and delete in projects
of its own. With Citus it also shows where these projects are, and that each statement goes to one shard group.

Afterwards all rows of these projects are deleted; the tables and a signing key stay. Other projects are not touched,
but use a database that is not served: an old service would meet a newer schema.

Options:
  --projects <n>  how many projects (20)
  -h, --help      this text

Exit codes: 0 all is well, 1 something is not, 2 wrong arguments, 70 the database is not usable.`;

const options = { projects: { type: 'string', default: '20' }, help: { type: 'boolean', short: 'h' } } as const;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function stepsTable(results: readonly StepResult[]): string {
  const rows = results.map(({ name, times, failures }) => [
    ...[name, String(times.length), failures.length === 0 ? 'ok' : `${failures.length} FAILED`],
    ...[median(times).toFixed(1), Math.max(0, ...times).toFixed(1)],
  ]);
  return columns([['step', 'requests', 'result', 'median ms', 'slowest ms'], ...rows]);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Up to three of the reasons why steps failed: more of the same do not help. */
function failuresOf(results: readonly StepResult[]): readonly string[] {
  return results.flatMap(({ name, failures }) => failures.slice(0, 3).map((failure) => `  ${name}: ${failure}`));
}

async function showShards(
  url: string,
  cluster: Cluster,
  projects: readonly string[],
  sent: Parameters<typeof inspectStatements>[1],
) {
  say(`\nCitus ${cluster.version}: ${cluster.nodes} nodes, ${cluster.shards} shards`);
  say(columns([['project', 'shard', 'node'], ...(await placementsOf(url, projects))]));
  const { kinds, wide } = await inspectStatements(url, sent);
  say(`\n${kinds} kinds of statements, ${wide.length} of them on more than one shard group`);
  for (const text of wide) say(`  ${text}`);
  return wide.length === 0 && cluster.undistributed.length === 0;
}

async function smoke(url: string, count: number): Promise<boolean> {
  const recorder = recordStatements();
  const service = await startService(url);
  const projects = Array.from({ length: count }, (_, n) => `${service.name}-${n}`);
  try {
    for (const { version, name } of service.migrated) say(`migration applied: ${version} ${name}`);
    say(`${count} projects, ${service.name}-…, on ${service.server}`);
    recorder.clear();
    const results = await runSteps(service.request, projects);
    const sent = recorder.stop();
    say(stepsTable(results));
    for (const line of failuresOf(results)) say(line);
    const isWell = results.every(({ failures }) => failures.length === 0);
    const cluster = await describeCluster(url);
    if (cluster === undefined) say('\nNo Citus extension: where statements go was not looked at.');
    const isNarrow = cluster === undefined || (await showShards(url, cluster, projects, sent));
    for (const table of cluster?.undistributed ?? []) say(`  the table ${table} is not distributed`);
    return isWell && isNarrow;
  } finally {
    await service.close();
    say(`\n${await cleanUp(url, projects)} rows of these projects deleted.`);
  }
}

function readArguments(): { readonly url: string; readonly count: number } | undefined {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) return undefined;
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0 || !postgres.isAddress(url)) {
    throw new Error(`expected one address: ${postgres.addressForm}`);
  }
  if (!/^[1-9]\d{0,2}$/.test(values.projects)) throw new Error('--projects: expected a number from 1 to 999');
  return { url, count: Number(values.projects) };
}

async function main(): Promise<number> {
  let given: ReturnType<typeof readArguments>;
  try {
    given = readArguments();
  } catch (error) {
    console.error(`smoke-cluster: ${(error as Error).message}. See --help.`);
    return 2;
  }
  if (given === undefined) {
    say(help);
    return 0;
  }
  try {
    const isWell = await smoke(given.url, given.count);
    say(isWell ? 'All is well.' : 'Something is not as it should be.');
    return isWell ? 0 : 1;
  } catch (error) {
    console.error(`smoke-cluster: ${(error as Error).message}`);
    return 70;
  }
}

process.exitCode = await main();
