import type { Sql, SqlValue } from '../../query/sql.ts';
import type { Statement } from '../open/connection.ts';

/** Each parameter says its type: PostgreSQL would else take it from the first place where it is used. */
function typeOf(value: SqlValue): string {
  if (typeof value === 'string' || value === null) return 'text';
  return typeof value === 'bigint' ? 'bigint' : 'double precision';
}

/** The text of a statement with `$1` parameters, and their values. Equal values of one type share a parameter. */
export function render({ parts }: Sql): Statement {
  const numbers = new Map<string, number>();
  const values: SqlValue[] = [];
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const type = part.type ?? typeOf(part.bind);
    const name = `${type} ${part.bind}`;
    const number = numbers.get(name) ?? values.push(part.bind);
    numbers.set(name, number);
    text += `$${number}::${type}`;
  }
  return { text, values };
}
