import { ServiceError } from '../../contract/errors.ts';
import { createActions } from '../resource/actions/index.ts';
import { commitGroup, type Group } from './commit.ts';
import type { Given, OperationResult } from './decide.ts';
import type { ImportLine, ImportOptions } from './import.ts';

/** Characters of resources that a group may read and make; it then has fewer lines. */
const groupCharacters = 8 * 1024 * 1024;
/** A group is halved after this many lost races, so that each retry decides fewer lines again. */
const attemptsOfGroup = 3;
const attemptsOfLine = 100;

const noActions = createActions();

type OnDecided = (results: readonly OperationResult[]) => void;

/** Commits lines that belong together: in fewer transactions than lines, and in more than one if need be. */
export async function commitLines(
  lines: readonly ImportLine[],
  options: ImportOptions,
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
  options: ImportOptions,
  onDecided: OnDecided,
): Promise<readonly OperationResult[]> {
  const { store, projectKey, mode, dryRun, stopOnError } = options;
  const given = lines.map(({ draft }): Given => {
    if (draft instanceof ServiceError) return draft;
    return { kind: mode, draft: options.checksVersions ? draft : { ...draft, version: undefined } };
  });
  const group: Group = {
    store,
    projectKey,
    context: options.contextOf(),
    actions: noActions,
    isImport: true,
    writes: !dryRun,
    stopsAtError: stopOnError,
    maxSize: groupCharacters,
    maxAttempts: lines.length === 1 ? attemptsOfLine : attemptsOfGroup,
    onDecided(results) {
      onDecided(results);
      return undefined;
    },
  };
  const result = await commitGroup(given, group);
  if (typeof result !== 'string') return result;
  if (lines.length > 1) return commitSome(lines.slice(0, lines.length >> 1), options, onDecided);
  const problem = 'Too many writes of this resource at the same time; try again.';
  return [{ error: new ServiceError('OverCapacity', problem) }];
}
