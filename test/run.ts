/**
 * `npm test`: runs what finds most faults within some minutes, says what it leaves out, and ends with the runner's own summary.
 * `npm run test:all` runs all tests, those of the API on PostgreSQL as well, the random ones with all rounds, and measures
 * what the unit tests cover.
 * `npm test -- test/api/x.test.ts …` runs just these files.
 */
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { run } from 'node:test';
import { spec as SpecReporter } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { coverageReport, type FileCoverage } from './coverage.ts';
import { findChromium, findServer, findTool } from './optional-tools.ts';
import { costReport, readCosts } from './runner/costs.ts';
import { withApiOnPostgres, writeGroups } from './runner/groups.ts';
import { leftOut, runAnyway } from './runner/left-out.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** What the unit tests must reach. */
const demand = { root, folders: ['packages/words', 'src/domain'], leastPercent: 93 };
const preloaded = new URL('./runner/preload.js', import.meta.url).href;
/** Long enough for the longest test on a slow and busy machine; a test that hangs is named when it has passed. */
const testLimitMs = 900_000;

/** Of the reason of a failure, above the summary; all of it stands where the test ended. */
const failureLines = 12;

interface Event {
  readonly type: string;
  readonly data: { readonly message?: string; readonly nesting?: number };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function toolsLine(): string {
  const missing = ['bash', 'curl', 'openssl', 'promtool', 'strace'].filter((tool) => findTool(tool) === undefined);
  if (findChromium() === undefined) missing.push('chromium-headless-shell');
  for (const name of ['pgbouncer', 'nginx', 'caddy', 'haproxy']) if (findServer(name) === undefined) missing.push(name);
  if (missing.length === 0) return 'Optional tools: all are here.';
  return `Optional tools that are not here, so that tests which need them are skipped: ${missing.join(', ')}`;
}

/** The files without those that are left out. Prints what these are. */
function withoutLeftOut(files: readonly string[]): readonly string[] {
  const isLeft = (file: string, start: string) => file.startsWith(start) && !runAnyway.has(file);
  const of = [...leftOut].map(([start, why]) => ({
    ...{ start, why },
    count: files.filter((file) => isLeft(file, start)).length,
  }));
  const unused = of.find(({ count }) => count === 0);
  if (unused) throw new Error(`test/runner/left-out.ts: no test file begins with ${unused.start}`);
  say('Left to “npm run test:all”:');
  for (const { start, why, count } of of) say(`  ${start}* (${count} ${count === 1 ? 'file' : 'files'}): ${why}`);
  return files.filter((file) => !of.some(({ start }) => isLeft(file, start)));
}

function isFinalCount({ type, data }: Event): boolean {
  const count = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;
  return type === 'test:diagnostic' && data.nesting === 0 && count.test(data.message ?? '');
}

/** What Node says at the end of a file that measures no coverage: see `runner/preload.js`. */
function isNoCoverage({ type, data }: Event): boolean {
  const said = /^(Failed to get 'result' from coverage profile response:|.*Precise coverage has not been started.*)$/;
  return (
    type === 'test:stderr' &&
    (data.message ?? '')
      .trim()
      .split('\n')
      .every((line) => said.test(line))
  );
}

/** Passes events on, except the final counts and the coverage, which are held for the end. */
function holdBack(held: Event[]): Transform {
  return new Transform({
    objectMode: true,
    transform(event: Event, _encoding, done) {
      if (isFinalCount(event) || event.type === 'test:coverage') held.push(event);
      else if (!isNoCoverage(event)) this.push(event);
      done();
    },
  });
}

/** Prints coverage and counts in this order; returns whether the coverage is enough. */
function conclude(held: readonly Event[], withCoverage: boolean): boolean {
  const found = held.find(({ type }) => type === 'test:coverage') as
    | { data: { summary: { files: FileCoverage[] } } }
    | undefined;
  const { lines, enough } = coverageReport(found?.data.summary.files ?? [], demand);
  if (withCoverage) say(`\n${lines.join('\n')}\n`);
  const costs = readCosts(join(folder, 'costs'));
  if (costs.length > 1) say(`\n${costReport(root, costs).join('\n')}\n`);
  const ended = new Set(costs.map(({ file }) => file));
  for (const file of entries.tests) {
    if (ended.has(file)) continue;
    failed = true;
    failures.push(`✖ ${relative(root, file)} has not run to its end`);
  }
  if (failures.length > 0) say(`\nwhat failed\n${failures.join('\n')}\n`);
  for (const { type, data } of held) if (type === 'test:diagnostic') say(`ℹ ${data.message}`);
  return enough || !withCoverage;
}

const given = process.argv.slice(2);
const isAll = given.length === 1 && given[0] === '--all';
const named = isAll ? [] : given;
const withCoverage = isAll;
// The random tests have all their rounds.
if (isAll) process.env.TEST_ALL = 'true';
const all = globSync('test/**/*.test.ts', { cwd: root }).sort();
say(toolsLine());
const files = isAll ? all : named.length > 0 ? named.map((file) => resolve(file)) : withoutLeftOut(all);
// Half of the time of most files is the loading of modules. Coverage is not exact with code from a cache: see `preload.js`.
if (!withCoverage) process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/grs-tests');
// What the test files of this run share.
const folder = mkdtempSync(join(tmpdir(), 'grs-tests-'));
process.env.GRS_TEST_FOLDER = folder;
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// Named files have a process each.
const grouped = named.length > 0 ? { files, tests: files } : writeGroups(root, files, folder);
const entries = isAll ? withApiOnPostgres(root, files, folder, grouped) : grouped;

const held: Event[] = [];
/** Of each test that failed: its name, and the first lines of why. */
const failures: string[] = [];
/** By file: the last lines that it wrote to its errors, without those of a stack. */
const lastWords = new Map<string, readonly string[]>();
let failed = false;
const events = run({
  files: entries.files,
  cwd: root,
  // Most files wait now and then, for a process that starts or for a time that has to pass.
  concurrency: availableParallelism() + 3,
  execArgv: ['--import', preloaded],
  timeout: testLimitMs,
  coverage: withCoverage,
  coverageIncludeGlobs: demand.folders.map((folder) => `${folder}/**/*.ts`),
  // A file that no test loads is then in the report, rather than left out of the count.
  ...({ coverageIncludeAll: withCoverage } as object),
});
events.on('test:stderr', ({ file, message }) => {
  if (isNoCoverage({ type: 'test:stderr', data: { message } })) return;
  const written = message.split('\n').filter((line) => !/^\s*(at .*)?$/.test(line));
  lastWords.set(file, [...(lastWords.get(file) ?? []), ...written].slice(1 - failureLines));
});
events.on('test:fail', ({ name, todo, file, details: { error } }) => {
  const isExpected = todo !== undefined && todo !== false;
  failed ||= !isExpected;
  if (isExpected || ('failureType' in error && error.failureType === 'subtestsFailed')) return;
  const reason = String(error.cause instanceof Error ? error.cause.message : error.message);
  // Of a file that ended with an exit code, it is in what the file wrote.
  const words = reason === 'test failed' ? (lastWords.get(file ?? '') ?? []) : [];
  const lines = [...reason.split('\n'), ...words];
  failures.push(
    `✖ ${name} (${file ? relative(root, file) : 'no file'})`,
    ...lines.slice(0, failureLines).map((line) => `    ${line}`),
  );
});
const report = events.pipe(holdBack(held)).pipe(new SpecReporter());
report.pipe(process.stdout, { end: false });
report.on('end', () => {
  const enough = conclude(held, withCoverage);
  if (failed || !enough) process.exitCode = 1;
});
