import { type Command, explain, runCommand } from './command.ts';

/** Every command with its summary. A command is loaded only when it is called, so that a start loads no more. */
const commands: ReadonlyMap<string, readonly [summary: string, load: () => Promise<Command>]> = new Map([
  ['serve', ['Serve the API.', () => import('./commands/serve.ts')]],
  ['config', ['Show every setting with its value and meaning.', () => import('./commands/config.ts')]],
  ['client', ['Create, list and delete API clients.', () => import('./commands/client.ts')]],
  ['token', ['Print an access token.', () => import('./commands/token.ts')]],
  ['doctor', ['Look for what would keep the service from starting.', () => import('./commands/doctor.ts')]],
  ['migrate', ['Migrate the database to this version, without serving.', () => import('./commands/migrate.ts')]],
  ['check', ['Check the whole database: structure, checksums, indexes.', () => import('./commands/check.ts')]],
  ['backup', ['Copy the data folder, also while the service runs.', () => import('./commands/backup.ts')]],
  ['mirror', ['Start with the mirror of another machine, on PostgreSQL.', () => import('./commands/mirror.ts')]],
  ['compact', ['Give the space of deleted resources back to the disk.', () => import('./commands/compact.ts')]],
  ['import', ['Import resources into a running service, from NDJSON or CSV.', () => import('./commands/import.ts')]],
  ['export', ['Export resources from a running service.', () => import('./commands/export.ts')]],
  ['types', ['Write the types of a project as TypeScript.', () => import('./commands/types.ts')]],
  ['project', ['Move a whole project from one store to another.', () => import('./commands/project/project.ts')]],
  [
    'conformance',
    ['Check any implementation of the interface from outside.', () => import('./commands/conformance.ts')],
  ],
  [
    'events',
    ['Follow the changes of a project, and forward them to a receiver.', () => import('./commands/events.ts')],
  ],
]);

const subcommands = new Map<string, () => Promise<Command>>([
  ['project move-out', () => import('./commands/project/move-out.ts')],
  ['project move-in', () => import('./commands/project/move-in.ts')],
]);

const width = Math.max(...[...commands.keys()].map((name) => name.length));

const overview = `Generic Resource Service: a self-hosted API for versioned JSON resources.

Usage:
  npx grs <command> [options]
  npm start                    the same as npx grs serve

Commands:
${[...commands].map(([name, [summary]]) => `  ${name.padEnd(width)}  ${summary}`).join('\n')}

Settings are environment variables; “npx grs config --help” explains each. “npx grs <command> --help” explains a command.

Exit codes of all commands: 0 done, 1 something was found, refused or could not be written, 2 wrong arguments, 70 the store,
the disk or the port failed, 78 a setting is invalid.

Example: serve on port 9000, with the data in /srv/grs
  PORT=9000 DATA_DIR=/srv/grs npm start`;

/** Runs the command line. Returns the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    console.log(overview);
    return 0;
  }
  if (name === '--version') {
    console.log((await import('../version.ts')).version);
    return 0;
  }
  const [, load] = commands.get(name) ?? [];
  if (!load) {
    console.error(`Unknown command “${name}”. The commands are: ${[...commands.keys()].join(', ')}.`);
    return 2;
  }
  try {
    const terminal = { print: console.log, printError: console.error };
    const [second, ...others] = rest;
    const sub = `${name} ${second}`;
    const loadSub = subcommands.get(sub);
    if (loadSub) return await runCommand(`grs ${sub}`, await loadSub(), others, terminal);
    return await runCommand(`grs ${name}`, await load(), rest, terminal);
  } catch (error) {
    return explain(error);
  }
}
