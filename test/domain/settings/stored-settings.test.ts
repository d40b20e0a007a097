import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourceRecord } from '../../../src/domain/ports/resource-store.ts';
import { parseSettings, searchSettings, settingsOf } from '../../../src/domain/search/settings-draft.ts';
import { askedText } from '../../../src/domain/search/words/asked-text.ts';
import { type CachedSettings, createSettingsReader } from '../../../src/domain/settings/stored-settings.ts';

const record = (version: number, settings: object): ResourceRecord => {
  const at = '2026-01-01T00:00:00.000Z';
  const current = { id: 'search', version, createdAt: at, lastModifiedAt: at, json: JSON.stringify(settings) };
  const system = { projectKey: 'p~settings', id: 'search', key: undefined, version, createdAt: at, lastModifiedAt: at };
  return {
    ...system,
    current: JSON.stringify(current),
    staged: undefined,
    history: '',
    incarnation: '0123456789',
  };
};

test('a reader sees a change by another process within a second, and one by its own at once', async () => {
  let nowMs = 0;
  let stored = record(1, { match: 'all' });
  const reads: string[] = [];
  const store = {
    async get(projectKey: string, id: string) {
      reads.push(`${projectKey}/${id}`);
      return stored;
    },
  };
  const reader = createSettingsReader(store, new Map<string, CachedSettings>(), () => nowMs);
  assert.equal((await reader.of(searchSettings, 'p')).match, 'all');
  stored = record(2, { match: 'most' });
  nowMs = 999;
  assert.equal((await reader.of(searchSettings, 'p')).match, 'all');
  nowMs = 1000;
  assert.equal((await reader.of(searchSettings, 'p')).match, 'most');
  assert.deepEqual(reads, ['p~settings/search', 'p~settings/search']);
  stored = record(3, {});
  reader.forget(searchSettings, 'p');
  assert.equal((await reader.of(searchSettings, 'p')).match, 'auto');
});

test('what was read before a change by this process is not kept', async () => {
  const reading = Promise.withResolvers<ResourceRecord | undefined>();
  const answers: (Promise<ResourceRecord | undefined> | ResourceRecord)[] = [
    reading.promise,
    record(1, { match: 'all' }),
  ];
  const reader = createSettingsReader({ get: () => answers.shift()! }, new Map<string, CachedSettings>(), () => 0);
  const before = reader.of(searchSettings, 'p');
  reader.forget(searchSettings, 'p');
  reading.resolve(undefined);
  assert.equal((await before).match, 'auto');
  assert.equal((await reader.of(searchSettings, 'p')).match, 'all');
});

test('synonyms: both ways and one way, in any form, for the locale and its countries', () => {
  const draft = parseSettings({
    synonyms: [
      { locale: 'en', words: ['sofa', 'couch'] },
      { locale: 'en', from: ['television set'], to: ['tv'] },
    ],
    stopWords: { de: ['billig'] },
  });
  const settings = settingsOf(draft);
  const synonyms = (locale: string, text: string) => askedText(locale, [text], false, settings).synonyms;
  assert.deepEqual(synonyms('en', 'oak couches'), [{ words: ['sofa'], of: [1] }]);
  assert.deepEqual(synonyms('en-GB', 'sofa'), [{ words: ['couch'], of: [0] }]);
  assert.deepEqual(synonyms('en', 'large television sets'), [{ words: ['tv'], of: [1, 2] }]);
  assert.deepEqual(synonyms('en', 'tv'), []);
  assert.deepEqual(synonyms('de', 'sofa'), []);
  assert.deepEqual(askedText('de-AT', ['billig sofa'], false, settings).small, [0]);
});
