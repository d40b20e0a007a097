import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Test files that have a process each, by the beginning of the path, and why. The others share processes: to start one and to
 * load the service in it takes a second of CPU time. A file must be here if it ends its process, or if its result depends
 * on what else the process has done.
 */
const alone: ReadonlyMap<string, string> = new Map([
  ['test/clients/generated', 'compiles for minutes'],
  ['test/clients/judges/', 'compiles for minutes'],
  ['test/faults/', 'kills processes that it started, measures their memory, and takes long'],
  ['test/runner/', 'is about the processes of tests'],
  ['test/storage/postgres/change-log-races', 'several processes, in time'],
  ['test/storage/postgres/forget-races', 'several processes, in time'],
  ['test/storage/postgres/held-up', 'stops servers'],
  ['test/storage/postgres/pgbouncer', 'starts a pooler'],
  ['test/storage/postgres/several-processes', 'several processes, in time'],
  ['test/storage/postgres/three-processes', 'several processes, in time'],
  ['test/storage/postgres/webhooks', 'several processes, in time'],
  ['test/images/container', 'measures the memory of its process'],
  ['test/tools/', 'starts clusters, and takes long'],
]);

/**
 * About how many seconds test files take, by the beginning of the path; the others take one. Only the order of the processes
 * and the division of a folder among them go by it: what takes long begins early, so that all cores have work to the end.
 */
const seconds: ReadonlyMap<string, number> = new Map([
  ['test/browser/', 8],
  ['test/checks', 20],
  ['test/cli/', 5],
  ['test/clients/generated', 10],
  ['test/clients/judges/', 10],
  ['test/clients/judges/python', 30],
  ['test/conformance/', 8],
  ['test/deploy/container', 10],
  ['test/examples', 10],
  ['test/faults/', 8],
  ['test/faults/bulk/', 16],
  ['test/faults/memory', 16],
  ['test/faults/rebuild-kill-9', 14],
  ['test/faults/workers', 12],
  ['test/images/', 3],
  ['test/package/', 10],
  ['test/package/package', 24],
  ['test/storage/postgres/', 4],
  ['test/storage/postgres/contained-damage', 18],
  ['test/storage/postgres/mirror', 18],
  ['test/storage/postgres/mirror-faults', 28],
  ['test/storage/postgres/partitions', 28],
  ['test/storage/postgres/pgbouncer', 14],
  ['test/storage/postgres/predicate-agreement', 16],
  ['test/storage/postgres/search-agreement', 20],
  ['test/storage/postgres/three-processes', 10],
  ['test/storage/sqlite/', 3],
  ['test/storage/sqlite/contained-damage', 18],
  ['test/storage/sqlite/flipped-bits', 12],
  ['test/storage/sqlite/predicate-agreement', 14],
  ['test/storage/sqlite/search-agreement', 25],
  ['test/tools/prove.', 14],
  ['test/tools/smoke-cluster', 10],
  ['test/webhooks/', 5],
]);

/** By the longest beginning that there is. */
function secondsOf(test: string): number {
  const starts = [...seconds.keys()].filter((start) => test.startsWith(start));
  return seconds.get(starts.toSorted((a, b) => b.length - a.length)[0] ?? '') ?? 1;
}

/** Follows the names of test files that run on PostgreSQL instead of the embedded database. */
const onPostgres = ' (on PostgreSQL)';

/**
 * Test files of the API that run on the embedded database alone: they are about it, or about what comes before a
 * store or after its answer, or about how words are found. Searches read the same file on every engine; the tests of the mirror
 * hold that it has on PostgreSQL what it has here.
 */
const embeddedOnly: readonly string[] = [
  ...['abandoned-lists', 'backend-tags', 'compressed-bodies', 'damaged-rows', 'e13-refusals', 'e13-wire', 'e4-form'],
  ...[
    'fields',
    'list-forms',
    'literal-segments',
    'oauth-metadata',
    'public-address',
    'query-parameters',
    'recent-calls',
  ],
  ...['search-groups', 'search-locales', 'search-markup', 'search-operators', 'search-page', 'search-questions'],
  ...['search-words', 'ways-in'],
].map((name) => `test/api/${name}.test.ts`);

/** Seconds and files of a process that has several, at most: so that the processes of a run end at about the same time. */
const mostSeconds = 60;
const mostFiles = 40;

export interface Entries {
  /** Programs to be run, each in a process. */
  readonly files: readonly string[];
  /** The test files that they run, as they note their costs. */
  readonly tests: readonly string[];
}

interface Group {
  readonly tests: string[];
  seconds: number;
}

/** Divides the files of a folder, longest first, each to the group that has least to do. */
function divide(tests: readonly string[]): readonly Group[] {
  const total = tests.reduce((sum, test) => sum + secondsOf(test), 0);
  const count = Math.ceil(Math.max(total / mostSeconds, tests.length / mostFiles));
  const groups = Array.from({ length: count }, (): Group => ({ tests: [], seconds: 0 }));
  for (const test of tests.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const [least] = groups.toSorted((a, b) => a.seconds - b.seconds);
    least!.tests.push(test);
    least!.seconds += secondsOf(test);
  }
  return groups.filter((group) => group.tests.length > 0);
}

/** Writes the program of a group. `begin` is a statement that stands before it, `mark` follows the names of its files. */
function writeProgram(root: string, program: string, tests: readonly string[], begin = '', mark = ''): string {
  const runner = new URL('./group.ts', import.meta.url).href;
  const pairs = tests.map((test) => [resolve(root, test), test]);
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(
    program,
    `import { runGroup } from ${JSON.stringify(runner)};\n${begin}await runGroup(${JSON.stringify(pairs)}, ${JSON.stringify(mark)});\n`,
  );
  return program;
}

/**
 * Puts test files into groups by their folder, and writes a program for each group below `folder`. Paths are relative to
 * `root`. The longest come first.
 */
export function writeGroups(root: string, tests: readonly string[], folder: string): Entries {
  const isAlone = (test: string) =>
    !/^test\/\w+\//.test(test) || [...alone.keys()].some((start) => test.startsWith(start));
  const shared = Map.groupBy(
    tests.filter((test) => !isAlone(test)),
    (test) => test.split('/').slice(1, -1).join('/'),
  );
  const programs = [...shared].flatMap(([name, all]) =>
    divide(all).map((group, at) => {
      // The folder of the tests is part of the path: coverage goes by it.
      const program = join(folder, 'test', name, `${at + 1}.group.js`);
      return { file: writeProgram(root, program, group.tests), seconds: group.seconds };
    }),
  );
  const single = tests.filter(isAlone).map((test) => ({ file: resolve(root, test), seconds: secondsOf(test) }));
  const entries = [...single, ...programs].toSorted((a, b) => b.seconds - a.seconds);
  return {
    files: entries.map(({ file }) => file),
    tests: tests.map((test) => resolve(root, test)),
  };
}

/**
 * Adds the tests of the API on PostgreSQL: all in one process, so that they share one server. It comes first, since it
 * waits for the disk more than it computes.
 */
export function withApiOnPostgres(root: string, tests: readonly string[], folder: string, entries: Entries): Entries {
  const api = tests.filter((test) => test.startsWith('test/api/') && !embeddedOnly.includes(test));
  const program = join(folder, 'test', 'api-on-postgres', '1.group.js');
  const begin = "process.env.TEST_API_ON_POSTGRES = '1';\n";
  return {
    files: [writeProgram(root, program, api, begin, onPostgres), ...entries.files],
    tests: [...entries.tests, ...api.map((test) => resolve(root, test) + onPostgres)],
  };
}
