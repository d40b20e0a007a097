import { importLines } from '../../import-lines.ts';
import type { Running } from '../../service.ts';
import type { SearchDocument } from '../corpus.ts';
import type { Target } from '../requests.ts';
import { say } from '../stage.ts';

const saidEvery = 10_000;

/** Imports the documents of the numbers below `count`: several times faster than single requests. */
export async function importDocuments(
  service: Running,
  target: Target,
  documentAt: (n: number) => SearchDocument,
  count: number,
): Promise<void> {
  const begun = performance.now();
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
  await importLines(service, target, documentAt, count, (sent) => {
    if (sent % saidEvery === 0) say(`  filling: ${sent} of ${count} sent in ${seconds()} s`);
  });
  say(`  filled ${count} resources in ${seconds()} s`);
}
