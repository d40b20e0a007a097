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
        widths: { type: 'array', items: { type: 'integer' } },
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
      await product.getByText('category refers to category, which is not deleted while others refer to it').waitFor();
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
      // A check that is cut says so, and what it had found stays.
      const cut = '{"id":"a","key":"found-first","errors":[{"message":"Lacks a name."}]}\n';
      await page.route('**/settings/types?dryRun=true', (route) => route.fulfill({ status: 200, body: cut }));
      await button(page, 'Check existing resources').click();
      await page.getByText('Not all are checked: 1 does not fit so far.').waitFor();
      await page.getByRole('alert').getByText('The connection was lost.').waitFor();
      await page.getByRole('row', { name: 'found-first' }).getByText('Lacks a name.').waitFor();
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

  const field = (page: Page, name: string) => page.locator(`[aria-labelledby="label-${name}"]`);
  const boxOf = (page: Page, name: string) =>
    page.locator('.field', { has: page.locator(`> .field-name > [id="label-${name}"]`) });

  test('the form knows the type of a resource, and shows what the service refuses at the fields', async () => {
    const project = 'hints';
    await putTypes(project, catalogue);
    await put(project, { key: 'lamps', type: 'category', name: { en: 'Lamps' } });
    await put(project, { key: 'loose', name: { en: 'Lamps that are loose' } });
    await put(project, { type: 'product', sku: 'B-1', name: { en: 'Other' }, price: { cents: 1 } });
    const id = await put(project, {
      ...{ key: 'oak', type: 'product', name: { en: 'Oak' }, sku: 'A-1', price: { cents: 12 } },
      ...{ size: 'M', notes: 'x', colour: '#aa3311', feed: 'secret', category: { typeId: 'resource', key: 'lamps' } },
    });
    await withPage(`${project}/resources/${id}`, async (page) => {
      await field(page, 'sku').waitFor();
      assert.match((await page.locator('#label-sku').textContent()) ?? '', /^Article number sku \(required\)$/);
      const help = await field(page, 'sku').getAttribute('aria-describedby');
      assert.equal(await page.locator(`[id="${help}"]`).textContent(), 'As on the label.');
      assert.deepEqual(await field(page, 'size').locator('option').allTextContents(), ['S', 'M', 'L']);
      await page.locator('textarea[aria-labelledby="label-notes"]').waitFor();
      assert.equal(await page.getByLabel('Choose a colour').inputValue(), '#aa3311');
      assert.equal(await page.locator('#label-feed').count(), 0);
      assert.equal(await field(page, 'price.cents').inputValue(), '12');

      // Only resources of the type that is referred to are offered.
      await field(page, 'category').getByRole('button', { name: 'Choose…' }).click();
      await page.getByRole('option', { name: 'Lamps' }).waitFor();
      assert.deepEqual(await page.getByRole('option').locator('code').allTextContents(), ['lamps']);
      await page.getByLabel('Key, or words of its texts').fill('lamps');
      await page.getByRole('option', { name: 'Lamps' }).waitFor();
      assert.deepEqual(await page.getByRole('option').locator('code').allTextContents(), ['lamps']);
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

      // Declared fields are offered by their names, also inside of others.
      await page.getByText('+ Add a field').last().click();
      await button(page, '+ widths').click();
      await field(page, 'widths').fill('40\n9007199254740993');
      await page.getByText('+ Add a field').last().click();
      await button(page, '+ onSaleFrom').click();
      assert.equal(await field(page, 'onSaleFrom').getAttribute('type'), 'date');
      await field(page, 'onSaleFrom').fill('2026-03-01');
      await field(page, 'price').getByText('+ Add a field').click();
      await button(page, '+ currency').click();
      assert.equal(await field(page, 'price.currency').inputValue(), '0');
      await field(page, 'size').selectOption('L');
      await assertSeen(page, 'a form with the hints of a type');

      await field(page, 'sku').fill('B-1');
      await field(page, 'price.cents').fill('-4');
      await page.getByRole('button', { name: 'Remove name' }).click();
      await page.getByRole('button', { name: /^Save \d changes/ }).click();
      const refused = page.getByRole('alert');
      await refused.getByText('The service refused this for').waitFor();
      await refused.getByText("A value is required for field 'name'.").waitFor();
      await boxOf(page, 'price.cents').locator('.problem').waitFor();
      assert.equal(await field(page, 'price.cents').getAttribute('aria-invalid'), 'true');
      await assertSeen(page, 'a form with refused fields');
      // What is edited is not refused any more, and keeps the focus.
      await field(page, 'price.cents').fill('7');
      await boxOf(page, 'price.cents').locator('.problem').waitFor({ state: 'detached' });
      const focused = 'document.activeElement.getAttribute("aria-labelledby")';
      assert.equal(await page.evaluate(focused), 'label-price.cents');
      await page.getByText('+ Add a field').last().click();
      await button(page, '+ name, required').click();
      await page.getByRole('button', { name: /^Save \d changes/ }).click();
      await boxOf(page, 'sku').getByText('A duplicate value "B-1" exists').waitFor();
      await until(async () => (await page.evaluate(focused)) === 'label-sku');
      await field(page, 'sku').fill('A-2');
      await page.getByRole('button', { name: /^Save \d changes/ }).click();
      await page.getByText('version 2', { exact: true }).waitFor();
      const { json: stored, text } = await console.api.call({ path: `/${project}/resource/key=oak` });
      assert.match(text, /"widths":\[40,9007199254740993\]/);
      assert.deepEqual(
        [stored.sku, stored.price, stored.size, stored.onSaleFrom, stored.feed],
        ['A-2', { cents: 7, currency: 'EUR' }, 'L', '2026-03-01', 'secret'],
      );
    });
  });

  test('a draft that lacks a field is saved, and its publication says what is missing', async () => {
    const project = 'drafted';
    await putTypes(project, catalogue);
    const id = await put(project, { key: 'pine', type: 'product', name: { en: 'P' }, sku: 'P-1', price: { cents: 1 } });
    await withPage(`${project}/resources/${id}`, async (page) => {
      await page.getByRole('button', { name: 'Remove name' }).click();
      await button(page, 'Save as staged').click();
      await page.getByText('version 2', { exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Staged' }).click();
      await button(page, 'Publish').click();
      await page.getByRole('alert').getByText("A value is required for field 'name'.").waitFor();
      await page.getByRole('tab', { name: 'Form' }).click();
      await page.getByText('+ Add a field').last().click();
      await button(page, '+ name, required').click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await button(page, 'Save as staged').click();
      await page.getByText('version 3', { exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Staged' }).click();
      await button(page, 'Publish').click();
      await page.getByText('version 4', { exact: true }).waitFor();
    });
  });

  test('a new resource begins with its type and what that requires; the others begin without', async () => {
    const project = 'begun';
    await putTypes(project, catalogue, { closed: true });
    await withPage(`${project}/resources/~new`, async (page) => {
      await page.getByRole('heading', { name: 'Choose its type' }).waitFor();
      await assertSeen(page, 'the choice of a type');
      assert.equal(await page.getByRole('button', { name: 'Without a type' }).count(), 0);
      await page.getByRole('button', { name: 'Product' }).click();
      assert.deepEqual(await field(page, 'type').locator('option').allTextContents(), ['category', 'product']);
      await field(page, 'price.cents').fill('12');
      await page.getByRole('textbox', { name: 'Key' }).fill('chair');
      await button(page, 'Create').click();
      await boxOf(page, 'sku').locator('.problem').waitFor();
      await field(page, 'sku').fill('C-1');
      await button(page, 'Create').click();
      await page.getByText('version 1', { exact: true }).waitFor();
      const {
        type: named,
        name,
        sku,
        price,
      } = (await console.api.call({ path: `/${project}/resource/key=chair` })).json;
      assert.deepEqual(
        { named, name, sku, price },
        { named: 'product', name: { en: '' }, sku: 'C-1', price: { cents: 12 } },
      );
      await putTypes(project, catalogue);
      await page.reload();
      await page.getByRole('button', { name: 'New resource' }).click();
      await page.getByRole('button', { name: 'Without a type' }).click();
      await page.getByRole('textbox', { name: 'Key' }).fill('free');
      await button(page, 'Create').click();
      await page.getByRole('heading', { name: 'free' }).waitFor();
    });
  });

  test('a resource shows who refers to it; the question before its deletion says what will become of them', async () => {
    const project = 'referred';
    const kept = { review: { references: { about: { type: 'category', onDelete: 'keep' } } } };
    await putTypes(project, { ...catalogue, ...kept });
    const of = { type: 'product', name: { en: 'x' }, price: { cents: 1 } };
    const lamps = await put(project, { key: 'lamps', type: 'category', name: { en: 'Lamps' } });
    const seats = await put(project, { key: 'seats', type: 'category', name: { en: 'Seats' } });
    const category = { typeId: 'resource', key: 'lamps' };
    for (let at = 1; at <= 21; at += 1) await put(project, { key: `oak-${at}`, ...of, sku: `A-${at}`, category });
    await put(project, { key: 'praise', type: 'review', about: { typeId: 'resource', id: seats } });
    await withPage(`${project}/resources/${lamps}`, async (page) => {
      const section = page.getByRole('region', { name: 'Referenced by' });
      await section.getByRole('link', { name: 'oak-20', exact: true }).waitFor();
      assert.equal(await section.getByRole('link').count(), 20);
      await section.getByRole('button', { name: 'More' }).click();
      await section.getByRole('link', { name: 'oak-21', exact: true }).waitFor();
      await section.getByText('product: category').first().waitFor();
      await assertSeen(page, 'a resource that others refer to');
      await button(page, 'Delete').click();
      const question = page.getByRole('dialog', { name: 'Delete this resource?' });
      await question
        .getByText('The service will refuse this, since other resources refer to it: oak-1, oak-2, oak-3 and others.')
        .waitFor();
      // The service decides.
      await question.getByRole('button', { name: 'Delete' }).click();
      await page.locator('.notice.error').getByText('cannot be deleted while other resources refer to it').waitFor();
      await section.getByRole('link', { name: 'oak-1', exact: true }).click();
      await page.getByRole('heading', { name: 'oak-1', exact: true }).waitFor();
      await section.getByText('No resource refers to this one.').waitFor();
    });
    await withPage(`${project}/resources/${seats}`, async (page) => {
      await page.getByRole('region', { name: 'Referenced by' }).getByRole('link', { name: 'praise' }).waitFor();
      await button(page, 'Delete').click();
      const question = page.getByRole('dialog', { name: 'Delete this resource?' });
      await question.getByText('Other resources refer to it: praise. Their references will lead to nothing.').waitFor();
      await question.getByRole('button', { name: 'Delete' }).click();
      await page.locator('.notice').getByText('Deleted', { exact: true }).waitFor();
    });
  });

  test('the sample comes with types, and takes them away again where nobody uses or has changed them', async () => {
    const project = 'sample-types';
    const names = async (of: string) => Object.keys((await typesOf(of)).types as object);
    const load = async (page: Page) => {
      await button(page, 'Load the sample catalogue').first().click();
      await page.getByText(/^15 of 15$/).waitFor();
    };
    const remove = async (page: Page) => {
      await button(page, 'Remove the sample').click();
      await page.getByText(/^The sample catalogue is removed/).waitFor();
    };
    await withPage(`${project}/resources`, async (page) => {
      await load(page);
      assert.deepEqual(await names(project), ['category', 'maker', 'product']);
      const stored = await console.api.call({ path: `/${project}/settings/types/violations` });
      assert.deepEqual(JSON.parse(stored.text), {
        complete: true,
        resources: 15,
        violating: 0,
        allUniqueChecked: true,
      });
      await page.getByRole('link', { name: 'sample-oak-chair', exact: true }).click();
      assert.equal(await page.locator('#label-sku').textContent(), 'Article number sku (required)');
      await field(page, 'category').getByRole('link', { name: 'Furniture' }).waitFor();
      await button(page, 'Close').click();
      await remove(page);
      assert.deepEqual(await names(project), []);

      await page.reload();
      await load(page);
      const category = { typeId: 'resource', key: 'sample-category-light' };
      const price = { centAmount: 1, currencyCode: 'EUR' };
      await put(project, { key: 'own', type: 'product', name: { en: 'Own' }, sku: 'own', price, category });
      await remove(page);
      await page.getByText('removed, but for 1 resource that others refer to.').waitFor();
      assert.deepEqual(await names(project), ['category', 'maker', 'product']);
      const left = await console.api.call({ path: `/${project}/resource/sorted-query-parameters?sort=key` });
      const keys = (left.json.results as { key: string }[]).map(({ key }) => key);
      assert.deepEqual(keys, ['own', 'sample-category-light']);
    });
    const other = 'sample-beside';
    await putTypes(other, { product: { schema: { required: ['brand'] } } });
    await withPage(`${other}/resources`, async (page) => {
      await load(page);
      const chair = await console.api.call({ path: `/${other}/resource/key=sample-oak-chair` });
      assert.equal(chair.json.type, undefined);
      await remove(page);
      const { version } = await typesOf(other);
      assert.deepEqual([version, await names(other)], [1, ['product']]);
    });
  });
});
