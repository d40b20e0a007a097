import { workOnPieces } from '../../threads/piece-thread.ts';
import { type PreparedImage, prepareImage } from './codec.ts';
import type { PictureLimits } from './container/inspect.ts';
import type { CodecTask } from './open-codec.ts';

/** The thread that works on images (open-codec.ts): loading the library and parsing a file would both block requests. */
workOnPieces<PictureLimits, CodecTask, PreparedImage>((limits) => (task) => prepareImage(task, limits));
