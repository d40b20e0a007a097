import { answerOf, canonical, isAcknowledged, type Recorded, tagOf } from '../record.ts';
import { type State, type Timeline, timelinesOf } from '../timeline.ts';

/** The version that an event must have after the states before it. */
function expectedVersion(states: readonly State[], { index, event }: State): number {
  if (event?.type === 'created') return 1;
  // The last that was there; a deletion has the version that it deletes.
  const last = states.slice(0, index).findLast(({ version }) => version > 0)?.version ?? 0;
  return event?.type === 'deleted' ? last : last + 1;
}

function findGaps({ project, id, states }: Timeline): readonly string[] {
  return states.flatMap((state) => {
    const { event, index } = state;
    if (!event || event.type === 'forgotten') return [];
    const before = states[index - 1]!;
    const what = `${project}/${id}: ${event.type} version ${event.resource.version}`;
    const isThere = before.version > 0;
    // An update action restores what is there, too.
    if (event.type !== 'restored' && isThere === (event.type === 'created')) {
      return [`impossible: ${what} after ${before.event?.type ?? 'nothing'}`];
    }
    const expected = expectedVersion(states, state);
    return event.resource.version === expected ? [] : [`gap: ${what}, where ${expected} is next`];
  });
}

/** Versions of one incarnation follow each other without gaps; a creation begins with 1. */
export function findVersions(recorded: Recorded): readonly string[] {
  return [...timelinesOf(recorded).values()].flatMap(findGaps);
}

/**
 * An entity tag names one version of one incarnation, and what was ever shown under it, in one projection, is the same
 * to the byte.
 */
export function findTags(recorded: Recorded): readonly string[] {
  const violations: string[] = [];
  const texts = new Map<string, string>();
  const note = (address: string, text: string) => {
    const known = texts.get(address);
    if (known === undefined) texts.set(address, text);
    else if (known !== text) violations.push(`tag: ${address} is ${known} and ${text}`);
  };
  for (const attempt of recorded.reads) {
    const answer = answerOf(attempt);
    if (!answer || !isAcknowledged(attempt)) continue;
    const { kind } = attempt.read;
    if (kind !== 'one' && kind !== 'key' && kind !== 'version') continue;
    const projection = kind === 'version' && attempt.read.staged ? 'staged' : 'current';
    const id = (JSON.parse(answer.text) as { readonly id: string }).id;
    note(`${attempt.project}/${id} ${tagOf(answer)} ${projection}`, answer.text);
  }
  for (const attempt of recorded.writes) {
    const answer = answerOf(attempt);
    if (!answer || !isAcknowledged(attempt) || !['draft', 'update', 'restore'].includes(attempt.write.kind)) continue;
    const id = (JSON.parse(answer.text) as { readonly id: string }).id;
    note(`${attempt.project}/${id} ${tagOf(answer)} current`, answer.text);
  }
  const shown = [...texts].map(([address, text]) => [address, canonical(JSON.parse(text))] as const);
  for (const timeline of timelinesOf(recorded).values()) violations.push(...findIncarnations(timeline, shown));
  return violations;
}

/** The tags of one incarnation have one ending, which no other has. */
function findIncarnations(
  { project, id, states }: Timeline,
  shown: readonly (readonly [address: string, text: string])[],
): readonly string[] {
  const violations: string[] = [];
  const endings = new Map<string, number>();
  const begins = `${project}/${id} `;
  const documents = new Map(states.flatMap((state) => (state.data ? [[canonical(state.data.current), state]] : [])));
  for (const [address, text] of shown) {
    if (!address.startsWith(begins) || !address.endsWith(' current')) continue;
    const [, version, ending = ''] = /"(\d+)-([^"]*)"/.exec(address) ?? [];
    const state = documents.get(text);
    if (!state) continue;
    if (Number(version) !== state.version) violations.push(`tag: ${address} is of version ${state.version}`);
    const known = endings.get(ending);
    endings.set(ending, state.incarnation);
    if (known !== undefined && known !== state.incarnation) {
      violations.push(`incarnation: ${address} has the ending of another resource with its id`);
    }
  }
  return violations;
}
