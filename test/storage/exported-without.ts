import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../faults/service-process.ts';
import type { TestApi } from '../start-test-api.ts';

/** The project `p` is exported without a damaged resource: the last line says so, and `grs export` names it. */
export async function assertExportLeavesOut(api: TestApi, damagedId: string, others: readonly string[]): Promise<void> {
  for (const query of ['', '&format=csv&fields=id', '&where=id%20is%20defined']) {
    const { status, text, headers } = await api.call({ path: `/p/resource/export?summary=true${query}` });
    assert.equal(status, 200, text);
    const lines = text.trimEnd().split(/\r?\n/);
    assert.deepEqual(JSON.parse(lines.pop()!), ['incomplete', others.length, 1, [damagedId]], query);
    assert.equal(headers['x-export-count'], undefined);
    const ids = query.includes('csv') ? lines.slice(1) : lines.map((line) => JSON.parse(line).id);
    assert.deepEqual(ids, others, query);
  }
  const folder = mkdtempSync(join(tmpdir(), 'grs-export-'));
  try {
    const [url, token, out] = [await api.listen(), await api.token('view_test:p'), join(folder, 'p.ndjson')];
    const access = ['--url', url, '--token', token, '--project', 'p', '--out', out];
    const { code, stderr } = await runCommand(['export', ...access], {});
    assert.equal(code, 70, stderr);
    assert.match(stderr, new RegExp(`${others.length} resources were written. 1 damaged .+ left out: ${damagedId}\\.`));
    const written = readFileSync(out, 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      written.map((line) => JSON.parse(line).id),
      others,
    );
    // Without a summary, a download that lacks a resource is cut.
    const cut = await fetch(`${url}/p/resource/export`, { headers: { authorization: `Bearer ${token}` } });
    await assert.rejects(cut.text());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
