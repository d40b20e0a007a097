import { computed, type Signal, signal } from '@preact/signals';
import type { Event } from 'generic-resource-service-client/api-types';
import type { Call } from '../api/client.ts';
import type { Json, JsonMap } from '../api/json.ts';
import { notify } from '../app/notices.tsx';
import { go, place } from '../app/router.ts';
import { type Draft, type DraftQuestion, keepActions, readDrafts, replacedDrafts } from '../drafts/drafts.ts';
import { type Path, withValue } from '../model/paths.ts';
import { isConflict, StoredResource } from '../model/stored-resource.ts';
import { readTypes } from '../types/project-types.ts';
import { type RefusedField, refusedIn, withoutThoseAt } from './refused.tsx';
import { changesOf, type FieldChange, saveCall } from './write.ts';

type Projection = 'current' | 'staged';
type OnChanged = (id: string, document: JsonMap | undefined) => void;

const merge = (document: JsonMap, changes: readonly FieldChange[]) =>
  changes.reduce((merged, { path, value }) => withValue(merged, path, value), document);

/** A resource that is being edited, or a new one. */
export class Editor {
  /** The edited projection as it was when editing began; undefined while it is loaded. */
  readonly base = signal<JsonMap | undefined>(undefined);
  /** With the edits. */
  readonly mine = signal<JsonMap | undefined>(undefined);
  /** The published projection. */
  readonly current = signal<JsonMap | undefined>(undefined);
  /** The staged projection; undefined if nothing is staged. */
  readonly staged = signal<JsonMap | undefined>(undefined);
  /** Which projection is edited. */
  readonly view = signal<Projection>('current');
  /** Fields whose staged value differs from the published one. */
  readonly drafts = signal<readonly Draft[]>([]);
  readonly question = signal<DraftQuestion | undefined>(undefined);
  /** The version of someone else that a save conflicted with; `isStaged`: the save was of the staged projection. */
  readonly conflict = signal<{ readonly theirs: JsonMap; readonly isStaged: boolean } | undefined>(undefined);
  readonly changes = computed(() =>
    this.base.value && this.mine.value ? changesOf(this.base.value, this.mine.value) : [],
  );
  /** Fields with texts that are no values, such as letters in a number. */
  readonly invalid = signal<ReadonlySet<string>>(new Set());
  /** What the service refused of the fields at the last attempt, as far as it was not edited since. */
  readonly refused = signal<readonly RefusedField[]>([]);
  readonly isBusy = signal(false);
  /** Why the resource could not be loaded. */
  readonly problem = signal<unknown>(undefined);
  /** A later change by someone else. */
  readonly newer: Signal<Event | undefined> = signal(undefined);

  readonly #projectKey: string;
  readonly #id: string | undefined;
  readonly #onChanged: OnChanged;
  /** Undefined for a new resource. */
  readonly #stored: StoredResource | undefined;

  constructor(projectKey: string, id: string | undefined, onChanged: OnChanged) {
    this.#projectKey = projectKey;
    this.#id = id;
    this.#onChanged = onChanged;
    this.#stored = id === undefined ? undefined : new StoredResource(projectKey, id);
  }

  async load(): Promise<void> {
    if (!this.#stored) {
      this.base.value = this.mine.value = {};
      return;
    }
    try {
      await this.#take(await this.#stored.read(false));
    } catch (error) {
      this.problem.value = error;
    }
  }

  /** Edits the other projection. */
  show(wanted: Projection): void {
    this.view.value = this.staged.value === undefined ? 'current' : wanted;
    this.base.value = this.view.value === 'staged' ? this.staged.value : this.current.value;
    this.undo();
  }

  set(path: Path, value: Json | undefined): void {
    if (this.mine.value) this.mine.value = withValue(this.mine.value, path, value);
    this.refused.value = withoutThoseAt(this.refused.value, path);
  }

  undo(): void {
    this.mine.value = this.base.value;
    this.refused.value = [];
    this.invalid.value = new Set();
  }

  /** To be called with each change of the project. */
  heard(event: Event): void {
    const version = this.base.value?.version;
    if (event.resource.id !== this.#id || this.isBusy.value || version === undefined) return;
    const isOwn = event.type !== 'deleted' && event.resource.version <= Number(version);
    if (!isOwn) this.newer.value = event;
  }

  /** Shows what is stored now; merges it with the edits, if there are any. */
  async takeUp(): Promise<void> {
    const theirs = await this.#stored!.read(false);
    if (this.changes.value.length === 0) return this.#take(theirs);
    await this.#openMerge(theirs, this.view.value === 'staged');
  }

  saveCall(isStaged: boolean): Call {
    return this.#callOf(this.#fieldChanges(), this.base.value!, isStaged);
  }

  save(isStaged: boolean): Promise<void> {
    return this.#saveChanges(this.#fieldChanges(), this.base.value!, isStaged);
  }

  /** Saves the rest of the edits over their version. */
  async saveOver(theirs: JsonMap, changes: readonly FieldChange[], isStaged: boolean): Promise<void> {
    if (changes.length > 0) return this.#saveChanges(changes, theirs, isStaged);
    this.conflict.value = undefined;
    await this.#takeSaved(this.current.value!);
  }

  /** Answers the question whether a save replaces drafts. */
  async answer(choice: 'replace' | 'keep'): Promise<void> {
    const { request, keep, isStaged } = this.question.value!;
    await this.#write(choice === 'keep' && keep ? keep : request, isStaged);
  }

  /** Returns the id; undefined where the service refused some fields. */
  create(): Promise<string | undefined> {
    return this.#busy(async () => {
      const created = await StoredResource.create(this.#projectKey, this.mine.value!).catch((error) =>
        this.#refuse(error),
      );
      if (!created) return undefined;
      const id = created.id as string;
      this.base.value = this.mine.value = this.current.value = created;
      this.#onChanged(id, created);
      this.#notifyUndoable('Created', async () => {
        await new StoredResource(this.#projectKey, id).delete(created.version);
        this.#onChanged(id, undefined);
        if (place.value.item === id) go({ item: undefined, query: place.value.query });
        notify('Deleted again');
      });
      return id;
    });
  }

  remove(): Promise<void> {
    return this.#busy(async () => {
      const [id, stored] = [this.#id!, this.#stored!];
      await stored.delete(this.base.value!.version);
      this.mine.value = this.base.value;
      this.#onChanged(id, undefined);
      this.#notifyUndoable('Deleted', async () => {
        this.#onChanged(id, await stored.restore());
        notify('Restored as it was');
      });
    });
  }

  /** Runs an update action in the version that is shown. */
  act(action: JsonMap): Promise<void> {
    return this.#write(this.#stored!.actionCall(this.base.value!.version, action), false);
  }

  /** As `act`, and returns the saved resource. If another version is stored, takes that up and throws. */
  run(action: JsonMap): Promise<JsonMap> {
    return this.#busy(async () => {
      const before = this.base.value!.version;
      const request = this.#stored!.actionCall(before, action);
      try {
        const saved = await this.#stored!.send(request);
        await this.#takeSaved(saved);
        if (saved.version !== before) this.#offerUndo(request, saved);
        return saved;
      } catch (error) {
        if (!isConflict(error)) throw error;
        await this.#take(await this.#stored!.read(false));
        throw new Error(
          `Someone has saved version ${String(this.base.value?.version)}, which is shown now. Check it and run the action again.`,
        );
      }
    });
  }

  /** Keeps what is wrong with the fields, to be shown there. Throws any other error. */
  #refuse(error: unknown): undefined {
    const refused = refusedIn(error, this.mine.value ?? {});
    if (!refused || this.conflict.value) throw error;
    this.question.value = undefined;
    this.refused.value = refused;
    // Others may have changed the types.
    readTypes(this.#projectKey).catch(() => {});
  }

  async #busy<T>(work: () => Promise<T>): Promise<T> {
    this.isBusy.value = true;
    this.refused.value = [];
    try {
      return await work();
    } finally {
      this.isBusy.value = false;
    }
  }

  /** Reads what is staged beside a published projection, and who staged it. */
  async #takeDrafts(document: JsonMap): Promise<void> {
    this.current.value = document;
    if (document.hasStagedChanges !== true) {
      this.staged.value = undefined;
      this.drafts.value = [];
      return;
    }
    const found = await readDrafts(this.#projectKey, document, () => this.#stored!.read(true));
    this.staged.value = found.staged;
    this.drafts.value = found.drafts;
  }

  /** Shows a stored document. */
  async #take(document: JsonMap): Promise<void> {
    await this.#takeDrafts(document);
    this.show(this.view.value);
    const newer = this.newer.value;
    if (newer && newer.resource.version <= Number(document.version)) this.newer.value = undefined;
  }

  async #takeSaved(document: JsonMap): Promise<void> {
    await this.#take(document);
    this.#onChanged(document.id as string, document);
  }

  async #openMerge(stored: JsonMap, isStaged: boolean): Promise<void> {
    await this.#takeDrafts(stored);
    const theirs = (this.view.value === 'staged' && this.staged.value) || this.current.value!;
    this.conflict.value = { theirs, isStaged };
  }

  /** Sends a save; if another version is stored, opens the merge. */
  #write(request: Call, isStaged: boolean): Promise<void> {
    return this.#busy(async () => {
      try {
        const saved = await this.#stored!.send(request);
        this.conflict.value = this.question.value = undefined;
        if (isStaged) this.view.value = 'staged';
        await this.#takeSaved(saved);
        this.#offerUndo(request, saved);
      } catch (error) {
        if (!isConflict(error)) return this.#refuse(error);
        this.question.value = undefined;
        await this.#openMerge(await this.#stored!.read(false), isStaged);
      }
    });
  }

  #notifyUndoable(text: string, run: () => Promise<void>): void {
    notify(text, false, { label: 'Undo', run });
  }

  /** Tells that it is saved, and offers to restore the version before. */
  #offerUndo(request: Call, saved: JsonMap): void {
    const before = Number((request.json as JsonMap).version);
    const text = `Saved as version ${saved.version}`;
    if (before >= Number(saved.version)) {
      notify(text);
      return;
    }
    this.#notifyUndoable(text, async () => {
      const action = { action: 'restore', version: before };
      const restored = await this.#stored!.send(this.#stored!.actionCall(saved.version, action));
      // New edits stay; the bar offers to merge the other version.
      if (this.changes.value.length === 0 && this.base.value?.id === restored.id) await this.#take(restored);
      this.#onChanged(restored.id as string, restored);
      notify(`Undone in version ${restored.version}`);
    });
  }

  #fieldChanges(): readonly FieldChange[] {
    return this.changes.value.map(({ path, after }) => ({ path, value: after }));
  }

  /** An overwrite is of the published projection: nothing staged is published by the way. */
  #callOf(changes: readonly FieldChange[], seen: JsonMap, isStaged: boolean): Call {
    return saveCall(this.#projectKey, seen, changes, merge(this.current.value!, changes), isStaged);
  }

  /** Saves changes to `seen`, which the form shows; a save over a draft that it does not show asks first. */
  async #saveChanges(changes: readonly FieldChange[], seen: JsonMap, isStaged: boolean): Promise<void> {
    const request = this.#callOf(changes, seen, isStaged);
    const isWhole = request.method === 'PUT';
    const staged = this.staged.value;
    const replaced = staged ? replacedDrafts(this.drafts.value, changes, { seen, staged, isWhole }) : [];
    if (replaced.length === 0) return this.#write(request, isStaged);
    const again = isStaged || isWhole ? undefined : keepActions(replaced, changes, staged!);
    const json = request.json as { readonly version: number; readonly actions: readonly JsonMap[] };
    const keep = again && { ...request, json: { ...json, actions: [...json.actions, ...again] } };
    this.conflict.value = undefined;
    this.question.value = { drafts: replaced, merged: merge(this.current.value!, changes), request, keep, isStaged };
  }
}
