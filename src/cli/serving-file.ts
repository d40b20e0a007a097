import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/settings.ts';

/** What a service that is running tells the commands beside it; in `serving.json` of the data folder while it runs. */
export interface Serving {
  readonly address: string;
  /** Issuer of the tokens that it accepts. */
  readonly issuer: string;
}

const fileOf = ({ dataDir }: Config) => join(dataDir, 'serving.json');

/** Notes the running service; returns what takes the note away. The service runs as well without it. */
export function noteServing(config: Config, serving: Serving): () => void {
  const file = fileOf(config);
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(serving)}\n`);
    renameSync(`${file}.new`, file);
  } catch {
    // A full disk, say: only commands that want to know the issuer miss it.
  }
  return () => rmSync(file, { force: true });
}

/** The note of a service that runs, or that died without taking it away; undefined where there is none to read. */
export function readServing(config: Config): Serving | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(config), 'utf8')) as Serving;
  } catch {
    return undefined;
  }
}
