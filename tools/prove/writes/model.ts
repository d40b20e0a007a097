import type { Action, Fields, Json, SingleWrite } from './write.ts';

/** What a resource holds, without what the service adds. */
export interface Content {
  readonly key: string | undefined;
  readonly current: Fields;
  readonly staged: Fields | undefined;
}

/** `refused`: the write cannot be carried out on this content. */
export type Applied = Content | 'refused' | 'deleted';

const systemFields = ['id', 'version', 'key', 'createdAt', 'lastModifiedAt', 'createdBy', 'lastModifiedBy'];

/** The client's own fields of a document. */
export function ownFields(document: Fields): Fields {
  const own = { ...document };
  for (const name of [...systemFields, 'hasStagedChanges']) delete own[name];
  if (JSON.stringify(own.objectTypeProperty) === '{}') delete own.objectTypeProperty;
  return own;
}

/** The content of a resource as an event has it. */
export function contentOf({ current, staged }: { readonly current: Fields; readonly staged?: Fields }): Content {
  return { key: current.key as string | undefined, current: ownFields(current), staged: staged && ownFields(staged) };
}

const isObject = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A merge patch: RFC 7396. */
export function merge(into: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: Record<string, Json> = isObject(into) ? { ...into } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = merge(merged[name], value);
  }
  return merged;
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function drafted(before: Fields, own: Fields, mode: string): Fields {
  if (mode === 'merge') return merge(before, own) as Fields;
  return withoutNulls(mode === 'overwrite' ? own : { ...before, ...own });
}

function set(fields: Fields, path: readonly string[], value: Json | undefined): Fields | 'refused' {
  const [name = '', ...rest] = path;
  const next: Record<string, Json> = { ...fields };
  if (rest.length > 0) {
    const inner = fields[name];
    if (inner === undefined && value === undefined) return fields;
    if (inner !== undefined && !isObject(inner)) return 'refused';
    const changed = set(inner ?? {}, rest, value);
    if (changed === 'refused') return changed;
    next[name] = changed;
  } else if (value === undefined || value === null) delete next[name];
  else next[name] = value;
  return next;
}

/** Earlier versions, for the update action `restore`; undefined where one is not known. */
export type VersionOf = (version: number) => Content | undefined;

function act(content: Content, action: Action, versionOf: VersionOf): Content | 'refused' | 'unknown' {
  const change = (path: string, value: Json | undefined): Content | 'refused' => {
    const isStaged = action.staged === true;
    const current = isStaged ? content.current : set(content.current, path.split('.'), value);
    const from = content.staged ?? (isStaged ? content.current : undefined);
    const staged = from && set(from, path.split('.'), value);
    if (current === 'refused' || staged === 'refused') return 'refused';
    return { ...content, current, staged };
  };
  switch (action.action) {
    case 'doSomeThing':
      return content;
    case 'changeSomeProperty':
      return change('someProperty', action.someProperty);
    case 'setField':
      return change(action.path as string, action.value);
    case 'setKey':
      return { ...content, key: (action.key as string | undefined) ?? undefined };
    case 'publish':
      return { ...content, current: content.staged ?? content.current, staged: undefined };
    case 'revertStagedChanges':
      return { ...content, staged: undefined };
    case 'restore':
      return versionOf(action.version as number) ?? 'unknown';
    default:
      throw new Error(`the model does not know the action ${action.action}`);
  }
}

/** What a write makes of a content, of none where there is no resource; `unknown` where that depends on what is not known. */
export function apply(before: Content | undefined, write: SingleWrite, versionOf: VersionOf): Applied | 'unknown' {
  switch (write.kind) {
    case 'delete':
      return before ? 'deleted' : 'refused';
    case 'restore':
      return before ? 'refused' : 'unknown';
    case 'draft': {
      const { id: _, key, ...own } = write.draft;
      if (write.mode === 'create' && before) return 'refused';
      const mode = before ? write.mode : 'overwrite';
      // A merge patch into nothing leaves no nulls anywhere.
      const made = before || write.mode !== 'merge' ? own : (merge({}, own) as Fields);
      return {
        key: key === undefined ? before?.key : ((key as string | null) ?? undefined),
        current: drafted(before?.current ?? {}, made, mode),
        staged: before?.staged && drafted(before.staged, made, mode),
      };
    }
    case 'complex': {
      const { id: _, key, ...own } = write.body;
      const [uriParameterOne, uriParameterTwo] = write.pair;
      const all = { ...own, uriParameterOne, uriParameterTwo };
      return {
        key: (key as string | undefined) ?? before?.key,
        current: { ...before?.current, ...all },
        staged: before?.staged && { ...before.staged, ...all },
      };
    }
    case 'update': {
      if (!before) return 'refused';
      let content = before;
      for (const action of write.actions) {
        const next = act(content, action, versionOf);
        if (typeof next === 'string') return next;
        content = next;
      }
      return content;
    }
  }
}
