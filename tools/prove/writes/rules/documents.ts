import { merge } from '../model.ts';
import { answerOf, canonical, isAcknowledged, type LoggedEvent, nameOf, type Recorded, tagOf } from '../record.ts';
import type { Json } from '../write.ts';

/** The number of writes that a tag of a document names. */
const numberOf = (tag: string | undefined) => Number(/^"(\d+)/.exec(tag ?? '')?.[1] ?? Number.NaN);

/** The documents of the embedded backend: numbered without gaps, each what its writes make of it, read as they were. */
export function findDocuments(recorded: Recorded): readonly string[] {
  const events = Map.groupBy(
    [...recorded.logs].flatMap(([project, log]) => log.map((event) => ({ project, event }))),
    ({ project, event }) => `${project} ${event.resource.typeId === 'backend-document' ? event.resource.id : ''}`,
  );
  return [...events].flatMap(([address, those]) => {
    const [project = '', name] = address.split(' ');
    if (name === '') return [];
    return findOne(
      recorded,
      project,
      name as 'document',
      those.map(({ event }) => event),
    );
  });
}

function findOne(
  { writes, reads }: Recorded,
  project: string,
  name: 'document' | 'value',
  events: readonly LoggedEvent[],
): readonly string[] {
  const violations: string[] = [];
  const texts = new Map<number, string>([[0, '{}']]);
  let content: Json = {};
  for (const [at, event] of events.entries()) {
    const { version } = event.resource;
    const title = `${name} of ${project}, write ${version}`;
    if (version !== at + 1) violations.push(`gap: ${title} where ${at + 1} is next`);
    const attempts = writes.filter((attempt) => attempt.name === nameOf(event));
    const write = attempts[0]?.write;
    if (write?.kind !== 'document') {
      violations.push(`unknown: nobody made ${title}`);
      continue;
    }
    if (write.ifMatch !== undefined && numberOf(write.ifMatch) !== at) {
      violations.push(`precondition: ${title} expected ${write.ifMatch} and followed ${at}`);
    }
    content = name === 'document' ? merge(content, write.value) : write.value;
    texts.set(version, canonical(content));
    for (const attempt of attempts.filter(isAcknowledged)) {
      const { text } = answerOf(attempt)!;
      if (canonical(JSON.parse(text)) !== canonical(content)) {
        violations.push(`altered: ${title} was answered ${text} where ${canonical(content)} was to be`);
      }
    }
  }
  for (const attempt of reads) {
    const answer = answerOf(attempt);
    if (attempt.project !== project || attempt.read.kind !== 'document' || attempt.read.name !== name) continue;
    if (!answer || !isAcknowledged(attempt)) continue;
    const number = numberOf(tagOf(answer));
    const title = `read ${number} of the ${name} of ${project}`;
    if (texts.get(number) !== canonical(JSON.parse(answer.text))) {
      violations.push(`altered: ${title} is ${answer.text} where ${texts.get(number)} was to be`);
    }
    const written = writes.filter(
      ({ end, ...other }) =>
        other.write.kind === 'document' &&
        other.write.name === name &&
        end < attempt.start &&
        other.project === project,
    );
    const least = Math.max(0, ...written.filter(isAcknowledged).map((other) => numberOf(tagOf(answerOf(other)!))));
    if (number < least) violations.push(`stale: ${title} though ${least} was acknowledged before`);
  }
  const names = events.map(nameOf);
  for (const [write, attempts] of Map.groupBy(writes, (attempt) => attempt.name)) {
    const { write: asked, project: its } = attempts[0]!;
    if (asked.kind !== 'document' || asked.name !== name || its !== project) continue;
    const count = names.filter((other) => other === write).length;
    if (count > 1) violations.push(`twice: ${write} wrote the ${name} ${count} times`);
    if (count === 0 && attempts.some(isAcknowledged)) violations.push(`lost: ${write} of the ${name}`);
  }
  return violations;
}
