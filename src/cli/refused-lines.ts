import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** A file that was imported. */
export interface ImportedFile {
  readonly file: string;
  readonly isCsv: boolean;
  readonly isCompressed: boolean;
}

/** Copies the lines with these numbers, ascending, as they are; of a CSV the header as well. */
export async function copyLines(source: ImportedFile, numbers: readonly number[], target: string): Promise<void> {
  await pipeline(Readable.from(chosen(source, numbers)), createWriteStream(target, { mode: 0o600 }));
}

async function* chosen(source: ImportedFile, numbers: readonly number[]): AsyncGenerator<string> {
  let [number, at] = [0, 0];
  for await (const line of source.isCsv ? recordsOf(linesOf(source)) : linesOf(source)) {
    number += 1;
    const isHeader = source.isCsv && number === 1;
    if (number === numbers[at]) at += 1;
    else if (!isHeader) continue;
    yield `${line}\n`;
    if (at === numbers.length) return;
  }
}

function linesOf({ file, isCompressed }: ImportedFile): AsyncIterable<string> {
  const bytes = createReadStream(file);
  const input = isCompressed ? bytes.pipe(createGunzip()) : bytes;
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

/** Records as an import counts them: one that is in quotes goes on in the next line, and an empty line is none. */
async function* recordsOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let record: string | undefined;
  for await (const line of lines) {
    if (record === undefined && line === '') continue;
    record = record === undefined ? line : `${record}\n${line}`;
    if (record.split('"').length % 2 === 0) continue;
    yield record;
    record = undefined;
  }
}
