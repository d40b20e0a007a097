import type { Eventually } from '../../domain/ports/eventually.ts';
import type { ContestedMark, RuleStore } from '../../domain/ports/rule-store.ts';
import { turnOver } from '../../domain/turns.ts';

/** A resource that has a mark. */
export interface MarkRow {
  readonly mark: string;
  readonly id: string;
}

/** Rows of a portion: about a millisecond. */
const portion = 1000;
/** Ids that are told of a mark. */
const mostIds = 5;

/** Finds the marks that several resources have. `read`: the next rows behind a mark and an id, by both, at most `limit`. */
export async function contestedMarks(
  read: (mark: string, id: string, limit: number) => Eventually<readonly MarkRow[]>,
  beginning: string,
  limit: number,
): ReturnType<RuleStore['contested']> {
  const first: ContestedMark[] = [];
  let count = 0;
  let last: MarkRow = { mark: beginning, id: '' };
  let ids: string[] = [];
  for (;;) {
    const rows = await read(last.mark, last.id, portion);
    for (const row of rows) {
      if (!row.mark.startsWith(beginning)) return { count, first };
      if (row.mark !== last.mark) ids = [];
      last = row;
      if (ids.length < mostIds) ids.push(row.id);
      else continue;
      if (ids.length !== 2) continue;
      count += 1;
      if (first.length < limit) first.push({ mark: row.mark, ids });
    }
    if (rows.length < portion) return { count, first };
    await turnOver();
  }
}

/** Marks of a project whose resources do not exist. */
export interface StrayMarks {
  readonly projectKey: string;
  /** How many such resources, and the first of them. */
  readonly count: number;
  readonly first: string;
}

/** The finding of a check. */
export function strayMarksFinding({ projectKey, count, first }: StrayMarks): string {
  return `marks of ${projectKey}: ${count} resources that have some do not exist, the first is “${first}”; PUT the types of the project again`;
}
