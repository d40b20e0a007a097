import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { CsvError } from 'csv-parse';
import { ServiceError } from '../../../contract/errors.ts';
import { wrongBytes } from '../../../domain/bulk/charset.ts';
import { type Column, readHeader, readRecord } from '../../../domain/bulk/csv-columns.ts';
import type { ImportLine } from '../../../domain/bulk/import.ts';
import { draftOf, type LineOptions } from '../../../domain/bulk/read-lines.ts';
import { turnOver } from '../../../domain/turns.ts';

/**
 * Reads drafts in CSV (RFC 4180, UTF-8): the first record names the fields. Records are numbered from 1, the header being 1.
 * Yields those of a chunk when it has arrived. Throws 400 for a wrong header and at the first record that is not valid CSV:
 * what follows it may mean anything.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  { maxLineBytes, from, charset }: LineOptions,
): AsyncGenerator<readonly ImportLine[]> {
  // Loaded on demand: few services are sent CSV.
  const { parse } = await import('csv-parse');
  const options = { relax_column_count: true, skip_empty_lines: true, max_record_size: maxLineBytes };
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
        if (cells === undefined) throw wrongBytes(charset, 'Line 1, the header,');
        columns = readHeader(cells);
      } else if (number >= from) {
        lines.push(cells ? lineOf(number, cells, columns) : wrongLine(number));
      }
      const over = turnOver();
      if (over) await over;
    }
    return lines;
  }

  function wrongLine(line: number): ImportLine {
    return { line, draft: wrongBytes(charset, 'The line'), size: 0 };
  }

  for await (const chunk of chunks) {
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

function lineOf(line: number, record: readonly string[], columns: readonly Column[]): ImportLine {
  const size = record.reduce((sum, cell) => sum + cell.length + 1, 0);
  return { line, draft: draftOf(() => readRecord(record, columns)), size };
}

function malformed({ code, message }: CsvError, record: number): ServiceError {
  // The parser ends some of its messages with the bytes of the cell.
  const told = message.replace(/, value is .*$/s, '');
  const about = code === 'CSV_MAX_RECORD_SIZE' ? 'the record is too long, or a quote is not closed' : told;
  return new ServiceError('InvalidInput', `Record ${record} is not valid CSV: ${about}`);
}
