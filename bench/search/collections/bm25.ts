import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { libraries } from '../compare/lucene.ts';
import type { Collection } from './collection.ts';
import type { Ranked } from './score.ts';

const program = fileURLToPath(new URL('./Bm25.java', import.meta.url));
const mostOutput = 1_073_741_824;

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

/** What BM25 in Lucene finds, where any word suffices. `folder`: for its files. */
export function askBm25({ documents, queries }: Collection, language: string, folder: string): Ranked {
  const [ofDocuments, ofQueries] = [join(folder, 'documents.tsv'), join(folder, 'queries.tsv')];
  writeFileSync(
    ofDocuments,
    documents.map(({ id, title, text }) => `${id}\t${oneLine(`${title} ${text}`)}\n`).join(''),
  );
  writeFileSync(ofQueries, queries.map(({ id, text }) => `${id}\t${oneLine(text)}\n`).join(''));
  const values = ['-cp', join(libraries(), '*'), program, ofDocuments, ofQueries, language];
  const output = execFileSync('java', values, { encoding: 'utf8', maxBuffer: mostOutput });
  return new Map(
    output.split('\n').map((line) => {
      const [query = '', ...found] = line.split('\t');
      return [query, found] as const;
    }),
  );
}
