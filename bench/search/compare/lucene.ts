import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Running } from '../../service.ts';
import type { Corpus } from '../corpus.ts';
import { languages } from '../vocabulary.ts';
import { comparedDocument } from './questions.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const pom = join(here, 'pom.xml');
const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';

/** Why Lucene cannot be measured here; undefined if it can. */
export function missingForLucene(): string | undefined {
  const isThere = (command: string, argument: string) => spawnSync(command, [argument]).status === 0;
  if (!isThere('java', '-version')) return 'there is no Java on this machine';
  return isThere('mvn', '-version') ? undefined : 'there is no Maven on this machine';
}

/** The folder with the libraries, which Maven fills once: outside the project. */
export function libraries(): string {
  const hash = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `grs-bench-lucene-${hash}`);
  if (existsSync(folder)) return folder;
  const half = `${folder}.${process.pid}`;
  mkdirSync(half, { recursive: true });
  execFileSync('mvn', ['-q', '-B', '-f', pom, copy, `-DoutputDirectory=${half}`], { stdio: 'inherit' });
  try {
    renameSync(half, folder);
  } catch {
    // Another run was faster.
    rmSync(half, { recursive: true, force: true });
  }
  return folder;
}

const linesTogether = 1000;

function lineOf(corpus: Corpus, n: number): string {
  const document = comparedDocument(corpus, n);
  const { key, price, name, description, color, brand, series } = document;
  const texts = languages.flatMap((language) => [name[language], description[language]]);
  return `${[key, price, ...texts, color, brand, series, JSON.stringify(document)].join('\t')}\n`;
}

function writeDocuments(path: string, corpus: Corpus, count: number): void {
  const file = openSync(path, 'w');
  for (let from = 0; from < count; from += linesTogether) {
    const some = Math.min(linesTogether, count - from);
    writeSync(file, Array.from({ length: some }, (_, at) => lineOf(corpus, from + at)).join(''));
  }
  closeSync(file);
}

/** Starts the server, which first indexes the documents where the folder has no index of them. */
export async function startLucene(folder: string, corpus: Corpus, count: number): Promise<Running> {
  const path = libraries();
  const begun = performance.now();
  const [documents, complete] = [join(folder, 'documents.tsv'), join(folder, 'lucene-complete')];
  if (!existsSync(complete)) writeDocuments(documents, corpus, count);
  const options = [
    '-Xmx4g',
    '-Dsun.net.httpserver.nodelay=true',
    '-Dsun.net.httpserver.idleInterval=3600',
    '-cp',
    join(path, '*'),
  ];
  const child = spawn('java', [...options, join(here, 'LuceneServer.java'), documents, join(folder, 'lucene')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said = await firstLine(child);
  const { port } = JSON.parse(said) as { readonly port: number };
  writeFileSync(complete, '');
  rmSync(documents, { force: true });
  return { port, process: child, startMs: performance.now() - begun, stop: () => stopped(child) };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`Lucene ended with exit code ${code} before it listened.`)));
  });
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
