import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/contract/json.ts';
import { stringifyJson } from '../../src/domain/json/parse.ts';
import type {
  Cause,
  ChangeFilter,
  ChangeLog,
  EventType,
  LoggedChange,
  Origin,
} from '../../src/domain/ports/change-log.ts';
import type {
  Change,
  CommitOutcome,
  Documents,
  DocumentWrite,
  StorableRecord,
} from '../../src/domain/ports/resource-store.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { documentsBefore } from '../../src/record/row/change-record.ts';
import { document, record } from './records.ts';

/** An origin for tests. */
export function originBy(type: EventType, cause: Cause = causeOf(type), at = '2026-05-06T07:08:09.123Z'): Origin {
  return { type, cause, at, clientId: 'test-client' };
}

function causeOf(type: EventType): Cause {
  if (type === 'deleted') return 'delete';
  if (type === 'forgotten') return 'forget';
  return type === 'restored' ? 'restore' : 'draft';
}

/** What a write of a test may say beside the fields. */
export interface WriteOptions {
  /** The key from now on; absent: as before. */
  readonly key?: string | undefined;
  readonly staged?: JsonObject | undefined;
  readonly incarnation?: string;
  readonly origin?: Origin | undefined;
  /** The version of a create. */
  readonly version?: number;
  /** What a create continues. */
  readonly continues?: number;
  readonly expectedVersion?: number;
  readonly documentWrites?: readonly DocumentWrite[];
  /** The expected outcome; `committed` by default. */
  readonly expect?: CommitOutcome;
}

interface Known {
  readonly documents: Documents;
  readonly key: string | undefined;
  readonly incarnation: string | undefined;
}

/** Writes changes of resources of a project through a store; it remembers what it wrote. */
export function changesBy(store: Pick<Store, 'resources'>, projectKey: string, more: Partial<Origin> = {}) {
  const known = new Map<string, Known>();

  async function commit(change: Change, expect: CommitOutcome = 'committed'): Promise<CommitOutcome> {
    const outcome = await store.resources.commit(change);
    assert.equal(outcome, expect);
    return outcome;
  }

  const originOf = (options: WriteOptions, type: EventType) =>
    'origin' in options ? options.origin : { ...originBy(type), ...more };

  function written(
    id: string,
    version: number,
    fields: JsonObject,
    { staged }: WriteOptions,
    next: Omit<Known, 'documents'>,
  ) {
    const current = document(id, version, fields, next.key);
    const documents: Documents = staged ? { current, staged: document(id, version, staged, next.key) } : { current };
    const made: StorableRecord = {
      ...record(projectKey, documents.current, documents.staged),
      current: stringifyJson(documents.current),
      staged: documents.staged && stringifyJson(documents.staged),
      incarnation: next.incarnation,
    };
    return { next: made, after: documents };
  }

  return {
    /** The documents of a resource as they are now; undefined where it does not exist. */
    documents: (id: string): Documents | undefined => known.get(id)?.documents,
    async create(id: string, fields: JsonObject, options: WriteOptions = {}): Promise<CommitOutcome> {
      const next = { key: options.key, incarnation: options.incarnation };
      const { version = 1, continues } = options;
      const made = written(id, version, fields, options, next);
      const { documentWrites } = options;
      const origin = originOf(options, 'created');
      const change = { kind: 'create', continues, ...made, origin, documentWrites } as const;
      const outcome = await commit(change, options.expect);
      if (outcome === 'committed') known.set(id, { documents: made.after, ...next });
      return outcome;
    },
    async update(id: string, fields: JsonObject, options: WriteOptions = {}): Promise<CommitOutcome> {
      const { documents: before, key, incarnation } = known.get(id)!;
      const next = { key: 'key' in options ? options.key : key, incarnation };
      const expectedVersion = options.expectedVersion ?? (before.current.version as number);
      const made = written(id, expectedVersion + 1, fields, options, next);
      const origin = originOf(options, 'updated');
      const { documentWrites } = options;
      const expected = { expectedVersion, expectedIncarnation: incarnation };
      const change = { kind: 'update', ...expected, before, ...made, origin, documentWrites } as const;
      const outcome = await commit(change, options.expect);
      if (outcome === 'committed') known.set(id, { documents: made.after, ...next });
      return outcome;
    },
    async remove(id: string, options: WriteOptions = {}): Promise<CommitOutcome> {
      const { documents: before, incarnation } = known.get(id)!;
      const expected = { expectedVersion: before.current.version as number, expectedIncarnation: incarnation };
      const origin = originOf(options, 'deleted');
      const outcome = await commit({ kind: 'delete', projectKey, id, ...expected, before, origin }, options.expect);
      if (outcome === 'committed') known.delete(id);
      return outcome;
    },
  };
}

/** Writes of a document that share a change, each by a client of its own. */
export function documentWrites(name: string, first: number, count: number): readonly DocumentWrite[] {
  return Array.from({ length: count }, (_, n) => {
    const version = first + n;
    const origin = {
      ...originBy('backendDocumentWritten', 'backend'),
      clientId: `by-${version}`,
      correlationId: `c/${n}`,
    };
    return { name, version, origin };
  });
}

/** The documents after each change of a resource, oldest first; undefined after a deletion. */
export type History = readonly (Documents | undefined)[];

const textsOf = (documents: Documents | undefined) =>
  documents && [stringifyJson(documents.current), documents.staged && stringifyJson(documents.staged)];

/**
 * Asserts that the changes of a resource, newest first, lead from its documents back through all of its versions, each
 * byte for byte.
 */
export function assertRebuilds(changes: readonly LoggedChange[], history: History): void {
  assert.equal(changes.length, history.length);
  let documents = history.at(-1);
  changes.forEach(({ before }, at) => {
    documents = documentsBefore(before, documents);
    assert.deepEqual(textsOf(documents), textsOf(history.at(-2 - at)));
  });
}

/** The whole log of a project, in pages of at most `limit`: each may be shorter, since a read ends after a time. */
export async function readLog(log: ChangeLog, projectKey: string, limit = 500, filter?: ChangeFilter) {
  const { pruned, last } = await log.bounds(projectKey);
  const all: LoggedChange[] = [];
  for (let upTo = pruned; upTo < last; ) {
    const page = await log.changesAfter(projectKey, upTo, limit, filter);
    assert.ok(page.changes.length <= limit);
    assert.ok(page.upTo > upTo, 'a page leads on');
    assert.ok((page.changes.at(-1)?.sequence ?? 0) <= page.upTo);
    all.push(...page.changes);
    upTo = page.upTo;
  }
  return all;
}
