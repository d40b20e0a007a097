/** Which top-level fields a version changed. */
export interface VersionChange {
  readonly version: number;
  readonly fields: readonly string[];
}

/** How many versions back a conflict can tell what changed. */
const maxChanges = 20;

/**
 * Which top-level fields the last versions of a resource changed, newest first. It is kept as JSON text: each update stores
 * all of it again, and only a conflict or an export asks for the changes.
 */
export class VersionHistory {
  static readonly none = new VersionHistory('');

  /** The changes as `[version,[field,…]]`, with commas between them. */
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Of a text as above. */
  static stored(text: string): VersionHistory {
    return text === '' ? VersionHistory.none : new VersionHistory(text);
  }

  static of(changes: readonly VersionChange[]): VersionHistory {
    return VersionHistory.stored(changes.map(({ version, fields }) => JSON.stringify([version, fields])).join(','));
  }

  get changes(): readonly VersionChange[] {
    const parsed = JSON.parse(`[${this.text}]`) as [version: number, fields: string[]][];
    return parsed.map(([version, fields]) => ({ version, fields }));
  }

  /** This history with one more change, and without the oldest one where there are too many. */
  with({ version, fields }: VersionChange): VersionHistory {
    const changes = [[version, fields], ...JSON.parse(`[${this.text}]`)].slice(0, maxChanges);
    return new VersionHistory(JSON.stringify(changes).slice(1, -1));
  }
}
