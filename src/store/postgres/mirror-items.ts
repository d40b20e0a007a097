import type { FeedEvent, FeedRow } from '../../record/postgres/feed.ts';
import { isIntact, type ResourceColumns } from '../../record/row/stored-row.ts';
import type { MirrorOperation } from '../../record/sqlite/write/messages.ts';

/** What a mirror does for events. */
export function itemsOf(events: readonly FeedEvent[]): MirrorOperation[2] {
  return events.flatMap(({ type, id, row }): MirrorOperation[2] => {
    if (row) return [putOf(row)];
    if (type === 'forgotten') return [['purge']];
    return type === 'deleted' ? [['remove', id]] : [];
  });
}

/** What it does for a resource. */
export function putOf(row: FeedRow): MirrorOperation[2][number] {
  const { project_key, id, key, version, created_at, modified_at, current, staged, history, born } = row;
  const columns: ResourceColumns = [project_key, id, key, version, created_at, modified_at, current, staged, history];
  // One that is damaged moves the resource in lists without a sort.
  return ['put', columns, Number.isSafeInteger(born) ? born : 0, isIntact(row)];
}
