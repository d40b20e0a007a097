import { responsePartition } from '../rows.ts';
import type { PreparedWrite } from './prepare-write.ts';

/** Writes that share a statement, and the characters of their documents. */
const [maxBatch, maxBatchLength] = [256, 4 * 1024 * 1024];

/** Runs of writes that share no name, so that within a run the order makes no difference. */
export function wavesOf(writes: readonly PreparedWrite[]): readonly (readonly PreparedWrite[])[] {
  const waves: PreparedWrite[][] = [];
  let names = new Set<string>();
  for (const write of writes) {
    if (waves.length === 0 || write.names.some((name) => names.has(name))) {
      waves.push([]);
      names = new Set();
    }
    waves.at(-1)!.push(write);
    for (const name of write.names) names.add(name);
  }
  return waves;
}

/** Some of the writes that wait, and the others in their order. */
interface Batch<T> {
  readonly batch: T[];
  readonly rest: T[];
}

/**
 * The next writes for a statement, as many as it may have, and the others in their order. One that shares a name with an earlier one waits for it. All responses of
 * a statement are in one partition.
 */
export function takeBatch<T extends { readonly write: PreparedWrite }>(
  waiting: readonly T[],
  most = maxBatch,
): Batch<T> {
  const [batch, rest, names]: [T[], T[], Set<string>] = [[], [], new Set()];
  let partition: string | undefined;
  let length = 0;
  for (const each of waiting) {
    const { names: own, row, response } = each.write;
    const all = response ? [...own, `scope ${response.scope}`] : own;
    const characters = row ? row.current.length + (row.staged?.length ?? 0) : 0;
    const isFull =
      batch.length >= Math.min(most, maxBatch) || (batch.length > 0 && length + characters > maxBatchLength);
    const ofResponse = response && responsePartition(response.scope);
    const isElsewhere = (partition ?? ofResponse) !== (ofResponse ?? partition);
    if (isFull || isElsewhere || all.some((name) => names.has(name))) rest.push(each);
    else {
      batch.push(each);
      length += characters;
      partition ??= ofResponse;
    }
    for (const name of all) names.add(name);
  }
  return { batch, rest };
}
