/**
 * `npm run bench:search`: fills the service through its API with documents in three languages, measures searches
 * against goals, and runs the same queries over the same documents in two search libraries.
 * Options: --resources <count> (100000), --quick (1 s a trial), --alone (no libraries), --fairness (nothing but what a light
 * search waits beside heavy ones of another project), --save (adds bench/results/search-<date>.md), --offset <n> (how flat
 * the head of Zipf's law is; 0 is its own steep form).
 */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fetchToken, residentMb, startService, temporaryFolder } from '../service.ts';
import { createCorpus } from './corpus.ts';
import { measureFairness } from './fairness.ts';
import { measureLibraries } from './libraries.ts';
import { fill, measureFirstSearch, measureReads, measureSearches, measureWrites } from './measure.ts';
import { searchTrials } from './questions.ts';
import { type Fact, markdownLine, type Report, reportText, searchHead } from './report.ts';
import { type Stage, say, serviceSettings } from './stage.ts';

const { values: options } = parseArgs({
  options: {
    resources: { type: 'string', default: '100000' },
    offset: { type: 'string', default: '20' },
    quick: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    fairness: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
});
const resources = Number(options.resources);
const offset = Number(options.offset);
if (!Number.isInteger(resources) || resources < 1) throw new Error('--resources takes a whole number from 1 on.');
if (!(offset >= 0)) throw new Error('--offset takes a number from 0 on.');
const trialMs = options.quick ? 1000 : 5000;
const project = 'search-bench';

function memoryFact(what: string, idleMb: number, filledMb: number, searchedMb: number, databaseMb: number): Fact {
  const measured = `${idleMb}, ${filledMb}, ${searchedMb}; data folder when filled ${databaseMb} MB`;
  return { what, measured, goal: '', met: undefined };
}

function sizeMb(folder: string): number {
  const bytes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  return Math.round(bytes.reduce((sum, size) => sum + size, 0) / 1_048_576);
}

async function measureService(folder: string): Promise<Pick<Report, 'searches' | 'facts'>> {
  const corpus = createCorpus(offset);
  const service = await startService(folder, serviceSettings);
  try {
    const idleMb = residentMb(service);
    const target = { project, token: await fetchToken(service.port, `manage_project:${project}`) };
    const bare = { service, target, corpus, trialMs };
    const stage: Stage = { ...bare, ids: await fill(bare, resources) };
    if (options.fairness) return { searches: [], facts: [await measureFairness(stage)] };
    const filledMb = residentMb(service);
    const databaseMb = sizeMb(folder);
    say([searchHead, searchHead.map(() => '---')].map(markdownLine).join('\n'));
    const searches = await measureSearches(stage);
    const facts = [await measureReads(stage)];
    const searchedMb = residentMb(service);
    facts.push(await measureFairness(stage));
    facts.push(await measureWrites(stage));
    await service.stop();
    const [faceted, oneWord] = searchTrials;
    for (const trial of [oneWord!, faceted!]) facts.push(await measureFirstSearch(folder, stage, trial));
    const what = 'RSS of the service in MB: idle, filled, after the searches';
    return { searches, facts: [...facts, memoryFact(what, idleMb, filledMb, searchedMb, databaseMb)] };
  } finally {
    await service.stop();
  }
}

const temporary = temporaryFolder();
try {
  const date = new Date().toISOString().slice(0, 10);
  const cpu = cpus();
  const machine = `${cpu.length} × ${cpu[0]?.model}, Node ${process.version}, load generator on the same machine; ${resources.toLocaleString('en')} resources with 25 words in each of three languages, words by Zipf's law with offset ${offset}. Latencies are of one connection.`;
  say(machine);
  const measured = await measureService(temporary.path);
  const libraries =
    options.alone || options.fairness
      ? []
      : await measureLibraries({ resources, offset, trialMs, folder: temporary.path });
  const text = reportText({ title: `Search bench of ${date}`, machine, ...measured, libraries });
  say(`\n${text}`);
  if (options.save) {
    mkdirSync('bench/results', { recursive: true });
    writeFileSync(`bench/results/search-${date}.md`, text);
    say(`saved bench/results/search-${date}.md`);
  }
} finally {
  temporary.remove();
}
