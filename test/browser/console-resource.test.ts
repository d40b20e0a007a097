import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { assertSeen, skip, startTestConsole, type TestConsole } from './test-console.ts';

if (skip) process.stdout.write(`a resource in the console: skipped, ${skip}\n`);

/** Each test has a project, and a page, of its own. */
describe('a resource in the console', { skip }, () => {
  let console: TestConsole;
  before(async () => {
    console = await startTestConsole({
      ACTIONS_DIR: fileURLToPath(new URL('../../examples/actions', import.meta.url)),
    });
  });
  after(async () => {
    await console?.[Symbol.asyncDispose]();
  });

  async function withPage(
    project: string,
    key: string,
    work: (page: Page) => Promise<void>,
    options?: BrowserContextOptions,
  ): Promise<void> {
    const { id } = await get(project, key);
    const path = `/console/${project}/resources/${id}`;
    const page = await (options ? console.openPage(options) : console.openTab(path));
    try {
      if (options) await console.logIn(page, path);
      await page.getByRole('heading', { name: key, exact: true }).waitFor();
      await work(page);
    } finally {
      await (options ? page.context() : page).close();
    }
  }
  const get = async (project: string, key: string) =>
    (await console.api.call({ path: `/${project}/resource/key=${key}` })).json;
  const update = async (project: string, key: string, ...actions: readonly object[]) => {
    const { id, version } = await get(project, key);
    await console.api.call({ method: 'POST', path: `/${project}/resource/${id}`, body: { version, actions } });
  };
  const field = (page: Page, name: string) => page.locator(`[aria-labelledby="label-${name}"]`);
  const version = (page: Page, number: number) =>
    page.locator('.panel').getByText(`version ${number}`, { exact: true }).waitFor();
  const notice = (page: Page) => page.locator('.notice');
  const dialog = (page: Page) => page.getByRole('dialog');

  test('a reference shows what it leads to, and another one is chosen by words, with the keyboard', async () => {
    const project = 'references';
    await console.put({ key: 'oak', name: { en: 'Oak from Norway' } }, project);
    await console.put({ key: 'elm', name: { en: 'Elm of the river' } }, project);
    await console.put(
      { key: 'chair', wood: { typeId: 'resource', key: 'oak' }, by: { typeId: 'x', id: 'gone' } },
      project,
    );
    await withPage(project, 'chair', async (page) => {
      const wood = field(page, 'wood');
      await wood.getByRole('link', { name: 'Oak from Norway' }).waitFor();
      await field(page, 'by').getByText('does not exist').waitFor();
      await wood.getByRole('button', { name: 'Choose…' }).click();
      await page.getByLabel('Key, or words of its texts').fill('river');
      await page.getByRole('option', { name: 'Elm of the river' }).waitFor();
      await page.getByRole('option', { name: 'Oak' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await wood.getByRole('link', { name: 'Elm of the river' }).waitFor();
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      await version(page, 2);
      assert.deepEqual((await get(project, 'chair')).wood, { typeId: 'resource', key: 'elm' });
      await wood.getByRole('link', { name: 'Elm of the river' }).click();
      await page.getByRole('heading', { name: 'elm', exact: true }).waitFor();
    });
  });

  test('dates are picked in the time of the person, and a text that nobody touched keeps every character', async () => {
    const project = 'dates';
    const stored = { from: '2026-03-01T10:30:00.120000+05:30', until: '2026-06-01T08:00:00Z', on: '2026-02-28' };
    await console.put({ key: 'sale', ...stored, note: 'x' }, project);
    await withPage(
      project,
      'sale',
      async (page) => {
        const picker = (name: string) =>
          page.locator('.field', { has: page.locator(`#label-${name}`) }).getByLabel('In your time');
        assert.equal(await picker('until').inputValue(), '2026-06-01T10:00');
        await picker('until').fill('2026-06-02T09:15:30');
        await field(page, 'on').fill('2026-03-01');
        await page.getByRole('button', { name: 'Save 2 changes' }).click();
        await version(page, 2);
        const { from, until, on } = await get(project, 'sale');
        assert.deepEqual({ from, until, on }, { from: stored.from, until: '2026-06-02T07:15:30Z', on: '2026-03-01' });
      },
      { timezoneId: 'Europe/Berlin' },
    );
  });

  test('an update action of the operator is run by a form, checked while it is typed, with its result', async () => {
    const project = 'actions';
    await console.put({ key: 'shoe', price: { centAmount: 1000 } }, project);
    await withPage(project, 'shoe', async (page) => {
      // Where the actions cannot be read, the dialog says why; opened again, it reads them again.
      await page.route('**/openapi.json', (route) => route.abort(), { times: 1 });
      await page.getByRole('button', { name: 'Actions…' }).click();
      await dialog(page).getByText('The service cannot be reached.').waitFor();
      await dialog(page).getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Actions…' }).click();
      await dialog(page).locator('select').first().selectOption('applyDiscount');
      const percent = dialog(page).getByLabel('percent');
      const run = dialog(page).getByRole('button', { name: 'Run' });
      await percent.fill('a fifth');
      await dialog(page).getByText('Enter a number').waitFor();
      assert.equal(await run.isDisabled(), true);
      await percent.fill('20');
      // Somebody is quicker: nothing is run on what one has not seen.
      await update(project, 'shoe', { action: 'setField', path: 'price.centAmount', value: 500 });
      await run.click();
      await dialog(page).getByText('Someone has saved version 2, which is shown now.').waitFor();
      assert.equal((await get(project, 'shoe')).price.centAmount, 500);
      await run.click();
      await dialog(page).getByText('applyDiscount is done: version 3').waitFor();
      const line = dialog(page).locator('.differences tbody tr').locator('th, td');
      assert.deepEqual(await line.allTextContents(), ['price.centAmount', '500', '400']);
      // What the service refuses is said in its words.
      await percent.fill('200');
      await run.click();
      await dialog(page).getByText('percent: expected a number from 0 to 100').waitFor();
    });
  });

  test('a save and a deletion are undone', async () => {
    const project = 'undo';
    await console.put({ key: 'lamp', watts: 1.5, on: true }, project);
    const { text: before } = await console.api.call({ path: `/${project}/resource/key=lamp` });
    await withPage(project, 'lamp', async (page) => {
      await field(page, 'on').uncheck();
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      await version(page, 2);
      await notice(page).getByRole('button', { name: 'Undo' }).click();
      await version(page, 3);
      assert.equal(await field(page, 'on').isChecked(), true);
      const { text } = await console.api.call({ path: `/${project}/resource/key=lamp` });
      const watts = /"watts":[^,}]*/;
      assert.equal(watts.exec(text)?.[0], watts.exec(before)?.[0]);
      await page.locator('.panel').getByRole('button', { name: 'Delete' }).click();
      await dialog(page).getByRole('button', { name: 'Delete' }).click();
      await page.locator('.panel').waitFor({ state: 'detached' });
      await notice(page).getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('link', { name: 'lamp', exact: true }).waitFor();
      assert.equal((await get(project, 'lamp')).on, true);
    });
  });

  test('what was created and what an update action did are undone', async () => {
    const project = 'undo-more';
    await console.put({ key: 'lamp', price: { centAmount: 1000 } }, project);
    await withPage(project, 'lamp', async (page) => {
      await page.getByRole('button', { name: 'Actions…' }).click();
      await dialog(page).locator('select').first().selectOption('applyDiscount');
      await dialog(page).getByLabel('percent').fill('20');
      await dialog(page).getByRole('button', { name: 'Run' }).click();
      await dialog(page).getByText('applyDiscount is done: version 2').waitFor();
      await dialog(page).getByRole('button', { name: 'Close' }).click();
      await notice(page).getByRole('button', { name: 'Undo' }).click();
      await version(page, 3);
      assert.equal((await get(project, 'lamp')).price.centAmount, 1000);
      await page.getByRole('button', { name: 'New resource' }).click();
      await page.getByRole('textbox', { name: 'Key' }).fill('by-mistake');
      await page.getByRole('button', { name: 'Create' }).click();
      await version(page, 1);
      assert.equal((await get(project, 'by-mistake')).version, 1);
      await notice(page).getByRole('button', { name: 'Undo' }).click();
      await notice(page).getByText('Deleted again').waitFor();
      await page.locator('.panel').waitFor({ state: 'detached' });
      assert.equal((await get(project, 'by-mistake')).statusCode, 404);
    });
  });

  test('a resource and a change of it are copied for curl and TypeScript', async () => {
    const project = 'copy';
    await console.put({ key: 'shelf', name: { en: 'It’s a "shelf"' } }, project);
    await withPage(project, 'shelf', async (page) => {
      const copied = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>;
      const choose = async (menu: string, item: string) => {
        await page.locator('.panel summary', { hasText: menu }).click();
        await page.locator('.panel details[open]').getByRole('button', { name: item }).click();
        await notice(page)
          .filter({ hasText: item.replace('Copy', 'Copied') })
          .first()
          .waitFor();
      };
      await choose('Copy as', 'Copy as curl');
      const { id } = await get(project, 'shelf');
      assert.equal(await copied(), `curl '${console.address}/copy/resource/${id}' -H "authorization: Bearer $TOKEN"`);
      await page.locator('.localized textarea').fill("It's new");
      await choose('Copy the change', 'Copy as TypeScript');
      assert.match(
        await copied(),
        /resources\.update\(\{ id: '[-0-9a-f]+' \}, \[\{ action: 'setField', path: 'name\.en', value: 'It\\'s new' \}\], \{ version: 1 \}\);/,
      );
    });
  });

  test('two people, and a lost connection: what was typed stays, and is saved when the service is there', async () => {
    const project = 'two';
    await console.put({ key: 'table', wood: 'oak', legs: 4 }, project);
    await withPage(project, 'table', async (mine) => {
      await withPage(project, 'table', async (theirs) => {
        await field(mine, 'wood').fill('elm');
        await mine.route('**/two/resource/*', (route) => route.abort(), { times: 1 });
        await mine.getByRole('button', { name: 'Save 1 change' }).click();
        await mine.getByText('The service cannot be reached. Nothing is lost').waitFor();
        assert.equal(await field(mine, 'wood').inputValue(), 'elm');
        await field(theirs, 'wood').fill('ash');
        await theirs.getByRole('button', { name: 'Save 1 change' }).click();
        await version(theirs, 2);
        await mine.getByRole('button', { name: 'Save 1 change' }).click();
        await dialog(mine).getByText('table was changed while you edited it').waitFor();
        await dialog(mine).getByRole('radio').first().check();
        await dialog(mine).getByRole('button', { name: 'Save as version 3' }).click();
        await version(mine, 3);
        await theirs.getByText('Administrator has saved version 3.').waitFor();
        assert.equal((await get(project, 'table')).wood, 'elm');
      });
    });
  });

  test('a draft of somebody else is shown with who staged it, and a plain save asks before it replaces one', async () => {
    const project = 'drafts';
    await console.put({ key: 'lamp', name: 'Lamp', price: 10 }, project);
    await update(
      project,
      'lamp',
      { action: 'setField', path: 'name', value: 'Summer lamp', staged: true },
      { action: 'setField', path: 'price', value: 8, staged: true },
    );
    const both = async () => {
      const { id, name } = await get(project, 'lamp');
      const staged = (await console.api.call({ path: `/${project}/resource/${id}?staged=true` })).json;
      return [name, staged.name, staged.price];
    };
    await withPage(project, 'lamp', async (page) => {
      await page.getByText('2 fields have drafts. The form shows what readers see.').waitFor();
      await page
        .locator('#draft-name', { hasText: 'Summer lamp' })
        .getByText(/staged by Administrator, /)
        .waitFor();
      await field(page, 'name').fill('Desk lamp');
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      await dialog(page).getByText('This save replaces a draft').waitFor();
      const cells = dialog(page).locator('tbody tr').locator('th, td');
      const shown = (await cells.allTextContents()).map((text) => text.replace(/staged by .*/, ''));
      assert.deepEqual(shown, ['name', 'Lamp', 'Summer lamp', 'Desk lamp']);
      await assertSeen(page, 'a question about a draft');
      // Nothing is saved before it is answered.
      await dialog(page).getByRole('button', { name: 'Back to editing' }).click();
      assert.deepEqual(await both(), ['Lamp', 'Summer lamp', 8]);
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      await dialog(page).getByRole('button', { name: 'Save and keep the draft' }).click();
      await version(page, 3);
      assert.deepEqual(await both(), ['Desk lamp', 'Summer lamp', 8]);
      await field(page, 'name').fill('Floor lamp');
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      await dialog(page).getByRole('button', { name: 'Save and replace the draft' }).click();
      await version(page, 4);
      assert.deepEqual(await both(), ['Floor lamp', 'Floor lamp', 8]);
      // A staged save over a draft that the form does not show asks as well.
      await field(page, 'price').fill('9');
      await page.getByRole('button', { name: 'Save as staged' }).click();
      await dialog(page).getByRole('button', { name: 'Stage and replace the draft' }).click();
      await version(page, 5);
      assert.deepEqual(await both(), ['Floor lamp', 'Floor lamp', 9]);
    });
  });

  test('a draft that somebody stages while one edits is asked about after the merge', async () => {
    const project = 'drafts-meanwhile';
    await console.put({ key: 'lamp', name: 'Lamp' }, project);
    await withPage(project, 'lamp', async (page) => {
      await field(page, 'name').fill('Desk lamp');
      await update(project, 'lamp', { action: 'setField', path: 'name', value: 'Summer lamp', staged: true });
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      await dialog(page).getByRole('button', { name: 'Save as version 3' }).click();
      await dialog(page).getByRole('button', { name: 'Save and keep the draft' }).click();
      await version(page, 3);
      const { id, name } = await get(project, 'lamp');
      const staged = await console.api.call({ path: `/${project}/resource/${id}?staged=true` });
      assert.deepEqual([name, staged.json.name], ['Desk lamp', 'Summer lamp']);
    });
  });

  test('after Save as staged the form goes on with the draft; the history tells drafts and publications apart', async () => {
    const project = 'drafts-go-on';
    await console.put({ key: 'lamp', name: 'Lamp', text: { en: 'Light', de: 'Licht' }, '': 1 }, project);
    await withPage(project, 'lamp', async (page) => {
      await field(page, 'name').fill('Summer lamp');
      await page.getByRole('button', { name: 'Save as staged' }).click();
      await version(page, 2);
      await page.getByText('1 field has a draft. The form shows the draft').waitFor();
      assert.equal(await field(page, 'name').inputValue(), 'Summer lamp');
      await page.locator('#draft-name', { hasText: 'Readers see: Lamp' }).waitFor();
      await field(page, 'name').fill('Summer lamps');
      await page.getByRole('button', { name: 'Save as staged' }).click();
      await version(page, 3);
      assert.equal(await field(page, 'name').inputValue(), 'Summer lamps');
      assert.equal((await get(project, 'lamp')).name, 'Lamp');
      await page.getByRole('button', { name: 'Show what readers see' }).click();
      assert.equal(await field(page, 'name').inputValue(), 'Lamp');
      await assertSeen(page, 'a resource with a draft');
      // In languages, each has a note of its own.
      await update(project, 'lamp', { action: 'setField', path: 'text.de', value: 'Sommerlicht', staged: true });
      await page.getByRole('button', { name: 'Load their changes' }).click();
      await page.locator('.draft-note', { hasText: 'de: Sommerlicht' }).waitFor();
      await page.getByText('2 fields have drafts.').waitFor();
      // What only an overwrite can say replaces all drafts: it asks, though the field has none itself.
      await page.getByRole('button', { name: 'Remove ``' }).click();
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      await dialog(page).getByText('replaces everything that is staged').waitFor();
      await dialog(page).getByRole('button', { name: 'Back to editing' }).click();
      await page.locator('.panel-actions').getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByRole('tab', { name: 'Staged' }).click();
      await page.getByRole('button', { name: 'Publish' }).click();
      await version(page, 5);
      await page.getByRole('tab', { name: 'History' }).click();
      const badges = page.locator('.history .badge');
      await badges.first().waitFor();
      assert.deepEqual(await badges.allTextContents(), ['published', 'draft', 'draft', 'draft', 'created']);
      assert.deepEqual(await page.locator('.history caption').allTextContents(), [
        'Readers see',
        'Draft',
        'Draft',
        'Draft',
      ]);
      await assertSeen(page, 'a history with drafts');
    });
  });

  test('5,000 fields, a text of 1 MB, right-to-left and 64-bit numbers stay usable, and as they were', async () => {
    const project = 'hostile';
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`f${at}`, at]));
    // Of lines as Windows ends them, which stay so.
    const text = `${'<script>alert(1)</script>\r\n'.repeat(30_000)}end`;
    const own = JSON.stringify({ key: 'many', ...many, long: text, rtl: 'שלום עולם' });
    const body = own.replace(/}$/, ',"exact":9007199254740993}');
    const { status } = await console.api.call({
      ...{ method: 'PUT', path: `/${project}/resource`, body, headers: { 'content-type': 'application/json' } },
    });
    assert.equal(status, 201);
    await withPage(project, 'many', async (page) => {
      // A page of this size takes its time on a machine that does much else.
      page.setDefaultTimeout(180_000);
      await page.getByRole('button', { name: /more fields$/ }).waitFor();
      const drawn = await page.locator('.field-name').count();
      assert.ok(drawn <= 100, `${drawn} fields`);
      const find = page.getByLabel('Find a field');
      await find.fill('f4999');
      await field(page, 'f4999').fill('9223372036854775807');
      await find.fill('long');
      await page.getByText(`The beginning of ${text.length.toLocaleString('en')} characters`).waitFor();
      await page.getByRole('button', { name: 'Edit the whole text' }).click();
      const own = page.getByRole('textbox', { name: 'long' });
      await own.click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('ed');
      await find.fill('rtl');
      assert.equal(await field(page, 'rtl').getAttribute('dir'), 'auto');
      await page.getByRole('button', { name: 'Save 2 changes' }).click();
      await version(page, 2);
      const stored = await console.api.call({ path: `/${project}/resource/key=many` });
      assert.match(stored.text, /"f4999":9223372036854775807[,}]/);
      assert.match(stored.text, /"exact":9007199254740993[,}]/);
      assert.equal(stored.json.long, `${text}ed`);
    });
  });

  test('a field whose name has spaces is found by its name, as a screen reader says it', async () => {
    const project = 'spaced';
    const draft = { key: 'a', 'delivery time': '3 days', 'is  new%20': true, 'of supplier': { 'phone number': '1' } };
    await console.put(draft, project);
    await withPage(project, 'a', async (page) => {
      await page.getByRole('textbox', { name: 'delivery time', exact: true }).fill('4 days');
      await page.getByRole('checkbox', { name: 'is new%20', exact: true }).uncheck();
      const supplier = page.getByRole('group', { name: 'of supplier', exact: true });
      await supplier.getByRole('textbox', { name: 'phone number', exact: true }).fill('2');
      await page.getByRole('button', { name: 'Save 3 changes' }).click();
      await version(page, 2);
      const { 'delivery time': time, 'of supplier': changed } = await get(project, 'a');
      assert.deepEqual([time, changed], ['4 days', { 'phone number': '2' }]);
    });
  });

  test('an input stays the same while a text in it becomes longer, or a date', async () => {
    const project = 'typing';
    await console.put({ key: 'a', short: 'x' }, project);
    await withPage(project, 'a', async (page) => {
      await field(page, 'short').press('End');
      await page.keyboard.type(`${'y'.repeat(70)}`);
      assert.equal(await field(page, 'short').inputValue(), `x${'y'.repeat(70)}`);
      await field(page, 'short').fill('');
      await field(page, 'short').pressSequentially('2026-01-02, perhaps');
      assert.equal(await field(page, 'short').inputValue(), '2026-01-02, perhaps');
    });
  });

  test('axe finds nothing in the form and its dialogs, in light and dark colours, on a phone and a desktop', async () => {
    const project = 'axe';
    await console.put({ key: 'oak', name: { en: 'Oak' } }, project);
    const wood = { typeId: 'resource', key: 'oak' };
    await console.put({ key: 'chair', wood, from: '2026-03-01T10:30:00Z', on: '2026-02-28', price: 1 }, project);
    await withPage(project, 'chair', async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await field(page, 'wood').getByRole('link', { name: 'Oak' }).waitFor();
      await assertSeen(page, 'form');
      await page.getByRole('button', { name: 'Choose…' }).click();
      await page.getByRole('option').first().waitFor();
      await assertSeen(page, 'picker');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Actions…' }).click();
      await dialog(page).locator('select').first().selectOption('setField');
      await dialog(page).getByLabel('value').fill('{');
      await assertSeen(page, 'action');
      await page.keyboard.press('Escape');
      await field(page, 'price').fill('2');
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      await notice(page).getByRole('button', { name: 'Undo' }).waitFor();
      await assertSeen(page, 'undo');
    });
  });

  test('nothing was asked of another host, and no script complained', () => {
    const { complaints, elsewhere } = console;
    assert.deepEqual({ complaints, elsewhere }, { complaints: [], elsewhere: [] });
  });
});
