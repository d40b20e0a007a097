import { type Attempt, answerOf, canonical, isAcknowledged, type ReadAttempt, type Recorded } from '../record.ts';
import { mayMeet, type State, settle, stateOfDocument, statesMet, type Timeline, timelinesOf } from '../timeline.ts';
import type { Fields } from '../write.ts';

/** The resources of an answer. */
function resultsOf(attempt: ReadAttempt, text: string): readonly Fields[] {
  if (attempt.read.kind !== 'many' || attempt.read.by === 'exists') return [];
  if (attempt.read.by !== 'export') return JSON.parse(text).results as readonly Fields[];
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** True where a state answers to the condition of a read. */
function isSought({ version, data }: State, group: string | undefined): boolean | undefined {
  if (version === 0) return false;
  return group === undefined ? true : data && data.current.group === group;
}

/**
 * Lists, searches, exports and existence checks show each resource as it was at some time during the request, and leave
 * out none that they would have had to show all that time.
 */
export function findMany(recorded: Recorded): readonly string[] {
  const timelines = [...timelinesOf(recorded).values()];
  for (const timeline of timelines) settle(timeline);
  const projects = Map.groupBy(timelines, ({ project }) => project);
  return recorded.reads.flatMap((attempt) => {
    const { read } = attempt;
    const answer = answerOf(attempt);
    if (read.kind !== 'many' || !answer) return [];
    const those = projects.get(attempt.project) ?? [];
    if (read.by === 'exists') return exists(attempt, answer.status, read.group, those);
    if (!isAcknowledged(attempt)) return [];
    const results = new Map(resultsOf(attempt, answer.text).map((document) => [String(document.id), document]));
    const title = `${read.by} of ${read.group ?? 'all'} in ${attempt.project}`;
    const violations = those.flatMap((timeline) =>
      inOne(title, attempt, timeline, results.get(timeline.id), read.group),
    );
    if (read.by === 'list' || read.by === 'search') violations.push(...counted(title, answer.text));
    if (read.by !== 'export') violations.push(...findHalves(title, attempt, those, results));
    return violations;
  });
}

function counted(title: string, text: string): readonly string[] {
  const { total, results } = JSON.parse(text) as { readonly total?: number; readonly results: readonly Fields[] };
  return total === results.length ? [] : [`total: ${title} has ${results.length} results and a total of ${total}`];
}

function inOne(
  title: string,
  attempt: Attempt,
  timeline: Timeline,
  document: Fields | undefined,
  group: string | undefined,
): readonly string[] {
  const name = `${title}: ${timeline.id}`;
  if (document === undefined) {
    const isShowable = statesMet(timeline, attempt).every((state) => isSought(state, group));
    return isShowable ? [`missing: ${name} is left out, though it was there all the time`] : [];
  }
  if (group !== undefined && document.group !== group) return [`condition: ${name} has the group ${document.group}`];
  const state = stateOfDocument(timeline, document);
  if (state) return mayMeet(timeline, state, attempt) ? [] : [`stale: ${name} is shown in version ${state.version}`];
  const isForgotten = timeline.states.some(({ version, data }) => !data && version === document.version);
  return isForgotten ? [] : [`unlogged: ${name} is shown as ${canonical(document)}`];
}

/** What one commit of a batch has changed is seen whole or not at all. */
function findHalves(
  title: string,
  attempt: ReadAttempt,
  timelines: readonly Timeline[],
  results: ReadonlyMap<string, Fields>,
): readonly string[] {
  const seen = timelines.flatMap((timeline) => {
    const document = results.get(timeline.id);
    const state = document && stateOfDocument(timeline, document);
    return state ? [{ timeline, state }] : [];
  });
  const after = new Map<string, string>();
  for (const { timeline, state } of seen) {
    for (const { by } of timeline.states.slice(0, state.index + 1)) {
      if (isAtomic(by[0]?.write)) after.set(by[0]!.name, timeline.id);
    }
  }
  return seen.flatMap(({ timeline, state }) =>
    timeline.states.slice(state.index + 1).flatMap(({ by }) => {
      const other = by[0] && after.get(by[0].name);
      if (!other || other === timeline.id) return [];
      return [
        `half: ${title} from ${attempt.start} shows ${other} after the batch ${by[0]!.name}, ${timeline.id} before`,
      ];
    }),
  );
}

const isAtomic = (write: Recorded['writes'][number]['write'] | undefined) => write?.kind === 'batch' && write.isAtomic;

function exists(
  attempt: ReadAttempt,
  status: number,
  group: string | undefined,
  timelines: readonly Timeline[],
): readonly string[] {
  const title = `existence of ${group ?? 'any'} in ${attempt.project}`;
  const met = timelines.map((timeline) => statesMet(timeline, attempt).map((state) => isSought(state, group)));
  const may = met.some((those) => those.some((sought) => sought !== false));
  const must = met.some((those) => those.every((sought) => sought === true));
  if (status === 200 && !may) return [`stale: ${title}: there was none`];
  return status === 404 && must ? [`missing: ${title}: there was one all the time`] : [];
}
