import type { DatabaseSync } from 'node:sqlite';
import {
  beginningOf,
  begunCompoundsOf,
  begunStems,
  compoundsOf,
  createVocabulary,
  editsToHead,
  hasForms,
  isNumbered,
  lettersOfHead,
  stemOf,
  type Vocabulary,
} from '#words';
import { Cache } from '../../../../cache/cache.ts';
import type { KnownWords } from '../../../query/plan-words.ts';
import type { BuildPolicy } from '../build-policy.ts';
import { portionWords, prepareStatements } from './vocabulary-statements.ts';
import { createWordGroup, type WordGroup } from './word-group.ts';

/** The cached words of one locale: all of them, or some groups, or both. */
interface CachedWords {
  all: Vocabulary | undefined;
  /** Set while all words are being read. */
  reading?: Generator<void, void> | undefined;
  /** Looking for letters within words is being prepared. */
  isPreparing: boolean;
  partial?: Vocabulary | undefined;
  /** By the beginning of their words. Words without inflected forms are in no group. */
  readonly groups: Map<string, WordGroup>;
  /** About the memory of the groups. */
  groupBytes: number;
  /** What looks through all words have found: dropped when a word is added. */
  found: Cache<string, readonly string[]> | undefined;
  /** The last change whose words are included. Words that were removed since do no harm. */
  commits: number;
}

export interface Vocabularies {
  /**
   * The words as of the open snapshot, which is of the commit. The first look at words that resemble one, or have it as
   * their head, reads the whole vocabulary into memory.
   */
  of(projectKey: string, locale: string, commits: number): KnownWords;
  /** The locales of the words of a project, in the open snapshot. */
  locales(projectKey: string): readonly string[];
  /** Reads a portion of a vocabulary that a search needed; true if there is more to do. */
  advance(): boolean;
  /** True if `advance` has something to do. */
  hasUnfinished(): boolean;
  /** About the memory held. */
  readonly bytes: number;
}

/**
 * Vocabularies cached, over all projects and locales, and memory for them. A Map in the order of use rather than a
 * `Cache`, since vocabularies grow while they are cached.
 */
const maxVocabularies = 64;
const maxBytes = 256 * 1024 * 1024;

/** Memory for the groups of one vocabulary; beyond it they are dropped. */
const maxGroupBytes = 32 * 1024 * 1024;

/** Memory for what was found in one vocabulary, of each look and of each word in it. */
const maxFoundBytes = 1024 * 1024;
const foundBytes = 200;
const foundWordBytes = 60;

/** Caches vocabularies on a connection, and updates them from search to search. */
export function createVocabularies(db: DatabaseSync, policy: BuildPolicy): Vocabularies {
  const { portion, between, beginning, since, swept, present, locales } = prepareStatements(db);
  const cache = new Map<string, CachedWords>();
  /** True if something may have grown since there was room: to add up what all hold would take longer than to look up a word. */
  let hasGrown = true;

  function canFollow(known: CachedWords, commits: number): boolean {
    if (known.commits === commits) return true;
    const [until] = swept.get() as unknown as readonly [number];
    return known.commits >= until;
  }

  function follow(projectKey: string, locale: string, commits: number): CachedWords {
    const name = `${projectKey} ${locale}`;
    const cached = cache.get(name);
    const known: CachedWords = (cached && canFollow(cached, commits) ? cached : undefined) ?? {
      ...{ all: undefined, isPreparing: false },
      groups: new Map(),
      groupBytes: 0,
      found: undefined,
      commits,
    };
    cache.delete(name);
    cache.set(name, known);
    if (known !== cached) hasGrown = true;
    if (known.commits === commits) return known;
    const added = since.all(known.commits, projectKey, locale) as unknown as [string][];
    for (const word of added.flatMap(([words]) => JSON.parse(`[${words}]`) as string[])) {
      hasGrown = true;
      known.found = undefined;
      (known.all ?? known.partial)?.add(word);
      const group = isNumbered(word) ? undefined : known.groups.get(beginningOf(word));
      group?.add(word);
    }
    known.commits = commits;
    return known;
  }

  /** Evicts the least recently used vocabularies, but never the only one. */
  function makeRoom(): void {
    if (!hasGrown) return;
    hasGrown = false;
    let bytes = bytesOf(cache.values());
    for (const [name, one] of cache) {
      if (cache.size === 1 || (cache.size <= maxVocabularies && bytes <= maxBytes)) return;
      bytes -= bytesOf([one]);
      cache.delete(name);
    }
  }

  function groupOf(known: CachedWords, projectKey: string, locale: string, beginning: string): WordGroup {
    const group = known.groups.get(beginning);
    if (group) return group;
    // U+10FFFF is the last character: every word with the beginning is less than this end.
    const rows = between.all(projectKey, locale, beginning, `${beginning}\u{10ffff}`) as unknown as [string][];
    if (known.groupBytes > maxGroupBytes) {
      known.groups.clear();
      known.groupBytes = 0;
    }
    const words = rows.map(([word]) => word).filter((word) => beginningOf(word) === beginning);
    const made = createWordGroup(words, (bytes) => {
      known.groupBytes += bytes;
      hasGrown = true;
    });
    known.groups.set(beginning, made);
    return made;
  }

  function allOf(known: CachedWords, projectKey: string, locale: string): Vocabulary {
    if (!known.all) {
      known.reading ??= reading(projectKey, locale, known);
      const { reading: portions } = known;
      // Not for…of: if the time runs out, that would close the generator, and the next search could not go on.
      while (!portions.next().done) policy.check();
    }
    return known.all!;
  }

  /** What a look through all words finds, which is as slow as there are words: searches ask for the same ones again. */
  function found(known: CachedWords, name: string, look: () => readonly string[]): readonly string[] {
    known.found ??= new Cache({
      maxBytes: maxFoundBytes,
      bytesOf: (each) => foundBytes + each.length * foundWordBytes,
    });
    const cached = known.found.get(name);
    if (cached) return cached;
    const words = look();
    known.found.set(name, words);
    return words;
  }

  const unfinished = () => cache.values().find((each) => each.isPreparing || (each.reading && !each.all));

  function prepare(known: CachedWords, all: Vocabulary): boolean {
    const wasPreparing = known.isPreparing;
    known.isPreparing = all.prepareWithin(portionWords);
    hasGrown ||= wasPreparing || known.isPreparing;
    return known.isPreparing;
  }

  /** Waits only where there is little to look in yet; what was added since is prepared between searches. */
  function prepared(known: CachedWords, all: Vocabulary): Vocabulary {
    while (all.unprepared() === 'many') {
      prepare(known, all);
      policy.check();
    }
    known.isPreparing ||= all.unprepared() === 'few';
    return all;
  }

  return {
    of(projectKey, locale, commits) {
      makeRoom();
      const known = follow(projectKey, locale, commits);
      let group: WordGroup | undefined;
      let beginningOfGroup: string | undefined;
      /** The parts of which a word may consist begin alike. */
      const groupWith = (word: string): WordGroup => {
        const begin = beginningOf(word);
        if (group && begin === beginningOfGroup) return group;
        group = groupOf(known, projectKey, locale, begin);
        beginningOfGroup = begin;
        return group;
      };
      const ending = (name: string, head: string, asLocale: string, ofHead: typeof compoundsOf) => {
        const all = prepared(known, allOf(known, projectKey, locale));
        const within = () => all.within(lettersOfHead(head, asLocale));
        return found(known, `${name} ${head}`, () => within().filter(ofHead(head, asLocale)));
      };
      return {
        has: (word) => present.get(projectKey, locale, word) !== undefined,
        forms(word, asLocale) {
          if (!hasForms(word, asLocale)) return present.get(projectKey, locale, word) ? [word] : [];
          // The same as `matchesWord`: the same beginning and the same stem.
          return groupWith(word).ofStem(stemOf(word, asLocale), asLocale);
        },
        begunForms(begun, asLocale) {
          const stems = begunStems(begun, asLocale);
          const found = [...stems].flatMap((stem) => groupWith(begun).ofStem(stem, asLocale));
          return found.filter((each) => !each.startsWith(begun));
        },
        beginning(word, enough = -1) {
          const rows = beginning.all(projectKey, locale, word, `${word}\u{10ffff}`, enough) as unknown as [string][];
          return rows.map(([begun]) => begun);
        },
        compounds: (head, asLocale) => ending(`head ${asLocale}`, head, asLocale, compoundsOf),
        begunCompounds(begun, asLocale) {
          if (begunStems(begun, asLocale).size === 0) return [];
          return ending(`begun head ${asLocale}`, begun, asLocale, begunCompoundsOf);
        },
        near(word, most) {
          const all = allOf(known, projectKey, locale);
          return found(known, `near ${most} ${word}`, () => all.near(word, most).map((each) => each.word));
        },
        ofNearStem(word, asLocale, most) {
          return groupWith(word).ofNearStem(word, asLocale, most);
        },
        nearBeginnings(word, most) {
          const all = allOf(known, projectKey, locale);
          return found(known, `near beginning ${most} ${word}`, () => all.beginningNear(word, most));
        },
        nearCompounds(word, level) {
          const all = allOf(known, projectKey, locale);
          return found(known, `near head ${level} ${word}`, () =>
            all.endingNear(word, level).filter((each) => editsToHead(each, word, level) !== undefined),
          );
        },
      };
    },
    locales: (projectKey) => (locales.all(projectKey) as unknown as [string][]).map(([locale]) => locale),
    hasUnfinished: () => unfinished() !== undefined,
    advance() {
      const next = unfinished();
      if (next?.all) prepare(next, next.all);
      else next?.reading?.next();
      return next !== undefined;
    },
    get bytes() {
      return bytesOf(cache.values());
    },
  };

  /** Reads all words in portions, each in a snapshot of its own; `follow` adds those that are written meanwhile. */
  function* reading(projectKey: string, locale: string, known: CachedWords): Generator<void, void> {
    const words = createVocabulary();
    known.partial = words;
    try {
      for (let last = ''; ; ) {
        const [[text] = ['[]']] = portion.all(projectKey, locale, last) as unknown as [string][];
        const some = JSON.parse(text) as string[];
        for (const word of some) words.add(word);
        hasGrown = true;
        if (some.length < portionWords) break;
        last = some.at(-1)!;
        yield;
      }
    } catch (error) {
      // The next search starts over.
      known.partial = undefined;
      known.reading = undefined;
      throw error;
    }
    known.all = words;
    known.partial = undefined;
    known.reading = undefined;
  }
}

function bytesOf(vocabularies: Iterable<CachedWords>): number {
  let bytes = 0;
  for (const { all, partial, groupBytes } of vocabularies) bytes += groupBytes + ((all ?? partial)?.bytes ?? 0);
  return bytes;
}
