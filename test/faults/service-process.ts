import { after } from 'node:test';
import { endRunning } from '../../tools/prove/service-process.ts';

export * from '../../tools/prove/service-process.ts';

// A process that is left behind would keep the test file from ending.
after(endRunning);
