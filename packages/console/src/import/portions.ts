import { type Charset, piecesOf } from './charset.ts';
import { type Column, createRecordReader, createRecordWriter, type Separator } from './csv.ts';

/** A part of a file that is sent as one request. */
export interface Portion {
  readonly body: Blob;
  /** What is between the cells of CSV; undefined for lines of JSON. */
  readonly delimiter: Separator | undefined;
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

/** Lines as the service gets them, and the bytes of the file that have been read for them. */
type Lines = AsyncIterable<{ readonly lines: readonly string[]; readonly endBytes: number }>;

interface Csv {
  readonly header: string;
  readonly separator: Separator;
}

/** Puts lines into portions, those of CSV each below the header. */
async function* portionsOf(pieces: Lines, csv?: Csv): AsyncGenerator<Portion> {
  const head = csv ? [csv.header] : [];
  let before = 0;
  let waiting: string[] = [];
  let chars = 0;
  let end = 0;
  const isCounted = (line: string) => csv !== undefined || !/^[ \t]*\r?$/.test(line);
  const portion = (): Portion => {
    const first = before;
    const all = [...head, ...waiting];
    before += waiting.length;
    [waiting, chars] = [[], 0];
    return {
      body: new Blob([`${all.join('\n')}\n`]),
      delimiter: csv?.separator,
      endBytes: end,
      lineOf: (line) => first + line,
      resultsFrom: (line) => all.slice(Math.max(line - 1, head.length)).filter(isCounted).length,
      textOf: (line) => all[line - 1] ?? '',
    };
  };
  for await (const { lines, endBytes } of pieces) {
    end = endBytes;
    for (const line of lines) {
      waiting.push(line);
      chars += line.length;
      if (chars >= portionChars) yield portion();
    }
  }
  if (waiting.some(isCounted)) yield portion();
}

/** Lines of JSON in portions. */
export async function* linePortions(file: Blob, charset: Charset = 'utf-8'): AsyncGenerator<Portion> {
  let rest = '';
  async function* read(): Lines {
    for await (const { text, endBytes, isEnd } of piecesOf(file, charset)) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      yield { lines: isEnd && rest !== '' ? [...lines, rest] : lines, endBytes };
    }
  }
  yield* portionsOf(read());
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
  let headers = 1;
  async function* read(): Lines {
    for await (const { text, endBytes, isEnd } of piecesOf(file, charset)) {
      const records = reader.read(text, isEnd);
      const own = records.slice(headers);
      headers = Math.max(0, headers - records.length);
      // The service does not count empty lines.
      yield { lines: own.filter((record) => record.text !== '').map(write), endBytes };
    }
  }
  yield* portionsOf(read(), { header, separator });
}
