import { download } from './download.ts';

/** A file that is being saved. */
export interface FileSink {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Saves what was written. */
  close(): Promise<void>;
  /** Forgets what was written. */
  abort(): Promise<void>;
}

/** The largest file that browsers put together from pieces. */
const maxPiecesBytes = 500_000_000;
const tooLarge =
  'The export is larger than 500 MB, which this browser cannot save. Use “grs export”, or export fewer resources.';

interface WithPicker {
  readonly showSaveFilePicker?: (options: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>;
}

function openPieces(fileName: string, type: string): FileSink {
  const pieces: Blob[] = [];
  let bytes = 0;
  return {
    async write(chunk) {
      bytes += chunk.length;
      if (bytes > maxPiecesBytes) throw new Error(tooLarge);
      // The browser keeps blobs outside of the page, on disk where they are large.
      pieces.push(new Blob([chunk]));
    },
    async close() {
      download(pieces, fileName, type);
    },
    async abort() {
      pieces.length = 0;
    },
  };
}

/**
 * Opens a file to save: where the browser can write to the file that the person chooses, straight to disk and of any
 * size; else in pieces, up to `maxPiecesBytes`, which are a download in the end. Undefined where the person chose none.
 * Call it as the first thing after a click: browsers ask for a file at no other time.
 */
export async function openSink(fileName: string, type: string): Promise<FileSink | undefined> {
  const { showSaveFilePicker } = globalThis as WithPicker;
  if (!showSaveFilePicker) return openPieces(fileName, type);
  try {
    const handle = await showSaveFilePicker.call(globalThis, { suggestedName: fileName });
    const file = await handle.createWritable();
    return { write: (chunk) => file.write(chunk), close: () => file.close(), abort: () => file.abort() };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    // A policy of the organisation, or a folder that must not be written to.
    return openPieces(fileName, type);
  }
}
