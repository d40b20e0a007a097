import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The files of a folder that have a text. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder).filter((name) => {
    const file = join(folder, name);
    return statSync(file).isFile() && readFileSync(file).includes(text);
  });
}

export function assertFilesHave(folder: string, text: string): void {
  assert.notDeepEqual(filesWith(folder, text), [], `no file has ${text}`);
}

/** Resolves when no file of a folder has a text any more; fails when that takes half a minute. */
export async function untilNoFileHas(folder: string, text: string): Promise<void> {
  const lastMs = performance.now() + 30_000;
  for (;;) {
    const found = filesWith(folder, text);
    if (found.length === 0) return;
    assert.ok(performance.now() < lastMs, `${text} is still in ${found.join(', ')}`);
    await delay(20);
  }
}
