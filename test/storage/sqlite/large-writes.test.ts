import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDraft } from '../../../src/contract/resource.ts';
import { type ImportLine, runImport } from '../../../src/domain/bulk/import.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { checkStore } from '../../../src/store/sqlite/maintenance/maintain.ts';
import { overriding } from '../overriding.ts';
import { creation, document } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

/** Documents of a megabyte, of which each word is new. */
function largeDocument(at: number) {
  const words = Array.from({ length: 30_000 }, (_, word) => `w${at}x${word.toString(36)}`);
  return document(`large-${at}`, 1, { name: { en: words.join(' ') }, filler: 'x'.repeat(maxLargeFiller) });
}

const maxLargeFiller = 400_000;

test('large writes of one project beside small ones of others: each result to its own caller, all is found', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const store = await openTestStore(folder.file);
  try {
    const large = [0, 1, 2].map((at) => creation('heavy', largeDocument(at)));
    const written = large.map((change) => store.resources.commit(change));
    const small: Promise<unknown>[] = [];
    let left = large.length;
    for (const each of written) {
      each.finally(() => {
        left -= 1;
      });
    }
    // Small writes come as long as large ones are under way, half of them of resources that are there already.
    for (let at = 0; left > 0; at += 1) {
      const twice = [1, 2].map(() => store.resources.commit(creation('light', document(`s-${at}`, 1, { at }))));
      small.push(Promise.all(twice));
      await twice[0];
    }
    assert.deepEqual(await Promise.all(written), ['committed', 'committed', 'committed']);
    for (const outcomes of await Promise.all(small)) assert.deepEqual(outcomes, ['committed', 'idTaken']);
    for (const word of ['w0x0', 'w2xn5b']) {
      const { total } = await store.resources.search(parseSearch(new Map([['text.en', [word]]]), 'heavy'));
      assert.equal(total, 1, word);
    }
  } finally {
    await store.close();
  }
  assert.deepEqual(await checkStore(folder.file, false, () => {}), []);
});

async function* arriving(lines: readonly ImportLine[]): AsyncGenerator<readonly ImportLine[]> {
  yield lines;
}

test('an import commits 100 lines together, 32 while others call', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const store = await openTestStore(folder.file);
  try {
    const { resources } = store;
    /** Imports new resources; resolves to the number of lines of each group. */
    const groupsOf = async (prefix: string, othersCall: boolean): Promise<readonly number[]> => {
      const groups: number[] = [];
      const commitAll: typeof resources.commitAll = (changes) => {
        groups.push(changes.length);
        return resources.commitAll(changes);
      };
      const lines = Array.from({ length: 250 }, (_, at): ImportLine => {
        return { line: at + 1, draft: checkDraft({ key: `${prefix}-${at}` }), size: 10 };
      });
      let last = '';
      const newId = () => crypto.randomUUID();
      await runImport(arriving(lines), {
        ...{
          store: overriding(resources, { commitAll }),
          projectKey: 'p',
          mode: 'create',
          checksVersions: false,
          dryRun: false,
        },
        ...{ from: 1, stopOnError: false, refusedOnly: true, stopReason: () => undefined },
        pace: { givesWay: () => othersCall, takeTurn: async () => () => {} },
        contextOf: () => ({ nowIso: new Date().toISOString(), clientId: 'c', newId, maxDocumentBytes: 1e6 }),
        write(texts) {
          last = texts.at(-1) ?? last;
          return true;
        },
      });
      assert.equal(JSON.parse(last).created, lines.length);
      return groups;
    };
    assert.equal((await groupsOf('alone', false))[0], 100);
    assert.equal((await groupsOf('beside', true))[0], 32);
  } finally {
    await store.close();
  }
});
