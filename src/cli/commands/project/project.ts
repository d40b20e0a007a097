import { type Command, UsageError } from '../../command.ts';

export const help = `Move a project from one store to another: with all versions, times and history, and without a running service.

Usage:
  npx grs project move-out --project <key> --out <file>
  npx grs project move-in --project <key> --in <file>

Example: what each of them does, and its options
  npx grs project move-out --help
  npx grs project move-in --help

To load resources into a running service, or to get them from it, use “npx grs import --url” and “npx grs export --url”.`;

export const needsArguments = true;

const commands: ReadonlyMap<string, () => Promise<Command>> = new Map<string, () => Promise<Command>>([
  ['move-out', () => import('./move-out.ts')],
  ['move-in', () => import('./move-in.ts')],
]);

/** The command behind `grs project`, for its own help. */
export async function subcommand(name: string | undefined): Promise<Command | undefined> {
  return commands.get(name ?? '')?.();
}

/** Runs `grs project`. */
export async function run([name, ...args]: readonly string[]): Promise<number> {
  const command = await subcommand(name);
  if (command === undefined) throw new UsageError(`${name}: expected move-out or move-in`);
  return command.run(args);
}
