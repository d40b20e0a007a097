import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Running } from '../../service.ts';
import type { SearchDocument } from '../corpus.ts';
import { languages } from '../vocabulary.ts';

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
function libraries(): string {
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

/** A file of documents as `LuceneServer` reads them. */
export interface DocumentFile {
  readonly path: string;
  add(document: SearchDocument): void;
  /** To be called behind the last one. */
  finish(): void;
}

const linesTogether = 1000;

/** Creates the file in a folder. */
export function createDocumentFile(folder: string): DocumentFile {
  const path = join(folder, 'documents.tsv');
  const file = openSync(path, 'w');
  let lines: string[] = [];
  const write = () => {
    writeSync(file, lines.join(''));
    lines = [];
  };
  return {
    path,
    add(document) {
      const { key, price, name, description, color, brand, series } = document;
      const texts = languages.flatMap((language) => [name[language], description[language]]);
      lines.push(`${[key, price, ...texts, color, brand, series, JSON.stringify(document)].join('\t')}\n`);
      if (lines.length === linesTogether) write();
    },
    finish() {
      write();
      closeSync(file);
    },
  };
}

/** Starts the server, which builds its index of a file first, and deletes the file. */
export async function startLucene(folder: string, documents: string): Promise<Running & { readonly buildMs: number }> {
  const path = libraries();
  const begun = performance.now();
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
  const { port, buildMs } = JSON.parse(said) as { readonly port: number; readonly buildMs: number };
  rmSync(documents);
  return { port, buildMs, process: child, startMs: performance.now() - begun, stop: () => stopped(child) };
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
