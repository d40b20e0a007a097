import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { docsRoutes } from '../../src/http/routes/operations/docs.ts';
import { build, routes } from './fixture.ts';

const info = { version: '1.2.3', servers: [{ url: 'https://api.example.org' }] };
const server = () => build({}, { routes: [...routes, ...docsRoutes(routes, info)] });

describe('documentation', () => {
  test('/openapi.json → the document with an ETag, 304 for a client that has it already', async () => {
    const app = server();
    const response = await app.inject({ url: '/openapi.json' });
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
    const { paths } = response.json();
    assert.equal(paths['/{projectKey}/things'].get.operationId, 'listThings');
    assert.equal(paths['/openapi.json'].get.operationId, 'getOpenApi');
    const etag = String(response.headers.etag);
    for (const value of [etag, `W/${etag}`, `"a", ${etag}`]) {
      const again = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': value } });
      assert.equal(again.statusCode, 304, value);
      assert.equal(again.body, '');
    }
    const other = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': '"a"' } });
    assert.equal(other.statusCode, 200);
  });

  test('/docs → a page under a strict policy that loads nothing from elsewhere', async () => {
    const app = server();
    const page = await app.inject({ url: '/docs' });
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    const policy = String(page.headers['content-security-policy']);
    assert.match(
      policy,
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';/,
    );
    assert.equal(/unsafe|https?:|\*/.test(policy), false);
    assert.equal(/<script(?![^>]* src=)|<style| style=| on\w+=/.test(page.body), false, 'the policy would block it');
    const linked = [...page.body.matchAll(/(?:src|href)="(?!data:|#)([^"]+)"/g)].map(([, url]) => url!);
    assert.ok(linked.includes('/docs/docs.js') && linked.includes('/docs/docs.css'));
    for (const url of linked) assert.equal((await app.inject({ url })).statusCode, 200, url);
  });

  test('the script never reads a text of the document as markup', async () => {
    const { body, headers } = await server().inject({ url: '/docs/docs.js' });
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|\.style\b/.test(body), false);
  });
});
