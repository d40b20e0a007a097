/**
 * `npm run bench:quality`: how good the answers of search are. Fills the service through its API with catalogues in many
 * languages, asks it judged questions, and asks MiniSearch the same.
 * Options: --set <name of a vocabulary> (all), --products <count per language> (500), --seed <n> (7), --misses (names
 * what was not answered in full), --save (adds bench/results/quality-<date>.md).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { processEnvironment } from '../../../src/config/environment.ts';
import { engines } from '../../../src/store/engines.ts';
import { startPostgres } from '../../../test/storage/postgres/postgres-server.ts';
import { fetchToken, type Running, startService, temporaryFolder } from '../../service.ts';
import { say, serviceSettings } from '../stage.ts';
import type { Item } from './catalogue.ts';
import { judge } from './judge.ts';
import { askMiniSearch } from './minisearch.ts';
import type { Question } from './questions.ts';
import { qualityReport, type Searched } from './report.ts';
import { type Stock, type Vocabulary, vocabularies } from './sets.ts';

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: [...vocabularies.keys()] },
    products: { type: 'string', default: '500' },
    seed: { type: 'string', default: '7' },
    misses: { type: 'boolean', default: false },
    database: { type: 'string', default: 'sqlite' },
    save: { type: 'boolean', default: false },
  },
});
const seed = Number(options.seed);
/** Creates under way at once. */
const atOnce = 16;

/** A catalogue in a project of its own. */
interface Stocked extends Stock {
  readonly vocabulary: Vocabulary;
  readonly headers: Readonly<Record<string, string>>;
  readonly address: string;
}

async function stock({ port }: Running, vocabulary: Vocabulary): Promise<Stocked> {
  const project = `quality-${vocabulary.name}`;
  const token = await fetchToken(port, `manage_project:${project}`);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const address = `http://127.0.0.1:${port}/${project}`;
  const stocked = { vocabulary, headers, address, ...vocabulary.stock(Number(options.products), seed) };
  await tellSynonyms(stocked);
  await fill(stocked);
  return stocked;
}

async function tellSynonyms({ synonyms, headers, address }: Stocked): Promise<void> {
  if (synonyms.length === 0) return;
  const body = JSON.stringify({ version: 0, synonyms });
  const response = await fetch(`${address}/settings/search`, { method: 'PUT', headers, body });
  if (!response.ok) throw new Error(`The synonyms were refused: ${response.status} ${await response.text()}`);
}

async function fill({ catalogue, headers, address }: Stocked): Promise<void> {
  const waiting = [...catalogue].reverse();
  const create = async ({ key, document }: Item) => {
    const body = JSON.stringify({ key, ...document });
    const response = await fetch(`${address}/resource`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`${key} was not created: ${response.status} ${text}`);
  };
  const one = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await create(next);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

function askService({ headers, address }: Stocked, more: Readonly<Record<string, string>>) {
  return async ({ locale, text }: Question): Promise<readonly string[]> => {
    const parameters = new URLSearchParams({ [`text.${locale}`]: text, limit: '10', ...more });
    const response = await fetch(`${address}/resource/searchApiPattern?${parameters}`, { headers });
    if (response.status !== 200) throw new Error(`${text}: ${response.status} ${await response.text()}`);
    const { results } = (await response.json()) as { results: readonly { key: string }[] };
    return results.map(({ key }) => key);
  };
}

function tellMiss({ kind, locale, text }: Question, answers: readonly string[], recall: number): void {
  if (options.misses) say(`  ${recall.toFixed(2)} ${kind}, ${locale}: ${text} → ${answers.slice(0, 3).join(' ')}`);
}

async function judgeSet(stocked: Stocked): Promise<string> {
  const { vocabulary, catalogue, questions, synonyms } = stocked;
  const own = [
    ['service', askService(stocked, {}), undefined],
    ['service, fuzzy=true', askService(stocked, { fuzzy: 'true' }), tellMiss],
    ['MiniSearch', askMiniSearch(catalogue, synonyms), undefined],
  ] as const;
  const searches: Searched[] = [];
  for (const [name, ask, missed] of own) {
    searches.push({ name, judged: await judge(questions, ask, missed) });
  }
  const about = `${catalogue.length.toLocaleString('en')} products in ${vocabulary.languages} languages: ${vocabulary.about}. Each product is in one language, and its description names two other kinds of product.`;
  return qualityReport(`Vocabulary “${vocabulary.name}”`, about, searches);
}

const engine = engines.find(({ id }) => id === options.database);
if (!engine) throw new Error(`--database: expected ${engines.map(({ id }) => id).join(' or ')}`);
const isPostgres = engine.id === 'postgres';
const given = processEnvironment().DATABASE_URL;
const server = isPostgres && !given ? await startPostgres() : undefined;
const database = isPostgres ? { DATABASE_URL: given ?? server!.url } : { DATABASE_URL: '' };
const temporary = temporaryFolder();
const service = await startService(temporary.path, { ...serviceSettings, ...database });
try {
  const date = new Date().toISOString().slice(0, 10);
  const parts = [
    `# Quality of search${isPostgres ? ' on PostgreSQL' : ''}, ${date}\n\nSeed ${seed}. Guards ask for words that stand in descriptions alone.\n`,
  ];
  for (const name of options.set) parts.push(await judgeSet(await stock(service, vocabularies.get(name)!)));
  const text = parts.join('\n');
  say(text);
  if (options.save) {
    mkdirSync('bench/results', { recursive: true });
    const file = `bench/results/quality-${date}${isPostgres ? '-postgres' : ''}.md`;
    writeFileSync(file, text);
    say(`saved ${file}`);
  }
} finally {
  await service.stop();
  await server?.close();
  temporary.remove();
}
