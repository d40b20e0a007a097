import type { ResourceRecord } from '../ports/resource-store.ts';
import type { PointReads } from '../resource/target.ts';
import type { Gate, GateReads } from '../resource/write/gate.ts';
import type { OperationResult } from './decide.ts';

/** Characters of resources that are kept; what lines behind them would make is not seen by later ones. */
const maxCharacters = 64 * 1024 * 1024;

/** A project as it would be after the lines of a dry run so far, so that a line may refer to what one before it makes. */
export class Rehearsal implements GateReads {
  readonly #store: PointReads;
  readonly #gate: Pick<Gate, 'marked'>;
  readonly #byId = new Map<string, ResourceRecord>();
  readonly #byKey = new Map<string, ResourceRecord>();
  readonly #marks = new Map<string, readonly string[]>();
  readonly #owners = new Map<string, Set<string>>();
  #characters = 0;

  constructor(store: PointReads, gate: Pick<Gate, 'marked'>) {
    this.#store = store;
    this.#gate = gate;
  }

  get: PointReads['get'] = (projectKey, id) => this.#byId.get(id) ?? this.#store.get(projectKey, id);

  getByKey: PointReads['getByKey'] = (projectKey, key) => this.#byKey.get(key) ?? this.#store.getByKey(projectKey, key);

  marked: Gate['marked'] = async (projectKey, mark, limit, after) => {
    const stored = await this.#gate.marked(projectKey, mark, limit, after);
    const own = this.#owners.get(mark) ?? [];
    return [...stored.filter((id) => !this.#marks.has(id)), ...own];
  };

  /** Takes what a group of lines would have made. */
  add(results: readonly OperationResult[]): void {
    for (const result of results) {
      if (!('outcome' in result) || !result.change || this.#characters > maxCharacters) continue;
      const { record } = result.outcome;
      this.#characters += record.current.length;
      this.#byId.set(record.id, record);
      if (record.key !== undefined) this.#byKey.set(record.key, record);
      this.#setMarks(record.id, result.change.rules?.marks ?? []);
    }
  }

  #setMarks(id: string, marks: readonly string[]): void {
    for (const mark of this.#marks.get(id) ?? []) this.#owners.get(mark)?.delete(id);
    this.#marks.set(id, marks);
    for (const mark of marks) {
      const owners = this.#owners.get(mark) ?? new Set();
      this.#owners.set(mark, owners.add(id));
    }
  }
}
