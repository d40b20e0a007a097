import type { Eventually } from '../../domain/ports/eventually.ts';
import type { ImageFile, ImageStore } from '../../domain/ports/image-store.ts';

/** A file as it is served: with its bytes at hand where it is small, else to be read from the store. */
export interface ServedFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly content: Uint8Array | undefined;
}

/** Files that are served from memory where they were served lately: what a name stands for never changes. */
export interface RememberedFiles {
  /** The store below. What is deleted through it is forgotten. */
  readonly files: ImageStore;
  /** Undefined where there is no such file. Without a promise where it is remembered. */
  find(name: string, needs: 'facts' | 'content'): Eventually<ServedFile | undefined>;
}

/** Larger ones are sent as they are read, as slowly as the client takes them. */
const maxContentBytes = 262_144;
/** All that is remembered, with what the memory itself takes for each file. */
const maxRememberedBytes = 16_777_216;
const entryBytes = 512;
/** A file that another process deleted is answered for so long. */
const goodForMs = 60_000;

interface Entry extends ServedFile {
  readonly goodUntilMs: number;
}

/** Makes a memory in front of a store. */
export function rememberFiles(store: ImageStore, nowMs: () => number): RememberedFiles {
  /** The longest unused first. */
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<ServedFile | undefined>>();
  let size = 0;
  let deletions = 0;

  function forget(name: string): void {
    const entry = entries.get(name);
    if (entry === undefined) return;
    entries.delete(name);
    size -= costOf(entry);
  }

  function remember(entry: Entry): void {
    forget(entry.name);
    entries.set(entry.name, entry);
    size += costOf(entry);
    for (const oldest of entries.keys()) {
      if (size <= maxRememberedBytes) break;
      forget(oldest);
    }
  }

  async function load(name: string, needs: 'facts' | 'content'): Promise<ServedFile | undefined> {
    const begun = deletions;
    const found = await store.find(name);
    if (found === undefined) {
      forget(name);
      return undefined;
    }
    const isSmall = found.sizeBytes <= maxContentBytes;
    const known = entries.get(name)?.content;
    const content = known ?? (needs === 'content' && isSmall ? await readWhole(store, found) : undefined);
    if (content === 'gone') return undefined;
    const entry = { name, sizeBytes: found.sizeBytes, content, goodUntilMs: nowMs() + goodForMs };
    // What was deleted since must not come back.
    if (begun === deletions) remember(entry);
    return entry;
  }

  /** Many who ask for one file at the same time wait for one read of it. */
  function loadOnce(name: string): Promise<ServedFile | undefined> {
    const known = loading.get(name);
    if (known !== undefined) return known;
    const begun = load(name, 'content').finally(() => {
      if (loading.get(name) === begun) loading.delete(name);
    });
    loading.set(name, begun);
    return begun;
  }

  return {
    files: {
      ...store,
      async delete(name) {
        try {
          return await store.delete(name);
        } finally {
          deletions += 1;
          forget(name);
          // A read that began before has no answer for who asks from now on.
          loading.delete(name);
        }
      },
    },
    find(name, needs) {
      const entry = entries.get(name);
      if (entry === undefined || entry.goodUntilMs <= nowMs() || lacks(entry, needs)) {
        return needs === 'content' ? loadOnce(name) : load(name, needs);
      }
      entries.delete(name);
      entries.set(name, entry);
      return entry;
    },
  };
}

const costOf = ({ content }: Entry) => (content?.length ?? 0) + entryBytes;

const lacks = ({ content, sizeBytes }: Entry, needs: 'facts' | 'content') =>
  needs === 'content' && content === undefined && sizeBytes <= maxContentBytes;

/** The bytes of a file; `gone` where it was deleted after it was found. */
async function readWhole(store: ImageStore, { name, sizeBytes }: ImageFile): Promise<Uint8Array | 'gone'> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of store.read(name, 0, sizeBytes - 1)) chunks.push(chunk);
  } catch (error) {
    if (await store.find(name)) throw error;
    return 'gone';
  }
  const content = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  if (content.length !== sizeBytes) throw new Error(`the image ${name} has ${content.length} bytes, not ${sizeBytes}`);
  return content;
}
