import type { SourceChange } from './changed-source.ts';

/**
 * Builds in which one protection is missing. A proof that finds nothing wrong with such a build would find nothing wrong
 * with any, so each proof is also run on one of them and must fail.
 */
export interface Control extends SourceChange {
  /** What is missing. */
  readonly without: string;
}

export const controls = {
  'acknowledges-early': {
    without: 'a write is acknowledged 100 ms before it is committed',
    file: 'src/domain/resource/write/commit.ts',
    from: 'await store.commit(',
    to: "await (async (late: Parameters<typeof store.commit>[0]) => { setTimeout(() => void store.commit(late), 100); return 'committed'; })(",
  },
  'syncs-late': {
    without: 'a commit does not wait until the disk has it (synchronous=NORMAL)',
    file: 'src/sqlite/connection.ts',
    from: "['synchronous', 'FULL', 2]",
    to: "['synchronous', 'NORMAL', 1]",
  },
  'ignores-versions': {
    without: 'an update does not compare the version that its client expects',
    file: 'src/domain/resource/write/preconditions.ts',
    from: 'if (expected === BigInt(resource.version)) return;',
    to: 'return;',
  },
  'applies-unseen': {
    without: 'the store writes over whatever is there, not over what a write was decided on',
    file: 'src/record/sqlite/write/apply.ts',
    from: 'if (found?.version !== version) return undefined;',
    to: 'if (found) return found;',
  },
  'serves-old-records': {
    without: 'a process does not compare what it has in memory with what others have written',
    file: 'src/record/sqlite/read/record-cache.ts',
    from: 'if (this.#checked.get(record) === generation) return record;',
    to: 'if (generation >= 0) return record;',
  },
  'forgets-repeats': {
    without: 'the response to an Idempotency-Key is not kept',
    file: 'src/domain/resource/write/commit.ts',
    from: 'const stored = idempotency && storedResponse(idempotency, response, write.context);',
    to: 'const stored = undefined as IdempotentResponse | undefined;',
  },
  'splits-batches': {
    without: 'a batch of which one change cannot be applied is committed without it',
    file: 'src/store/sqlite/write/transaction.ts',
    from: "const at = outcomes.findIndex((outcome) => outcome !== 'committed');",
    to: 'const at = outcomes.length;',
  },
  'skips-events': {
    without: 'a reader of events goes on one change too far',
    file: 'src/domain/history/feed.ts',
    from: '.changesAfter(projectKey, from.sequence, most, filter)',
    to: '.changesAfter(projectKey, from.sequence + Math.sign(from.sequence), most, filter)',
  },
  'asks-no-log': {
    without: 'a query does not ask PostgreSQL for what is new',
    file: 'src/store/postgres/mirror.ts',
    from: 'const { promise, resolve, reject } = Promise.withResolvers<void>();',
    to: 'const { promise, resolve, reject } = Promise.withResolvers<void>(); if (project.position?.isComplete) resolve();',
  },
  'joins-late': {
    without: 'a query joins a question to PostgreSQL that was sent before it came',
    file: 'src/store/postgres/mirrored-project.ts',
    from: 'if (this.running && this.isJoinable) return',
    to: 'if (this.running) return',
  },
  'skips-pulled-changes': {
    without: 'a mirror leaves out one change in fifty',
    file: 'src/store/postgres/mirror.ts',
    from: 'itemsOf(fresh)',
    to: 'itemsOf(fresh.filter(({ sequence }) => sequence % 50 > 0))',
  },
  'serves-parts': {
    without: 'a query is answered while a project is being copied',
    file: 'src/store/sqlite/query-thread.ts',
    from: '(isUpToDate && isPartial.get(asked.projectKey) === undefined)',
    to: '(isUpToDate && asked.projectKey !== undefined)',
  },
  'trusts-bodies': {
    without: 'a body is taken for an object, whatever it is',
    file: 'src/contract/check.ts',
    from: "if (!isObject) throw mismatch(path, 'expected an object');",
    to: 'void isObject;',
  },
} as const satisfies Readonly<Record<string, Control>>;

export type ControlName = keyof typeof controls;

/** The arguments of Node that make it run a build; the real one by default. */
export function nodeArgsOf(build: ControlName | undefined): readonly string[] {
  return build === undefined ? [] : ['--import', new URL(`./weakened-build.ts?${build}`, import.meta.url).href];
}
