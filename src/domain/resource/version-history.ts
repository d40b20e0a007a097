/** Which top-level fields a version changed. */
export interface VersionChange {
  readonly version: number;
  readonly fields: readonly string[];
}

/** How many versions back a conflict can tell what changed. */
const maxChanges = 20;

const textOf = ({ version, fields }: VersionChange): string => JSON.stringify([version, fields]);

const parsed = (text: string) => JSON.parse(`[${text}]`) as [version: number, fields: string[]][];

/**
 * Which top-level fields the last versions of a resource changed, newest first. It is kept as JSON text: each update stores
 * all of it again, and only a conflict or an export asks for the changes.
 */
export class VersionHistory {
  static readonly none = new VersionHistory('', []);

  /** The changes as `[version,[field,…]]`, with commas between them. */
  readonly text: string;
  /** How long the text of each change is; undefined until an update needs it. */
  #lengths: readonly number[] | undefined;

  private constructor(text: string, lengths?: readonly number[]) {
    this.text = text;
    this.#lengths = lengths;
  }

  /** Of a text as above. */
  static stored(text: string): VersionHistory {
    return text === '' ? VersionHistory.none : new VersionHistory(text);
  }

  static of(changes: readonly VersionChange[]): VersionHistory {
    return VersionHistory.stored(changes.map(textOf).join(','));
  }

  get changes(): readonly VersionChange[] {
    return parsed(this.text).map(([version, fields]) => ({ version, fields }));
  }

  /** This history with one more change, and without the oldest one where there are too many. */
  with(change: VersionChange): VersionHistory {
    const added = textOf(change);
    this.#lengths ??= parsed(this.text).map((each) => JSON.stringify(each).length);
    const lengths = [added.length, ...this.#lengths];
    let kept = this.text;
    while (lengths.length > maxChanges) kept = kept.slice(0, -(lengths.pop()! + 1));
    // Joined rather than added up, so that the text is flat before it is sent to another thread again and again.
    return new VersionHistory(kept === '' ? added : [added, kept].join(','), lengths);
  }
}
