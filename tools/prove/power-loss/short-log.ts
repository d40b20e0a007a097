/**
 * Loaded before a program, in each of its threads: checkpoints begin at a log of a few hundred kilobytes, which is all that is
 * written under a tracer, rather than at 32 MiB. How they are made is what it always is.
 */
import { changeSource } from '../changed-source.ts';

changeSource({
  file: 'src/record/sqlite/write/checkpointer.ts',
  from: 'longBytes: 8 * MiB, maxBytes: 64 * MiB, idleMs: 2000, readerMs: 50',
  to: 'longBytes: MiB / 4, maxBytes: MiB / 2, idleMs: 200, readerMs: 5',
});
