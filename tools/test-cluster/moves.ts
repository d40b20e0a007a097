import { Client } from 'pg';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { placementsOf } from './hanging-node.ts';
import { creation, document, openStore, replacement, type TrialResult } from './projects.ts';

/**
 * The shard of a project is moved to another worker and back while its resources are updated: every acknowledged update
 * has to be there.
 */
export async function tryMoves(url: string, project: string): Promise<TrialResult> {
  const client = new Client({ connectionString: url });
  await client.connect();
  // Each update takes an entry out of the order of `n`: rows that are deleted follow a move as well.
  const store = await openStore(url, { declaredPaths: ['n'] });
  const stop = new AbortController();
  const updates = [0, 1, 2, 3].map((n) => keepUpdating(store, project, `moved-${n}`, stop.signal));
  try {
    const { rows: nodes } = await client.query(
      `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE shouldhaveshards AND isactive AND noderole = 'primary'`,
    );
    const here = (await placementsOf(url, [project])).get(project)!;
    const other = nodes.find(({ host, port }) => `${host}:${port}` !== here);
    if (other === undefined) return { lines: ['one worker only: nothing to move'], problems: [] };
    const there = `${other.host}:${other.port}`;
    const lines: string[] = [];
    for (const [from, to] of [
      [here, there],
      [there, here],
    ] as const) {
      const begunMs = performance.now();
      await client.query(
        `SELECT citus_move_shard_placement(get_shard_id_for_distribution_column('resource', $1::text),
          $2::text, $3::int, $4::text, $5::int,
          shard_transfer_mode => 'force_logical')`,
        [project, ...hostAndPort(from), ...hostAndPort(to)],
      );
      lines.push(`moved from ${from} to ${to} in ${((performance.now() - begunMs) / 1000).toFixed(1)} s`);
    }
    stop.abort();
    const histories = await Promise.all(updates);
    const problems: string[] = [];
    for (const { id, version } of histories) {
      const found = (await store.resources.get(project, id))?.version;
      if (found !== version) problems.push(`${id}: version ${found}, ${version} was acknowledged`);
    }
    const sum = (name: 'acknowledged' | 'refused') => histories.reduce((total, each) => total + each[name], 0);
    lines.push(
      `${sum('acknowledged')} updates acknowledged meanwhile, ${sum('refused')} refused with 503 and repeated`,
    );
    return { lines, problems };
  } finally {
    stop.abort();
    await Promise.allSettled(updates);
    await store.close();
    await client.end();
  }
}

function hostAndPort(node: string): readonly [string, number] {
  const colon = node.lastIndexOf(':');
  return [node.slice(0, colon), Number(node.slice(colon + 1))];
}

async function keepUpdating(store: Store, project: string, id: string, signal: AbortSignal) {
  const counts = { acknowledged: 0, refused: 0 };
  let current = document(id, 1);
  await store.resources.commit(creation(project, current));
  while (!signal.aborted) {
    const next = document(id, Number(current.version) + 1, { n: counts.acknowledged });
    try {
      const outcome = await store.resources.commit(replacement(project, current, next));
      // A write whose outcome was lost may have been stored.
      if (outcome !== 'committed' && outcome !== 'versionMoved') throw new Error(`an update was ${outcome}`);
      counts.acknowledged += 1;
      current = next;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 503) throw error;
      counts.refused += 1;
    }
  }
  // If the last one was refused with an unknown outcome, its version is there.
  const version = (await store.resources.get(project, id))?.version === Number(current.version) + 1 ? 1 : 0;
  return { id, version: Number(current.version) + (counts.refused > 0 ? version : 0), ...counts };
}
