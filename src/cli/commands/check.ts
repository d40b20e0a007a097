import { locateStore } from '../../configured-store.ts';
import { UsageError } from '../command.ts';
import { createProgress, type Progress } from '../progress.ts';
import { readConfig } from '../store.ts';

export const help = `Check the whole database: its structure, the checksums of all resources, API clients, signing keys, revocations and
kept responses, and that the indexes agree with the resources. Changes nothing, and may run beside the service.

Usage:
  grs check                    exit code 0 if all is well, 1 if something was found
  grs check --rebuild-indexes  rebuilds the indexes from the resources (stop a service on the embedded database first)

Example: check the data in /srv/grs
  DATA_DIR=/srv/grs grs check

It checks about 20,000 resources a second, on PostgreSQL about 5,000.`;

/** Shows the progress of each step on a line of its own. */
function showSteps(): (label: string, done: number, total: number) => void {
  let shown: { readonly label: string; readonly progress: Progress } | undefined;
  return (label, done, total) => {
    if (shown?.label !== label) {
      shown?.progress.end();
      shown = { label, progress: createProgress({ label, stream: process.stderr, nowMs: Date.now }) };
    }
    shown.progress.update(done, total === 0 ? 1 : done / total);
    if (done === total) shown.progress.end();
  };
}

/** Runs `grs check`. */
export async function run(args: readonly string[]): Promise<number> {
  const rebuild = args.length === 1 && args[0] === '--rebuild-indexes';
  if (args.length > 0 && !rebuild) throw new UsageError();
  const { address, engine } = locateStore(readConfig());
  const findings = await engine.check(address, rebuild, showSteps());
  for (const finding of findings) console.log(`FOUND  ${finding}`);
  console.log(
    findings.length === 0
      ? 'All is well.'
      : `${findings.length} finding(s). Keep this output and a copy of the data folder.`,
  );
  return findings.length === 0 ? 0 : 1;
}
