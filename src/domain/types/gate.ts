import { type ServiceError, ServiceErrors } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { typeLimits } from '../../contract/settings/types.ts';
import { parseStoredJson } from '../json/parse.ts';
import { getOwn } from '../json/values.ts';
import type { Documents, ResourceRecord } from '../ports/resource-store.ts';
import type { ChangeRules, RuleStore } from '../ports/rule-store.ts';
import { maxViolations } from '../ports/schema.ts';
import { ownFieldsOf } from '../resource/resource.ts';
import type { Decision } from '../resource/write/decision.ts';
import type { Gate, GateReads } from '../resource/write/gate.ts';
import { type Marks, marksOf, type ReferenceMark, type Referred, referenceMark, wrongReferences } from './marks.ts';
import type { ProjectTypes, TypesReader } from './project-types.ts';
import * as refusals from './refusals.ts';
import { haveMarks, typeOf } from './settings.ts';

/** Holds decisions to the types of their project. */
export class TypeGate implements Gate {
  readonly #types: TypesReader;
  readonly marked: RuleStore['marked'];

  constructor(types: TypesReader, rules: Pick<RuleStore, 'marked'>) {
    this.#types = types;
    this.marked = (...parameters) => rules.marked(...parameters);
  }

  forget(projectKey: string): void {
    this.#types.forget(projectKey);
  }

  async dependsOnOthers(projectKey: string): Promise<boolean> {
    const types = await this.#types.of(projectKey);
    return types !== undefined && haveMarks(types.declared);
  }

  async admit(decision: Decision, reads: GateReads): Promise<Decision> {
    const { change } = decision;
    const { projectKey, id } = decision.outcome.record;
    // What the service writes for itself has no type.
    if (change === undefined || projectKey.includes('~')) return decision;
    const types = await this.#types.of(projectKey);
    if (types === undefined) return decision;
    const before = change.kind === 'create' ? undefined : marksIn(change.before, types);
    const after = change.kind === 'delete' ? undefined : marksIn(change.after, types);
    refuseTooMany(after);
    const { errors, needs } = await referencesOf(after, before, types, reads, decision);
    const all = [
      ...(change.kind === 'delete' ? [] : errorsOfBoth(change.after, types)),
      ...(after?.repeated ?? []).filter((each) => types.isEnforced(each)).map(refusals.repeated),
      ...errors,
      ...(await takenOf(after, before, types, reads, decision)),
    ];
    if (all.length > 0) throw new ServiceErrors(onceEach(all).slice(0, maxViolations));
    const forbidden = lostNames(decision, types).map((lost) => referenceMark('restrict', lost));
    for (const mark of forbidden) {
      const others = (await reads.marked(projectKey, mark, 2)).filter((each) => each !== id);
      if (others.length > 0) throw refusals.referred(decision, others);
    }
    return { ...decision, change: { ...change, rules: { ...rulesOf(after, types), needs, forbidden } } };
  }
}

/** Each of them is looked up by itself. */
function refuseTooMany(marks: Marks | undefined): void {
  for (const [what, own] of [
    ['unique values', marks?.unique],
    ['references', marks?.references],
  ] as const) {
    if (own && own.length > typeLimits.marks) throw refusals.tooMany(what);
  }
}

/** The resources that new references lead to, as they were found, and what is wrong with such a reference. */
async function referencesOf(
  after: Marks | undefined,
  before: Marks | undefined,
  types: ProjectTypes,
  reads: GateReads,
  { outcome: { record: own } }: Decision,
) {
  const known = new Set(before?.references.map(nameOf));
  const needs: ChangeRules['needs'][number][] = [];
  const errors: ServiceError[] = [];
  for (const reference of after?.references ?? []) {
    if (known.has(nameOf(reference))) continue;
    const target = isOwn(reference, own) ? own : await read(reads, own.projectKey, reference);
    if (!target) errors.push(refusals.notFound(reference));
    else if (typeIn(target, types) !== reference.type) errors.push(refusals.ofOtherType(reference, target));
    else if (target !== own) needs.push({ id: target.id, version: target.version, incarnation: target.incarnation });
  }
  return { errors, needs };
}

/** New unique values that another resource has. */
async function takenOf(
  after: Marks | undefined,
  before: Marks | undefined,
  types: ProjectTypes,
  reads: GateReads,
  { outcome: { record: own } }: Decision,
): Promise<readonly ServiceError[]> {
  const known = new Set(before?.unique.map(({ mark }) => mark));
  const errors: ServiceError[] = [];
  for (const unique of after?.unique ?? []) {
    if (known.has(unique.mark) || !types.isEnforced(unique)) continue;
    const other = (await reads.marked(own.projectKey, unique.mark, 2)).find((each) => each !== own.id);
    if (other !== undefined) errors.push(refusals.duplicate(unique, other));
  }
  return errors;
}

const marksIn = (documents: Documents, types: ProjectTypes) => marksOf(documents, types.declared);

const nameOf = ({ by, name, type }: ReferenceMark) => `${by} ${type} ${name}`;

function isOwn({ by, name }: Referred, { id, key }: ResourceRecord): boolean {
  return name === (by === 'id' ? id : key);
}

function read(reads: GateReads, projectKey: string, { by, name }: Referred) {
  return by === 'id' ? reads.get(projectKey, name) : reads.getByKey(projectKey, name);
}

function typeIn({ current }: ResourceRecord, types: ProjectTypes): string | undefined {
  return typeOf(parseStoredJson(current) as JsonObject, types.declared);
}

/** What others may refer to that the resource no longer is: its id, its key, and both where it gets another type. */
function lostNames({ change, outcome }: Decision, types: ProjectTypes): readonly Referred[] {
  if (change === undefined || change.kind === 'create') return [];
  const keyBefore = getOwn(change.before.current, 'key');
  const key: readonly Referred[] = typeof keyBefore === 'string' ? [{ by: 'key', name: keyBefore }] : [];
  const isGone =
    change.kind === 'delete' ||
    typeOf(change.before.current, types.declared) !== typeOf(change.after.current, types.declared);
  if (isGone) return [{ by: 'id', name: outcome.record.id }, ...key];
  return keyBefore === outcome.record.key ? [] : key;
}

function rulesOf(after: Marks | undefined, types: ProjectTypes): Omit<ChangeRules, 'needs' | 'forbidden'> {
  const { unique = [], references = [] } = after ?? {};
  const marks = [...unique, ...references].map(({ mark }) => mark);
  return {
    version: types.version,
    marks: [...new Set(marks)],
    unique: unique.filter((each) => types.isEnforced(each)).map(({ mark }) => mark),
  };
}

function errorsOfBoth({ current, staged }: Documents, types: ProjectTypes): readonly ServiceError[] {
  return [...errorsOf(current, types, false), ...(staged ? errorsOf(staged, types, true) : [])];
}

/** What both projections have is told once. */
function onceEach(errors: readonly ServiceError[]): readonly ServiceError[] {
  return [...new Map(errors.map((error) => [error.message, error])).values()];
}

/** What is wrong with a projection. A staged one, on which somebody still works, may lack fields. */
export function errorsOf(document: JsonObject, types: ProjectTypes, isPartial: boolean): readonly ServiceError[] {
  const own = ownFieldsOf(document);
  const type = typeOf(own, types.declared);
  if (type === undefined) return types.declared.closed ? [refusals.noType(own, types.declared)] : [];
  // The service adds it where the client sends none.
  const { objectTypeProperty, ...fields } = own;
  const isGiven = objectTypeProperty !== undefined && Object.keys(objectTypeProperty as JsonObject).length > 0;
  const violations = types.schemaOf(type).violations(isGiven ? own : fields, isPartial);
  const wrong = wrongReferences(own, types.declared).map(refusals.noReference);
  return [...violations.map(refusals.violation), ...wrong];
}
