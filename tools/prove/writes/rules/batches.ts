import { changesOf } from '../changes.ts';
import { answerOf, isAcknowledged, nameOf, type Recorded } from '../record.ts';

/** Of an atomic batch all operations are in the log or none, also where no response came. */
export function findBatches({ logs, writes }: Recorded): readonly string[] {
  const events = Map.groupBy([...logs.values()].flat(), (event) => nameOf(event) ?? '');
  return [...Map.groupBy(writes, ({ name }) => name)].flatMap(([name, attempts]) => {
    const { write } = attempts[0]!;
    if (write.kind !== 'batch' || !write.isAtomic) return [];
    const there = events.get(name)?.length ?? 0;
    if (there === 0) return [];
    const told = attempts.find(isAcknowledged);
    // Operations of batches here each make a version, unless they delete and create the same resource.
    const expected = told ? changesOf(write, answerOf(told)!).length : write.operations.length;
    return there === expected ? [] : [`half: the log has ${there} of ${expected} changes of the batch ${name}`];
  });
}
