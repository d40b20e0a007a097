/**
 * Loaded before every test file of a run with coverage: measures it only in the files that are there to reach what must be
 * reached, and in the processes that these start. To count every block costs a quarter of the processor time.
 */
import { stopCoverage } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/** Folders of tests of what has to be covered, and the tests of the interface. */
const covering = /\/test\/(api|domain|http|storage)\//;

const [, file = ''] = process.argv;
if (isMainThread && process.env.NODE_V8_COVERAGE && /\.(?:test\.ts|group\.js)$/.test(file) && !covering.test(file)) {
  delete process.env.NODE_V8_COVERAGE;
  stopCoverage();
}
