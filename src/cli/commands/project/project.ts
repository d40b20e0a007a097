import { UsageError } from '../../command.ts';

export const help = `Move a project from one store to another: with all versions, times and history, and without a running service.

Usage:
  npx grs project move-out --project <key> --out <file>
  npx grs project move-in --project <key> --in <file>

Example: what each of them does, and its options
  npx grs project move-out --help
  npx grs project move-in --help

To load resources into a running service, or to get them from it, use “npx grs import --url” and “npx grs export --url”.`;

export const needsArguments = true;

/** Runs `grs project` without one of its commands. */
export function run([name]: readonly string[]): never {
  throw new UsageError(`${name}: expected move-out or move-in`);
}
