/**
 * `npm run bench:quality`: how good the answers of search are. Fills the service through its API with a catalogue in
 * twelve languages, asks it judged questions, and asks MiniSearch the same.
 * Options: --products <count per language> (500), --seed <n> (7), --misses (names what was not answered in full), --save
 * (adds bench/results/quality-<date>.md).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fetchToken, type Running, startService, temporaryFolder } from '../../service.ts';
import { say, serviceSettings } from '../stage.ts';
import { createCatalogue, type Product } from './catalogue.ts';
import { judge } from './judge.ts';
import { askMiniSearch } from './minisearch.ts';
import { createQuestions, type Question } from './questions.ts';
import { qualityReport, type Searched } from './report.ts';

const { values: options } = parseArgs({
  options: {
    products: { type: 'string', default: '500' },
    seed: { type: 'string', default: '7' },
    misses: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
});
const seed = Number(options.seed);
const project = 'quality-bench';
/** Creates under way at once. */
const atOnce = 16;

const catalogue = createCatalogue(Number(options.products), seed);
const questions = createQuestions(catalogue, seed);

async function fill({ port }: Running, token: string): Promise<void> {
  const waiting = [...catalogue].reverse();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const create = async ({ key, document }: Product) => {
    const body = JSON.stringify({ key, ...document });
    const response = await fetch(`http://127.0.0.1:${port}/${project}/resource`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`${key} was not created: ${response.status} ${text}`);
  };
  const one = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await create(next);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

function askService({ port }: Running, token: string, more: Readonly<Record<string, string>>) {
  const headers = { authorization: `Bearer ${token}` };
  return async ({ locale, text }: Question): Promise<readonly string[]> => {
    const parameters = new URLSearchParams({ [`text.${locale}`]: text, limit: '10', ...more });
    const response = await fetch(`http://127.0.0.1:${port}/${project}/resource/searchApiPattern?${parameters}`, {
      headers,
    });
    if (response.status !== 200) throw new Error(`${text}: ${response.status} ${await response.text()}`);
    const { results } = (await response.json()) as { results: readonly { key: string }[] };
    return results.map(({ key }) => key);
  };
}

function tellMiss({ kind, locale, text }: Question, answers: readonly string[], recall: number): void {
  if (options.misses) say(`  ${recall.toFixed(2)} ${kind}, ${locale}: ${text} → ${answers.slice(0, 3).join(' ')}`);
}

const temporary = temporaryFolder();
const service = await startService(temporary.path, serviceSettings);
try {
  const token = await fetchToken(service.port, `manage_project:${project}`);
  await fill(service, token);
  const searches: Searched[] = [];
  const forms = [
    ['service', {}],
    ['service, fuzzy=true', { fuzzy: 'true' }],
  ] as const;
  for (const [name, more] of forms) {
    const ask = askService(service, token, more);
    searches.push({
      name,
      judged: await judge(catalogue, questions, ask, name.includes('fuzzy') ? tellMiss : undefined),
    });
  }
  searches.push({ name: 'MiniSearch', judged: await judge(catalogue, questions, askMiniSearch(catalogue)) });
  const date = new Date().toISOString().slice(0, 10);
  const languages = new Set(catalogue.map(({ traits }) => traits.shop.locale)).size;
  const about = `${catalogue.length.toLocaleString('en')} products in ${languages} languages, each in one of them; every description names two other kinds of product. Seed ${seed}. Guards ask for words that stand in descriptions alone.`;
  const text = qualityReport(`Quality of search, ${date}`, about, searches);
  say(text);
  if (options.save) {
    mkdirSync('bench/results', { recursive: true });
    writeFileSync(`bench/results/quality-${date}.md`, text);
    say(`saved bench/results/quality-${date}.md`);
  }
} finally {
  await service.stop();
  temporary.remove();
}
