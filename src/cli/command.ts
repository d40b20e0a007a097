import { fileURLToPath } from 'node:url';
import { AdminFileError } from '../auth/admin.ts';
import { ConfigError } from '../config/parse.ts';
import { ServiceError } from '../contract/errors.ts';
import { StoreRefused } from '../record/engine.ts';

/** Exit codes, after sysexits.h: wrong arguments; a failed store, disk, port or process; an invalid configuration. */
const exitUsage = 2;
export const exitFailure = 70;
export const exitConfig = 78;

/** A command: its help text, and what runs it. `run` returns the exit code. */
export interface Command {
  readonly help: string;
  /** True: without arguments the command is refused. */
  readonly needsArguments?: boolean;
  readonly run: (args: readonly string[]) => Promise<number> | number;
}

/** Where a command writes its lines: standard output and standard error. */
export interface Terminal {
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

/** Wrong arguments. The message is shown with a hint at the help; without a message, the help follows. */
export class UsageError extends Error {}

/** True for an error of the store, which no other arguments would avoid. */
const isStoreError = (error: unknown): error is ServiceError => error instanceof ServiceError && error.status >= 500;

/** True for wrong arguments: found by us, by `parseArgs`, or by the rules of the service. */
function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof ServiceError) return true;
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}

/**
 * Runs a command, or shows its help. Returns the exit code: 2 after wrong arguments, 70 after an error of the store. Throws
 * any other error.
 */
export async function runCommand(
  name: string,
  { help, needsArguments = false, run }: Command,
  args: readonly string[],
  { print, printError }: Terminal,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    print(help);
    return 0;
  }
  // A script whose variables are empty must not take this for success, nor write the help into its file.
  if (needsArguments && args.length === 0) {
    printError(`${name}: arguments are missing.\n\n${help}`);
    return exitUsage;
  }
  try {
    return await run(args);
  } catch (error) {
    if (isStoreError(error)) {
      printError(`${name}: ${error.message}`);
      return exitFailure;
    }
    if (!isUsageError(error)) throw error;
    if (error.message === '') printError(`${name}: unknown arguments: ${args.join(' ')}\n\n${help}`);
    else printError(`${name}: ${error.message}\nSee npx ${name} --help`);
    return exitUsage;
  }
}

/** Error codes of Node for a server that cannot listen. */
interface ListenError extends NodeJS.ErrnoException {
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
}

/** The folder of the checkout or the package. */
const installation = fileURLToPath(new URL('../..', import.meta.url));

/** Found by the system, or by SQLite, in whose words it is. */
export function isFullDisk(error: unknown): boolean {
  const { code = '', message } = (error ?? {}) as NodeJS.ErrnoException;
  return ['ENOSPC', 'EDQUOT'].includes(code) || message === 'database or disk is full';
}

/** A file or folder that the user may not use, or on a read-only file system, in a sentence that says what to do. */
function fileProblem(error: unknown): string | undefined {
  const { code = '', path, message = '' } = (error ?? {}) as NodeJS.ErrnoException;
  const remedy = 'Give the files of DATA_DIR to the user that runs this (chown -R), or run it as their owner.';
  if (['EACCES', 'EPERM'].includes(code) && path !== undefined) return `This user may not use ${path}. ${remedy}`;
  if (code === 'EROFS')
    return `${path ?? 'A file'} is on a read-only file system. Mount it writable, or copy the data to a disk that can be written.`;
  // The words of SQLite.
  if (message === 'attempt to write a readonly database' || message === 'unable to open database file')
    return `The database cannot be opened for writing (${message}): its file or folder is not writable. ${remedy}`;
  return undefined;
}

/** The name of a package that the service itself imports and that is not installed. */
function missingPackage(error: unknown): string | undefined {
  const { code, message = '' } = (error ?? {}) as NodeJS.ErrnoException;
  const [, name, importer = ''] = /^Cannot find package '([^']+)' imported from (.+)$/.exec(message) ?? [];
  return code === 'ERR_MODULE_NOT_FOUND' && importer.startsWith(installation) ? name : undefined;
}

/** Ends a start that the store fails, and says why. */
export function failStart(message: string): never {
  console.error(`The service cannot start: ${message}`);
  process.exit(exitFailure);
}

/** Explains an error on standard error and returns the exit code. */
export function explain(error: unknown): number {
  if (error instanceof ConfigError) {
    console.error(`${error.message}\n\nSee “npx grs config --help”.`);
    return exitConfig;
  }
  if (isFullDisk(error)) {
    console.error('The disk of DATA_DIR is full. Make room, or set DATA_DIR to a folder on another disk.');
    return exitFailure;
  }
  if (error instanceof AdminFileError) {
    console.error(error.message);
    return exitFailure;
  }
  const refusedFile = fileProblem(error);
  if (refusedFile !== undefined) {
    console.error(refusedFile);
    return exitFailure;
  }
  const missing = missingPackage(error);
  if (missing !== undefined) {
    console.error(`The package ${missing} is not installed. Run “npm ci” in ${installation}`);
    return exitFailure;
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
