import { responsePartition } from '../rows.ts';
import type { PreparedWrite } from './prepare-write.ts';

/** Writes that share a statement, and the characters of their documents. */
const [maxBatch, maxBatchLength] = [256, 4 * 1024 * 1024];

/** The names of some writes. */
class Names {
  readonly #own = new Set<string>();
  readonly #shared = new Set<string>();

  /** True if the order of this write and of one of these makes a difference. */
  meets({ names, shared }: PreparedWrite): boolean {
    return (
      names.some((name) => this.#own.has(name) || this.#shared.has(name)) || shared.some((name) => this.#own.has(name))
    );
  }

  add({ names, shared }: PreparedWrite): void {
    for (const name of names) this.#own.add(name);
    for (const name of shared) this.#shared.add(name);
  }
}

/** Runs of writes of which none meets another, so that within a run the order makes no difference. */
export function wavesOf(writes: readonly PreparedWrite[]): readonly (readonly PreparedWrite[])[] {
  const waves: PreparedWrite[][] = [];
  let names = new Names();
  for (const write of writes) {
    if (waves.length === 0 || names.meets(write)) {
      waves.push([]);
      names = new Names();
    }
    waves.at(-1)!.push(write);
    names.add(write);
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
  const [batch, rest, names, scopes]: [T[], T[], Names, Set<string>] = [[], [], new Names(), new Set()];
  let partition: string | undefined;
  let length = 0;
  for (const each of waiting) {
    const { row, response } = each.write;
    const characters = row ? row.current.length + (row.staged?.length ?? 0) : 0;
    const isFull =
      batch.length >= Math.min(most, maxBatch) || (batch.length > 0 && length + characters > maxBatchLength);
    const ofResponse = response && responsePartition(response.scope);
    const isElsewhere = (partition ?? ofResponse) !== (ofResponse ?? partition);
    const isRepeated = response !== undefined && scopes.has(response.scope);
    if (isFull || isElsewhere || isRepeated || names.meets(each.write)) rest.push(each);
    else {
      batch.push(each);
      length += characters;
      partition ??= ofResponse;
    }
    names.add(each.write);
    if (response) scopes.add(response.scope);
  }
  return { batch, rest };
}
