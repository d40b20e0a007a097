import type { JsonObject } from '../../../contract/json.ts';
import { parseStoredJson, stringifyJson } from '../../json/parse.ts';
import type { ResourceStore } from '../../ports/resource-store.ts';
import { decideRecord, readCompanionRecord, serviceContext } from '../../resource/write/companion-record.ts';
import { decideDelete } from '../../resource/write/decision.ts';
import type { SearchedText } from './searched-text.ts';

/** How often a text was searched for, and what it found. */
export interface SearchCount extends Omit<SearchedText, 'hits'> {
  readonly count: number;
  readonly withoutHits: number;
  /** The last minute. */
  readonly lastAt: string;
}

export type SearchCounts = ReturnType<typeof createSearchCounts>;

/** Bounds: days; texts of a project and day, the most frequent ones; texts of all projects in memory (about 5 MB); attempts of a write. */
export const countLimits = { days: 30, texts: 1000, noted: 20_000, attempts: 5 } as const;
const dayMs = 86_400_000;

/** A companion project with one record for each day, so that every engine keeps it alike (as decision 123). */
export const searchesProjectOf = (projectKey: string) => `${projectKey}~searches`;
const isoAt = (ms: number) => new Date(ms).toISOString();
const dayAt = (ms: number) => isoAt(ms).slice(0, 10);

type ByText = Map<string, SearchCount>;

function add(counts: ByText, one: SearchCount): void {
  const key = `${one.locale} ${one.text}`;
  const { count = 0, withoutHits = 0, lastAt = '' } = counts.get(key) ?? {};
  const last = one.lastAt > lastAt ? one.lastAt : lastAt;
  counts.set(key, { ...one, count: count + one.count, withoutHits: withoutHits + one.withoutHits, lastAt: last });
}

function mostFrequent(counts: Iterable<SearchCount>): readonly SearchCount[] {
  const all = [...counts].sort((a, b) => b.count - a.count || (a.lastAt < b.lastAt ? 1 : -1));
  return all.slice(0, countLimits.texts);
}

/**
 * Counts the texts that projects are searched for: in memory, and every few minutes in the record of the day, to which all processes add.
 * What was counted since is lost with a process that is killed.
 */
export function createSearchCounts(store: Pick<ResourceStore, 'get' | 'commit'>, nowMs: () => number) {
  const noted = new Map<string, ByText>();
  let notedTexts = 0;
  const contextAt = (ms: number) => serviceContext('service', isoAt(ms));

  async function readDay(projectKey: string, day: string) {
    const found = await readCompanionRecord(store, searchesProjectOf(projectKey), day, contextAt(nowMs()));
    const json = found?.resource.current.json;
    const counts = typeof json === 'string' ? (parseStoredJson(json) as unknown as readonly SearchCount[]) : [];
    return { found, counts };
  }

  async function writeDay(projectKey: string, counts: ByText): Promise<void> {
    const now = nowMs();
    for (let attempt = 0; attempt < countLimits.attempts; attempt += 1) {
      const { found, counts: before } = await readDay(projectKey, dayAt(now));
      const all: ByText = new Map();
      for (const one of [...before, ...counts.values()]) add(all, one);
      const current: JsonObject = { json: stringifyJson(mostFrequent(all.values()) as never) };
      const { change } = decideRecord(searchesProjectOf(projectKey), dayAt(now), found, current, contextAt(now));
      if (!change || (await store.commit(change)) === 'committed') {
        if (!found) await forgetOldDays(projectKey, now);
        return;
      }
    }
  }

  async function forgetOldDays(projectKey: string, now: number): Promise<void> {
    for (let days = countLimits.days; days < 2 * countLimits.days; days += 1) {
      const { found } = await readDay(projectKey, dayAt(now - days * dayMs));
      const change = found && decideDelete(found, contextAt(now)).change;
      if (change) await store.commit(change);
    }
  }

  return {
    note(projectKey: string, { locale, text, hits }: SearchedText): void {
      const counts: ByText = noted.get(projectKey) ?? new Map();
      if (!counts.has(`${locale} ${text}`)) {
        if (counts.size >= countLimits.texts || notedTexts >= countLimits.noted) return;
        notedTexts += 1;
      }
      noted.set(projectKey, counts);
      const lastAt = `${isoAt(nowMs()).slice(0, 16)}:00.000Z`;
      add(counts, { locale, text, count: 1, withoutHits: hits === 0 ? 1 : 0, lastAt });
    },
    /** The texts of the last days. */
    async of(projectKey: string): Promise<readonly SearchCount[]> {
      const days = Array.from({ length: countLimits.days }, (_, n) => dayAt(nowMs() - n * dayMs));
      const read = await Promise.all(days.map((day) => readDay(projectKey, day)));
      const all: ByText = new Map();
      for (const one of read.flatMap(({ counts }) => counts)) add(all, one);
      for (const one of noted.get(projectKey)?.values() ?? []) add(all, one);
      return [...all.values()];
    },
    /** Writes what was counted since the last time. Where that of one project fails, the others after it keep theirs for the next time. */
    async write(): Promise<void> {
      for (const projectKey of [...noted.keys()]) {
        const counts = noted.get(projectKey);
        // Another write, while the service is closed, may have taken them.
        if (!counts) continue;
        noted.delete(projectKey);
        notedTexts -= counts.size;
        await writeDay(projectKey, counts);
      }
    },
  };
}
