import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUuidV7, uuidV8 } from '../../src/domain/uuid.ts';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('createUuidV7 makes UUIDs of version 7 that begin with the time', () => {
  const id = createUuidV7(() => Date.UTC(2026, 0, 1))();
  assert.match(id, form);
  assert.equal(Number.parseInt(id.replace('-', '').slice(0, 12), 16), Date.UTC(2026, 0, 1));
});

test('createUuidV7 rises in one millisecond, past 4096 ids, and while the clock steps back', () => {
  const times = [1000, 1000, 900, 2000];
  const newId = createUuidV7(() => times[0]!);
  const ids: string[] = [];
  for (; times.length > 0; times.shift()) for (let i = 0; i < 5000; i += 1) ids.push(newId());
  assert.deepEqual([...ids].sort(), ids);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => form.test(id)));
});

test('uuidV8 makes one UUID of the same texts on every machine, and another of texts that are divided otherwise', () => {
  assert.equal(uuidV8('a/b', 'ü'), '342e43da-4218-8745-a8a8-fa23e1979edd');
  assert.notEqual(uuidV8('a', 'bc'), uuidV8('ab', 'c'));
});
