import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ApiError, type Call, pathOf } from '../api/client.ts';
import type { Json, JsonMap } from '../api/json.ts';
import type { LiveEvent } from '../app/live.ts';
import { notify } from '../app/notices.tsx';
import { go, place } from '../app/router.ts';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { type Difference, type Path, withValue } from '../model/paths.ts';
import { changesOf, type FieldChange, saveCall } from './write.ts';

/** A resource that is being edited. */
export interface Editor {
  /** As it was when editing began; undefined while it is loaded. */
  readonly base: Signal<JsonMap | undefined>;
  /** With the edits. */
  readonly mine: Signal<JsonMap | undefined>;
  /** What is staged; undefined where nothing is. */
  readonly staged: Signal<JsonMap | undefined>;
  /** What someone else saved meanwhile, after a save was refused for it; `isStaged`: what the save was for. */
  readonly conflict: Signal<{ readonly theirs: JsonMap; readonly isStaged: boolean } | undefined>;
  readonly changes: ReadonlySignal<readonly Difference[]>;
  /** Fields with texts that are no values, such as letters in a number. */
  readonly invalid: Signal<ReadonlySet<string>>;
  readonly isBusy: Signal<boolean>;
  /** Why the resource could not be loaded. */
  readonly problem: Signal<unknown>;
  /** A change that someone else made since; undefined where what is shown is what is stored. */
  readonly newer: Signal<LiveEvent | undefined>;
  /** To be called with each change of the project. */
  heard(event: LiveEvent): void;
  /** Shows what is stored now; merges it with what is edited, if anything is. */
  takeUp(): Promise<void>;
  load(): Promise<void>;
  set(path: Path, value: Json | undefined): void;
  undo(): void;
  saveCall(isStaged: boolean): Call;
  save(isStaged: boolean): Promise<void>;
  /** Saves what is left of the edits over their version. */
  saveOver(theirs: JsonMap, changes: readonly FieldChange[], isStaged: boolean): Promise<void>;
  create(): Promise<string>;
  remove(): Promise<void>;
  /** Runs an update action in the version that is shown. */
  act(action: JsonMap): Promise<void>;
  /** The same, and returns what is stored then. Where another version is stored, takes that up and throws. */
  run(action: JsonMap): Promise<JsonMap>;
}

type OnChanged = (id: string, document: JsonMap | undefined) => void;

/** Opens a resource, or a new one. */
export function createEditor(projectKey: string, id: string | undefined, onChanged: OnChanged): Editor {
  const base = signal<JsonMap | undefined>(undefined);
  const mine = signal<JsonMap | undefined>(undefined);
  const staged = signal<JsonMap | undefined>(undefined);
  const conflict = signal<{ theirs: JsonMap; isStaged: boolean } | undefined>(undefined);
  const problem = signal<unknown>(undefined);
  const isBusy = signal(false);
  const newer = signal<LiveEvent | undefined>(undefined);
  const invalid = signal<ReadonlySet<string>>(new Set());
  const changes = computed(() => (base.value && mine.value ? changesOf(base.value, mine.value) : []));
  const path = id === undefined ? undefined : pathOf(projectKey, 'resource', id);

  async function read(isStaged: boolean): Promise<JsonMap> {
    const query = isStaged ? new URLSearchParams({ staged: 'true' }) : undefined;
    return (await call(projectKey, { path: path!, query })).body as JsonMap;
  }

  async function take(document: JsonMap): Promise<void> {
    base.value = document;
    mine.value = document;
    if (newer.value && newer.value.resource.version <= Number(document.version)) newer.value = undefined;
    invalid.value = new Set();
    staged.value = document.hasStagedChanges === true ? await read(true) : undefined;
  }

  async function busy<T>(work: () => Promise<T>): Promise<T> {
    isBusy.value = true;
    try {
      return await work();
    } finally {
      isBusy.value = false;
    }
  }

  /** Sends a save; where another version is stored, opens the merge. */
  async function write(request: Call, isStaged: boolean): Promise<void> {
    await busy(async () => {
      try {
        const saved = (await call(projectKey, request)).body as JsonMap;
        conflict.value = undefined;
        await take(saved);
        onChanged(saved.id as string, saved);
        offerUndo(request, saved);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'ConcurrentModification') throw error;
        conflict.value = { theirs: await read(false), isStaged };
      }
    });
  }

  /** Tells that it is saved, and offers to make the version before it that of the next one. */
  function offerUndo(request: Call, saved: JsonMap): void {
    const before = Number((request.json as JsonMap).version);
    const text = texts.resource.saved(String(saved.version));
    if (before >= Number(saved.version)) {
      notify(text);
      return;
    }
    const actions: readonly JsonMap[] = [{ action: 'restore', version: before }];
    const undo = async () => {
      const json = { version: saved.version!, actions };
      const restored = (await call(projectKey, { method: 'POST', path: path!, json })).body as JsonMap;
      // What was typed meanwhile stays: the bar tells of the other version, and merges it.
      if (changes.value.length === 0 && base.value?.id === restored.id) await take(restored);
      onChanged(restored.id as string, restored);
      notify(texts.resource.undone(String(restored.version)));
    };
    notify(text, false, { label: texts.undo, run: undo });
  }

  const fieldChanges = (): readonly FieldChange[] =>
    changes.value.map(({ path: at, after }) => ({ path: at, value: after }));

  const editor: Editor = {
    ...{ base, mine, staged, conflict, changes, invalid, isBusy, problem, newer },
    heard(event) {
      if (event.resource.id !== id || isBusy.value || base.value?.version === undefined) return;
      const isOwn = event.type !== 'deleted' && event.resource.version <= Number(base.value.version);
      if (!isOwn) newer.value = event;
    },
    async takeUp() {
      const theirs = await read(false);
      if (changes.value.length > 0) conflict.value = { theirs, isStaged: false };
      else await take(theirs);
    },
    async load() {
      if (path === undefined) {
        base.value = {};
        mine.value = {};
        return;
      }
      try {
        await take(await read(false));
      } catch (error) {
        problem.value = error;
      }
    },
    set(at, value) {
      if (mine.value) mine.value = withValue(mine.value, at, value);
    },
    undo() {
      mine.value = base.value;
      invalid.value = new Set();
    },
    saveCall: (isStaged) => saveCall(projectKey, base.value!, fieldChanges(), mine.value!, isStaged),
    save: (isStaged) => write(editor.saveCall(isStaged), isStaged),
    async saveOver(theirs, rest, isStaged) {
      const merged = rest.reduce((document, { path: at, value }) => withValue(document, at, value), theirs);
      if (rest.length > 0) return write(saveCall(projectKey, theirs, rest, merged, isStaged), isStaged);
      conflict.value = undefined;
      await take(theirs);
      onChanged(theirs.id as string, theirs);
    },
    create: () =>
      busy(async () => {
        // Never over a resource that has the key already.
        const headers = { 'if-none-match': '*' };
        const request: Call = { method: 'POST', path: pathOf(projectKey, 'resource'), json: mine.value!, headers };
        const created = (await call(projectKey, request)).body as JsonMap;
        base.value = mine.value = created;
        onChanged(created.id as string, created);
        const undo = async () => {
          const query = new URLSearchParams({ version: String(created.version) });
          await call(projectKey, {
            method: 'DELETE',
            path: pathOf(projectKey, 'resource', created.id as string),
            query,
          });
          onChanged(created.id as string, undefined);
          if (place.value.item === created.id) go({ item: undefined, query: place.value.query });
          notify(texts.resource.uncreated);
        };
        notify(texts.resource.created, false, { label: texts.undo, run: undo });
        return created.id as string;
      }),
    remove: () =>
      busy(async () => {
        const query = new URLSearchParams({ version: String(base.value!.version) });
        await call(projectKey, { method: 'DELETE', path: path!, query });
        mine.value = base.value;
        onChanged(id!, undefined);
        const undo = async () => {
          const restored = (await call(projectKey, { method: 'POST', path: `${path!}/restore`, json: {} }))
            .body as JsonMap;
          onChanged(id!, restored);
          notify(texts.resource.undeleted);
        };
        notify(texts.resource.deleted, false, { label: texts.undo, run: undo });
      }),
    act: (action) =>
      write({ method: 'POST', path: path!, json: { version: base.value!.version!, actions: [action] } }, false),
    run: (action) =>
      busy(async () => {
        try {
          const json = { version: base.value!.version!, actions: [action] };
          const request: Call = { method: 'POST', path: path!, json };
          const saved = (await call(projectKey, request)).body as JsonMap;
          await take(saved);
          onChanged(saved.id as string, saved);
          if (saved.version !== json.version) offerUndo(request, saved);
          return saved;
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'ConcurrentModification') throw error;
          await take(await read(false));
          throw new Error(texts.actions.conflict(String(base.value?.version)));
        }
      }),
  };
  return editor;
}
