/** A value that a statement binds. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** A piece of SQL: texts, and values to bind between them. Values never become part of the text. */
export interface Sql {
  readonly parts: readonly (string | Bound)[];
}

export interface Bound {
  readonly bind: SqlValue;
}

/** Creates a piece of SQL: `${…}` of another piece is inserted, of any other value bound. */
export function sql(texts: TemplateStringsArray, ...values: readonly (Sql | SqlValue)[]): Sql {
  const parts: (string | Bound)[] = [];
  for (const [index, text] of texts.entries()) {
    if (text !== '') parts.push(text);
    const value = values[index];
    if (value === undefined) continue;
    if (isSql(value)) for (const part of value.parts) parts.push(part);
    else parts.push({ bind: value });
  }
  return { parts };
}

/** Literal SQL text. Only for texts of the program itself, such as column names. */
export function raw(text: string): Sql {
  return { parts: [text] };
}

/** Joins conditions by AND, or OR, as a balanced tree: engines bound the depth of an expression. */
export function joined(conditions: readonly Sql[], operator: 'AND' | 'OR'): Sql {
  if (conditions.length === 0) return raw(operator === 'AND' ? 'TRUE' : 'FALSE');
  if (conditions.length === 1) return conditions[0]!;
  const middle = conditions.length >> 1;
  const left = joined(conditions.slice(0, middle), operator);
  const right = joined(conditions.slice(middle), operator);
  return sql`(${left} ${raw(operator)} ${right})`;
}

/** Pieces one after another, with a text of the program between them. */
export function listed(pieces: readonly Sql[], between: string): Sql {
  return { parts: pieces.flatMap((piece, index) => (index === 0 ? piece.parts : [between, ...piece.parts])) };
}

export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/**
 * The text of a statement with numbered parameters, and their values. Equal values share a parameter: a path repeats
 * its names at each level, and engines bound the number of parameters too.
 */
export function render({ parts }: Sql): Statement {
  const numbers = new Map<SqlValue, number>();
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    // -0 and 0 are the same key of a Map, and the same number to SQL.
    if (!numbers.has(part.bind)) numbers.set(part.bind, numbers.size + 1);
    text += `?${numbers.get(part.bind)}`;
  }
  return { text, values: [...numbers.keys()] };
}

function isSql(value: Sql | SqlValue): value is Sql {
  return typeof value === 'object' && value !== null && 'parts' in value;
}
