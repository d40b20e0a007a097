import type { Path, Predicate } from '../../../domain/predicate/ast.ts';
import { partsOf } from '../../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames } from '../../../domain/predicate/path.ts';
import { raw, type Sql, sql } from '../../../index/plan/sql.ts';

/**
 * The documents of `resource r` as conditions see them. Most are the stored text and nothing else, so that a row has a
 * document beside it only where numbers compare by another value than their digits say.
 *
 * A text takes longer to read than what is made of it, so each expression reads it once: a subquery with OFFSET is not
 * merged into what is around it, where each mention of the document would read the text again. And where an expression
 * is about one field, only that field is made a `jsonb`.
 */

/** The fields of a document that paths reach into. */
export type FieldNames = ReadonlySet<string>;

/** The fields that a path reaches into. */
export function fieldsOfPath([first = '']: Path): FieldNames {
  return new Set(arrayTestNames.has(first) ? [first, arrayTestField] : [first]);
}

/** The fields that a predicate is about. */
export function fieldsOf(predicate: Predicate): FieldNames {
  if ('path' in predicate) return fieldsOfPath(predicate.path);
  return new Set(partsOf(predicate).flatMap((part) => [...fieldsOf(part)]));
}

/** A stored text as JSON, with at least these fields. */
function read(text: string, fields: FieldNames): Sql {
  const [only] = fields;
  if (fields.size !== 1 || only === undefined) return raw(`${text}::jsonb`);
  return sql`CASE WHEN ${raw(text)} IS NOT NULL THEN jsonb_build_object(${only}, ${raw(text)}::json -> ${only}) END`;
}

/** The projection that a query is for: the staged one if it asks for it and there is one. */
function parsed(staged: boolean, fields: FieldNames): Sql {
  const current = sql`r.document, ${read('r.current', fields)}`;
  return staged ? sql`coalesce(r.staged_document, ${read('r.staged', fields)}, ${current})` : sql`coalesce(${current})`;
}

/** A table `d` of one row for FROM, and the document in it with at least these fields. */
export function documentRow(staged: boolean, fields: FieldNames): { readonly from: Sql; readonly json: Sql } {
  return { from: sql`(SELECT ${parsed(staged, fields)} AS json OFFSET 0) d`, json: raw('d.json') };
}

/** An expression over these fields of a document; one that does not mention it is left as it is. */
export function ofDocument(staged: boolean, fields: FieldNames, write: (json: Sql) => Sql): Sql {
  const { from, json } = documentRow(staged, fields);
  let isUsed = false;
  const expression = write({
    get parts() {
      isUsed = true;
      return json.parts;
    },
  });
  return isUsed ? sql`(SELECT ${expression} FROM ${from})` : expression;
}
