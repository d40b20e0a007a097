import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../until.ts';
import { assertSeen, findings, skip, startTestConsole, type TestConsole } from './test-console.ts';

if (skip) process.stdout.write(`types in the console: skipped, ${skip}\n`);

const texts = { type: 'object', additionalProperties: { type: 'string' } };

const catalogue = {
  category: { name: 'Category', schema: { type: 'object', required: ['name'], properties: { name: texts } } },
  product: {
    name: 'Product',
    schema: {
      type: 'object',
      required: ['name', 'sku', 'price'],
      properties: {
        name: texts,
        sku: { type: 'string', title: 'Article number', description: 'As on the label.', pattern: '^[A-Z]-[0-9]+$' },
        price: { $ref: '#/$defs/price' },
        size: { enum: ['S', 'M', 'L'] },
        onSaleFrom: { type: 'string', format: 'date' },
        notes: { type: 'string', 'x-widget': 'textarea' },
        colour: { type: 'string', 'x-widget': 'color' },
        feed: { type: 'string', 'x-widget': 'hidden' },
      },
      $defs: {
        price: {
          type: 'object',
          required: ['cents'],
          properties: { cents: { type: 'integer', minimum: 0 }, currency: { enum: ['EUR', 'USD'] } },
        },
      },
    },
    unique: ['sku'],
    references: { category: { type: 'category' } },
  },
};

/** Each test has a project, and a page, of its own. */
describe('types in the console', { skip }, () => {
  let console: TestConsole;
  before(async () => {
    console = await startTestConsole();
  });
  after(async () => {
    await console?.[Symbol.asyncDispose]();
  });

  const typesOf = async (project: string) => (await console.api.call({ path: `/${project}/settings/types` })).json;
  async function putTypes(project: string, types: object, more: object = {}): Promise<void> {
    const body = { types, ...more };
    const { status, text } = await console.api.call({ method: 'PUT', path: `/${project}/settings/types`, body });
    assert.equal(status, 200, text);
  }
  async function put(project: string, body: object): Promise<string> {
    const { status, text, json } = await console.put(body, project);
    assert.equal(status, 201, text);
    return json.id as string;
  }
  async function withPage(path: string, work: (page: Page) => Promise<void>): Promise<void> {
    const page = await console.openTab(`/console/${path}`);
    try {
      await work(page);
    } finally {
      await page.close();
    }
  }
  /** Replaces the text of the JSON editor. */
  async function type(page: Page, text: string): Promise<void> {
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test('a project without types is told what they are for, and begins with an example that is saved', async () => {
    await withPage('first-types/types', async (page) => {
      await page.getByText('This project has no types.').waitFor();
      assert.deepEqual(await findings(page), []);
      await button(page, 'Begin with an example').click();
      await page.locator('.cm-content').waitFor();
      await button(page, 'Save').click();
      await page.getByRole('heading', { name: 'Product' }).waitFor();
      const { version, types } = await typesOf('first-types');
      assert.equal(version, 1);
      assert.deepEqual(Object.keys(types as object), ['category', 'product']);
    });
  });

  test('fields, unique paths and references are shown; conflicts with their resources, until they are corrected', async () => {
    const project = 'conflicts';
    const first = await put(project, { key: 'a', type: 'product', name: {}, sku: 'A-1', price: { cents: 1 } });
    await put(project, { key: 'b', type: 'product', name: {}, sku: 'A-1', price: { cents: 1 } });
    await putTypes(project, catalogue);
    await withPage(`${project}/types`, async (page) => {
      const product = page.getByRole('region', { name: 'Product', exact: true });
      const row = product.getByRole('row', { name: 'price.cents' });
      await row.waitFor();
      assert.deepEqual(await row.getByRole('cell').allTextContents(), ['integer', 'yes', 'from 0', '']);
      const sku = await product.getByRole('row', { name: 'Article number' }).getByRole('cell').allTextContents();
      assert.deepEqual(sku, ['string', 'yes', 'matches ^[A-Z]-[0-9]+$', 'As on the label.']);
      await product.getByText('S, M, L').waitFor();
      await product.getByText('category refers to category, which cannot be deleted meanwhile').waitFor();
      await product.getByText('conflicting').waitFor();
      await product.getByText('1 value is in several resources').waitFor();
      await product.getByRole('link', { name: first }).waitFor();
      await assertSeen(page, 'types with a conflict');
      const { version } = (await console.api.call({ path: `/${project}/resource/key=b` })).json;
      const actions = [{ action: 'setField', path: 'sku', value: 'A-2' }];
      await console.api.call({ method: 'POST', path: `/${project}/resource/key=b`, body: { version, actions } });
      await button(page, 'Enforce sku again').click();
      await product.getByText('active').waitFor();
      const again = await console.put({ type: 'product', name: {}, sku: 'A-2', price: { cents: 1 } }, project);
      assert.equal(again.status, 400);
    });
  });

  test('resources are checked by edited types before these are saved; nothing is changed by that', async () => {
    const project = 'checked';
    await putTypes(project, { note: { schema: { required: ['text'] } } });
    const id = await put(project, { key: 'one', type: 'note', text: 'x' });
    await put(project, { key: 'two', type: 'note', text: 'x', by: 'me' });
    await withPage(`${project}/types`, async (page) => {
      await button(page, 'Check existing resources').click();
      await page.getByText('2 resources checked: all fit.').waitFor();
      await button(page, 'Edit as JSON').click();
      await type(page, JSON.stringify({ types: { note: { schema: { required: ['text', 'by'] } } } }));
      await button(page, 'Check existing resources').click();
      await page.getByText('2 resources checked: 1 does not fit.').waitFor();
      const line = page.getByRole('row', { name: 'one' });
      await line.getByText("A value is required for field 'by'.").waitFor();
      assert.match((await line.getByRole('link').getAttribute('href')) ?? '', new RegExp(`/resources/${id}$`));
      await assertSeen(page, 'a check of types');
      assert.equal((await typesOf(project)).version, 1);
      await button(page, 'Save').click();
      await page.getByText('version 2', { exact: true }).waitFor();
      assert.equal((await typesOf(project)).version, 2);
    });
  });

  test('what is wrong with types is marked in the text; what others saved meanwhile is merged', async () => {
    const project = 'edited';
    await putTypes(project, { note: { schema: { properties: { text: { type: 'string' } } } } });
    await withPage(`${project}/types`, async (page) => {
      await button(page, 'Edit as JSON').click();
      await type(page, '{"types": {"note": {"schema": {"properties": {"a.b": {"type": 7}}}}}}');
      await button(page, 'Save').click();
      await page.getByRole('alert').getByText('types.note.schema').waitFor();
      assert.equal(await page.locator('.json-problem').textContent(), '"type"');
      await type(page, '{"types": {"note": {"unique": ["text", "ok", 5]}}}');
      await button(page, 'Save').click();
      await page.locator('.json-problem').getByText('5').waitFor();
      await type(page, '{"types": {"note": {"unique": ["text"]}');
      await button(page, 'Save').click();
      await page.getByRole('alert').getByText('This is not valid JSON').waitFor();
      await type(page, '{"closed": true, "types": {"note": {"schema": {"properties": {"text": {"type": "string"}}}}}}');
      await putTypes(project, { note: { name: 'Note', schema: { properties: { text: { type: 'string' } } } } });
      await button(page, 'Save').click();
      const dialog = page.getByRole('dialog', { name: 'The types were changed while you edited them' });
      await dialog.getByRole('button', { name: 'Merge both' }).click();
      await dialog.waitFor({ state: 'detached' });
      await button(page, 'Save').click();
      await page.getByText('version 3', { exact: true }).waitFor();
      const { closed, types } = (await typesOf(project)) as { closed: boolean; types: { note: { name: string } } };
      assert.deepEqual([closed, types.note.name], [true, 'Note']);
    });
  });

  test('who may only read sees the types, but neither a link to them nor an editor', async () => {
    const project = 'read-only';
    await putTypes(project, catalogue);
    const body = { name: 'reader', scopes: ['view_test'] };
    const scope = `manage_api_clients:${project}`;
    const client = await console.api.call({ method: 'POST', path: `/${project}/api-clients`, body, scope });
    const page = await console.openPage();
    await page.goto(`${console.address}/console/${project}/types`);
    await page.getByLabel('Client id').fill(client.json.id as string);
    await page.getByLabel('Secret').fill(client.json.secret as string);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Product' }).waitFor();
    assert.equal(await button(page, 'Edit as JSON').count(), 0);
    await button(page, 'Check existing resources').click();
    await page.getByText('0 resources checked: all fit.').waitFor();
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await until(async () => (await page.getByRole('navigation').getByRole('link', { name: 'Types' }).count()) === 0);
    await page.context().close();
  });
});
