import { type Load, type LoadResult, runLoad } from '../load.ts';
import { fetchToken } from '../service.ts';
import type { Corpus } from './corpus.ts';
import { questionsOf, searchTrials, warmUpQuestions, withTypo } from './questions.ts';
import { below, type Random, seededRandom } from './random.ts';
import { type Fact, ms } from './report.ts';
import { creates, searches, searchesBy, type Target } from './requests.ts';
import { load, type Stage, unexpected } from './stage.ts';

/** Measures whether a light search waits for heavy searches of another project. */

const lightProject = 'search-bench-light';
const lightResources = 1000;
const goalWaitMs = 50;
/** Of each kind, before anything is measured: the first ones build what all others find ready. */
const heavyWarmUp = 2;
/** Until the threads are busy. */
const headStartMs = 500;

type MakeParameters = (corpus: Corpus, random: Random) => URLSearchParams;

function words(corpus: Corpus, random: Random, count: number): string {
  return Array.from({ length: count }, () => corpus.word('en', random)).join(' ');
}

/** What narrows hardly anything, and makes each search another one. */
function broadFilter(random: Random): string {
  return `price:range(${500 + below(random, 500)} to ${99_000 + below(random, 1000)})`;
}

/** The heavy searches, each of one connection: values of whole texts, words that a tenth of all resources have, typos. */
const heavy: readonly MakeParameters[] = [
  (_, random) => new URLSearchParams({ facet: 'description.en', 'filter.query': broadFilter(random), limit: '0' }),
  (corpus, random) => {
    const text = words(corpus, random, 3)
      .split(' ')
      .map((word) => withTypo(word, random))
      .join(' ');
    return new URLSearchParams({ 'text.en': text, fuzzy: 'true', fuzzyLevel: '2', match: 'most', limit: '20' });
  },
  (corpus, random) => {
    const parameters = { 'text.en': words(corpus, random, 5), match: 'most', facet: 'series', limit: '20' };
    return new URLSearchParams({ ...parameters, 'filter.query': broadFilter(random) });
  },
  (_, random) => {
    const parameters = new URLSearchParams({
      facet: 'description.de',
      'filter.query': broadFilter(random),
      limit: '0',
    });
    parameters.append('facet', 'series');
    return parameters;
  },
];

function heavySearches({ target, corpus }: Stage, at: number) {
  const random = seededRandom(90 + at);
  return searchesBy(
    target,
    Array.from({ length: 500 }, () => heavy[at]!(corpus, random)),
  );
}

/** Another project with a few documents, whose searches take a millisecond or two. */
async function fillLight({ service, corpus }: Stage): Promise<Target> {
  const scope = `manage_project:${lightProject}`;
  const target = { project: lightProject, token: await fetchToken(service.port, scope) };
  const wanted = { connections: 8, requests: lightResources, ms: 60_000, make: creates(target, corpus.document) };
  const made = await load(service, wanted, 201);
  if (unexpected(made, 201) > 0) throw new Error('The service did not take all documents of the light project.');
  return target;
}

/** Light searches, of which none may be refused: a refusal takes no time. */
async function searchLight({ service }: Stage, wanted: Omit<Load, 'port'>): Promise<LoadResult> {
  const result = await load(service, wanted, 200);
  if (unexpected(result, 200) > 0) throw new Error('Light searches were refused.');
  return result;
}

/** A light search alone, and beside the heavy ones. */
export async function measureFairness(stage: Stage): Promise<Fact> {
  const { service, corpus, trialMs } = stage;
  const make = searches(await fillLight(stage), questionsOf(searchTrials[0]!, corpus, 2000));
  const light = { connections: 1, requests: Number.MAX_SAFE_INTEGER, ms: 2 * trialMs, make };
  await searchLight(stage, { ...light, requests: warmUpQuestions });
  for (const [at] of heavy.entries()) {
    const once = { connections: 1, requests: heavyWarmUp, ms: 60_000, make: heavySearches(stage, at) };
    await runLoad({ ...once, port: service.port });
  }
  const alone = await searchLight(stage, light);
  let isOver = false;
  const others = heavy.map((_, at) =>
    runLoad({ ...light, ms: 600_000, port: service.port, make: heavySearches(stage, at), isOver: () => isOver }),
  );
  await new Promise((resolve) => setTimeout(resolve, headStartMs));
  const beside = await searchLight(stage, light).finally(() => {
    isOver = true;
  });
  const ended = await Promise.all(others);
  const refused = ended.reduce((sum, result) => sum + unexpected(result, 200), 0);
  const sent = ended.reduce((sum, { requests }) => sum + requests, 0);
  const each = ended.map((result) => `${ms(result.p50Ms)} (${result.requests})`).join(', ');
  const waitMs = beside.p99Ms - alone.p50Ms;
  return {
    what: `light search of another project, p50 / p99 ms: alone, and beside ${heavy.length} heavy ones; what 99 % of it wait at most`,
    measured: `${ms(alone.p50Ms)} / ${ms(alone.p99Ms)}, ${ms(beside.p50Ms)} / ${ms(beside.p99Ms)} (${beside.requests} searches); ${ms(waitMs)} ms; p50 ms of the heavy ones, and how many: ${each}; refused ${refused}`,
    goal: `≤ ${goalWaitMs} ms`,
    // Heavy searches that are refused are no load.
    met: refused > sent / 10 ? undefined : waitMs <= goalWaitMs,
  };
}
