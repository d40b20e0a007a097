/**
 * `npm run bench:search-compare`: the service beside Lucene and MiniSearch, each behind HTTP in a process of its own, on
 * the same documents and questions in one run: p50 with one client, responses a second with many, and processor time a
 * request. Lucene is left out where there is no Java or no Maven, and MiniSearch above 200,000 documents.
 * Options: --count <resources> (100000), --clients <n> (20), --seconds <n> of a trial (4), --rounds <n> (2),
 * --alone (the service only), --data <folder> (keeps what the service stores there, and finds it filled the next time;
 * always with the same count), --save (adds bench/results/search-compare-<date>.md, class by class).
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { MakeRequest } from '../../load.ts';
import { cpuSeconds, fetchToken, type Running, startProgram, startService, temporaryFolder } from '../../service.ts';
import { type Corpus, createCorpus } from '../corpus.ts';
import { markdownLine, medianOf, ms } from '../report.ts';
import { load, say, serviceSettings, unexpected } from '../stage.ts';
import { importDocuments } from './fill.ts';
import { missingForLucene, startLucene } from './lucene.ts';
import {
  type ComparedClass,
  type ComparedQuestion,
  comparedClasses,
  comparedDocument,
  comparedQuestions,
  otherParameters,
  serviceParameters,
} from './questions.ts';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    data: { type: 'string' },
    clients: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '2' },
    alone: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
});
const whole = (name: 'count' | 'clients' | 'seconds' | 'rounds') => {
  const value = Number(options[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1 on.`);
  return value;
};
const [resources, clients, seconds, rounds] = [whole('count'), whole('clients'), whole('seconds'), whole('rounds')];
const offset = 20;
const project = 'search-compare';
const mostOfMiniSearch = 200_000;
const differentQuestions = 4000;
const unbounded = Number.MAX_SAFE_INTEGER;

interface Engine {
  readonly name: string;
  readonly running: Running;
  readonly request: (question: ComparedQuestion) => string;
}

interface Figures {
  readonly p50Ms: number;
  readonly perSecond: number;
  /** Of the processor, with one client. */
  readonly cpuMs: number;
  readonly failed: number;
}

/** An engine that takes longer for one search is left out of the class: its trials would outlast the bench. */
const slowestMs = 3000;

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${more}\r\n`;

async function startOurs(folder: string, corpus: Corpus): Promise<Engine> {
  const running = await startService(folder, serviceSettings);
  const token = await fetchToken(running.port, `manage_project:${project}`);
  const target = { project, token };
  const filled = join(folder, `filled-${resources}`);
  if (!existsSync(filled)) {
    await importDocuments(running, target, (n) => comparedDocument(corpus, n), resources);
    writeFileSync(filled, '');
  }
  const authorization = `authorization: Bearer ${token}\r\n`;
  return {
    ...{ name: 'service', running },
    request: (question) => get(`/${project}/resource/searchApiPattern?${serviceParameters(question)}`, authorization),
  };
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
  const warmUp = await trial(engine, make, 1, (seconds * 1000) / 2);
  if (warmUp.p50Ms > slowestMs) return undefined;
  const before = cpuSeconds(engine.running);
  const alone = await trial(engine, make, 1, seconds * 1000);
  const cpuMs = ((cpuSeconds(engine.running) - before) * 1000) / alone.requests;
  const crowd = await trial(engine, make, clients, seconds * 1000);
  const failed = unexpected(alone, 200) + unexpected(crowd, 200);
  return { p50Ms: alone.p50Ms, perSecond: crowd.perSecond, cpuMs, failed };
}

/** The middle of several rounds; all failures. Undefined if there is no round. */
function together(figures: readonly Figures[]): Figures | undefined {
  if (figures.length === 0) return undefined;
  const middle = (of: (one: Figures) => number) => medianOf(figures.map(of));
  return {
    p50Ms: middle(({ p50Ms }) => p50Ms),
    perSecond: middle(({ perSecond }) => perSecond),
    cpuMs: middle(({ cpuMs }) => cpuMs),
    failed: figures.reduce((sum, { failed }) => sum + failed, 0),
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
    const { p50Ms, perSecond, cpuMs, failed } = figures;
    const refused = failed > 0 ? ` (${failed} refused)` : '';
    return `${ms(p50Ms)} / ${Math.round(perSecond)} / ${cpuMs.toFixed(2)}${refused}`;
  });
  return [name, ...cells, ...others];
}

function save(lines: readonly string[]): void {
  const date = new Date().toISOString().slice(0, 10);
  const cpu = cpus();
  const text = `# Searches beside Lucene and MiniSearch, ${date}

${cpu.length} × ${cpu[0]?.model}, Node ${process.version}, load generator on the same machine; ${resources.toLocaleString('en')} resources with 25 words in each of three languages. p50 and processor time with one client, responses a second with ${clients}. The middle of ${rounds} rounds.

${lines.join('\n')}
`;
  mkdirSync('bench/results', { recursive: true });
  const file = `bench/results/search-compare-${date}.md`;
  writeFileSync(file, text);
  say(`  saved ${file}, ${lines.length - 2} of ${comparedClasses.length} classes`);
}

const temporary = temporaryFolder();
const engines: Engine[] = [];
try {
  const corpus = createCorpus(offset);
  const missing = options.alone ? 'asked for the service alone' : missingForLucene();
  engines.push(await startOurs(options.data ?? temporary.path, corpus));
  if (missing === undefined) {
    const lucene = await startLucene(temporary.path, corpus, resources);
    engines.push(beside('Lucene 9', lucene));
    say(`  Lucene: indexed in ${(lucene.buildMs / 1000).toFixed(1)} s`);
  } else say(`  Lucene skipped: ${missing}.`);
  if (!options.alone && resources <= mostOfMiniSearch) {
    const file = 'bench/search/compare/minisearch-server.ts';
    const miniSearch = await startProgram(file, [String(resources), String(offset)]);
    engines.push(beside('MiniSearch', miniSearch));
    say(`  MiniSearch: indexed in ${(Number(miniSearch.said.buildMs) / 1000).toFixed(1)} s`);
  } else say('  MiniSearch skipped.');
  const names = engines.map(({ name }) => name);
  const ratios = names.slice(1).map((name) => `p50, times ${name}`);
  const head = ['p50 ms / per second / ms of the processor', ...names, ...ratios];
  const lines = [head, head.map(() => '---')].map(markdownLine);
  say(lines.join('\n'));
  for (const one of comparedClasses) {
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
    if (options.save) save(lines);
  }
} finally {
  for (const { running } of engines) await running.stop();
  temporary.remove();
}
