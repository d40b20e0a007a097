import { type Charset, piecesOf } from './charset.ts';
import { type Column, createRecordReader, createRecordWriter, type RawRecord, type Separator } from './csv.ts';

/** A part of a file that is sent as one request. */
export interface Portion {
  readonly body: Blob;
  readonly contentType: 'text/csv' | 'application/x-ndjson';
  /** Bytes of the file up to its end. */
  readonly endBytes: number;
  /** The line in the file, from 1, for a line of the portion. */
  lineOf(line: number): number;
  /** How many results the lines of the portion have, from a line on. */
  resultsFrom(line: number): number;
  /** The text of a line of the portion. */
  textOf(line: number): string;
}

/** Characters of a portion: results of more than 8 MB must not wait for the end of a request. */
const portionChars = 256 * 1024;

/** Lines of JSON in portions. */
export async function* linePortions(file: Blob, charset: Charset = 'utf-8'): AsyncGenerator<Portion> {
  let rest = '';
  let before = 0;
  const portion = (lines: readonly string[], endBytes: number): Portion => {
    const first = before;
    before += lines.length;
    return {
      body: new Blob([`${lines.join('\n')}\n`]),
      contentType: 'application/x-ndjson',
      endBytes,
      lineOf: (line) => first + line,
      resultsFrom: (line) => lines.slice(line - 1).filter((text) => !/^[ \t]*\r?$/.test(text)).length,
      textOf: (line) => lines[line - 1] ?? '',
    };
  };
  let waiting: string[] = [];
  let chars = 0;
  let end = 0;
  for await (const { text, endBytes } of piecesOf(file, charset)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    end = endBytes;
    for (const line of lines) {
      waiting.push(line);
      chars += line.length;
      if (chars < portionChars) continue;
      yield portion(waiting, endBytes - rest.length);
      waiting = [];
      chars = 0;
    }
  }
  if (rest !== '') waiting.push(rest);
  if (waiting.some((line) => line.trim() !== '')) yield portion(waiting, end);
}

/** Records of a CSV file in portions, each with the header that the columns stand for. */
export async function* recordPortions(
  file: Blob,
  columns: readonly Column[],
  separator: Separator,
  charset: Charset = 'utf-8',
): AsyncGenerator<Portion> {
  const reader = createRecordReader(separator);
  const { header, write } = createRecordWriter(columns, separator);
  let before = 0;
  let isHeader = true;
  let waiting: string[] = [];
  let chars = 0;
  let end = 0;
  const portion = (endBytes: number): Portion => {
    const [first, records] = [before, waiting];
    before += records.length;
    waiting = [];
    chars = 0;
    return {
      body: new Blob([`${[header, ...records].join('\n')}\n`]),
      contentType: 'text/csv',
      endBytes,
      lineOf: (line) => first + line,
      resultsFrom: (line) => records.length - Math.max(0, line - 2),
      textOf: (line) => records[line - 2] ?? '',
    };
  };
  const take = (record: RawRecord) => {
    // The service does not count empty lines.
    if (record.text === '') return;
    const text = write(record);
    waiting.push(text);
    chars += text.length;
  };
  for await (const { text, endBytes } of piecesOf(file, charset)) {
    end = endBytes;
    for (const record of reader.read(text, false)) {
      if (isHeader) isHeader = false;
      else take(record);
      if (chars >= portionChars) yield portion(endBytes);
    }
  }
  for (const record of reader.read('', true)) {
    if (isHeader) isHeader = false;
    else take(record);
  }
  if (waiting.length > 0) yield portion(end);
}
