import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { CsvError } from 'csv-parse';
import { ServiceError } from '../../../contract/errors.ts';
import type { JsonValue } from '../../../contract/json.ts';
import { wrongBytes } from '../../../domain/bulk/charset.ts';
import { type Column, readHeader, readRecord } from '../../../domain/bulk/csv/csv-columns.ts';
import { createLineEnds, type Delimiter, delimiterChars, divisionOf } from '../../../domain/bulk/csv/delimiter.ts';
import type { ImportLine } from '../../../domain/bulk/import.ts';
import type { SourceNotes } from '../../../domain/bulk/import-results.ts';
import { draftOf, type LineOptions } from '../../../domain/bulk/read-lines.ts';
import { isRawNumber } from '../../../domain/json/number.ts';
import { turnOver } from '../../../domain/turns.ts';

interface CsvOptions extends LineOptions {
  /** Undefined where the request names none. */
  readonly delimiter: Delimiter | undefined;
  /** Takes what the file turns out to be. */
  readonly notes: SourceNotes;
}

/**
 * Reads drafts in CSV (RFC 4180, UTF-8): the first record names the fields. Records are numbered from 1, the header being 1.
 * Yields those of a chunk when it has arrived. Throws 400 for a wrong header and at the first record that is not valid CSV:
 * what follows it may mean anything.
 */
export async function* readCsv(
  body: AsyncIterable<Uint8Array>,
  { maxLineBytes, from, charset, delimiter, notes }: CsvOptions,
): AsyncGenerator<readonly ImportLine[]> {
  // Loaded on demand: few services are sent CSV.
  const { parse } = await import('csv-parse');
  const source = await withHeader(body, maxLineBytes);
  const division = divisionOf(source.beginning.toString(), delimiter);
  notes.delimiter = division.delimiter;
  const mixed = createTypeNotes(notes);
  const options = {
    delimiter: delimiterChars[division.delimiter],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxLineBytes,
  };
  // Without an encoding it leaves cells as bytes: what is not UTF-8 must not become replacement characters.
  const parser = parse({ ...options, encoding: null });
  let records: Buffer[][] = [];
  let problem: CsvError | undefined;
  parser.on('data', (record: Buffer[]) => records.push(record));
  parser.on('error', (error: CsvError) => {
    problem = error;
  });
  let columns: readonly Column[] | undefined;
  let number = 0;

  async function taken(): Promise<readonly ImportLine[]> {
    const lines: ImportLine[] = [];
    const arrived = records;
    records = [];
    for (const record of arrived) {
      number += 1;
      const cells = record.every(isUtf8) ? record.map(String) : undefined;
      if (columns === undefined) {
        if (cells === undefined) throw wrongBytes(charset?.(), 'Line 1, the header,');
        columns = readHeader(cells);
      } else if (number >= from) {
        lines.push(cells ? lineOf(number, cells, columns, mixed) : wrongLine(number));
      }
      const over = turnOver();
      if (over) await over;
    }
    return lines;
  }

  function wrongLine(line: number): ImportLine {
    return { line, draft: wrongBytes(charset?.(), 'The line'), size: 0 };
  }

  for await (const chunk of source.chunks(division.separatorLine)) {
    await new Promise<void>((resolve) => parser.write(chunk, () => resolve()));
    const lines = await taken();
    if (problem) {
      if (columns) yield lines;
      throw malformed(problem, number + 1);
    }
    if (columns) yield lines;
  }
  parser.end();
  if (!problem) await once(parser, 'end').catch(() => {});
  const last = await taken();
  if (columns) yield last;
  if (problem) throw malformed(problem, number + 1);
  if (columns === undefined) throw new ServiceError('InvalidInput', 'The CSV is empty; expected a header row.');
}

/** The body, once its first record has arrived, or more than any record has. */
async function withHeader(body: AsyncIterable<Uint8Array>, maxBytes: number) {
  const parts = body[Symbol.asyncIterator]();
  const ends = createLineEnds();
  const begun: Uint8Array[] = [];
  for (let size = 0; size <= maxBytes; ) {
    const { value, done } = await parts.next();
    if (done) break;
    begun.push(value);
    size += value.length;
    if (ends.endIn(value) !== undefined) break;
  }
  const beginning = Buffer.concat(begun);
  async function* chunks(skipped: number): AsyncGenerator<Uint8Array> {
    if (beginning.length > skipped) yield beginning.subarray(skipped);
    for (let next = await parts.next(); !next.done; next = await parts.next()) yield next.value;
  }
  return { beginning, chunks };
}

type OnValue = (column: Column, line: number, value: JsonValue) => void;

/** Notes the columns without a type whose cells have values of several types. */
function createTypeNotes(notes: SourceNotes): OnValue {
  const firstLines = new Map<Column, Record<string, number>>();
  return (column, line, value) => {
    if (value === null) return;
    const type = Array.isArray(value) ? 'array' : isRawNumber(value) ? 'number' : typeof value;
    const known = firstLines.get(column);
    if (known === undefined) firstLines.set(column, { [type]: line });
    else if (known[type] === undefined) {
      known[type] = line;
      if (Object.keys(known).length === 2) notes.mixedColumns.push({ column: column.name, firstLines: known });
    }
  };
}

function lineOf(line: number, record: readonly string[], columns: readonly Column[], onValue: OnValue): ImportLine {
  const size = record.reduce((sum, cell) => sum + cell.length + 1, 0);
  const draft = draftOf(() => readRecord(record, columns, (at, value) => onValue(columns[at]!, line, value)));
  return { line, draft, size };
}

function malformed({ code, message }: CsvError, record: number): ServiceError {
  // The parser ends some of its messages with the bytes of the cell.
  const told = message.replace(/, value is .*$/s, '');
  const about = code === 'CSV_MAX_RECORD_SIZE' ? 'the record is too long, or a quote is not closed' : told;
  return new ServiceError('InvalidInput', `Record ${record} is not valid CSV: ${about}`);
}
