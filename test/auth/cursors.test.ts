import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { createCursors, cursorQuery, cursorSecret } from '../../src/auth/cursors.ts';
import { createTokenService } from '../../src/auth/tokens.ts';
import { startTestTokens } from './start-test-tokens.ts';

const query = cursorQuery('a query');
const dayMs = 86_400_000;

test('a cursor of one process is taken by another, also after a restart and after the next rotation of the keys', async (t) => {
  const from = await startTestTokens(t);
  const position = ['text', null, true, { number: '9007199254740993' }, 'id'];
  const cursor = from.tokens.cursors.seal(query, position);
  assert.match(cursor, /^[A-Za-z0-9_-]+$/);
  const opened = async (clients: typeof from.clients) => {
    const tokens = createTokenService({ ...from.deps, clients });
    await tokens.start();
    t.after(() => tokens.close());
    return tokens.cursors;
  };
  assert.deepEqual((await opened(from.elsewhere)).open(query, cursor), position);
  from.clock.nowMs += 89.5 * dayMs;
  await opened(from.elsewhere);
  from.clock.nowMs += dayMs;
  const later = await opened(from.elsewhere);
  assert.deepEqual(later.open(query, cursor), position);
  assert.notEqual(later.seal(query, ['id']), from.tokens.cursors.seal(query, ['id']), 'the new key signs');
});

test('a cursor of another store, or of another query, is refused', async (t) => {
  const [here, there] = [await startTestTokens(t), await startTestTokens(t)];
  const cursor = here.tokens.cursors.seal(query, ['id']);
  assert.throws(() => there.tokens.cursors.open(query, cursor), /Malformed parameter: cursor/);
  assert.throws(() => here.tokens.cursors.open(cursorQuery('other'), cursor), /made for another query/);
  assert.deepEqual(here.tokens.cursors.open(query, cursor), ['id']);
});

test('the code of a cursor is the beginning of an HMAC-SHA-256 of what is before it', () => {
  const shared = cursorSecret('kid', 'private part');
  const cursors = createCursors(() => [shared]);
  for (const position of [['id'], ['x'.repeat(300), { number: '1' }, 'ü']]) {
    const bytes = Buffer.from(cursors.seal(query, position), 'base64url');
    const code = createHmac('sha256', shared.secret).update(bytes.subarray(0, -16)).digest();
    assert.deepEqual(bytes.subarray(-16), code.subarray(0, 16));
  }
});

test('a cursor that an earlier version made continues its list', () => {
  const cursors = createCursors(() => [cursorSecret('kid', 'private part')]);
  const made = 'AVx31_001OZROgqjd0sqDA9beyJudW1iZXIiOiI3In0sIndlacOfIOKAkyDnmb0iXbIBu9cQb247gS6WF3_q6lg';
  const position = [{ number: '7' }, 'weiß – 白'];
  assert.deepEqual(cursors.open(cursorQuery('a list'), made), position);
  assert.equal(cursors.seal(cursorQuery('a list'), position), made);
});
