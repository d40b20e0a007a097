import { parseArgs } from 'node:util';
import { locateStore } from '../../configured-store.ts';
import type { CheckPart } from '../../storage/engine.ts';
import { UsageError } from '../command.ts';
import { createProgress, type Progress } from '../progress.ts';
import { readConfig } from '../store.ts';

export const help = `Check the whole database: its structure, the checksums of all resources, API clients, signing keys, revocations and
kept responses, and that the indexes agree with the resources. Changes nothing, and may run beside the service.

Usage:
  npx grs check                    exit code 0 if all is well, 1 if something was found
  npx grs check --rebuild-indexes  rebuilds the indexes from the resources (stop a service on the embedded database first)
  npx grs check --project <key>    only the resources of one project and their indexes (PostgreSQL)
  npx grs check --from <place>     only resources from a project on, or behind <project>/<id>, in their order (PostgreSQL)

A check that ends early says from where it can be continued. The rows beside resources are checked where neither
--project nor --from is given.

Example: check the data in /srv/grs
  DATA_DIR=/srv/grs npx grs check

It checks about 20,000 resources a second, on PostgreSQL about 5,000.`;

const options = {
  'rebuild-indexes': { type: 'boolean', default: false },
  project: { type: 'string' },
  from: { type: 'string' },
} as const;

interface Steps {
  readonly show: (label: string, done: number, total: number, at?: string) => void;
  /** Where the check can be continued, as far as it got. */
  readonly at: () => string | undefined;
}

/** Shows the progress of each step on a line of its own. */
function showSteps(): Steps {
  let shown: { readonly label: string; readonly progress: Progress } | undefined;
  let place: string | undefined;
  return {
    at: () => place,
    show(label, done, total, at) {
      place = at;
      if (shown?.label !== label) {
        shown?.progress.end();
        shown = { label, progress: createProgress({ label, stream: process.stderr, nowMs: Date.now }) };
      }
      shown.progress.update(done, total === 0 ? undefined : done / total);
      if (done === total) shown.progress.end();
    },
  };
}

function partOf(project: string | undefined, from: string | undefined): CheckPart | undefined {
  if (project !== undefined && from !== undefined) throw new UsageError('--project and --from exclude each other');
  if (project !== undefined) return { project };
  return from === undefined ? undefined : { from };
}

/** Says on standard error where to continue, if the check ends before its end. */
async function resumable<T>(at: () => string | undefined, work: () => Promise<T>): Promise<T> {
  const say = () => {
    const place = at();
    if (place !== undefined) console.error(`\nThe check has not ended. Continue it with the option --from=${place}`);
  };
  const onSignal = () => {
    say();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  try {
    return await work();
  } catch (error) {
    say();
    throw error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  }
}

/** Runs `grs check`. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  const part = partOf(values.project, values.from);
  const { address, engine } = locateStore(readConfig());
  if (part !== undefined && !engine.checksParts) {
    throw new UsageError(`A store on ${engine.name} is checked as a whole: leave out --project and --from`);
  }
  if (part !== undefined && values['rebuild-indexes']) {
    throw new UsageError('--rebuild-indexes is for all projects: leave out --project and --from');
  }
  const { show, at } = showSteps();
  const findings = await resumable(at, () => engine.check(address, values['rebuild-indexes'], show, part));
  for (const finding of findings) console.log(`FOUND  ${finding}`);
  console.log(
    findings.length === 0
      ? 'All is well.'
      : `${findings.length} finding(s). Keep this output and a copy of the data folder.`,
  );
  return findings.length === 0 ? 0 : 1;
}
