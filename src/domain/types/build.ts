import type { JsonObject, JsonValue } from '../../contract/json.ts';
import type { ResourceRecord, ResourceStore } from '../ports/resource-store.ts';
import type { ContestedMark, RuleStore } from '../ports/rule-store.ts';
import { scanIntact } from '../resource/read/scan-intact.ts';
import { parseRecord } from '../resource/resource.ts';
import { serviceContext } from '../resource/write/companion-record.ts';
import { noPreconditions } from '../resource/write/preconditions.ts';
import { type SettingsReader, writeSettings } from '../settings/stored-settings.ts';
import { turnOver } from '../turns.ts';
import { builtState, type ConflictingPath } from './built-state.ts';
import { allBeginnings, marksOf, uniqueBeginning } from './marks.ts';
import { type DeclaredTypes, haveMarks, typeSettings } from './settings.ts';

/** Conflicts of a path that are told with their resources. */
const maxExamples = 20;
/** Resources that get their marks in one commit, and marks that are removed in one. */
const portion = 250;

interface BuilderParts {
  readonly store: ResourceStore;
  readonly rules: RuleStore;
  readonly settings: SettingsReader;
  readonly onFailed: (error: unknown) => void;
}

/**
 * Gives the resources of a project the marks that its types say, beside the service: writes give their own ones meanwhile. In the end
 * it finds the unique paths of which several resources have the same value.
 */
export class MarksBuilder {
  readonly #parts: BuilderParts;
  readonly #running = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(parts: BuilderParts) {
    this.#parts = parts;
  }

  /** Begins with a project, unless it is under way. Types that are replaced meanwhile are built after these. */
  start(projectKey: string): void {
    if (this.#isClosed || this.#running.has(projectKey)) return;
    const run = this.#run(projectKey)
      .catch(this.#parts.onFailed)
      .finally(() => this.#running.delete(projectKey));
    this.#running.set(projectKey, run);
  }

  /** Begins with a project, and ends with it. */
  async build(projectKey: string): Promise<void> {
    this.start(projectKey);
    await this.#running.get(projectKey);
  }

  /** Ends what is under way: another start goes on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#running.values());
  }

  async #run(projectKey: string): Promise<void> {
    const { rules, settings } = this.#parts;
    for (;;) {
      settings.forget(typeSettings, projectKey);
      settings.forget(builtState, projectKey);
      const { version, value } = await settings.found(typeSettings, projectKey);
      const built = await settings.of(builtState, projectKey);
      if (this.#isClosed || version === built.version) return;
      await rules.setRules(projectKey, version);
      if (haveMarks(value)) await this.#markAll(projectKey, value);
      else await this.#unmarkAll(projectKey);
      if (this.#isClosed) return;
      await this.#store(projectKey, version, await this.#conflicting(projectKey, value));
    }
  }

  async #markAll(projectKey: string, types: DeclaredTypes): Promise<void> {
    const { store, rules } = this.#parts;
    for (let after: string | undefined; !this.#isClosed; ) {
      const records = await scanIntact(store, projectKey, after, portion);
      if (records.length === 0) return;
      const items: (Pick<ResourceRecord, 'id' | 'version' | 'incarnation'> & { readonly marks: readonly string[] })[] =
        [];
      for (const record of records) {
        const { id, version, incarnation } = record;
        const { unique, references } = marksOf(parseRecord(record).documents, types);
        items.push({
          id,
          version,
          incarnation,
          marks: [...new Set([...unique, ...references].map(({ mark }) => mark))],
        });
        const over = turnOver();
        if (over) await over;
      }
      await rules.mark(projectKey, items, allBeginnings);
      after = records.at(-1)!.id;
    }
  }

  async #unmarkAll(projectKey: string): Promise<void> {
    for (const beginning of allBeginnings) {
      while (!this.#isClosed && (await this.#parts.rules.unmark(projectKey, beginning, portion)) > 0);
    }
  }

  async #conflicting(projectKey: string, declared: DeclaredTypes): Promise<readonly ConflictingPath[]> {
    const found: ConflictingPath[] = [];
    for (const [type, { unique }] of Object.entries(declared.types)) {
      for (const path of unique) {
        const { count, first } = await this.#parts.rules.contested(
          projectKey,
          uniqueBeginning(type, path),
          maxExamples,
        );
        if (count === 0) continue;
        const examples: ConflictingPath['examples'][number][] = [];
        for (const { mark, ids } of first)
          examples.push({ value: await this.#valueOf(projectKey, declared, mark, ids), ids });
        found.push({ type, path, conflicts: count, examples });
      }
    }
    return found;
  }

  /** A mark may be a hash: a resource has the value. */
  async #valueOf(
    projectKey: string,
    declared: DeclaredTypes,
    mark: string,
    [id]: ContestedMark['ids'],
  ): Promise<JsonValue> {
    const record = id === undefined ? undefined : await this.#parts.store.get(projectKey, id);
    const marks = record ? marksOf(parseRecord(record).documents, declared).unique : [];
    return marks.find((each) => each.mark === mark)?.value ?? null;
  }

  async #store(projectKey: string, built: number, conflicting: readonly ConflictingPath[]): Promise<void> {
    const { store, settings } = this.#parts;
    const write = { store, projectKey, context: serviceContext('types'), preconditions: noPreconditions };
    await writeSettings(builtState, write, { built, conflicting } as unknown as JsonObject);
    settings.forget(builtState, projectKey);
  }
}
