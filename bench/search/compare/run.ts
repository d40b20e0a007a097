/**
 * `npm run bench:search-compare`: the service beside Lucene and MiniSearch, each behind HTTP in a process of its own, on
 * the same documents and questions in one run: p50 and p99 with one client, responses a second with many, CPU time a
 * request, and the size of a response; at the end the memory of each. Each returns the stored JSON of 20 documents. Lucene merges its index into one
 * segment first, needs both of two words unless one is to suffice, and counts no further than a thousand hits, as it does by default; the service
 * goes on with one of two words where fewer than ten documents have both, and counts them all. Lucene is left out where
 * there is no Java or no Maven, and MiniSearch above 200,000 documents.
 *
 * To fill and to measure at different times, for instance 800,000 documents:
 *
 *     npm run bench:search-compare -- --count 800000 --keep /var/tmp/compare --fill
 *     npm run bench:search-compare -- --count 800000 --keep /var/tmp/compare --rounds 1 --save
 *
 * The first imports them (2,000 to 2,500 a second on two cores that nothing else uses) and has Lucene index them; where it
 * was interrupted, it goes on. The second finds both filled. A folder has one count.
 *
 * Options: --count <resources> (100000), --clients <n> (20), --seconds <n> of a trial (4), --rounds <n> (2),
 * --alone (the service only), --only <text> (classes whose name has it, without MiniSearch), --keep <folder> (what is
 * filled stays there), --fill (fills the folder and ends), --save (adds bench/results/search-compare-<date>-<resources>.md,
 * class by class, and never writes over an older one).
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { MakeRequest } from '../../load.ts';
import {
  cpuSeconds,
  fetchToken,
  type Running,
  residentMb,
  startProgram,
  startService,
  temporaryFolder,
} from '../../service.ts';
import { type Corpus, createCorpus } from '../corpus.ts';
import { markdownLine, medianOf, ms } from '../report.ts';
import { load, say, serviceSettings, unexpected } from '../stage.ts';
import { fillService, rest } from './fill.ts';
import { missingForLucene, startLucene } from './lucene.ts';
import {
  type ComparedClass,
  type ComparedQuestion,
  comparedClasses,
  comparedQuestions,
  otherParameters,
  serviceParameters,
} from './questions.ts';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    keep: { type: 'string' },
    fill: { type: 'boolean', default: false },
    clients: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '2' },
    alone: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    save: { type: 'boolean', default: false },
  },
});
const whole = (name: 'count' | 'clients' | 'seconds' | 'rounds') => {
  const value = Number(options[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1 on.`);
  return value;
};
const [resources, clients, seconds, rounds] = [whole('count'), whole('clients'), whole('seconds'), whole('rounds')];
if (options.fill && !options.keep) throw new Error('--fill goes with --keep <folder>.');
const offset = 20;
const project = 'search-compare';
const mostOfMiniSearch = 200_000;
/** More than any engine answers in the trials of a round, so that none is asked the same twice in it. */
const differentQuestions = 20_000;
const unbounded = Number.MAX_SAFE_INTEGER;

interface Engine {
  readonly name: string;
  readonly running: Running;
  readonly request: (question: ComparedQuestion) => string;
}

interface Figures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  /** CPU time, with one client. */
  readonly cpuMs: number;
  readonly failed: number;
  /** CPU time of the warm-up. */
  readonly failedBefore: number;
  /** Size of the body of the first response. */
  readonly bytes: number;
}

/** An engine that takes longer for one search is left out of the class: its trials would outlast the bench. */
const slowestMs = 3000;

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${more}\r\n`;

async function startOurs(folder: string, corpus: Corpus): Promise<Engine> {
  const data = join(folder, 'service');
  mkdirSync(data, { recursive: true });
  const running = await startService(data, serviceSettings);
  try {
    const token = await fetchToken(running.port, `manage_project:${project}`);
    await fillService(running, { project, token }, { folder, corpus, count: resources });
    const authorization = `authorization: Bearer ${token}\r\n`;
    return {
      ...{ name: 'service', running },
      request: (question) => get(`/${project}/resource/searchApiPattern?${serviceParameters(question)}`, authorization),
    };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

function beside(name: string, running: Running): Engine {
  return { name, running, request: (question) => get(`/search?${otherParameters(question)}`) };
}

async function trial({ running }: Engine, make: MakeRequest, connections: number, lastsMs: number) {
  return load(running, { connections, requests: unbounded, ms: lastsMs, make }, 200);
}

/** Undefined if the engine is too slow for the class. */
async function measure(engine: Engine, questions: readonly ComparedQuestion[]): Promise<Figures | undefined> {
  const requests = questions.map(engine.request);
  // Each trial goes on where the one before it ended: what an engine remembers of whole questions is no merit.
  let asked = 0;
  const make: MakeRequest = () => requests[asked++ % requests.length]!;
  let bytes = 0;
  const onBody = (body: string) => {
    bytes = Buffer.byteLength(body);
  };
  await load(engine.running, { connections: 1, requests: 1, ms: 60_000, make, onBody }, 200);
  const warmUp = await trial(engine, make, 1, (seconds * 1000) / 2);
  if (warmUp.p50Ms > slowestMs) return undefined;
  // Searches have several threads, each with what it keeps.
  const warmUpOfAll = await trial(engine, make, clients, (seconds * 1000) / 2);
  const before = cpuSeconds(engine.running);
  const alone = await trial(engine, make, 1, seconds * 1000);
  const cpuMs = ((cpuSeconds(engine.running) - before) * 1000) / alone.requests;
  const crowd = await trial(engine, make, clients, seconds * 1000);
  const failed = unexpected(alone, 200) + unexpected(crowd, 200);
  const failedBefore = unexpected(warmUp, 200) + unexpected(warmUpOfAll, 200);
  const { p50Ms, p99Ms } = alone;
  return { p50Ms, p99Ms, perSecond: crowd.perSecond, cpuMs, failed, failedBefore, bytes };
}

/** The middle of several rounds; all failures. Undefined if there is no round. */
function together(figures: readonly Figures[]): Figures | undefined {
  if (figures.length === 0) return undefined;
  const middle = (of: (one: Figures) => number) => medianOf(figures.map(of));
  return {
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    perSecond: middle(({ perSecond }) => perSecond),
    cpuMs: middle(({ cpuMs }) => cpuMs),
    failed: figures.reduce((sum, { failed }) => sum + failed, 0),
    failedBefore: figures.reduce((sum, { failedBefore }) => sum + failedBefore, 0),
    bytes: figures[0]!.bytes,
  };
}

type Measured = readonly (readonly [engine: string, figures: Figures | undefined])[];

function row({ name }: ComparedClass, measured: Measured): readonly string[] {
  const ours = measured[0]![1];
  const others = measured
    .slice(1)
    .map(([, other]) => (ours && other ? `${(ours.p50Ms / other.p50Ms).toFixed(1)}` : '—'));
  const cells = measured.map(([, figures]) => {
    if (!figures) return `over ${slowestMs} ms`;
    const { p50Ms, p99Ms, perSecond, cpuMs, failed, failedBefore, bytes } = figures;
    const refused = failed > 0 ? ` (${failed} refused)` : '';
    const before = failedBefore > 0 ? ` (${failedBefore} refused while warming up)` : '';
    const all = [ms(p50Ms), ms(p99Ms), Math.round(perSecond), cpuMs.toFixed(2), (bytes / 1000).toFixed(1)];
    return `${all.join(' / ')}${refused}${before}`;
  });
  return [name, ...cells, ...others];
}

/** The file for the figures of this run: a new one. */
function resultsFile(): string {
  const name = `bench/results/search-compare-${new Date().toISOString().slice(0, 10)}-${resources}`;
  for (let run = 1; ; run += 1) {
    const file = run === 1 ? `${name}.md` : `${name}-${run}.md`;
    if (!existsSync(file)) return file;
  }
}

function save(file: string, lines: readonly string[]): void {
  const date = new Date().toISOString().slice(0, 10);
  const cpu = cpus();
  const text = `# Searches beside Lucene and MiniSearch, ${date}

${cpu.length} × ${cpu[0]?.model}, Node ${process.version}, load generator on the same machine; ${resources.toLocaleString('en')} resources with 25 words in each of three languages. p50, p99 and CPU time with one client, responses a second with ${clients}, after half a trial with one client and one with all. Each engine returns the stored JSON of 20 documents. Lucene has one segment, needs both of two words and counts no further than a thousand hits. The middle of ${rounds} rounds of ${seconds} s.

${lines.join('\n')}
`;
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(file, text);
  say(`  saved ${file}, ${lines.length - 2} of ${comparedClasses.length} classes`);
}

/** Asks all engines the questions of each class. */
async function compare(corpus: Corpus): Promise<void> {
  if (!options.alone && !options.only && resources <= mostOfMiniSearch) {
    const file = 'bench/search/compare/minisearch-server.ts';
    const miniSearch = await startProgram(file, [String(resources), String(offset)]);
    engines.push(beside('MiniSearch', miniSearch));
    say(`  MiniSearch: indexed in ${(Number(miniSearch.said.buildMs) / 1000).toFixed(1)} s`);
  } else say('  MiniSearch skipped.');
  const names = engines.map(({ name }) => name);
  const ratios = names.slice(1).map((name) => `p50, times ${name}`);
  const head = ['p50 ms / p99 ms / per second / ms of CPU / KB of a response', ...names, ...ratios];
  const file = resultsFile();
  const lines = [head, head.map(() => '---')].map(markdownLine);
  say(lines.join('\n'));
  for (const one of comparedClasses.filter((each) => each.name.includes(options.only))) {
    const questions = comparedQuestions(one, corpus, resources, differentQuestions);
    const byEngine = engines.map((): Figures[] => []);
    // In turns, so that a slow moment of the machine affects all.
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, engine] of engines.entries()) {
        const figures = await measure(engine, questions);
        if (figures) byEngine[at]!.push(figures);
      }
    }
    const measured = engines.map(({ name }, at) => [name, together(byEngine[at]!)] as const);
    lines.push(markdownLine(row(one, measured)));
    say(lines.at(-1)!);
    if (options.save) save(file, lines);
  }
}

const temporary = temporaryFolder();
const engines: Engine[] = [];
try {
  const corpus = createCorpus(offset);
  const folder = options.keep ?? temporary.path;
  const missing = options.alone ? 'asked for the service alone' : missingForLucene();
  const ours = await startOurs(folder, corpus);
  engines.push(ours);
  if (missing === undefined) {
    const lucene = await startLucene(folder, corpus, resources);
    engines.push(beside('Lucene 9', lucene));
    say(`  Lucene: started in ${(lucene.startMs / 1000).toFixed(1)} s`);
  } else say(`  Lucene skipped: ${missing}.`);
  await rest(ours.running);
  if (!options.fill) {
    await compare(corpus);
    for (const { name, running } of engines) say(`  ${name}: ${residentMb(running)} MB resident`);
  }
} finally {
  for (const { running } of engines) await running.stop();
  temporary.remove();
}
