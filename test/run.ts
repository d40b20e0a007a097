/**
 * `npm test`: runs all tests, with the coverage of the parts that must not be wrong, and ends with the runner's own
 * summary. `npm test -- test/api/x.test.ts …` runs just these files, without coverage. `npm run test:fast` runs what is
 * done within a minute, without coverage, and says what it leaves out.
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
import { costReport } from './runner/costs.ts';
import { stripTypes } from './runner/strip.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const demand = { root, folders: ['src/domain', 'src/storage', 'src/http'], leastPercent: 95 };
/** Loaded before every test file. */
const preloaded = [
  './runner/own-modules.js',
  './runner/coverage-scope.ts',
  './runner/note-cost.ts',
  './fix-seed.ts',
  './file-limit.ts',
].map((file) => new URL(file, import.meta.url).href);
/** Long enough for the longest test on a slow and busy machine; a test that hangs is named when it has passed. */
const testLimitMs = 900_000;

/** Of the reason of a failure, above the summary; all of it stands where the test ended. */
const failureLines = 12;

/** What `--fast` leaves out, by the beginning of the path, and why. */
const leftOut: ReadonlyMap<string, string> = new Map([
  ['test/storage/postgres/', 'starts PostgreSQL'],
  ['test/faults/', 'kills processes, fills disks, cuts power'],
  ['test/browser/', 'drives a browser'],
  ['test/deploy/', 'container and Kubernetes files'],
  ['test/package/package', 'builds the package, installs it and runs it'],
  ['test/clients/', 'generates, compiles and runs clients'],
  ['test/tools/smoke-cluster', 'starts PostgreSQL'],
  ['test/tools/prove', 'runs the release proofs in small'],
  ['test/tools/test-cluster', 'starts PostgreSQL'],
  ['test/checks', 'lints and compiles everything'],
  ['test/api/history-model', 'reads every version of randomly changed resources'],
  ['test/http/event-streams', 'cuts streams off and waits for their clients to come back'],
  ['test/api/e13-refusals', 'uploads every kind of bad picture'],
  ['test/api/e13-wire', 'waits for slow uploads to be given up'],
  ['test/api/e6-e8-any-json', 'writes thousands of random documents'],
  ['test/cli/beside-service', 'runs commands beside services'],
  ['test/cli/config', 'starts a process for each command'],
  ['test/cli/doctor', 'starts a process for each command'],
  ['test/cli/help', 'starts a process for each page of help'],
  ['test/cli/store-commands', 'starts a process for each command'],
  ['test/cli/transfer', 'moves projects between stores'],
  ['test/conformance/', 'checks a whole service, and broken ones'],
  ['test/domain/search/words', 'compares every character with the segmenter'],
  ['test/examples', 'runs every example against a service'],
  ['test/guides', 'runs every guide against a service'],
  ['test/images/codec-damaged', 'damages pictures byte by byte'],
  ['test/images/container', 'takes pictures of every kind apart'],
  ['test/images/crash', 'kills uploads at every step'],
  ['test/images/kill-9', 'kills uploads at every step'],
  ['test/images/renditions-colours', 'scales many pictures'],
  ['test/images/s3-service', 'starts an object storage'],
  ['test/package/test-server', 'starts many services'],
  ['test/storage/sqlite/flipped-bits', 'flips every bit of a row'],
  ['test/storage/sqlite/query-fairness', 'asks what takes long'],
  ['test/storage/sqlite/large-writes', 'writes documents of a megabyte'],
  ['test/storage/sqlite/predicate-agreement', 'asks thousands of random predicates'],
  ['test/webhooks/failing', 'waits for receivers that fail'],
  ['test/webhooks/random', 'restarts services between deliveries that fail'],
  ['test/webhooks/kill-9', 'kills services that deliver'],
  ['test/storage/sqlite/search-agreement', 'asks thousands of random searches'],
  ['test/storage/sqlite/search-columns', 'builds columns of thousands of documents'],
  ['test/storage/sqlite/store-refusals', 'starts a store for each kind of damage'],
]);

interface Event {
  readonly type: string;
  readonly data: { readonly message?: string; readonly nesting?: number };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function toolsLine(): string {
  const missing = ['bash', 'curl', 'openssl', 'strace'].filter((tool) => findTool(tool) === undefined);
  if (findChromium() === undefined) missing.push('chromium');
  for (const name of ['pgbouncer', 'nginx', 'caddy', 'haproxy']) if (findServer(name) === undefined) missing.push(name);
  if (missing.length === 0) return 'Optional tools: all are here.';
  return `Optional tools that are not here, so that tests which need them are skipped: ${missing.join(', ')}`;
}

/** The files without those that `--fast` leaves out. Prints what these are. */
function fastOnes(files: readonly string[]): readonly string[] {
  const of = [...leftOut].map(([start, why]) => ({
    start,
    why,
    count: files.filter((file) => file.startsWith(start)).length,
  }));
  const unused = of.find(({ count }) => count === 0);
  if (unused) throw new Error(`test/run.ts: no test file begins with ${unused.start}`);
  say('Left out, as this is not the whole run:');
  for (const { start, why, count } of of) say(`  ${start}* (${count} ${count === 1 ? 'file' : 'files'}): ${why}`);
  return files.filter((file) => !of.some(({ start }) => file.startsWith(start)));
}

function isFinalCount({ type, data }: Event): boolean {
  const count = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;
  return type === 'test:diagnostic' && data.nesting === 0 && count.test(data.message ?? '');
}

/** What Node says at the end of a file that measures no coverage: see `runner/coverage-scope.ts`. */
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
  if (passedMs.size > 1) say(`\n${costReport(root, passedMs, join(folder, 'costs')).join('\n')}\n`);
  if (failures.length > 0) say(`\nwhat failed\n${failures.join('\n')}\n`);
  for (const { type, data } of held) if (type === 'test:diagnostic') say(`ℹ ${data.message}`);
  return enough || !withCoverage;
}

const given = process.argv.slice(2);
const isFast = given.length === 1 && given[0] === '--fast';
const named = isFast ? [] : given;
const withCoverage = given.length === 0;
const all = globSync('test/**/*.test.ts', { cwd: root }).sort();
say(toolsLine());
const files = isFast ? fastOnes(all) : named.length > 0 ? named.map((file) => resolve(file)) : all;
const caches = join(root, 'node_modules/.cache');
// Half of the time of most files is the loading of modules. Coverage is not exact with code from a cache of Node.
if (withCoverage) {
  process.env.GRS_TEST_STRIPPED ??= join(caches, 'grs-tests-stripped');
  stripTypes(root, process.env.GRS_TEST_STRIPPED);
} else process.env.NODE_COMPILE_CACHE ??= join(caches, 'grs-tests');
// What the test files of this run share.
const folder = mkdtempSync(join(tmpdir(), 'grs-tests-'));
process.env.GRS_TEST_FOLDER = folder;
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const held: Event[] = [];
/** Of each test that failed: its name, and the first lines of why. */
const failures: string[] = [];
const passedMs = new Map<string, number>();
/** By file: the last lines that it wrote to its errors, without those of a stack. */
const lastWords = new Map<string, readonly string[]>();
let failed = false;
const events = run({
  files: files.map((file) => resolve(root, file)),
  cwd: root,
  // Most files wait now and then, for a process that starts or for a time that has to pass.
  concurrency: availableParallelism() + 1,
  execArgv: preloaded.flatMap((file) => ['--import', file]),
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
events.on('test:summary', ({ file, duration_ms }) => {
  if (file !== undefined) passedMs.set(file, duration_ms);
});
const report = events.pipe(holdBack(held)).pipe(new SpecReporter());
report.pipe(process.stdout, { end: false });
report.on('end', () => {
  const enough = conclude(held, withCoverage);
  if (failed || !enough) process.exitCode = 1;
});
