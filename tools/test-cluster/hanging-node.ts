import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { creation, document, listOf, openStore, type TrialResult } from './projects.ts';

const quietMs = 4000;
const hangMs = 8000;
/** What the other projects keep of their rate. */
const leastShare = 0.8;
const clients = 12;

/**
 * All statements about the shards of one worker hang for some seconds, by locks that are taken there: projects on other
 * workers have to be served meanwhile.
 */
export async function tryHangingNode(
  url: string,
  projects: readonly string[],
  hang: (url: string, node: string) => Promise<() => Promise<void>> = lockShards,
): Promise<TrialResult> {
  const store = await openStore(url);
  try {
    await Promise.all(projects.map((project) => store.resources.commit(creation(project, document('first', 1)))));
    const placement = await placementsOf(url, projects);
    const node = placement.values().next().value!;
    const inside = projects.filter((project) => placement.get(project) === node);
    const outside = projects.filter((project) => placement.get(project) !== node);
    if (outside.length === 0) return { lines: ['all projects are on one worker: nothing to try'], problems: [] };
    const counts = { served: 0, refused: 0, slowestMs: 0, held: 0, longestMs: 0 };
    const reasons = new Map<string, number>();
    const stop = new AbortController();
    const all = Array.from({ length: clients }, (_, n) => [
      keepAsking(store, inside, n, stop.signal, (ms, isServed) => {
        counts.held += isServed ? 0 : 1;
        counts.longestMs = Math.max(counts.longestMs, ms);
      }),
      keepAsking(store, outside, n, stop.signal, (ms, isServed, refusal) => {
        if (refusal !== undefined) reasons.set(refusal, (reasons.get(refusal) ?? 0) + 1);
        counts[isServed ? 'served' : 'refused'] += 1;
        counts.slowestMs = Math.max(counts.slowestMs, ms);
      }),
    ]);
    await pause(quietMs);
    const before = counts.served / quietMs;
    Object.assign(counts, { served: 0, slowestMs: 0 });
    const release = await hang(url, node);
    const begunMs = performance.now();
    await pause(hangMs);
    const during = counts.served / (performance.now() - begunMs);
    await release();
    stop.abort();
    await Promise.all(all.flat());
    const { served, refused, slowestMs, held, longestMs } = counts;
    const lines = [
      `the ${outside.length} projects on other workers: ${(1000 * before).toFixed()} requests/s before, ${(1000 * during).toFixed()} meanwhile`,
      `${node} hung for ${hangMs / 1000} s: its ${inside.length} projects had ${held} refusals, after ${Math.ceil(longestMs)} ms at most`,
      ...[...reasons].map(([reason, count]) => `refused ${count} times: ${reason}`),
      `the ${outside.length} other projects: ${served} served, ${refused} refused, slowest ${Math.ceil(slowestMs)} ms`,
    ];
    const isWell = refused === 0 && served > 100 && during > leastShare * before;
    return {
      lines,
      problems: isWell ? [] : ['a worker that hangs held up the projects of others'],
    };
  } finally {
    await store.close();
  }
}

/** What a client asks for, by its number. */
const kinds = ['get', 'create', 'list'];

async function keepAsking(
  store: Store,
  projects: readonly string[],
  client: number,
  signal: AbortSignal,
  onEnd: (ms: number, isServed: boolean, refusal?: string) => void,
): Promise<void> {
  for (let n = 0; !signal.aborted; n += 1) {
    const project = projects[(n + client) % projects.length]!;
    const { resources } = store;
    const requests = [
      () => resources.get(project, 'first'),
      () => resources.commit(creation(project, document(`hang-${client}-${n}`, 1))),
      () => resources.list(listOf(project, 'id = "first"')),
    ];
    const begunMs = performance.now();
    try {
      await requests[client % requests.length]!();
      onEnd(performance.now() - begunMs, true);
    } catch (error) {
      // If the server returns just as a list times out, the list is refused as too slow.
      const isRefusal = error instanceof ServiceError && (error.status === 503 || error.code === 'QueryTimedOut');
      if (!isRefusal) throw error;
      onEnd(performance.now() - begunMs, false, `${kinds[client % kinds.length]}: ${error.message}`);
    }
  }
}

/** `host:port` of each project. */
export async function placementsOf(url: string, projects: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT p.name, n.nodename || ':' || n.nodeport AS node FROM unnest($1::text[]) AS p (name)
      CROSS JOIN LATERAL get_shard_id_for_distribution_column('resource', p.name) AS s (shard)
      JOIN pg_dist_placement d ON d.shardid = s.shard
      JOIN pg_dist_node n ON n.groupid = d.groupid AND n.noderole = 'primary'`,
    [projects],
  );
  await client.end();
  return new Map(rows.map(({ name, node }) => [name, node]));
}

/** Locks all shards of `resource` on a node, in a session of its own there; returns what releases them. */
async function lockShards(url: string, node: string): Promise<() => Promise<void>> {
  const address = new URL(url);
  address.host = node;
  const client = new Client({ connectionString: address.href });
  await client.connect();
  await client.query('SET citus.override_table_visibility = off');
  const { rows } = await client.query(
    `SELECT c.oid::regclass::text AS shard FROM pg_class c WHERE c.relkind = 'r' AND c.relname ~ '^resource_[0-9]+$'
      AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'resource'::regclass)`,
  );
  await client.query('BEGIN');
  await client.query('SET LOCAL citus.enable_manual_changes_to_shards = on');
  await client.query(`LOCK TABLE ${rows.map(({ shard }) => shard).join(', ')} IN ACCESS EXCLUSIVE MODE`);
  return async () => {
    await client.query('ROLLBACK');
    await client.end();
  };
}
