import { closeSync, existsSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * A small file beside the database that names the database and the number of the last acknowledged commit. It is
 * written after a commit is durable and before it is acknowledged, so at a start the database may be ahead of it but
 * not behind. A database that is behind has lost acknowledged writes: a damaged write-ahead log ends silently at the
 * damage, and an empty file opens as a new database.
 */
export interface Acknowledged {
  readonly instanceId: string;
  readonly commits: number;
}

/** There are two slots, written in turn: a torn write leaves the other one intact. */
const slotBytes = 64;

function encode({ instanceId, commits }: Acknowledged): Buffer {
  const text = `grs1 ${instanceId} ${commits} `.padEnd(slotBytes - 9, ' ');
  return Buffer.from(`${text}${crc32(text).toString(16).padStart(8, '0')}\n`);
}

function decode(slot: string): Acknowledged | undefined {
  const text = slot.slice(0, slotBytes - 9);
  const [magic, instanceId, commits] = text.split(' ');
  const isIntact = magic === 'grs1' && slot.slice(slotBytes - 9, -1) === crc32(text).toString(16).padStart(8, '0');
  return isIntact && instanceId && commits ? { instanceId, commits: Number(commits) } : undefined;
}

/** The newest intact slot; undefined where the file is missing or has none. */
export function readAcknowledged(file: string): Acknowledged | undefined {
  if (!existsSync(file)) return undefined;
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(2 * slotBytes);
    const text = buffer.toString('latin1', 0, readSync(fd, buffer, 0, buffer.length, 0));
    const slots = [decode(text.slice(0, slotBytes)), decode(text.slice(slotBytes))].flatMap((slot) => slot ?? []);
    return slots.sort((a, b) => b.commits - a.commits)[0];
  } finally {
    closeSync(fd);
  }
}

/** The file could not be written, for another reason than a full disk. */
export class AcknowledgedFileFailed extends Error {
  override readonly name = 'AcknowledgedFileFailed';
}

export interface AcknowledgedFile {
  /**
   * Records that the commit is durable and will be acknowledged. Not synced: it survives the process, not the machine.
   * Throws `AcknowledgedFileFailed`, after which no write can be acknowledged until a new start.
   */
  acknowledge(commits: number): void;
  close(): void;
}

/** Opens or creates the file and writes its first state durably. Must be closed. */
export function openAcknowledgedFile(file: string, { instanceId, commits }: Acknowledged): AcknowledgedFile {
  const fd = openSync(file, existsSync(file) ? 'r+' : 'w+', 0o600);
  const write = (count: number, slot: number) => {
    writeSync(fd, encode({ instanceId, commits: count }), 0, slotBytes, slot * slotBytes);
  };
  // Both slots, since an older one may have more commits, whose loss was accepted.
  write(commits, 0);
  write(commits, 1);
  fsyncSync(fd);
  return {
    acknowledge(count) {
      try {
        write(count, count % 2);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        const text = `${file} cannot be written: ${message}`;
        // Room may come back.
        if (code === 'ENOSPC' || code === 'EDQUOT') throw Object.assign(new Error(text, { cause: error }), { code });
        throw new AcknowledgedFileFailed(text, { cause: error });
      }
    },
    close() {
      fsyncSync(fd);
      closeSync(fd);
    },
  };
}
