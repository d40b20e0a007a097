import { ConfigError } from '../config/parse.ts';
import { StoreRefused } from '../storage/engine.ts';

/** A command: its line in the overview, and what runs it. Loaded only when called, so that a start loads no more. */
interface Command {
  readonly summary: string;
  readonly load: () => Promise<(args: readonly string[]) => Promise<number> | number>;
}

const commands: ReadonlyMap<string, Command> = new Map([
  ['serve', { summary: 'Serve the API.', load: async () => (await import('./commands/serve.ts')).serve }],
  [
    'config',
    {
      summary: 'Show every setting with its value and meaning.',
      load: async () => (await import('./commands/config.ts')).showConfig,
    },
  ],
  [
    'client',
    { summary: 'Create, list and delete API clients.', load: async () => (await import('./with-store.ts')).client },
  ],
  ['token', { summary: 'Print an access token.', load: async () => (await import('./with-store.ts')).token }],
  [
    'migrate',
    {
      summary: 'Bring the database to this version, without serving.',
      load: async () => (await import('./commands/migrate.ts')).migrateCommand,
    },
  ],
  [
    'check',
    {
      summary: 'Check the whole database: structure, checksums, indexes.',
      load: async () => (await import('./commands/check.ts')).checkCommand,
    },
  ],
  [
    'export',
    {
      summary: 'Write a project into a file, to move it to another store.',
      load: async () => (await import('./commands/export.ts')).exportCommand,
    },
  ],
  [
    'import',
    {
      summary: 'Read a project from such a file.',
      load: async () => (await import('./commands/import.ts')).importCommand,
    },
  ],
  [
    'docs',
    {
      summary: 'Write the generated pages of docs/ (for contributors).',
      load: async () => (await import('./with-store.ts')).docs,
    },
  ],
]);

const width = Math.max(...[...commands.keys()].map((name) => name.length));

const overview = `Generic Resource Service: a self-hosted API for versioned JSON resources.

Usage:
  npm run grs -- <command> [options]      in a checkout; below, grs stands for “npm run grs --”
  npm start                               the same as grs serve

Commands:
${[...commands].map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`).join('\n')}

Settings are environment variables; “grs config --help” explains each. “grs <command> --help” explains a command.

Example: serve on port 9000, with the data in /srv/grs
  PORT=9000 DATA_DIR=/srv/grs npm start`;

/** Exit codes, after sysexits.h: invalid configuration, and a store, disk or port that cannot be used. */
const exitConfig = 78;
const exitFailure = 70;

/** What Node says of a server that cannot listen. */
interface ListenError extends NodeJS.ErrnoException {
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
}

function explain(error: unknown): number {
  if (error instanceof ConfigError) {
    console.error(`${error.message}\n\nSee “npm run grs -- config --help”.`);
    return exitConfig;
  }
  if (error instanceof StoreRefused) {
    console.error(`The store was not opened.\n\n${error.message}`);
    return exitFailure;
  }
  const { syscall, code, message, port, address, hostname } = (error ?? {}) as ListenError;
  if (code === 'EADDRINUSE' && port !== undefined) {
    // It may be free the next time, unlike a host that is not of this machine.
    console.error(`Port ${port} is in use. Stop the other process or set PORT.`);
    return exitFailure;
  }
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    const advice = code === 'EACCES' ? 'Set PORT to 1024 or more.' : 'Set HOST to an address of this machine.';
    console.error(`Cannot listen on ${hostname ?? address}: ${message}. ${advice}`);
    return exitConfig;
  }
  console.error(error);
  return exitFailure;
}

/** Runs the command line; answers the exit code. */
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
  const command = commands.get(name);
  if (!command) {
    console.error(`There is no command “${name}”. The commands are: ${[...commands.keys()].join(', ')}.`);
    return 2;
  }
  try {
    return await (await command.load())(rest);
  } catch (error) {
    return explain(error);
  }
}
