import { parseArgs } from 'node:util';
import { locateStore } from '../../configured-store.ts';
import type { CheckPart } from '../../record/engine.ts';
import { UsageError } from '../command.ts';
import { createProgress, type Progress } from '../progress.ts';
import { readConfig } from '../store.ts';

export const help = `Check the whole database: its structure, the checksums of all resources, subscriptions, settings, changes, API clients,
signing keys, revocations and kept responses, and that the indexes agree with the resources. With PostgreSQL the indexes are in
the mirror of each machine, and are not checked. Changes nothing, and may run beside the service.

Usage:
  npx grs check                    exit code 0 if all is well, 1 if something was found
  npx grs check --rebuild-indexes  rebuilds the indexes from the resources (embedded database; stop the service first)
  npx grs check --jobs <n>         checks in <n> threads, by default one per core (embedded database)
  npx grs check --project <key>    only the resources of one project and its log (PostgreSQL)
  npx grs check --from <place>     only what follows a place, which a check that ends early prints (PostgreSQL):
                                   <project>, <project>/<id>, or log:<project>/<sequence>

What is found is printed at once. API clients, keys, revocations and responses are checked first, and not where --project
or --from is given; then the resources, project by project, then the logs of changes.

Example: check the data in /srv/grs
  DATA_DIR=/srv/grs npx grs check

How long it takes is a question of processor time: docs/operating.md has figures.`;

const options = {
  'rebuild-indexes': { type: 'boolean', default: false },
  jobs: { type: 'string' },
  project: { type: 'string' },
  from: { type: 'string' },
} as const;

/** Shows the progress of each step on a line of its own. */
function showSteps() {
  let shown: { readonly label: string; readonly progress: Progress } | undefined;
  let place: string | undefined;
  return {
    /** Where the check can be continued, as far as it got. */
    at: () => place,
    /** Removes the line of the current step. */
    clear: () => shown?.progress.clear(),
    show(label: string, done: number, total: number, at?: string): void {
      place = at;
      if (shown?.label !== label) {
        shown?.progress.end();
        shown = { label, progress: createProgress(label) };
      }
      shown.progress.update(done, total === 0 ? undefined : done / total);
      if (done === total) shown.progress.end();
    },
  };
}

const placeForm = /^(?:[^/:]*|[^/:]+\/.*|log:[^/:]*|log:[^/:]+\/\d{1,16})$/s;

function partOf(project: string | undefined, from: string | undefined): CheckPart | undefined {
  if (project !== undefined && from !== undefined) throw new UsageError('--project and --from exclude each other');
  if (project !== undefined) return { project };
  if (from === undefined) return undefined;
  if (!placeForm.test(from)) throw new UsageError(`--from: expected a place as a check prints it, not “${from}”`);
  return { from };
}

const maxJobs = 64;

function jobsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const jobs = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (jobs < 1 || jobs > maxJobs) throw new UsageError(`--jobs: expected 1 to ${maxJobs}, not “${text}”`);
  return jobs;
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return /^[\w./:~@%+-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Says on standard error where to continue, if the check ends before its end. */
async function resumable<T>(at: () => string | undefined, work: () => Promise<T>): Promise<T> {
  const say = () => {
    const place = at();
    if (place === undefined) return;
    console.error(`\nThe check has not ended. Continue it with the option --from=${quoted(place)}`);
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
  const { show, clear, at } = showSteps();
  const jobs = jobsOf(values.jobs);
  const onFinding = (finding: string) => {
    clear();
    console.log(`FOUND  ${finding}`);
  };
  const findings = await resumable(at, () =>
    engine.check(address, values['rebuild-indexes'], show, { part, jobs, onFinding }),
  );
  console.log(
    findings.length === 0
      ? 'All is well.'
      : `${findings.length} finding(s). Keep this output and a copy of the data folder.`,
  );
  return findings.length === 0 ? 0 : 1;
}
