import { ConfigError } from '../config.ts';

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

/** Exit codes, after sysexits.h: settings that are not usable, and a store or disk that is not. */
const exitConfig = 78;
const exitStore = 70;

function explain(error: unknown): number {
  if (error instanceof ConfigError) {
    console.error(`${error.message}\n\nSee “npm run grs -- config --help”.`);
    return exitConfig;
  }
  if (error instanceof Error && error.name === 'StoreRefused') {
    console.error(`The store was not opened.\n\n${error.message}`);
    return exitStore;
  }
  const { syscall, code, message } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    console.error(`The service cannot listen where HOST and PORT say: ${message}.`);
    // A port that is taken may be free the next time; an address that is none of this machine stays so.
    return code === 'EADDRINUSE' ? exitStore : exitConfig;
  }
  console.error(error);
  return exitStore;
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
