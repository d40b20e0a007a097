import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ConfigError, parseConfig } from '../../src/config/parse.ts';
import { parseS3Location } from '../../src/images/s3/location.ts';
import { startTestApi } from '../start-test-api.ts';

test('an address of object storage says bucket, prefix, region and where it is', () => {
  const cases = [
    ['s3://pics?region=eu-west-1', '', 'eu-west-1', 'https://pics.s3.eu-west-1.amazonaws.com'],
    ['s3://pics/a/b.c/?region=eu-west-1', 'a/b.c/', 'eu-west-1', 'https://pics.s3.eu-west-1.amazonaws.com'],
    ['s3://pics/a?region=x-1&forcePathStyle=true', 'a/', 'x-1', 'https://s3.x-1.amazonaws.com/pics'],
    ['s3://pics/a?endpoint=http://minio:9000', 'a/', 'us-east-1', 'http://minio:9000/pics'],
    ['s3://pics/?endpoint=https%3A%2F%2Fs.example&region=r&forcePathStyle=false', '', 'r', 'https://pics.s.example'],
  ] as const;
  for (const [text, prefix, region, bucketUrl] of cases) {
    assert.deepEqual(parseS3Location(text), { prefix, region, bucketUrl }, text);
  }
});

test('an invalid address is refused with what would be right, and without a secret that is in it', () => {
  const cases = [
    ['https://pics?region=r', /s3:\/\/bucket/],
    ['s3://?region=r', /bucket/],
    ['s3://Pics_1?region=r', /name of a bucket/],
    ['s3://pics:9000?region=r', /name of a bucket/],
    ['s3://pics/a b?region=r', /prefix/],
    ['s3://pics/a//b?region=r', /prefix/],
    ['s3://pics', /expected the parameter region/],
    ['s3://pics?region=R!', /region/],
    ['s3://pics?regoin=r', /“regoin”: expected only region, endpoint, forcePathStyle/],
    ['s3://pics?region=r&region=s', /each once/],
    ['s3://pics?endpoint=ftp://x', /endpoint/],
    ['s3://pics?endpoint=https://x/path', /endpoint/],
    ['s3://pics?endpoint=https://a:b@x', /endpoint/],
    ['s3://pics?region=r&forcePathStyle=yes', /true or false/],
    ['s3://pics?region=r#x', /“#”/],
    ['s3://KEY:hidden@pics?region=r', /no credentials/],
  ] as const;
  for (const [text, expected] of cases) {
    const location = parseS3Location(text);
    assert.ok('problem' in location, text);
    assert.match(location.problem, expected, text);
    assert.doesNotMatch(location.problem, /hidden/);
  }
});

const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'hidden' };

test('settings: address and credentials are set together, and the secret is in no message', () => {
  const problemsOf = (environment: Record<string, string>) => {
    try {
      parseConfig(environment);
      return '';
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.message;
    }
  };
  assert.match(problemsOf({ IMAGE_STORE_URL: 's3://pics?region=r' }), /S3_SECRET_ACCESS_KEY: set all of them or none/);
  assert.match(problemsOf(keys), /IMAGE_STORE_URL/);
  assert.match(problemsOf({ IMAGE_STORE_URL: 'file:///srv', ...keys }), /IMAGE_STORE_URL must be/);
  assert.doesNotMatch(problemsOf({ IMAGE_STORE_URL: 'file:///srv', ...keys }), /hidden/);
  assert.equal(problemsOf({ IMAGE_STORE_URL: 's3://pics?region=r', ...keys }), '');
});

test('start: an address that is not usable is a wrong setting', async () => {
  await assert.rejects(startTestApi({ IMAGE_STORE_URL: 's3://pics', ...keys }), (error) => {
    assert.ok(error instanceof ConfigError, String(error));
    assert.match(error.message, /IMAGE_STORE_URL: expected the parameter region/);
    return true;
  });
});

test('src: nothing but the code of object storage imports it, so that no start loads it unasked', () => {
  const root = fileURLToPath(new URL('../../src/', import.meta.url));
  const others = globSync('**/*.ts', { cwd: root }).filter((file) => !/^images.s3./.test(file));
  const wrong = others.filter((file) => /from '[^']*(\/s3\/|aws4fetch)/.test(readFileSync(root + file, 'utf8')));
  assert.deepEqual(wrong, []);
  assert.match(readFileSync(`${root}app.ts`, 'utf8'), /await import\('\.\/images\/s3\/store\.ts'\)/);
});
