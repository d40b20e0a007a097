import type { ResourceStore } from '../ports/resource-store.ts';
import type { RuleStore } from '../ports/rule-store.ts';
import { parseRecord } from '../resource/resource.ts';
import { getResource, type Target } from '../resource/target.ts';
import { marksOf, type Referred, referenceMark } from './marks.ts';
import type { TypesReader } from './project-types.ts';
import { type OnDelete, typeOf } from './settings.ts';

/** A resource that refers to another one. */
export interface Referrer {
  readonly id: string;
  readonly key?: string | undefined;
  readonly version: number;
  readonly type?: string | undefined;
  /** The declared paths of its references to the resource. */
  readonly paths: readonly string[];
}

/** Who refers to a resource by a reference that a type declares: in the order of their ids, those behind `after`, at most `limit`. */
export async function listReferrers(
  parts: { readonly store: ResourceStore; readonly rules: RuleStore; readonly types: TypesReader },
  projectKey: string,
  target: Target,
  limit: number,
  after: string | undefined,
): Promise<readonly Referrer[]> {
  const { store, rules, types } = parts;
  const { id, key } = await getResource(store, projectKey, target);
  const declared = (await types.of(projectKey))?.declared;
  if (declared === undefined) return [];
  const names: readonly Referred[] = [
    { by: 'id', name: id },
    ...(key === undefined ? [] : [{ by: 'key', name: key } as const]),
  ];
  const marks = (['restrict', 'keep'] as const satisfies readonly OnDelete[]).flatMap((onDelete) =>
    names.map((name) => referenceMark(onDelete, name)),
  );
  const found = await Promise.all(marks.map((mark) => rules.marked(projectKey, mark, limit, after)));
  const ids = [...new Set(found.flat())].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).slice(0, limit);
  const records = await Promise.all(ids.map((each) => store.get(projectKey, each)));
  return records.flatMap((record): Referrer[] => {
    if (!record) return [];
    const { documents } = parseRecord(record);
    const own = marksOf(documents, declared).references.filter(({ mark }) => marks.includes(mark));
    const { id, key, version } = record;
    return [
      { id, key, version, type: typeOf(documents.current, declared), paths: [...new Set(own.map(({ path }) => path))] },
    ];
  });
}
