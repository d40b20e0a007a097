import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSecret, hashSecret, secretMatches } from '../../src/auth/secrets.ts';
import { isCreatedSecret } from './created-secret.ts';

test('a created secret has the prefix, needs no percent-encoding, and passes its own checksum', () => {
  const secrets = Array.from({ length: 50 }, createSecret);
  for (const secret of secrets) {
    assert.match(secret, /^grs_[A-Za-z0-9_-]{49}$/);
    assert.equal(encodeURIComponent(secret), secret);
    assert.ok(isCreatedSecret(secret));
  }
  assert.equal(new Set(secrets).size, secrets.length);
});

test('a secret with one letter changed fails the checksum', () => {
  const secret = createSecret();
  fc.assert(
    fc.property(fc.integer({ min: 4, max: secret.length - 1 }), fc.constantFrom('a', 'B', '7', '-'), (at, letter) => {
      fc.pre(secret[at] !== letter);
      return !isCreatedSecret(secret.slice(0, at) + letter + secret.slice(at + 1));
    }),
    { numRuns: 200 },
  );
});

test('a hash names its scheme and does not contain the secret', () => {
  const secret = createSecret();
  assert.match(hashSecret(secret), /^sha256:[A-Za-z0-9_-]{43}$/);
  assert.ok(!hashSecret(secret).includes(secret.slice(4, 20)));
});

test('only the secret itself matches its hash', () => {
  const hash = hashSecret('correct horse battery');
  assert.equal(secretMatches('correct horse battery', hash), true);
  for (const other of ['', 'correct horse batter', 'correct horse battery ', 'Correct horse battery', hash]) {
    assert.equal(secretMatches(other, hash), false, other);
  }
});

test('nothing matches an unknown client or a hash of another scheme', () => {
  for (const hash of [undefined, '', 'sha256:', 'sha256:AAAA', 'md5:abc', `sha256:${'A'.repeat(43)}`]) {
    assert.equal(secretMatches('', hash), false, String(hash));
    assert.equal(secretMatches('secret', hash), false, String(hash));
  }
});
