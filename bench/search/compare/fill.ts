import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importLines } from '../../import-lines.ts';
import { cpuSeconds, type Running } from '../../service.ts';
import type { Corpus } from '../corpus.ts';
import type { Target } from '../requests.ts';
import { say } from '../stage.ts';
import { comparedDocument } from './questions.ts';

/** The contents of a folder. */
export interface Filling {
  readonly folder: string;
  readonly corpus: Corpus;
  readonly count: number;
}

/** The description that a folder holds of itself. */
interface Note {
  /** Of the first documents. */
  readonly hash: string;
  readonly count: number;
  /** Those that the service has for sure. */
  readonly filled: number;
}

/** Documents of an import: what is sent again after an interruption. */
const portion = 20_000;
const hashed = 100;

function hashOf(corpus: Corpus): string {
  const hash = createHash('sha256');
  for (let n = 0; n < hashed; n += 1) hash.update(JSON.stringify(comparedDocument(corpus, n)));
  return hash.digest('hex');
}

function readNote(file: string, fresh: Note): Note {
  if (!existsSync(file)) return fresh;
  const note = JSON.parse(readFileSync(file, 'utf8')) as Note;
  if (note.count !== fresh.count) throw new Error(`The folder is one of ${note.count} documents.`);
  if (note.hash !== fresh.hash)
    throw new Error('The folder was filled with other documents than those of this version.');
  return note;
}

/** Imports the documents from a number to below `count`, in portions, and tells after each how many there are. */
export async function importDocuments(
  service: Running,
  target: Target,
  { corpus, from, count }: { readonly corpus: Corpus; readonly from: number; readonly count: number },
  onPortion: (filled: number) => void = () => {},
): Promise<void> {
  const begun = performance.now();
  for (let first = from; first < count; first += portion) {
    const some = Math.min(portion, count - first);
    await importLines(service, target, (n) => comparedDocument(corpus, first + n), some);
    onPortion(first + some);
    say(`  filling: ${first + some} of ${count} in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }
}

/** Imports the documents that the service of the folder does not have yet. */
export async function fillService(service: Running, target: Target, { folder, corpus, count }: Filling): Promise<void> {
  const file = join(folder, 'filled.json');
  const note = readNote(file, { hash: hashOf(corpus), count, filled: 0 });
  await importDocuments(service, target, { corpus, from: note.filled, count }, (filled) => {
    writeFileSync(`${file}.half`, JSON.stringify({ ...note, filled }));
    renameSync(`${file}.half`, file);
  });
}

const lookEveryMs = 500;
const quietMs = 4000;
const busyShare = 0.1;
const patienceMs = 600_000;

/** Waits until a service has nothing to do any more: it merges its index when it has had no command for two seconds. */
export async function rest(service: Running): Promise<void> {
  const begun = performance.now();
  let quietSince = begun;
  for (let before = cpuSeconds(service); performance.now() - quietSince < quietMs; ) {
    if (performance.now() - begun > patienceMs) throw new Error('The service does not come to rest.');
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    const now = cpuSeconds(service);
    if (now - before > (busyShare * lookEveryMs) / 1000) quietSince = performance.now();
    before = now;
  }
  say(`  the service is at rest after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}
