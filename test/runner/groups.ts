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
  ['test/storage/postgres/replica', 'stops servers'],
  ['test/storage/postgres/several-processes', 'several processes, in time'],
  ['test/storage/postgres/three-processes', 'several processes, in time'],
  ['test/storage/postgres/webhooks', 'several processes, in time'],
  ['test/images/container', 'measures the memory of its process'],
  ['test/tools/', 'starts clusters, and takes long'],
]);

/** Files of a process, at most: so that the processes of a run end at about the same time. */
const mostFiles = 12;

export interface Entries {
  /** Programs to be run, each in a process. */
  readonly files: readonly string[];
  /** The test files that they run. */
  readonly tests: readonly string[];
}

/**
 * Puts test files into groups by their folder, and writes a program for each group below `folder`. Paths are relative to
 * `root`. Those that run alone come first: they take longest.
 */
export function writeGroups(root: string, tests: readonly string[], folder: string): Entries {
  const isAlone = (test: string) =>
    !/^test\/\w+\//.test(test) || [...alone.keys()].some((start) => test.startsWith(start));
  const shared = Map.groupBy(
    tests.filter((test) => !isAlone(test)),
    (test) => test.split('/').slice(1, -1).join('/'),
  );
  const programs = [...shared].flatMap(([name, all]) => {
    const count = Math.ceil(all.length / mostFiles);
    return Array.from({ length: count }, (_, at) => {
      const own = all.filter((_, index) => index % count === at);
      // The folder of the tests is part of the path: coverage goes by it.
      const program = join(folder, 'test', name, `${at + 1}.group.js`);
      mkdirSync(dirname(program), { recursive: true });
      const runner = new URL('./group.ts', import.meta.url).href;
      const pairs = own.map((test) => [resolve(root, test), test]);
      writeFileSync(
        program,
        `import { runGroup } from ${JSON.stringify(runner)};\nawait runGroup(${JSON.stringify(pairs)});\n`,
      );
      return program;
    });
  });
  return {
    files: [...tests.filter(isAlone).map((test) => resolve(root, test)), ...programs],
    tests: tests.map((test) => resolve(root, test)),
  };
}
