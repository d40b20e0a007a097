import { singlesOf } from '../changes.ts';
import { apply, type Content, contentOf } from '../model.ts';
import { answerOf, canonical, isAcknowledged, type Recorded, tagOf } from '../record.ts';
import { type State, type Timeline, timelinesOf } from '../timeline.ts';
import type { Fields, SingleWrite } from '../write.ts';

/** The mark that each draft and each update leaves, so that what it made is known. */
const marksOf = (write: SingleWrite): string | undefined => {
  if (write.kind === 'draft') return write.draft.mark as string | undefined;
  if (write.kind === 'complex') return write.body.mark as string | undefined;
  if (write.kind !== 'update') return undefined;
  return write.actions.find(({ path }) => path === 'mark')?.value as string | undefined;
};

/** The one of the writes of a request that made a state; undefined where that is not known. */
function writeOf(state: State): SingleWrite | undefined {
  const write = state.by[0]?.write;
  const singles = write ? singlesOf(write) : [];
  if (singles.length === 1) return singles[0];
  if (state.event?.type === 'deleted') {
    const deletions = singles.filter(({ kind }) => kind === 'delete');
    return deletions.length === 1 ? deletions[0] : undefined;
  }
  const marks = [state.data?.current.mark, state.data?.staged?.mark];
  return singles.find((single) => {
    const mark = marksOf(single);
    return mark !== undefined && marks.includes(mark);
  });
}

/** The content of a version of an incarnation. */
function versionIn({ states }: Timeline, { incarnation }: State) {
  return (version: number): Content | undefined => {
    const state = states.find((other) => other.incarnation === incarnation && other.version === version);
    return state?.data && contentOf(state.data);
  };
}

/** Each change made of the content before it what its request asks for. */
export function findReplays(recorded: Recorded): readonly string[] {
  return [...timelinesOf(recorded).values()].flatMap((timeline) => {
    return timeline.states.flatMap((state) => {
      const write = writeOf(state);
      const before = timeline.states[state.index - 1];
      if (!write || !before || state.event?.type === 'forgotten') return [];
      if (before.version > 0 && !before.data) return [];
      const made = apply(before.data && contentOf(before.data), write, versionIn(timeline, before));
      const title = `${timeline.project}/${timeline.id} version ${state.event?.resource.version} by ${state.by[0]?.name}`;
      if (made === 'unknown') return [];
      if (made === 'deleted') return state.event?.type === 'deleted' ? [] : [`replay: ${title} is no deletion`];
      if (made === 'refused') return [`replay: ${title} cannot be done after ${canonical(before.data ?? null)}`];
      if (!state.data) return [];
      const [expected, found] = [canonical(settled(made)), canonical(settled(contentOf(state.data)))];
      return expected === found
        ? []
        : [`replay: ${title} is ${found} where ${expected} was to be: ${canonical(write)}`];
    });
  });
}

/** A staged projection that equals the current one may be kept or not. */
function settled({ key, current, staged }: Content): Fields {
  const without = staged && canonical(staged) !== canonical(current) ? { staged } : {};
  return { ...(key !== undefined && { key }), current, ...without };
}

/** A change that named a version or an entity tag followed just that one. */
export function findPreconditions(recorded: Recorded): readonly string[] {
  const tags = tagsOf(recorded);
  return [...timelinesOf(recorded).values()].flatMap(({ project, id, states }) =>
    states.flatMap((state) => {
      const write = writeOf(state);
      const before = states[state.index - 1];
      if (!write || !before || write.kind === 'restore' || state.event?.type === 'forgotten') return [];
      const title = `${project}/${id}: ${state.event?.type} by ${state.by[0]?.name}`;
      const { version, ifMatch, isCreation } = write;
      const violations: string[] = [];
      if (version !== undefined && version !== before.version) {
        violations.push(`precondition: ${title} expected version ${version} and followed ${before.version}`);
      }
      if (isCreation && before.version > 0)
        violations.push(`precondition: ${title} was to create, and followed another`);
      const known = tags.get(`${project}/${id} ${ifMatch}`);
      const text = before.data && canonical(before.data.current);
      const isOther = known !== undefined && text !== undefined && known !== text;
      if (ifMatch !== undefined && (before.version === 0 || isOther)) {
        violations.push(`precondition: ${title} expected ${ifMatch} and followed ${text ?? 'nothing'}`);
      }
      return violations;
    }),
  );
}

/** What was shown under each entity tag. */
function tagsOf({ reads, writes }: Recorded): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const attempt of [...reads, ...writes]) {
    const answer = answerOf(attempt);
    if (!answer || !isAcknowledged(attempt)) continue;
    const kind = 'read' in attempt ? attempt.read.kind : attempt.write.kind;
    if (!['one', 'key', 'draft', 'update', 'restore'].includes(kind)) continue;
    const document = JSON.parse(answer.text) as Fields;
    tags.set(`${attempt.project}/${document.id} ${tagOf(answer)}`, canonical(document));
  }
  return tags;
}
