/**
 * `npm run bench:search-postgres`: what classes of searches cost on PostgreSQL, and in which statements: the time of a search
 * and the processor time of the session that answers it.
 * Options: --count <resources> (100000), --seconds <n> of a class (4), --only <part of the name of a class>, --save (adds
 * bench/results/search-postgres-<date>.md). On the PostgreSQL of DATABASE_URL, whose project `search-postgres` is kept for
 * the next run with the same count, or on one that is started for it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { processEnvironment } from '../../../src/config/environment.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { noSettings } from '../../../src/domain/search/settings.ts';
import { openTerms } from '../../../src/record/postgres/generations/term-key.ts';
import { type Connection, createConnect } from '../../../src/record/postgres/open/connection.ts';
import { createChangedWords } from '../../../src/record/postgres/search/rules/changed-words.ts';
import { runSearch } from '../../../src/record/postgres/search/search.ts';
import { startPostgres } from '../../../test/storage/postgres/postgres-server.ts';
import { fetchToken, startService, temporaryFolder } from '../../service.ts';
import { importDocuments } from '../compare/fill.ts';
import { type Corpus, createCorpus } from '../corpus.ts';
import { markdownLine, medianOf } from '../report.ts';
import { say, serviceSettings } from '../stage.ts';
import { type SearchClass, searchClasses } from './classes.ts';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    save: { type: 'boolean', default: false },
  },
});
const [resources, seconds] = [Number(options.count), Number(options.seconds)];
const project = 'search-postgres';
/** As in the comparison with Lucene. */
const offset = 20;
const differentSearches = 200;
const leastSearches = 3;

/** What a statement is for, by what it has. */
const purposes: readonly (readonly [purpose: string, sign: RegExp])[] = [
  ['vocabulary', /FROM word\b/],
  ['rank', /array_agg/],
  ['facet', /GROUP BY f\.facet/],
  ['documents with rules', /AS has_staged|\br\.version, r\.checksum|AS text/],
  ['candidates', /\) s ORDER BY s\.id/],
  ['count', /^SELECT count\(\*\)/],
  ['page', /row_number\(\)/],
];

interface Figures {
  readonly p50Ms: number;
  readonly cpuMs: number;
  readonly found: number;
  /** Means over the searches. */
  readonly msByPurpose: ReadonlyMap<string, number>;
}

async function fill(url: string, corpus: Corpus): Promise<void> {
  const folder = temporaryFolder();
  const service = await startService(folder.path, { ...serviceSettings, DATABASE_URL: url, INDEXED_PATHS: 'price' });
  try {
    const token = await fetchToken(service.port, `manage_project:${project}`);
    const headers = { authorization: `Bearer ${token}` };
    const counted = await fetch(
      `http://127.0.0.1:${service.port}/${project}/resource/searchApiPattern?limit=0&withTotal=true`,
      {
        headers,
      },
    );
    const { total } = (await counted.json()) as { readonly total: number };
    if (total === resources) return;
    if (total > 0) throw new Error(`The project has ${total} resources already: name another database.`);
    await importDocuments(service, { project, token }, { corpus, from: 0, count: resources });
  } finally {
    await service.stop();
    folder.remove();
  }
}

/** Seconds of the processor that a session of a PostgreSQL on this machine has used. */
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function measure(connection: Connection, pid: number, corpus: Corpus, one: SearchClass): Promise<Figures> {
  const msByPurpose = new Map<string, number>();
  const timing: Connection = {
    ...connection,
    async query<Row>(statement: { readonly text: string }) {
      const begun = performance.now();
      const rows = await connection.query<Row>(statement);
      const purpose = purposes.find(([, sign]) => sign.test(statement.text))?.[0] ?? 'other';
      msByPurpose.set(purpose, (msByPurpose.get(purpose) ?? 0) + performance.now() - begun);
      return rows;
    },
  };
  const settings = { ...noSettings, fields: one.fields ?? [] };
  const queries = one
    .searches(corpus, resources, differentSearches)
    .map((each) => parseSearch(each, project, settings));
  const limits = { usable: ['price'], check: () => {}, maxPageBytes: 1e9, changedWords: createChangedWords() };
  await runSearch(connection, queries.at(-1)!, limits);
  const times: number[] = [];
  const totals: number[] = [];
  const cpuBefore = cpuSecondsOf(pid);
  const ends = performance.now() + seconds * 1000;
  for (let at = 0; at < leastSearches || performance.now() < ends; at += 1) {
    const begun = performance.now();
    const { total } = await runSearch(timing, queries[at % queries.length]!, limits);
    times.push(performance.now() - begun);
    totals.push(total ?? 0);
  }
  const searches = times.length;
  return {
    p50Ms: medianOf(times),
    cpuMs: ((cpuSecondsOf(pid) - cpuBefore) * 1000) / searches,
    found: medianOf(totals),
    msByPurpose: new Map([...msByPurpose].map(([purpose, ms]) => [purpose, ms / searches])),
  };
}

const shown = (ms: number) => ms.toFixed(ms < 10 ? 1 : 0);

const given = processEnvironment().DATABASE_URL;
const server = given ? undefined : await startPostgres();
const url = given ?? server!.url;
try {
  const corpus = createCorpus(offset);
  await fill(url, corpus);
  const connecting = await createConnect({ url, statementTimeoutMs: 300_000 })();
  const connection = { ...connecting, terms: await openTerms(connecting) };
  await connection.query({ text: 'VACUUM ANALYZE' });
  const [session] = await connection.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
  const names = [...purposes.map(([purpose]) => purpose), 'other'];
  const head = ['class', 'found (median)', 'p50 ms', 'CPU ms of the session', ...names.map((name) => `${name} ms`)];
  const rows: string[] = [];
  for (const one of searchClasses.filter(({ name }) => name.includes(options.only))) {
    const { p50Ms, cpuMs, found, msByPurpose } = await measure(connection, session!.pid, corpus, one);
    const parts = names.map((name) => (msByPurpose.has(name) ? shown(msByPurpose.get(name)!) : '–'));
    rows.push(markdownLine([one.name, found.toLocaleString('en'), shown(p50Ms), shown(cpuMs), ...parts]));
    say(rows.at(-1)!);
  }
  await connection.close();
  const date = new Date().toISOString().slice(0, 10);
  const about = `${resources.toLocaleString('en')} resources, ${cpus()[0]?.model} (${cpus().length}), Node ${process.version}; searches one after another, in the store without HTTP. The times of statements are means; those that are sent together wait for each other, so that they may add up to more.`;
  const table = [markdownLine(head), markdownLine(head.map(() => '---')), ...rows].join('\n');
  const text = `# Search on PostgreSQL, ${date}\n\n${about}\n\n${table}\n`;
  say(text);
  if (options.save) {
    mkdirSync('bench/results', { recursive: true });
    writeFileSync(`bench/results/search-postgres-${date}.md`, text);
  }
} finally {
  await server?.close();
}
