import type { DatabaseSync } from 'node:sqlite';
import { beginningOf, hasForms, isNumbered } from '../../../domain/search/words/stem.ts';
import { createVocabulary, type Vocabulary } from '../../../domain/search/words/vocabulary.ts';
import type { BuildPolicy } from './build-policy.ts';
import { createWordGroup, type WordGroup } from './word-group.ts';

/** The words of a project under one locale, as a search reads them: out of the table, and what is kept of it in memory. */
export interface LocaleWords {
  /** The words of documents that an asked word finds by its stem, itself included. */
  sameStem(asked: string, locale: string): readonly string[];
  /** All words that are some edits away, 1 to `most`. The whole vocabulary is in memory from the first call on. */
  near(asked: string, most: 1 | 2): readonly { readonly word: string; readonly distance: number }[];
}

/** What is kept of one locale's words: all of them, or the groups that were asked for, or both. */
interface Kept {
  all: Vocabulary | undefined;
  /** Set while all words are being read. */
  reading?: Generator<void, void> | undefined;
  partial?: Vocabulary | undefined;
  /** By their beginning. Words that have no forms are in none of them. */
  readonly groups: Map<string, WordGroup>;
  /** Memory of the groups, about. */
  groupBytes: number;
  /** Number of the commit up to which it knows all that was added. Words that have gone since do no harm. */
  commits: number;
}

export interface Vocabularies {
  /** The words as they are at the snapshot that is open, which is of the commit. */
  of(projectKey: string, locale: string, commits: number): LocaleWords;
  /** Reads a portion of a vocabulary that was asked for; true where there is more to do. */
  advance(): boolean;
  /** Memory held, about. */
  readonly bytes: number;
}

/** Words of a portion: some milliseconds. */
const portionWords = 20_000;

/** Vocabularies kept, of projects and locales together, and memory for them; those used longest ago go first. */
const mostVocabularies = 64;
const mostBytes = 256 * 1024 * 1024;

/** Memory for the groups of one vocabulary; beyond it they begin anew. */
const mostGroupBytes = 32 * 1024 * 1024;

/** Reads vocabularies on a connection and keeps them up to date from search to search. */
export function createVocabularies(db: DatabaseSync, policy: BuildPolicy): Vocabularies {
  const inLocale = 'FROM word WHERE project_key = ? AND locale = ?';
  const portion = db.prepare(
    `SELECT json_group_array(word) FROM (SELECT word ${inLocale} AND word > ? ORDER BY word LIMIT ${portionWords})`,
  );
  // Words with a digit have no forms, and there may be very many: article numbers.
  const between = db.prepare(`SELECT word ${inLocale} AND word >= ? AND word < ? AND word NOT GLOB '*[0-9]*'`);
  const since = db.prepare(`SELECT word ${inLocale} AND born > ?`);
  const present = db.prepare(`SELECT 1 ${inLocale} AND word = ?`);
  for (const statement of [portion, between, since]) statement.setReturnArrays(true);
  const kept = new Map<string, Kept>();

  function follow(projectKey: string, locale: string, commits: number): Kept {
    const name = `${projectKey} ${locale}`;
    const known: Kept = kept.get(name) ?? { all: undefined, groups: new Map(), groupBytes: 0, commits };
    kept.delete(name);
    kept.set(name, known);
    if (known.commits === commits) return known;
    for (const [word] of since.all(projectKey, locale, known.commits) as unknown as [string][]) {
      (known.all ?? known.partial)?.add(word);
      const group = isNumbered(word) ? undefined : known.groups.get(beginningOf(word));
      if (group) weigh(known, group, () => group.add(word));
    }
    known.commits = commits;
    return known;
  }

  /** Leaves out what was used longest ago, though never what is in use. */
  function makeRoom(): void {
    let bytes = bytesOf(kept.values());
    for (const [name, one] of kept) {
      if (kept.size === 1 || (kept.size <= mostVocabularies && bytes <= mostBytes)) return;
      bytes -= bytesOf([one]);
      kept.delete(name);
    }
  }

  function groupOf(known: Kept, projectKey: string, locale: string, beginning: string): WordGroup {
    const group = known.groups.get(beginning);
    if (group) return group;
    // No character is above U+10FFFF: what begins so is less than this end.
    const rows = between.all(projectKey, locale, beginning, `${beginning}\u{10ffff}`) as unknown as [string][];
    const made = createWordGroup(rows.map(([word]) => word).filter((word) => beginningOf(word) === beginning));
    if (known.groupBytes > mostGroupBytes) {
      known.groups.clear();
      known.groupBytes = 0;
    }
    known.groups.set(beginning, made);
    known.groupBytes += made.bytes();
    return made;
  }

  return {
    of(projectKey, locale, commits) {
      makeRoom();
      const known = follow(projectKey, locale, commits);
      return {
        sameStem(asked, asLocale) {
          if (!hasForms(asked, asLocale)) return present.get(projectKey, locale, asked) ? [asked] : [];
          // Exactly `matchesWord`: one beginning and one stem.
          const group = groupOf(known, projectKey, locale, beginningOf(asked));
          return weigh(known, group, () => group.sameStem(asked, asLocale));
        },
        near(asked, most) {
          if (!known.all) {
            // What is begun here goes on between searches if it is done elsewhere now.
            known.reading ??= reading(projectKey, locale, known);
            policy.isWorth(Number.POSITIVE_INFINITY, { db, projectKey });
            const { reading: portions } = known;
            policy.make(() => {
              for (const _ of portions) policy.check();
            });
          }
          return known.all!.near(asked, most);
        },
      };
    },
    advance() {
      const next = kept.values().find((each) => each.reading !== undefined && !each.all);
      next?.reading?.next();
      return next !== undefined;
    },
    get bytes() {
      return bytesOf(kept.values());
    },
  };

  /** Reads all words in portions, each in a snapshot of its own: those that come meanwhile are added as they are born. */
  function* reading(projectKey: string, locale: string, known: Kept): Generator<void, void> {
    const words = createVocabulary();
    known.partial = words;
    for (let last = ''; ; ) {
      const [[text] = ['[]']] = portion.all(projectKey, locale, last) as unknown as [string][];
      const some = JSON.parse(text) as string[];
      for (const word of some) words.add(word);
      if (some.length < portionWords) break;
      last = some.at(-1)!;
      yield;
    }
    known.all = words;
    known.partial = undefined;
    known.reading = undefined;
  }
}

/** Does something to a group, and keeps count of what it takes. */
function weigh<T>(known: Kept, group: WordGroup, act: () => T): T {
  const before = group.bytes();
  const done = act();
  known.groupBytes += group.bytes() - before;
  return done;
}

function bytesOf(kept: Iterable<Kept>): number {
  let bytes = 0;
  for (const { all, partial, groupBytes } of kept) bytes += groupBytes + ((all ?? partial)?.bytes ?? 0);
  return bytes;
}
