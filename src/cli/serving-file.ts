import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/settings.ts';
import type { Serving } from '../workers/messages.ts';

/** Facts about the running service for commands, in `serving.json` of the data folder. */
const fileOf = ({ dataDir }: Config) => join(dataDir, 'serving.json');

/** Writes the file; returns a function that deletes it. The service does not depend on it. */
export function noteServing(config: Config, serving: Serving): () => void {
  const file = fileOf(config);
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(serving)}\n`);
    renameSync(`${file}.new`, file);
  } catch {
    // The disk may be full, for example. Only commands that need the issuer miss the file.
  }
  return () => {
    try {
      rmSync(file, { force: true });
    } catch {
      // The disk failed: the process is ending, and its exit code must say why.
    }
  };
}

/** The file of a running service, or of one that died without deleting it; undefined if it cannot be read. */
export function readServing(config: Config): Serving | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(config), 'utf8')) as Serving;
  } catch {
    return undefined;
  }
}
