import { Cache } from '../../cache/cache.ts';
import type { Eventually } from '../../domain/ports/eventually.ts';
import type { ImageFile, ImageStore } from '../../domain/ports/image-store.ts';
import { reportCache } from '../../telemetry/cache-metrics.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** A file to serve: with its bytes where it is small, else to be read from the store. */
export interface ServedFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly content: Uint8Array | undefined;
}

export type CachedFiles = ReturnType<typeof cacheFiles>;

/** Larger files are sent as they are read, at the pace of the client. */
const maxContentBytes = 262_144;
const maxCachedBytes = 16_777_216;
/** Overhead of an entry besides its content. */
const entryBytes = 512;
/** How long a file that another process deleted may still be served. The content of an entry that is older stays good. */
const freshForMs = 60_000;

interface Entry extends ServedFile {
  readonly freshUntilMs: number;
}

/** Puts a cache in front of a store. A file never changes, so an entry only ends where the file is deleted. */
export function cacheFiles(store: ImageStore, nowMs: () => number, metrics: Metrics) {
  const bytesOf = ({ content }: Entry) => (content?.length ?? 0) + entryBytes;
  const entries = new Cache<string, Entry>({ maxBytes: maxCachedBytes, bytesOf });
  reportCache(metrics, 'image_files', entries);
  const loading = new Map<string, Promise<ServedFile | undefined>>();
  let deletions = 0;

  async function load(name: string): Promise<ServedFile | undefined> {
    const begun = deletions;
    const found = await store.find(name);
    if (found === undefined) {
      entries.delete(name);
      return undefined;
    }
    const known = entries.peek(name)?.content;
    const content = known ?? (found.sizeBytes <= maxContentBytes ? await readUnlessGone(store, found) : undefined);
    if (content === 'gone') return undefined;
    const entry = { name, sizeBytes: found.sizeBytes, content, freshUntilMs: nowMs() + freshForMs };
    // A file that was deleted since must not come back.
    if (begun === deletions) entries.set(name, entry);
    return entry;
  }

  /** Concurrent requests for a file share one read of it. */
  function loadOnce(name: string): Promise<ServedFile | undefined> {
    const known = loading.get(name);
    if (known !== undefined) return known;
    const begun = load(name).finally(() => {
      if (loading.get(name) === begun) loading.delete(name);
    });
    loading.set(name, begun);
    return begun;
  }

  return {
    /** The store below. A file that is deleted through it leaves the cache. */
    files: {
      ...store,
      async delete(name: string) {
        try {
          return await store.delete(name);
        } finally {
          deletions += 1;
          entries.delete(name);
          // Later requests must not share a read that began before the deletion.
          loading.delete(name);
        }
      },
    },
    /** Undefined where there is no such file. Without a promise where it is cached. */
    find(name: string): Eventually<ServedFile | undefined> {
      const entry = entries.get(name);
      return entry && entry.freshUntilMs > nowMs() ? entry : loadOnce(name);
    },
  };
}

/** As `readWhole`; `gone` where the file was deleted after it was found. */
async function readUnlessGone(store: ImageStore, file: ImageFile): Promise<Uint8Array | 'gone'> {
  try {
    return await readWhole(store, file);
  } catch (error) {
    if (await store.find(file.name)) throw error;
    return 'gone';
  }
}

/** All bytes of a file. */
export async function readWhole(store: ImageStore, { name, sizeBytes }: ImageFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.read(name, 0, sizeBytes - 1)) chunks.push(chunk);
  const content = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  if (content.length !== sizeBytes) throw new Error(`the image ${name} has ${content.length} bytes, not ${sizeBytes}`);
  return content;
}
