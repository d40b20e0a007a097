/**
 * `npm test`: runs all tests, with the coverage of the parts that must not be wrong, and ends with the runner's own
 * summary. `npm test -- test/api/x.test.ts …` runs just these files, without coverage.
 */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Transform } from 'node:stream';
import { run } from 'node:test';
import { spec as SpecReporter } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { coverageReport, type FileCoverage } from './coverage.ts';
import { findChromium, findTool } from './optional-tools.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const demand = { root, folders: ['src/domain', 'src/storage', 'src/http'], leastPercent: 95 };
/** Loaded before every test file. */
const preloaded = ['./fix-seed.ts', './file-limit.ts'].map((file) => new URL(file, import.meta.url).href);
/** Long enough for the longest test on a slow and busy machine; a test that hangs is named when it has passed. */
const testLimitMs = 900_000;

interface Event {
  readonly type: string;
  readonly data: { readonly message?: string; readonly nesting?: number };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function toolsLine(): string {
  const missing = ['bash', 'curl', 'strace'].filter((tool) => findTool(tool) === undefined);
  if (findChromium() === undefined) missing.push('chromium');
  if (missing.length === 0) return 'Optional tools: all are here.';
  return `Optional tools that are not here, so that tests which need them are skipped: ${missing.join(', ')}`;
}

function isFinalCount({ type, data }: Event): boolean {
  const count = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;
  return type === 'test:diagnostic' && data.nesting === 0 && count.test(data.message ?? '');
}

/** Passes events on, except the final counts and the coverage, which are kept for the end. */
function holdBack(kept: Event[]): Transform {
  return new Transform({
    objectMode: true,
    transform(event: Event, _encoding, done) {
      if (isFinalCount(event) || event.type === 'test:coverage') kept.push(event);
      else this.push(event);
      done();
    },
  });
}

/** Prints coverage and counts in this order; answers whether the coverage is enough. */
function conclude(kept: readonly Event[], measured: boolean): boolean {
  const found = kept.find(({ type }) => type === 'test:coverage') as
    | { data: { summary: { files: FileCoverage[] } } }
    | undefined;
  const { lines, enough } = coverageReport(found?.data.summary.files ?? [], demand);
  if (measured) say(`\n${lines.join('\n')}\n`);
  for (const { type, data } of kept) if (type === 'test:diagnostic') say(`ℹ ${data.message}`);
  return enough || !measured;
}

const named = process.argv.slice(2);
const measured = named.length === 0;
const files = measured ? globSync('test/**/*.test.ts', { cwd: root }).sort() : named;
say(toolsLine());

const kept: Event[] = [];
let failed = false;
const events = run({
  files: files.map((file) => resolve(measured ? root : process.cwd(), file)),
  cwd: root,
  concurrency: availableParallelism(),
  execArgv: preloaded.flatMap((file) => ['--import', file]),
  timeout: testLimitMs,
  coverage: measured,
  coverageIncludeGlobs: demand.folders.map((folder) => `${folder}/**/*.ts`),
  // A file that no test loads is then in the report, rather than left out of the count.
  ...({ coverageIncludeAll: measured } as object),
});
events.on('test:fail', ({ todo }) => {
  failed ||= todo === undefined || todo === false;
});
const report = events.pipe(holdBack(kept)).pipe(new SpecReporter());
report.pipe(process.stdout, { end: false });
report.on('end', () => {
  const enough = conclude(kept, measured);
  if (failed || !enough) process.exitCode = 1;
});
