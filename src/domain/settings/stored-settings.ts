import { agreedVersion } from '../../contract/check.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { parseStoredJson, stringifyJson } from '../json/parse.ts';
import { getOwn } from '../json/values.ts';
import type { ResourceRecord, ResourceStore } from '../ports/resource-store.ts';
import { DamagedResource } from '../resource/damaged.ts';
import { parseRecord } from '../resource/resource.ts';
import { commitDecided, type Write, type WriteResponse } from '../resource/write/commit.ts';
import { readCompanionRecord } from '../resource/write/companion-record.ts';
import { decideCreate, decideEdit, decideUpdate } from '../resource/write/decision.ts';
import { checkPreconditions, checkVersion, etagOf } from '../resource/write/preconditions.ts';

/** Settings of a project: each kind is a versioned record of a companion project (decision 133). */
export interface SettingsKind<Value> {
  /** The id of the record, and the last segment of the path. */
  readonly id: string;
  /** Checks a body. What is absent has its default. Throws `ServiceError` InvalidJsonInput that names the place. */
  readonly parse: (body: JsonValue | undefined) => { readonly version: bigint | undefined };
  /** The settings as the service uses them, from a body that `parse` accepts. */
  readonly valueOf: (body: JsonObject) => Value;
}

/** The companion project with the settings of a project. No path of a request can name it. */
export function settingsProjectOf(projectKey: string): string {
  return `${projectKey}~settings`;
}

/** The settings as they are sent; those of a project that has none have version 0 and the defaults. */
export function viewSettings(
  { parse }: SettingsKind<unknown>,
  record: ResourceRecord | undefined,
): { readonly etag: string; readonly body: string } {
  const { version: _, ...defaults } = parse({}) as unknown as JsonObject;
  if (record === undefined) return { etag: '"0"', body: stringifyJson({ version: 0, ...defaults }) };
  // The record has its instants in the form in which they are ordered.
  const { version, lastModifiedAt } = parseRecord(record).resource;
  // Settings stored by an earlier version lack newer members.
  const body = stringifyJson({ version, lastModifiedAt, ...defaults, ...storedOf(record) });
  return { etag: etagOf(record), body };
}

/** The JSON text keeps the index free of the words of the settings' structure, and the document flat. */
function storedOf(record: ResourceRecord): JsonObject {
  return parseStoredJson(getOwn(parseRecord(record).resource.current, 'json') as string) as JsonObject;
}

/** Replaces the settings. Throws `ServiceError`: 400, 409 for another version, 412. `isForced`: equal ones get the next version, too. */
export function writeSettings(
  kind: SettingsKind<unknown>,
  write: Omit<Write, 'responseOf'>,
  body: JsonValue | undefined,
  isForced = false,
): Promise<WriteResponse> {
  const { store, preconditions, context } = write;
  const projectKey = settingsProjectOf(write.projectKey);
  const { version: inBody, ...settings } = kind.parse(body);
  const version = agreedVersion(inBody, preconditions.version);
  const fields = { json: stringifyJson(settings as unknown as JsonObject) };
  const edit = { key: undefined, current: fields, staged: undefined };
  const responseOf: Write['responseOf'] = ({ record }) => {
    const view = viewSettings(kind, record);
    return { status: 200, headers: { etag: view.etag }, body: view.body };
  };
  return commitDecided({ ...write, projectKey, responseOf }, async () => {
    const target = await readCompanionRecord(store, projectKey, kind.id, context);
    checkPreconditions({ ...preconditions, version: undefined }, target);
    if (target === undefined) {
      if ((version ?? 0n) !== 0n) throw noVersion(version!);
      return decideCreate(projectKey, kind.id, edit, context);
    }
    if (version !== undefined) checkVersion(target, version);
    return isForced ? decideUpdate(target, edit, context) : decideEdit(target, edit, context);
  });
}

function noVersion(expected: bigint): ServiceError {
  const message = `The settings have a different version than expected. Expected: ${expected} - Actual: 0.`;
  return new ServiceError('ConcurrentModification', message, { currentVersion: 0 });
}

/** A bounded cache, by project and kind. */
type SettingsCache = Pick<Map<string, CachedSettings>, 'get' | 'delete'> & {
  set(key: string, cached: CachedSettings): unknown;
};

export interface CachedSettings {
  readonly record: ResourceRecord | undefined;
  readonly value: unknown;
  readonly checkedMs: number;
}

const recheckMs = 1000;

export type SettingsReader = ReturnType<typeof createSettingsReader>;

/** Reads the settings of projects. */
export function createSettingsReader(store: Pick<ResourceStore, 'get'>, cache: SettingsCache, nowMs: () => number) {
  async function record({ id }: SettingsKind<unknown>, projectKey: string): Promise<ResourceRecord | undefined> {
    try {
      return await store.get(settingsProjectOf(projectKey), id);
    } catch (error) {
      return damagedSettings(id, projectKey, error);
    }
  }
  /** Rises with each change by this process: what was read before one is not kept. */
  let changes = 0;

  return {
    record,
    /** Current within a second: a change by another process may take so long, one by this process none. */
    async of<Value>(kind: SettingsKind<Value>, projectKey: string): Promise<Value> {
      return (await this.found(kind, projectKey)).value;
    },
    /** The same, with their version; 0 where there are none. */
    async found<Value>(
      kind: SettingsKind<Value>,
      projectKey: string,
    ): Promise<{ readonly version: number; readonly value: Value }> {
      const key = keyOf(kind, projectKey);
      const known = cache.get(key);
      const checkedMs = nowMs();
      if (known && Math.abs(checkedMs - known.checkedMs) < recheckMs) return versioned(known);
      const changesBefore = changes;
      const found = await record(kind, projectKey);
      const isSame = known !== undefined && sameRecord(known.record, found);
      const value = isSame ? (known.value as Value) : kind.valueOf(found ? storedOf(found) : {});
      if (changesBefore === changes) cache.set(key, { record: found, value, checkedMs });
      return versioned({ record: found, value });
    },
    /** Called after a write by this process. */
    forget(kind: SettingsKind<unknown>, projectKey: string): void {
      changes += 1;
      cache.delete(keyOf(kind, projectKey));
    },
  };
}

function versioned<Value>({ record, value }: Pick<CachedSettings, 'record' | 'value'>) {
  return { version: record?.version ?? 0, value: value as Value };
}

function keyOf({ id }: SettingsKind<unknown>, projectKey: string): string {
  return `${projectKey}/${id}`;
}

/** Says what is damaged and how to heal it, instead of the name of a record that no client knows. */
function damagedSettings(id: string, projectKey: string, error: unknown): never {
  if (!(error instanceof DamagedResource)) throw error;
  const message = `The stored ${id} settings of the project are damaged: ${error.reason}. Replace them with PUT /${projectKey}/settings/${id}.`;
  throw new ServiceError('DataCorruption', message);
}

function sameRecord(a: ResourceRecord | undefined, b: ResourceRecord | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && etagOf(a) === etagOf(b));
}
