/**
 * `npm run bench:collections -- --folder <path>`: how good the answers to judged queries of a collection are, beside BM25 in Lucene with any
 * word sufficing (where there is Java and Maven). The collections are not part of this project: whoever runs it has a folder of one of the forms that `collection.ts`
 * reads. Cranfield, CISI and CACM stand in many public repositories.
 *
 * Options: --folder <path> (may be repeated), --locale <language> of the texts (en), --misses (tells each query without a hit), --save (adds
 * bench/results/collections-<date>.md).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importLines } from '../../import-lines.ts';
import { fetchToken, type Running, startService, temporaryFolder } from '../../service.ts';
import { missingForLucene } from '../compare/lucene.ts';
import { markdownLine } from '../report.ts';
import { say, serviceSettings } from '../stage.ts';
import { askBm25 } from './bm25.ts';
import { type Collection, readCollection } from './collection.ts';
import { byLength, type Ranked, score } from './score.ts';

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: [] },
    locale: { type: 'string', default: 'en' },
    misses: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
});
if (options.folder.length === 0) throw new Error('--folder <path>: expected the folder of a collection');
const { locale } = options;
const found = 100;

interface Asked {
  readonly port: number;
  readonly project: string;
  readonly token: string;
}

async function fill(service: Running, collection: Collection, at: number): Promise<Asked> {
  const project = `collection-${at}`;
  const token = await fetchToken(service.port, `manage_project:${project}`);
  const { documents } = collection;
  const documentAt = (n: number) => {
    const { id, title, text } = documents[n]!;
    // Keys have other characters than some ids.
    return { key: `d${n}`, id_of_text: id, name: { [locale]: title }, description: { [locale]: text } };
  };
  await importLines(service, { project, token }, documentAt, documents.length);
  return { port: service.port, project, token };
}

async function askService(asked: Asked, { documents, queries }: Collection, fuzzy: boolean): Promise<Ranked> {
  const ranked = new Map<string, readonly string[]>();
  for (const { id, text } of queries) {
    const body = new URLSearchParams({ [`text.${locale}`]: text, limit: String(found), fuzzy: String(fuzzy) });
    body.append('withTotal', 'false');
    const headers = { authorization: `Bearer ${asked.token}` };
    const path = `http://127.0.0.1:${asked.port}/${asked.project}/resource/searchApiPattern`;
    const response = await fetch(path, { method: 'POST', headers, body });
    const answer = (await response.json()) as { results?: readonly { key: string }[]; message?: string };
    if (!answer.results) say(`  ${id}: ${response.status} ${answer.message}`);
    const keys = answer.results?.map(({ key }) => key) ?? [];
    if (options.misses && keys.length === 0) say(`  nothing: ${text}`);
    ranked.set(
      id,
      keys.map((key) => documents[Number(key.slice(1))]!.id),
    );
  }
  return ranked;
}

const figure = (value: number) => value.toFixed(3);

function report(collection: Collection, searches: readonly (readonly [string, Ranked])[]): string {
  const { name, documents, queries } = collection;
  const lines = [...byLength(queries), ['all', queries] as const].flatMap(([length, own]) =>
    searches.map(([search, ranked]) => {
      const { ndcg10, recall100, noHits } = score(own, ranked);
      return markdownLine([
        length,
        String(own.length),
        search,
        figure(ndcg10),
        figure(recall100),
        `${(100 * noHits).toFixed(1)} %`,
      ]);
    }),
  );
  return [
    `## ${name}: ${documents.length} texts, ${queries.length} queries\n`,
    markdownLine(['Words of the query', 'Queries', 'Search', 'nDCG@10', 'Recall@100', 'Without a hit']),
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

const missing = missingForLucene();
if (missing) say(`Lucene is left out: ${missing}.`);
const temporary = temporaryFolder();
const service = await startService(temporary.path, serviceSettings);
try {
  const date = new Date().toISOString().slice(0, 10);
  const parts = [`# Judged collections, ${date}\n`];
  for (const [at, folder] of options.folder.entries()) {
    const collection = readCollection(folder);
    say(`${collection.name}: ${collection.documents.length} texts, ${collection.queries.length} queries`);
    const asked = await fill(service, collection, at);
    const searches: (readonly [string, Ranked])[] = [
      ['service', await askService(asked, collection, false)],
      ['service, fuzzy=true', await askService(asked, collection, true)],
    ];
    if (!missing) searches.push(['BM25', askBm25(collection, locale, temporary.path)]);
    parts.push(report(collection, searches));
  }
  const text = parts.join('\n');
  say(text);
  if (options.save) {
    mkdirSync('bench/results', { recursive: true });
    writeFileSync(`bench/results/collections-${date}.md`, text);
  }
} finally {
  await service.stop();
  temporary.remove();
}
