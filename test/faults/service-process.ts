import { endRunning } from '../../tools/prove/service-process.ts';
import { afterFile } from '../runner/after-file.ts';

export * from '../../tools/prove/service-process.ts';

// A process that is left behind would keep the test file from ending.
afterFile(endRunning);
