import type { JsonObject } from '../../../../contract/json.ts';
import { parseStoredJson } from '../../../../domain/json/parse.ts';
import { wordKey } from '../../../../domain/search/field-rules.ts';
import type { SearchQuery } from '../../../../domain/search/query/query.ts';
import { anyText, type NeededText } from '../../../../index/plan/ladder.ts';
import { raw, sql } from '../../../../index/plan/sql.ts';
import type { Choice, QueryText } from '../../../../index/plan/word-choices.ts';
import type { Connection } from '../../open/connection.ts';
import { runSql } from '../../query/run-sql.ts';
import { fromMatches } from '../../query/select.ts';
import { termCondition, textArray } from '../../query/term-condition.ts';
import { ownTerms, rankingTerms, termDocument, termsOfNumbers } from '../rank.ts';
import type { TermDocument } from '../rank-terms.ts';
import type { ChangedWordsOfRules, DocumentVersion, WordChangesByKey } from './changed-words.ts';
import { isPlain, withPlain } from './plain-words.ts';
import type { RuledDocument } from './ruled-documents.ts';

/** The search that documents are judged for. */
export interface JudgeParts {
  readonly connection: Connection;
  readonly query: SearchQuery;
  readonly words: ChangedWordsOfRules;
  readonly texts: readonly QueryText[];
  /** The words of the texts, by `wordKey`. */
  readonly asked: ReadonlyMap<string, Choice>;
}

export interface Judging {
  /** Also those in which nothing changes. */
  readonly all: boolean;
  /** What a document is judged by: those that do not have it are without terms, as if they had no word. */
  readonly needed: readonly NeededText[];
}

/** Documents that are read together: between them others have their turn. */
const readTogether = 100;
const termsTogether = 1000;

/** The documents with what changes in each. */
export async function judged(
  parts: JudgeParts,
  rows: readonly DocumentVersion[],
  { all, needed }: Judging,
): Promise<readonly RuledDocument[]> {
  const { connection, query, texts, asked } = parts;
  const changes = await changesOfRows(parts, rows);
  const own = rows.filter(({ id }) => all || changes.get(id)!.size > 0).map(({ id }) => id);
  const without = await idsWithout(parts, needed, changes, own);
  const terms = [...rankingTerms(query, texts)];
  const termsOf = termsOfNumbers(connection, terms);
  const documents = new Map<string, TermDocument>();
  for (const some of portionsOf(
    own.filter((id) => !without.has(id)),
    termsTogether,
  )) {
    const found = await runSql<OwnTerms>(
      connection,
      sql`SELECT r.id, r.staged IS NOT NULL AS has_staged, ${ownTerms(terms)}::text[] AS own ${fromIds(query, some)}`,
    );
    for (const { id, has_staged: hasStaged, own: numbers } of found) {
      const plain = [...changes.get(id)!.keys()].map((key) => asked.get(key)!).filter(isPlain);
      documents.set(id, withPlain(termDocument(termsOf(numbers), hasStaged, query), plain));
    }
  }
  return own.map((id) => {
    const document = documents.get(id) ?? termDocument(new Set(), false, query);
    return { id, document: { ...document, changes: changes.get(id)! } };
  });
}

interface OwnTerms {
  readonly id: string;
  readonly has_staged: boolean;
  readonly own: readonly string[];
}

const fromIds = ({ projectKey }: SearchQuery, ids: readonly string[]) =>
  fromMatches({ projectKey, conditions: [sql`r.id = ANY (${textArray(ids)})`] });

/** What changes in documents, which are read where it is not known. */
async function changesOfRows(
  { connection, query, words, asked }: JudgeParts,
  rows: readonly DocumentVersion[],
): Promise<ReadonlyMap<string, WordChangesByKey>> {
  const changes = new Map<string, WordChangesByKey>();
  const unknown: DocumentVersion[] = [];
  for (const row of rows) {
    const known = words.of(row, asked);
    if (known) changes.set(row.id, known);
    else unknown.push(row);
  }
  const text = raw(query.staged ? 'coalesce(r.staged, r.current)' : 'r.current');
  for (const some of portionsOf(unknown, readTogether)) {
    const ids = some.map(({ id }) => id);
    const read = await runSql<Pick<DocumentVersion, 'id'> & { readonly text: string }>(
      connection,
      sql`SELECT r.id, ${text} AS text ${fromIds(query, ids)}`,
    );
    const textOf = new Map(read.map((one) => [one.id, one.text]));
    for (const row of some) {
      changes.set(row.id, words.keep(row, parseStoredJson(textOf.get(row.id)!) as JsonObject, asked));
    }
  }
  return changes;
}

/** Documents that lose the same words are looked up together; where these are more sets, the terms of the others are read. */
const mostSets = 8;

/**
 * Those of the documents that no longer have what is needed once the rules have taken words away: to look up what they may
 * have instead costs little, often nothing, and to read the terms of each costs much.
 */
async function idsWithout(
  { connection, query, asked }: JudgeParts,
  needed: readonly NeededText[],
  changes: ReadonlyMap<string, WordChangesByKey>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { projectKey, staged } = query;
  const hasPlain = [...asked.values()].some(isPlain);
  const losing = ids.filter((id) => {
    const own = changes.get(id)!;
    return (own.size > 0 || hasPlain) && [...own.values()].every((ruled) => ruled === 'nowhere');
  });
  // Those of one search that are equal are one.
  const sets = Map.groupBy(losing, (id) => changes.get(id)!);
  const without = new Set<string>();
  for (const [lost, some] of [...sets].sort(([, a], [, b]) => b.length - a.length).slice(0, mostSets)) {
    // Of plain words a document has those that are among its changes.
    const left = needed.map((one) => neededOf(one, (choice) => !isPlain(choice) && !lost.has(keyOf(choice))));
    const has = termCondition((p) => anyText(projectKey, p, left, { byBeginning: false }), staged);
    const selection = { projectKey, conditions: [sql`r.id = ANY (${textArray(some)})`, has] };
    const found = left.every(isOutOfReach)
      ? []
      : await runSql<Pick<OwnTerms, 'id'>>(connection, sql`SELECT r.id ${fromMatches(selection)}`);
    const having = new Set(found.map(({ id }) => id));
    for (const id of some) if (!having.has(id)) without.add(id);
  }
  return without;
}

const keyOf = ({ locale, word }: Choice) => wordKey(locale, word);

/** The same where only some words count. */
function neededOf({ alternativesOf, ...needed }: NeededText, counts: (choice: Choice) => boolean): NeededText {
  return {
    ...needed,
    alternativesOf: (word) =>
      alternativesOf(word)
        .map((each) => ({ ...each, parts: each.parts.map((choices) => choices.filter(counts)) }))
        .filter(({ parts }) => parts.every((choices) => choices.length > 0)),
  };
}

/** True if too few words are left for any document. */
function isOutOfReach({ words, count, alternativesOf }: NeededText): boolean {
  return words.length === 0 || words.filter((word) => alternativesOf(word).length > 0).length < count;
}

function* portionsOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}
