import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { readBeir } from './beir.ts';
import { readSmart } from './smart.ts';
import { readTrec } from './trec.ts';

/** A text that is to be found. */
export interface JudgedDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** A query with what people judged relevant to it. */
export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
  /** How relevant documents are, by id: whole numbers from 1 on. */
  readonly gains: ReadonlyMap<string, number>;
}

/** A collection of texts with judged queries. */
export interface Collection {
  readonly name: string;
  readonly documents: readonly JudgedDocument[];
  /** Those to which some document is relevant. */
  readonly queries: readonly JudgedQuery[];
}

/** A judgement: a query, a document, and how relevant it is. */
export type Judgement = readonly [query: string, document: string, gain: number];

/**
 * Reads the collection of a folder, whatever of these it has: `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv` (BEIR); marks `.I` and
 * `.W` at the beginnings of lines (SMART: Cranfield, CISI, CACM, Medline); else elements `<DOC>` and `<top>` (TREC).
 */
export function readCollection(folder: string): Collection {
  const files = readdirSync(folder);
  const parts = files.includes('corpus.jsonl')
    ? readBeir(folder)
    : (readSmart(folder, files) ?? readTrec(folder, files));
  const { documents, texts, judgements } = parts;
  const known = new Set(documents.map(({ id }) => id));
  const byQuery = Map.groupBy(
    judgements.filter(([, document, gain]) => gain > 0 && known.has(document)),
    ([query]) => query,
  );
  const queries = [...texts].flatMap(([id, text]) => {
    const judged = byQuery.get(id);
    return judged ? [{ id, text, gains: new Map(judged.map(([, document, gain]) => [document, gain])) }] : [];
  });
  if (documents.length === 0 || queries.length === 0) {
    throw new Error(`${folder}: ${documents.length} documents and ${queries.length} judged queries were found`);
  }
  return { name: basename(folder), documents, queries };
}

/** What a folder has, as its files say it. */
export interface CollectionParts {
  readonly documents: readonly JudgedDocument[];
  /** The texts of queries by id. */
  readonly texts: ReadonlyMap<string, string>;
  readonly judgements: readonly Judgement[];
}

/** A text in one line. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
