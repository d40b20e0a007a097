import { ServiceError } from '../../contract/errors.ts';
import { createActions } from '../resource/actions/index.ts';
import { attemptInTurn, commitTogether } from '../resource/write/commit.ts';
import { changesIn, decideOperations, type Given, type OperationResult, type Rules } from './decide.ts';
import type { ImportLine, ImportOptions } from './import.ts';
import type { Rehearsal } from './rehearsal.ts';
import { createView } from './view.ts';

/** Characters of resources that a group may read and make; it then has fewer lines. */
const groupCharacters = 8 * 1024 * 1024;
/** A group is halved after this many lost races, so that each retry decides fewer lines again. */
const attemptsOfGroup = 3;
const attemptsOfLine = 100;

const noActions = createActions();

/** With what lines would have made, in a dry run. */
type LineOptions = ImportOptions & { readonly rehearsal?: Rehearsal | undefined };

type OnDecided = (results: readonly OperationResult[]) => void;

/** Commits lines that belong together: in fewer transactions than lines, and in more than one if need be. */
export async function commitLines(
  lines: readonly ImportLine[],
  options: LineOptions,
  onDecided: OnDecided,
): Promise<readonly OperationResult[]> {
  const results: OperationResult[] = [];
  while (results.length < lines.length) {
    const rest = lines.slice(results.length);
    const some = await commitSome(rest, options, onDecided);
    results.push(...some);
    if (options.stopOnError && some.some((result) => 'error' in result)) break;
  }
  return results;
}

/** Commits as many of the lines as one transaction takes. */
async function commitSome(
  lines: readonly ImportLine[],
  options: LineOptions,
  onDecided: OnDecided,
): Promise<readonly OperationResult[]> {
  const { rehearsal, store, projectKey, mode, dryRun, stopOnError } = options;
  const given = lines.map(({ draft }): Given => {
    if (draft instanceof ServiceError) return draft;
    return { kind: mode, draft: options.checksVersions ? draft : { ...draft, version: undefined } };
  });
  const rules: Rules = {
    projectKey,
    context: options.contextOf(),
    actions: noActions,
    gate: options.gate,
    isImport: true,
    stopsAtError: stopOnError,
    maxSize: groupCharacters,
  };
  const most = lines.length === 1 ? attemptsOfLine : attemptsOfGroup;
  const committed = await attemptInTurn(options, most, async () => {
    const results = await decideOperations(
      given,
      createView(rehearsal ?? store, projectKey, rehearsal ?? options.gate),
      rules,
    );
    onDecided(results);
    const contested = dryRun ? undefined : await commitTogether(options, changesIn(results));
    return contested === undefined ? { result: results } : { contested };
  });
  if (committed !== undefined) return committed;
  if (lines.length > 1) return commitSome(lines.slice(0, lines.length >> 1), options, onDecided);
  const problem = 'Too many writes of this resource at the same time; try again.';
  return [{ error: new ServiceError('OverCapacity', problem) }];
}
