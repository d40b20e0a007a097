import { workOnPieces } from '../../threads/piece-thread.ts';
import { prepareImage, renderImage } from './codec.ts';
import type { PictureLimits } from './container/inspect.ts';
import type { CodecResult, CodecTask } from './open-codec.ts';

/** The thread that works on images (open-codec.ts): loading the library and parsing a file would both block requests. */
workOnPieces<PictureLimits, CodecTask, CodecResult>(
  (limits) => (task) =>
    task.kind === 'prepare'
      ? prepareImage(task.path, task.type, limits)
      : renderImage(task.bytes, task.type, task.rendition),
);
