import { ServiceError } from '../contract/errors.ts';

/** Wrong arguments: the message is shown with the way to the help. */
export class UsageError extends Error {}

/** True for mistakes in the arguments: ours, those that `parseArgs` finds, and refusals of the service's own rules. */
function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof ServiceError) return true;
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}

/** Runs a command; answers its exit code: 0, or 2 after wrong arguments. Anything else that is thrown goes on. */
export async function answerUsage(
  command: string,
  printError: (line: string) => void,
  run: () => Promise<void>,
): Promise<number> {
  try {
    await run();
    return 0;
  } catch (error) {
    if (!isUsageError(error)) throw error;
    printError(`${command}: ${error.message}`);
    printError(`See ${command} --help`);
    return 2;
  }
}
