import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ApiError, type Call, pathOf } from '../api/client.ts';
import type { Json, JsonMap } from '../api/json.ts';
import type { LiveEvent } from '../app/live.ts';
import { notify } from '../app/notices.tsx';
import { go, place } from '../app/router.ts';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { type Draft, type DraftQuestion, keepActions, replacedDrafts } from '../drafts/drafts.ts';
import { readDrafts } from '../drafts/read-drafts.ts';
import { type Difference, type Path, withValue } from '../model/paths.ts';
import { changesOf, type FieldChange, saveCall } from './write.ts';

/** A resource that is being edited. */
export interface Editor {
  /** What is edited, as it was when editing began; undefined while it is loaded. */
  readonly base: Signal<JsonMap | undefined>;
  /** What readers see. */
  readonly current: Signal<JsonMap | undefined>;
  /** Which of the two is edited: what readers see, or what is staged. */
  readonly view: Signal<'current' | 'staged'>;
  /** Fields whose staged value is another than readers see. */
  readonly drafts: Signal<readonly Draft[]>;
  readonly question: Signal<DraftQuestion | undefined>;
  /** Edits the other one. */
  show(view: 'current' | 'staged'): void;
  /** Answers the question. */
  answer(choice: 'replace' | 'keep'): Promise<void>;
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
  const current = signal<JsonMap | undefined>(undefined);
  const staged = signal<JsonMap | undefined>(undefined);
  const view = signal<'current' | 'staged'>('current');
  const drafts = signal<readonly Draft[]>([]);
  const question = signal<DraftQuestion | undefined>(undefined);
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

  /** Reads what is staged beside a current projection, and who staged it. */
  async function takeDrafts(document: JsonMap): Promise<void> {
    current.value = document;
    if (document.hasStagedChanges !== true) {
      staged.value = undefined;
      drafts.value = [];
      return;
    }
    const found = await readDrafts(projectKey, document, () => read(true));
    staged.value = found.staged;
    drafts.value = found.drafts;
  }

  async function take(document: JsonMap): Promise<void> {
    await takeDrafts(document);
    show(view.value);
    if (newer.value && newer.value.resource.version <= Number(document.version)) newer.value = undefined;
  }

  function show(wanted: 'current' | 'staged'): void {
    view.value = staged.value === undefined ? 'current' : wanted;
    base.value = mine.value = view.value === 'staged' ? staged.value : current.value;
    invalid.value = new Set();
  }

  /** The stored document that the edits are compared with. */
  const shownOf = (): JsonMap => (view.value === 'staged' && staged.value) || current.value!;

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
        conflict.value = question.value = undefined;
        if (isStaged) view.value = 'staged';
        await take(saved);
        onChanged(saved.id as string, saved);
        offerUndo(request, saved);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'ConcurrentModification') throw error;
        question.value = undefined;
        await takeDrafts(await read(false));
        conflict.value = { theirs: shownOf(), isStaged };
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

  const merge = (document: JsonMap, rest: readonly FieldChange[]) =>
    rest.reduce((merged, { path: at, value }) => withValue(merged, at, value), document);

  const callOf = (rest: readonly FieldChange[], seen: JsonMap, isStaged: boolean) =>
    // An overwrite is of what readers see: nothing staged is published by the way.
    saveCall(projectKey, seen, rest, merge(current.value!, rest), isStaged);

  /** Saves changes to `seen`, which the form shows; a save over a draft that it does not show asks first. */
  async function saveChanges(rest: readonly FieldChange[], seen: JsonMap, isStaged: boolean): Promise<void> {
    const request = callOf(rest, seen, isStaged);
    const isWhole = request.method === 'PUT';
    const replaced = staged.value ? replacedDrafts(drafts.value, rest, { seen, staged: staged.value, isWhole }) : [];
    if (replaced.length === 0) return write(request, isStaged);
    const again = isStaged || isWhole ? undefined : keepActions(replaced, rest, staged.value!);
    const json = request.json as { readonly version: number; readonly actions: readonly JsonMap[] };
    const keep = again && { ...request, json: { ...json, actions: [...json.actions, ...again] } };
    conflict.value = undefined;
    question.value = { drafts: replaced, merged: merge(current.value!, rest), request, keep, isStaged };
  }

  const fieldChanges = (): readonly FieldChange[] =>
    changes.value.map(({ path: at, after }) => ({ path: at, value: after }));

  const editor: Editor = {
    ...{
      base,
      mine,
      current,
      staged,
      view,
      drafts,
      question,
      conflict,
      changes,
      invalid,
      isBusy,
      problem,
      newer,
      show,
    },
    heard(event) {
      if (event.resource.id !== id || isBusy.value || base.value?.version === undefined) return;
      const isOwn = event.type !== 'deleted' && event.resource.version <= Number(base.value.version);
      if (!isOwn) newer.value = event;
    },
    async takeUp() {
      const theirs = await read(false);
      if (changes.value.length === 0) return take(theirs);
      await takeDrafts(theirs);
      conflict.value = { theirs: shownOf(), isStaged: view.value === 'staged' };
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
    saveCall: (isStaged) => callOf(fieldChanges(), base.value!, isStaged),
    save: (isStaged) => saveChanges(fieldChanges(), base.value!, isStaged),
    async answer(choice) {
      const { request, keep, isStaged } = question.value!;
      await write(choice === 'keep' && keep ? keep : request, isStaged);
    },
    async saveOver(theirs, rest, isStaged) {
      if (rest.length > 0) return saveChanges(rest, theirs, isStaged);
      conflict.value = undefined;
      await take(current.value!);
      onChanged(current.value!.id as string, current.value!);
    },
    create: () =>
      busy(async () => {
        // Never over a resource that has the key already.
        const headers = { 'if-none-match': '*' };
        const request: Call = { method: 'POST', path: pathOf(projectKey, 'resource'), json: mine.value!, headers };
        const created = (await call(projectKey, request)).body as JsonMap;
        base.value = mine.value = current.value = created;
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
