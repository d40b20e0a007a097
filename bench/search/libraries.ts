import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LibraryFigures, LibraryTrial } from './report.ts';
import { say } from './stage.ts';

const entry = fileURLToPath(new URL('./library-process.ts', import.meta.url));

/** Runs one task of a library in a process of its own; undefined where that fails, as for want of memory. */
async function runTask(task: string, name: string, args: readonly string[]): Promise<object | undefined> {
  const child = spawn(process.execPath, ['--expose-gc', entry, task, name, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code === 0) return JSON.parse(output) as object;
  say(`  ${name}: ended with exit code ${code}`);
  return undefined;
}

export interface LibraryOptions {
  readonly resources: number;
  readonly offset: number;
  readonly trialMs: number;
  /** Where indexes are stored between the two processes of a library. */
  readonly folder: string;
}

/** Builds, asks and restarts each library on the documents of the bench, one after the other. */
export async function measureLibraries(options: LibraryOptions): Promise<readonly LibraryFigures[]> {
  const { resources, offset, trialMs, folder } = options;
  const figures: LibraryFigures[] = [];
  for (const name of ['MiniSearch', 'Orama']) {
    const args = [String(resources), String(offset), String(trialMs), join(folder, `${name}.json`)];
    const built = await runTask('build', name, args);
    const restarted = built && (await runTask('restart', name, args));
    if (!restarted) continue;
    const { trials, ...others } = { ...built, ...restarted } as Omit<LibraryFigures, 'trials'> & {
      readonly trials: readonly (readonly [string, LibraryTrial])[];
    };
    figures.push({ ...others, name, trials: new Map(trials) });
    say(`  ${name}: built in ${(others.buildMs / 1000).toFixed(1)} s, RSS ${others.rssMb} MB`);
  }
  return figures;
}
