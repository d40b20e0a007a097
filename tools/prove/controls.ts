/**
 * Builds in which one protection is missing. A proof that finds nothing wrong with such a build would find nothing wrong
 * with any, so each proof is also run on one of them and must fail.
 */
export interface Control {
  /** What is missing. */
  readonly without: string;
  /** The source file, from the root of the project. */
  readonly file: string;
  /** A text that stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
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
    file: 'src/storage/sqlite/open/connection.ts',
    from: "['synchronous', 'FULL', 2]",
    to: "['synchronous', 'NORMAL', 1]",
  },
  'ignores-versions': {
    without: 'an update does not compare the version that its client expects',
    file: 'src/domain/resource/write/preconditions.ts',
    from: 'if (expected === BigInt(resource.version)) return;',
    to: 'return;',
  },
  'trusts-bodies': {
    without: 'a body is taken for an object, whatever it is',
    file: 'src/contract/check.ts',
    from: "if (!isObject) throw mismatch(path, 'object expected');",
    to: 'void isObject;',
  },
} as const satisfies Readonly<Record<string, Control>>;

export type ControlName = keyof typeof controls;

/** The arguments of Node that make it run a build; the real one by default. */
export function nodeArgsOf(build: ControlName | undefined): readonly string[] {
  return build === undefined ? [] : ['--import', new URL(`./weakened-build.ts?${build}`, import.meta.url).href];
}
