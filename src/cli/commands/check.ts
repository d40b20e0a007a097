import { processEnvironment } from '../../config/environment.ts';
import { parseConfig } from '../../config/parse.ts';
import { locateStore } from '../../configured-store.ts';

const checkHelp = `Check the whole database: its structure, the checksum of every resource, and that the indexes say what the
resources say. Changes nothing, and may run beside the service.

Usage:
  grs check                    exit code 0 where all is well, 1 where something was found
  grs check --rebuild-indexes  makes the indexes anew from the resources (stop the service first)

Example: check the data in /srv/grs
  DATA_DIR=/srv/grs grs check

About 20,000 resources a second are checked.`;

/** Shows how far a long work is: one line that is written over on a terminal, one line per tenth elsewhere. */
function createProgress(): (label: string, done: number, total: number) => void {
  let tenth = -1;
  return (label, done, total) => {
    const share = total === 0 ? 1 : done / total;
    const text = `${label}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} (${Math.floor(share * 100)} %)`;
    if (process.stderr.isTTY) process.stderr.write(`\r${text}${done === total ? '\n' : ''}`);
    else if (Math.floor(share * 10) !== tenth) process.stderr.write(`${text}\n`);
    tenth = Math.floor(share * 10);
  };
}

/** Runs `grs check`. */
export async function checkCommand(args: readonly string[]): Promise<number> {
  const rebuild = args.length === 1 && args[0] === '--rebuild-indexes';
  if (args.length > 0 && !rebuild) {
    console.log(checkHelp);
    return args[0] === '--help' || args[0] === '-h' ? 0 : 2;
  }
  const { address, engine } = locateStore(parseConfig(processEnvironment()));
  const findings = await engine.check(address, rebuild, createProgress());
  for (const finding of findings) console.log(`FOUND  ${finding}`);
  console.log(
    findings.length === 0
      ? 'All is well.'
      : `${findings.length} finding(s). Keep this output and a copy of the data folder.`,
  );
  return findings.length === 0 ? 0 : 1;
}
