import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CollectionParts, inOneLine, type Judgement } from './collection.ts';

/** Texts of a record by the letters of their marks. */
type Fields = ReadonlyMap<string, string>;

/**
 * Reads a folder of the old collections of SMART: records that begin with `.I <number>`, with their texts under marks such as `.T` and `.W`.
 * Undefined for a folder without such files.
 */
export function readSmart(folder: string, files: readonly string[]): CollectionParts | undefined {
  const read = (file: string) => readFileSync(join(folder, file), 'latin1');
  const judged = files.find((file) => /qrel|\.rel$/i.test(file) && !/readme/i.test(file));
  const marked = files.filter((file) => file !== judged && /^\.I +\d+\s/m.test(read(file).slice(0, 400)));
  const ofQueries = marked.find((file) => /qry|que(?:ry|\.)/i.test(file));
  const ofDocuments = marked.filter((file) => file !== ofQueries);
  if (judged === undefined || ofQueries === undefined || ofDocuments.length === 0) return undefined;
  const queries = recordsOf(read(ofQueries));
  const judgements = read(judged).split('\n').flatMap(judgementOf);
  // The judgements of Cranfield count its queries, whose own numbers have gaps.
  const numbers = new Set(queries.map(([id]) => id));
  const isCounted = judgements.some(([query]) => !numbers.has(query));
  return {
    documents: ofDocuments
      .flatMap((file) => recordsOf(read(file)))
      .map(([id, fields]) => {
        const title = fields.get('T') ?? '';
        // Some texts begin with their title.
        return { id, title, text: (fields.get('W') ?? '').replace(title, '').trim() };
      }),
    texts: new Map(queries.map(([id, fields], at) => [isCounted ? String(at + 1) : id, fields.get('W') ?? ''])),
    judgements,
  };
}

function recordsOf(text: string): readonly (readonly [id: string, fields: Fields])[] {
  return text
    .split(/^\.I +/m)
    .slice(1)
    .map((record) => {
      const [first = '', ...parts] = record.split(/^\.([A-Z])\b *$/m);
      const fields = new Map<string, string>();
      for (let at = 0; at + 1 < parts.length; at += 2) fields.set(parts[at]!, inOneLine(parts[at + 1]!));
      return [first.trim(), fields] as const;
    });
}

/**
 * A line is a query, a document and its grade, in which −1 is not relevant (Cranfield); or a query, a document and two zeros (CISI, CACM),
 * where all that is listed is relevant. Graded by different people in different ways, what is relevant counts 1.
 */
function judgementOf(line: string): readonly Judgement[] {
  const [query, document, grade] = line.trim().split(/\s+/);
  if (document === undefined || !/^\d+$/.test(document)) return [];
  return [[String(Number(query)), String(Number(document)), grade?.startsWith('-') ? 0 : 1]];
}
