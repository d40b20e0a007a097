/**
 * One library in a process of its own, so that its memory can be measured. Started by run.ts, not by hand:
 * `build` fills it, measures and stores its index in a file; `restart` measures a first query from that file, or, where
 * there is none, from the documents. Progress goes to standard error, the figures as one line of JSON to standard output.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';
import { type Corpus, createCorpus } from './corpus.ts';
import { flatten, type Library } from './library.ts';
import { createMiniSearch } from './minisearch.ts';
import { createOrama } from './orama.ts';
import { questionsOf, type SearchTrial, searchTrials, warmUpQuestions } from './questions.ts';
import { type LibraryTrial, medianOf } from './report.ts';

const makers = new Map<string, () => Library>([
  ['MiniSearch', createMiniSearch],
  ['Orama', createOrama],
]);
const portion = 1000;

const [task, name = '', resourcesText, offsetText, trialMsText, file = ''] = process.argv.slice(2);
const resources = Number(resourcesText);
const corpus: Corpus = createCorpus(Number(offsetText));
const library = makers.get(name)!();
const toMb = (bytes: number) => Math.round(bytes / 1_048_576);

/** Adds all documents; only the adding is timed, not the making of their texts. */
async function build(): Promise<number> {
  let ms = 0;
  for (let from = 0; from < resources; from += portion) {
    const count = Math.min(portion, resources - from);
    const documents = Array.from({ length: count }, (_, at) => flatten(corpus.document(from + at)));
    const begun = performance.now();
    await library.add(documents);
    ms += performance.now() - begun;
    const done = from + count;
    if (done % 20_000 === 0) process.stderr.write(`  ${name}: ${done.toLocaleString('en')} documents\n`);
  }
  return ms;
}

async function measure(trial: SearchTrial): Promise<LibraryTrial> {
  const questions = questionsOf(trial, corpus, 2000);
  const latency = createHistogram();
  const matches: number[] = [];
  const until = performance.now() + Number(trialMsText);
  for (const question of questions) {
    const begun = process.hrtime.bigint();
    matches.push(await library.search(question));
    latency.record(process.hrtime.bigint() - begun);
    if (matches.length >= warmUpQuestions && performance.now() > until) break;
  }
  const ofNs = (percentile: number) => latency.percentile(percentile) / 1e6;
  return { p50Ms: ofNs(50), p99Ms: ofNs(99), matches: medianOf(matches.slice(0, warmUpQuestions)) };
}

async function buildAndMeasure(): Promise<object> {
  const before = process.memoryUsage().rss;
  const buildMs = await build();
  const trials: [string, LibraryTrial][] = [];
  for (const trial of searchTrials) trials.push([trial.name, await measure(trial)]);
  // Live memory, without the garbage of its searches.
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const memory = { rssMb: toMb(rss), grownMb: toMb(rss - before), heapMb: toMb(heapUsed) };
  try {
    writeFileSync(file, library.save());
  } catch (error) {
    // Beyond the longest string: it can only be built again.
    process.stderr.write(`  ${name}: its index cannot be saved: ${error}\n`);
  }
  return { buildMs, ...memory, trials };
}

async function restart(): Promise<object> {
  const [question] = questionsOf(searchTrials[0]!, corpus, 1);
  const saved = existsSync(file);
  const begun = performance.now();
  let notMeasuredMs = 0;
  if (saved) library.load(readFileSync(file, 'utf8'));
  else {
    const ms = await build();
    notMeasuredMs = performance.now() - begun - ms;
  }
  await library.search(question!);
  return { firstQueryMs: performance.now() - begun - notMeasuredMs, from: saved ? 'saved index' : 'rebuilt' };
}

process.stdout.write(`${JSON.stringify(task === 'build' ? await buildAndMeasure() : await restart())}\n`);
