import type { MakeRequest } from '../load.ts';
import { cpuSeconds, residentMb, startService } from '../service.ts';
import { questionsOf, type SearchTrial, searchTrials, warmUpQuestions } from './questions.ts';
import { type Fact, markdownLine, medianOf, ms, type SearchFigures, searchRow } from './report.ts';
import { creates, reads, searches } from './requests.ts';
import { load, type Stage, say, serviceSettings, unexpected } from './stage.ts';

const crowd = 16;
const readers = 8;
const writers = 50;
const unbounded = Number.MAX_SAFE_INTEGER;

/** Creates the resources through the API; returns their ids by number. */
export async function fill({ service, target, corpus }: Omit<Stage, 'ids'>, count: number): Promise<string[]> {
  const ids = new Array<string>(count).fill('');
  const create = creates(target, corpus.document);
  const begun = performance.now();
  const make = (n: number) => {
    if (n > 0 && n % 10_000 === 0) say(`  filling: ${n.toLocaleString('en')} of ${count.toLocaleString('en')}`);
    return create(n);
  };
  const onBody = (body: string, n: number) => {
    ids[n] = /"id":"([^"]+)"/.exec(body)?.[1] ?? '';
  };
  await load(service, { connections: writers, requests: count, ms: 3_600_000, make, onBody }, 201);
  const seconds = (performance.now() - begun) / 1000;
  if (ids.includes('')) throw new Error('The service did not take all documents.');
  say(`  filled ${count.toLocaleString('en')} resources in ${seconds.toFixed(1)} s, RSS ${residentMb(service)} MB`);
  return ids;
}

/** Sends some queries to warm up, and learns from the responses how many resources match. */
async function medianMatches({ service }: Stage, make: MakeRequest): Promise<number> {
  const totals: number[] = [];
  const onBody = (body: string) => totals.push(Number(/"total":(\d+)/.exec(body)?.[1] ?? Number.NaN));
  await load(service, { connections: 1, requests: warmUpQuestions, ms: 30_000, make, onBody }, 200);
  if (totals.some(Number.isNaN)) throw new Error('The service does not respond to searches.');
  return medianOf(totals);
}

async function measureSearch(stage: Stage, trial: SearchTrial, exactP50Ms: number): Promise<SearchFigures> {
  const make = searches(stage.target, questionsOf(trial, stage.corpus, 2000));
  const matches = await medianMatches(stage, make);
  const wanted = { requests: unbounded, ms: stage.trialMs, make };
  const alone = await load(stage.service, { ...wanted, connections: 1 }, 200);
  const together = await load(stage.service, { ...wanted, connections: crowd }, 200);
  const failed = unexpected(alone, 200) + unexpected(together, 200);
  return { trial, matches, alone, crowd: together, failed, exactP50Ms };
}

/** All searches, one trial after the other. */
export async function measureSearches(stage: Stage): Promise<readonly SearchFigures[]> {
  const figures: SearchFigures[] = [];
  for (const trial of searchTrials) {
    const exact = figures.find(({ trial: { name } }) => name === 'one word, exact');
    figures.push(await measureSearch(stage, trial, exact?.alone.p50Ms ?? 0));
    say(markdownLine(searchRow(figures.at(-1)!)));
  }
  return figures;
}

/** Measures whether searches slow down reads by id. */
export async function measureReads(stage: Stage): Promise<Fact> {
  const read = { connections: readers, requests: unbounded, ms: stage.trialMs, make: reads(stage.target, stage.ids) };
  const alone = await load(stage.service, read, 200);
  const make = searches(stage.target, questionsOf(searchTrials[0]!, stage.corpus, 2000));
  const search = { connections: crowd, requests: unbounded, ms: stage.trialMs, make };
  const [beside, searched] = await Promise.all([load(stage.service, read, 200), load(stage.service, search, 200)]);
  return {
    what: `GET by id at ${readers} connections, p50 / p99 ms: alone, and while ${crowd} connections search`,
    measured: `${ms(alone.p50Ms)} / ${ms(alone.p99Ms)}, ${ms(beside.p50Ms)} / ${ms(beside.p99Ms)} (${Math.round(searched.perSecond)} searches/s)`,
    ...{ goal: '', met: undefined },
  };
}

/** The write cost of the words of a document, compared with a document of the same size without words. */
export async function measureWrites({ service, target, corpus, ids, trialMs }: Stage): Promise<Fact> {
  let next = ids.length;
  const perSecond = { text: 0, none: 0 };
  const cpuUs = { text: 0, none: 0 };
  // Alternately, so that a slow moment of the machine affects both.
  for (const kind of ['text', 'none', 'text', 'none'] as const) {
    const documentAt = kind === 'text' ? corpus.document : corpus.documentWithoutText;
    const make = creates(target, () => documentAt(next++));
    const wanted = { connections: writers, requests: unbounded, ms: trialMs, make };
    const before = cpuSeconds(service);
    const made = await load(service, wanted, 201);
    perSecond[kind] += made.perSecond / 2;
    cpuUs[kind] += ((cpuSeconds(service) - before) * 1e6) / made.requests / 2;
  }
  const times = perSecond.none / perSecond.text;
  return {
    what: `creates/s at ${writers} connections: with 75 words, with one long word in place of each text; µs of the processor`,
    measured: `${Math.round(perSecond.text)}, ${Math.round(perSecond.none)}: ${times.toFixed(2)} times the time; ${Math.round(cpuUs.text)}, ${Math.round(cpuUs.none)}`,
    ...{ goal: '≤ 2.5 times', met: times <= 2.5 },
  };
}

/** The first search after a start, sent as soon as the service responds at all; several starts. */
export async function measureFirstSearch(folder: string, stage: Stage, trial: SearchTrial): Promise<Fact> {
  const firsts: number[] = [];
  for (const question of questionsOf(trial, stage.corpus, 3)) {
    const service = await startService(folder, serviceSettings);
    try {
      const make = searches(stage.target, [question]);
      const first = await load(service, { connections: 1, requests: 1, ms: 30_000, make }, 200);
      if (unexpected(first, 200) > 0) throw new Error('The first search after a start was refused.');
      firsts.push(first.p50Ms);
      say(`  started in ${ms(service.startMs)} ms, first search (${trial.name}) ${ms(first.p50Ms)} ms`);
    } finally {
      await service.stop();
    }
  }
  const median = medianOf(firsts);
  const what = `first search after the start, three starts: ${trial.name}`;
  return { what, measured: `${firsts.map(ms).join(', ')} ms`, goal: 'median ≤ 100 ms', met: median <= 100 };
}
