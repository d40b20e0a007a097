import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CollectionParts, inOneLine, type Judgement } from './collection.ts';

interface Line {
  readonly _id: string;
  readonly title?: string;
  readonly text: string;
}

/** Reads a folder of BEIR: JSON lines, and judgements in columns with a header. */
export function readBeir(folder: string): CollectionParts {
  const lines = (file: string) => readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean);
  const json = (file: string) => lines(file).map((line) => JSON.parse(line) as Line);
  const judged = ['qrels/test.tsv', 'qrels/dev.tsv', 'qrels.tsv'].find((file) => existsSync(join(folder, file)));
  if (judged === undefined) throw new Error(`${folder}: expected qrels/test.tsv`);
  return {
    documents: json('corpus.jsonl').map(({ _id, title = '', text }) => ({
      ...{ id: _id, title: inOneLine(title), text: inOneLine(text) },
    })),
    texts: new Map(json('queries.jsonl').map(({ _id, text }) => [_id, inOneLine(text)])),
    judgements: lines(judged).flatMap((line): readonly Judgement[] => {
      const [query = '', document = '', gain = ''] = line.split('\t');
      return /^\d+$/.test(gain.trim()) ? [[query, document, Number(gain)]] : [];
    }),
  };
}
