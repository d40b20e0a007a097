import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';

/** What a service that is running tells the commands beside it; in `serving.json` of the data folder while it runs. */
export interface Serving {
  readonly address: string;
  /** Issuer of the tokens that it accepts. */
  readonly issuer: string;
}

const fileOf = ({ dataDir }: Config) => join(dataDir, 'serving.json');

/** Notes the running service; returns what takes the note away. */
export function noteServing(config: Config, serving: Serving): () => void {
  writeFileSync(fileOf(config), `${JSON.stringify(serving)}\n`);
  return () => rmSync(fileOf(config), { force: true });
}

/** The note of a service that runs, or that died without taking it away; undefined where there is none. */
export function readServing(config: Config): Serving | undefined {
  const file = fileOf(config);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Serving) : undefined;
}
