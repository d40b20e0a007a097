import type { ResourceRecord } from '../../../domain/ports/resource-store.ts';

/**
 * A bounded memory of records that were read lately, in front of the database. It never answers an old version: a
 * record is forgotten when a write of it is handed to the writer, and not remembered again before that write is
 * answered, so a version that another reader may have seen is never followed by an older one.
 */
export interface RecordCache {
  get(name: string): ResourceRecord | undefined;
  /** Remembers a record that was read just now, unless a write of it is on its way. */
  offer(name: string, record: ResourceRecord): void;
  delete(name: string): void;
  /** A write is handed over. Call `writeEnded` when it was answered, whatever the answer. */
  writeBegins(name: string): void;
  /** `updated` is what an update made of the record, where it was committed: whoever updates often, updates again. */
  writeEnded(name: string, updated?: ResourceRecord): void;
}

/**
 * A record is remembered when it is asked for again soon: reads spread over more records than fit would only push each
 * other out, and what V8 moves about for them costs more than the few hits save.
 */
const slots = 16_384;

/** A cheap hash of a name; ids differ most at their end. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = Math.max(0, name.length - 12); at < name.length; at += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  }
  return hash | 1;
}

/** Beyond this a record is not worth a place. */
const largestRecord = 65_536;

/** Characters of the bodies of a record: V8 keeps one byte for each where all are Latin-1. */
function sizeOf({ current, staged }: ResourceRecord): number {
  return 200 + current.length + (staged?.length ?? 0);
}

/** What an update made is kept with its parsed form, which takes several times the memory of the text. */
const parsedFactor = 5;

interface Entry {
  readonly record: ResourceRecord;
  readonly bytes: number;
}

/** Keeps at most `maxBytes` of bodies; those used longest ago go first. */
export function createRecordCache(maxBytes: number): RecordCache {
  const records = new Map<string, Entry>();
  const writing = new Map<string, number>();
  /** Hash of the last name asked for in each slot. */
  const asked = new Int32Array(slots);
  let bytes = 0;

  function isAskedAgain(name: string): boolean {
    const hash = hashOf(name);
    const slot = (hash >>> 1) & (slots - 1);
    const again = asked[slot] === hash;
    asked[slot] = hash;
    return again;
  }

  function remove(name: string): void {
    const entry = records.get(name);
    if (entry && records.delete(name)) bytes -= entry.bytes;
  }

  function put(name: string, record: ResourceRecord, factor: number): void {
    const size = sizeOf(record) * factor;
    if (size > largestRecord * factor) return;
    remove(name);
    records.set(name, { record, bytes: size });
    bytes += size;
    for (const oldest of records.keys()) {
      if (bytes <= maxBytes) break;
      remove(oldest);
    }
  }

  return {
    get(name) {
      const entry = records.get(name);
      if (!entry) return undefined;
      // A Map keeps the order of insertion: the first one is the one used longest ago.
      records.delete(name);
      records.set(name, entry);
      return entry.record;
    },
    offer(name, record) {
      if (isAskedAgain(name) && !writing.has(name)) put(name, record, 1);
    },
    delete: remove,
    writeBegins(name) {
      remove(name);
      writing.set(name, (writing.get(name) ?? 0) + 1);
    },
    writeEnded(name, updated) {
      const left = (writing.get(name) ?? 1) - 1;
      if (left > 0) {
        writing.set(name, left);
        return;
      }
      writing.delete(name);
      if (updated && isAskedAgain(name)) put(name, updated, parsedFactor);
    },
  };
}
