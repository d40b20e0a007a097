import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { type Bundle, createBundle, packFiles } from '../../src/console/bundle.ts';
import { assertSeen, goWithin, skip, startTestConsole, type TestConsole } from './test-console.ts';

if (skip) process.stdout.write(`the table of the console: skipped, ${skip}\n`);

/** Each test has a project, and a page, of its own. */
describe('the table of the console', { skip }, () => {
  let console: TestConsole;
  before(async () => {
    console = await startTestConsole();
  });
  after(async () => {
    await console?.[Symbol.asyncDispose]();
  });

  const colors = ['red', 'green', 'blue'];
  /** Fills a project with `count` resources, `item-0` and so on. */
  async function fill(project: string, count: number): Promise<void> {
    const drafts = Array.from({ length: count }, (_, at) => ({
      ...{ key: `item-${at}`, name: { en: `Item ${at}` }, color: colors[at % 3], 'odd name': at, size: at },
    }));
    for (let at = 0; at < count; at += 500) {
      const operations = drafts.slice(at, at + 500).map((draft) => ({ operation: 'overwrite', draft }));
      const path = `/${project}/resource/batch`;
      const { status } = await console.api.call({ method: 'POST', path, body: { operations } });
      assert.equal(status, 200);
    }
  }

  async function withPage(project: string, work: (page: Page) => Promise<void>) {
    const page = await console.openTab(`/console/${project}/resources`);
    try {
      await work(page);
    } finally {
      await page.close();
    }
  }

  const get = async (project: string, key: string) =>
    (await console.api.call({ path: `/${project}/resource/key=${key}` })).json;
  const touch = async (project: string, key: string) => {
    const { id, version } = await get(project, key);
    const body = { version, actions: [{ action: 'doSomeThing' }] };
    await console.api.call({ method: 'POST', path: `/${project}/resource/${id}`, body });
  };
  const filter = (page: Page) => page.getByLabel('Filter', { exact: true });
  const counted = (page: Page, text: string) => page.locator('.count').getByText(text, { exact: true }).waitFor();
  const textOf = async (page: Page, click: Locator) => {
    const [download] = await Promise.all([page.waitForEvent('download'), click.click()]);
    return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')] as const;
  };
  const csv = (text: string) => ({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

  test('a predicate is completed by keyboard alone, with the values that the service counts', async () => {
    await fill('completion', 9);
    await withPage('completion', async (page) => {
      await counted(page, '9 of 9');
      await filter(page).focus();
      await page.keyboard.type('col');
      const options = page.getByRole('option');
      await options.filter({ hasText: 'color' }).first().waitFor();
      assert.equal(await filter(page).getAttribute('aria-expanded'), 'true');
      await page.keyboard.press('Tab');
      await options.filter({ hasText: 'is one of' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await options.filter({ hasText: '"green"' }).filter({ hasText: '3' }).waitFor();
      await page.keyboard.type('"gr');
      await options.filter({ hasText: '"red"' }).waitFor({ state: 'detached' });
      await page.keyboard.press('ArrowDown');
      const active = await filter(page).getAttribute('aria-activedescendant');
      assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
      await page.keyboard.press('Enter');
      assert.equal(await filter(page).inputValue(), 'color = "green"');
      await page.keyboard.press('Enter');
      await counted(page, '3 of 3');
      // Names of other characters are written as the API reads them; Escape leaves the text alone.
      await filter(page).fill('odd');
      await page.keyboard.press('Tab');
      assert.equal(await filter(page).inputValue(), '`odd name` ');
      await page.keyboard.press('Escape');
      await options.first().waitFor({ state: 'hidden' });
      assert.equal(await filter(page).inputValue(), '`odd name` ');
    });
  });

  test('a query is saved under a name, opened again, and removed', async () => {
    await fill('queries', 6);
    await withPage('queries', async (page) => {
      await filter(page).fill('color = "red"');
      await page.keyboard.press('Enter');
      await counted(page, '2 of 2');
      await page.getByRole('button', { name: 'Save this query' }).click();
      await page.getByLabel('Name of the query').fill('Only red');
      await page.keyboard.press('Enter');
      const saved = page.getByRole('region', { name: 'Saved queries' });
      await saved.getByRole('link', { name: 'All' }).click();
      await counted(page, '6 of 6');
      await page.reload();
      await counted(page, '6 of 6');
      await saved.getByRole('link', { name: 'Only red' }).click();
      await counted(page, '2 of 2');
      assert.equal(new URL(page.url()).searchParams.get('where'), 'color = "red"');
      await saved.getByRole('button', { name: 'Remove the saved query Only red' }).click();
      await saved.getByRole('link', { name: 'Only red' }).waitFor({ state: 'detached' });
    });
  });

  test('a field of all that match is set, portion by portion; it can be stopped', async () => {
    await fill('bulk', 450);
    await withPage('bulk', async (page) => {
      await filter(page).fill('size < 250');
      await page.keyboard.press('Enter');
      await counted(page, '100 of 250');
      await page.getByLabel('Select all', { exact: true }).check();
      await page.getByRole('button', { name: 'Select all matches' }).click();
      await page.getByText('250 selected').waitFor();
      const set = async (value: string) => {
        await page.getByRole('button', { name: 'Set a field' }).click();
        await page.getByLabel('Field (a path').fill('label.en');
        await page.getByLabel('Value').fill(value);
        await page.getByRole('button', { name: 'Set the field' }).click();
      };
      // The answer to the first portion is held until somebody has pressed Stop.
      const held = Promise.withResolvers<void>();
      const sent = Promise.withResolvers<void>();
      await page.route('**/bulk/resource/by-predicate*', async (route) => {
        const response = await route.fetch();
        sent.resolve();
        await held.promise;
        await route.fulfill({ response });
      });
      await set('first');
      await sent.promise;
      await page.getByRole('button', { name: 'Stop' }).click();
      held.resolve();
      await page.getByText('100 changed, 0 unchanged, 0 refused').waitFor();
      await page.getByText('Stopped. The counted changes are saved').waitFor();
      await page.unroute('**/bulk/resource/by-predicate*');
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await counted(page, '100 of 250');
      await page.getByLabel('Select all', { exact: true }).check();
      await page.getByRole('button', { name: 'Select all matches' }).click();
      await page.getByText('250 selected').waitFor();
      await set('second');
      await page.getByText('250 changed, 0 unchanged, 0 refused').waitFor();
      const where = encodeURIComponent('label.en = "second"');
      const found = await console.api.call({ path: `/bulk/resource/sorted-query-parameters?where=${where}` });
      assert.equal(found.json.total, 250);
    });
  });

  test('a change of all that match is checked first, counts what no longer matches, and is refused for another number', async () => {
    await fill('matching', 130);
    await console.put({ key: 'item-7', size: 7, label: 'a text' }, 'matching');
    await withPage('matching', async (page) => {
      const dialog = page.getByRole('dialog');
      const selectAll = async (count: number) => {
        await counted(page, `100 of ${count}`);
        await page.getByLabel('Select all', { exact: true }).check();
        await page.getByRole('button', { name: 'Select all matches' }).click();
        await page.getByText(`${count} selected`).waitFor();
      };
      await filter(page).fill('size >= 0');
      await page.keyboard.press('Enter');
      await selectAll(130);
      await page.getByRole('button', { name: 'Set a field' }).click();
      await page.getByLabel('Field (a path').fill('label.en');
      await page.getByLabel('Value').fill('new');
      await dialog.getByRole('button', { name: 'Check' }).click();
      await dialog
        .getByText('Checked: 129 resources would change, 0 would stay as they are, 1 would be refused.')
        .waitFor();
      await dialog.locator('tbody tr').getByText('item-7').waitFor();
      assert.equal((await get('matching', 'item-8')).version, 1);
      // Somebody else changes and deletes meanwhile: neither is lost.
      await touch('matching', 'item-8');
      await page.getByRole('button', { name: 'Set the field' }).click();
      await dialog.getByText('129 changed, 0 unchanged, 1 refused').waitFor();
      assert.deepEqual((await get('matching', 'item-8')).version, 3);
      await dialog.getByRole('button', { name: 'Undo all 129' }).click();
      await dialog.getByText('129 changed, 0 unchanged, 0 refused').waitFor();
      assert.equal('label' in (await get('matching', 'item-9')), false);
      await dialog.getByRole('button', { name: 'Close', exact: true }).click();
      await selectAll(130);
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await console.put({ key: 'one-more', size: 1 }, 'matching');
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByText('expect: 131 resources match, not 130.').waitFor();
      await dialog.getByRole('button', { name: 'Close', exact: true }).click();
      await page.reload();
      await selectAll(131);
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByText('131 changed, 0 unchanged, 0 refused').waitFor();
    });
  });

  test('what was set for many is undone, but not over what somebody changed since', async () => {
    await fill('undo', 3);
    await withPage('undo', async (page) => {
      await counted(page, '3 of 3');
      const dialog = page.getByRole('dialog');
      await page.getByLabel('Select all', { exact: true }).check();
      await page.getByRole('button', { name: 'Set a field' }).click();
      await page.getByLabel('Field (a path').fill('color');
      await page.getByLabel('Value').fill('black');
      await page.getByRole('button', { name: 'Set the field' }).click();
      await dialog.getByText('3 changed, 0 unchanged, 0 refused').waitFor();
      await touch('undo', 'item-1');
      await dialog.getByRole('button', { name: 'Undo all 3' }).click();
      await dialog.getByText('2 changed, 0 unchanged, 1 refused').waitFor();
      await dialog.getByText('Someone has changed it since version 2.').waitFor();
      const keys = ['item-0', 'item-1', 'item-2'];
      const left = await Promise.all(keys.map(async (key) => (await get('undo', key)).color));
      assert.deepEqual(left, ['red', 'black', 'blue']);
    });
  });

  test('what somebody changed meanwhile is refused, told by row, and tried again; deleted ones are brought back', async () => {
    await fill('meanwhile', 3);
    await withPage('meanwhile', async (page) => {
      await counted(page, '3 of 3');
      const dialog = page.getByRole('dialog');
      await page.getByLabel('Select all', { exact: true }).check();
      await page.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByText('Delete 3 resources?').waitFor();
      await touch('meanwhile', 'item-1');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByText('2 changed, 0 unchanged, 1 refused').waitFor();
      const row = dialog.locator('tbody tr');
      assert.deepEqual(await row.locator('th, td').allTextContents(), [
        'item-1',
        'Someone has changed it since version 1.',
      ]);
      const [name, text] = await textOf(page, dialog.getByRole('button', { name: 'Download the refused resources' }));
      assert.equal(name, 'refused.ndjson');
      assert.equal(JSON.parse(text).key, 'item-1');
      await dialog.getByRole('button', { name: 'Retry the refused resources' }).click();
      await dialog.getByText('1 changed, 0 unchanged, 0 refused').waitFor();
      await dialog.getByRole('button', { name: 'Restore it' }).click();
      await dialog.getByRole('button', { name: 'Restore it' }).waitFor({ state: 'detached' });
      await dialog.getByText('1 changed, 0 unchanged, 0 refused').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await counted(page, '1 of 1');
      // The others are in the list of what was deleted.
      await page.getByText('More', { exact: true }).click();
      await page.getByRole('button', { name: 'Deleted resources' }).click();
      await page.getByRole('button', { name: 'item-0' }).click();
      await dialog.getByText('"en": "Item 0"').waitFor();
      await console.put({ key: 'item-0', other: true }, 'meanwhile');
      await dialog.getByRole('button', { name: 'Restore' }).click();
      await dialog.getByLabel('Another key').fill('item-0-again');
      await dialog.getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('heading', { name: 'item-0-again' }).waitFor();
      assert.equal((await get('meanwhile', 'item-0-again')).name.en, 'Item 0');
    });
  });

  test('a CSV file is dropped, its columns are mapped, it is checked, and its refused lines come back as a file', async () => {
    await fill('import', 1);
    await withPage('import', async (page) => {
      await counted(page, '1 of 1');
      const text =
        'key;title;amount;note\nitem-0;"Known; item";12;x\nnew-1;Fresh;9007199254740993;y\nnew-2;Bad;much;z\n';
      // As a script of the page: the tests have no types of browsers.
      const transfer = await page.evaluateHandle(`(() => {
        const data = new DataTransfer();
        data.items.add(new File([${JSON.stringify(text)}], 'products.csv', { type: 'text/csv' }));
        return data;
      })()`);
      await page.locator('.list').dispatchEvent('drop', { dataTransfer: transfer });
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Field of title').fill('name.de');
      await dialog.getByLabel('Type of amount').selectOption('number');
      await dialog.getByLabel('Take note').uncheck();
      await dialog.getByRole('button', { name: 'Check' }).click();
      await dialog.getByText('3 lines checked one by one; nothing is written yet.').waitFor();
      assert.deepEqual(await dialog.locator('dd').allTextContents(), ['1', '1', '0', '1']);
      assert.equal((await console.api.call({ path: '/import/resource/key=new-1' })).status, 404);
      // The connection is lost at first; then it goes on.
      await page.route('**/import/resource/import*', (route) => route.abort(), { times: 1 });
      await dialog.getByRole('button', { name: 'Import 2' }).click();
      await dialog.getByText('The service cannot be reached.').waitFor();
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByText('3 lines done.').waitFor();
      assert.match((await dialog.locator('.refusals tbody').textContent()) ?? '', /^4.*number/);
      const [name, lines] = await textOf(page, dialog.getByRole('button', { name: 'Download the refused lines' }));
      assert.deepEqual([name, lines], ['refused.csv', 'key;name.de;amount:number\nnew-2;Bad;much\n']);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await counted(page, '2 of 2');
      const { text: stored } = await console.api.call({ path: '/import/resource/key=new-1' });
      assert.match(stored, /"amount":9007199254740993[,}]/);
      const { name: both, note } = await get('import', 'item-0');
      assert.deepEqual([both, note], [{ en: 'Item 0', de: 'Known; item' }, undefined]);
    });
  });

  test('a file of Excel is recognised: its separator and Key; columns of several types and repeated keys are told', async () => {
    await fill('sheet', 1);
    await withPage('sheet', async (page) => {
      await counted(page, '1 of 1');
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      const dialog = page.getByRole('dialog');
      const choose = (name: string, buffer: Buffer) =>
        dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
      await choose('book.xlsx', Buffer.from('PK\x03\x04 sheet'));
      await dialog.getByText('This is a spreadsheet file.').waitFor();
      const text = '\ufeffsep=;\r\nKey;Price;Meta: colour, dark\r\ns1;12;red\r\ns2;on request;blue\r\ns1;13;red\r\n';
      await choose('sheet.csv', Buffer.from(text, 'utf16le'));
      const separator = dialog.getByLabel('Cells are separated by');
      await separator.waitFor();
      assert.equal(await separator.inputValue(), ';');
      assert.equal(await dialog.getByLabel('Field of Key').inputValue(), 'key');
      assert.equal(await dialog.getByLabel('Field of Meta: colour, dark').inputValue(), '`Meta: colour, dark`');
      await separator.selectOption(',');
      await dialog.getByLabel('Field of Key;Price;Meta: colour').waitFor();
      await separator.selectOption(';');
      await dialog.getByLabel('Field of Key', { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Check' }).click();
      await dialog.getByText('3 lines checked').waitFor();
      await dialog.getByText('The values of Price have several types: number (line 2), string (line 3).').waitFor();
      await dialog
        .getByText('Lines that name the resource of an earlier line: 1, first line 4 that of line 2.')
        .waitFor();
      await dialog.getByRole('button', { name: 'Import 3' }).click();
      await dialog.getByText('3 lines done.').waitFor();
      const { Price, 'Meta: colour, dark': colour } = await get('sheet', 's1');
      assert.deepEqual([Price, colour], [13, 'red']);
    });
  });

  test('what is listed is exported as CSV, what is selected as lines of JSON', async () => {
    await fill('export', 5);
    await withPage('export', async (page) => {
      await page.goto(`${console.address}/console/export/resources?where=size+%3C+2&sort=key+asc&columns=key,size`);
      await counted(page, '2 of 2');
      // As a browser that writes no files itself.
      await page.evaluate('window.showSaveFilePicker = undefined');
      await page.getByText('More', { exact: true }).click();
      await page.getByRole('button', { name: 'Export all matches' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('CSV').check();
      const [name, text] = await textOf(page, dialog.getByRole('button', { name: 'Export' }));
      assert.equal(name, 'export.csv');
      assert.deepEqual(text.trim().split('\r\n').sort(), ['item-0,0', 'item-1,1', 'key,size']);
      await dialog.getByText('Saved').waitFor();
      await dialog.getByRole('textbox', { name: /^Columns/ }).fill(' ');
      const [, all] = await textOf(page, dialog.getByRole('button', { name: 'Export' }));
      assert.match(all.split('\r\n')[0]!, /^\ufeff?id,key,version,.*size,.*createdAt,/);
      await dialog.getByText('Saved').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.getByLabel('Select item-1').check();
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const [, lines] = await textOf(page, dialog.getByRole('button', { name: 'Export' }));
      const keysOf = (text: string) =>
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).key);
      assert.deepEqual(keysOf(lines), ['item-1']);
      // As the service tells of a resource that it cannot read, and of a connection that was cut.
      await page.route('**/export/resource/export?*', (route) =>
        route.fulfill({ body: '{"key":"item-2"}\n["incomplete",1,1,["item-3"]]\n' }),
      );
      const [, some] = await textOf(page, dialog.getByRole('button', { name: 'Export' }));
      assert.deepEqual(keysOf(some), ['item-2']);
      await dialog.getByText('The file lacks 1 resource whose stored data is damaged: item-3.').waitFor();
      await page.unrouteAll();
      await page.route('**/export/resource/export?*', (route) => route.fulfill({ body: '{"key":"item-2"}\n' }));
      await dialog.getByRole('button', { name: 'Export' }).click();
      await dialog.getByText('The connection was lost before the end.').waitFor();
      await page.unrouteAll();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      // In one that does, it goes to the file that was chosen; who chooses none gets none.
      await page.evaluate(`
        window.showSaveFilePicker = async ({ suggestedName }) => {
          if (!window.chosen) throw new DOMException('none', 'AbortError');
          return (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
        }
      `);
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await dialog.getByRole('button', { name: 'Export' }).click();
      await page.evaluate('window.chosen = true');
      await dialog.getByRole('button', { name: 'Export' }).click();
      await dialog.getByText('Saved').waitFor();
      const written = await page.evaluate<string>(`
        navigator.storage.getDirectory()
          .then((folder) => folder.getFileHandle('export.ndjson'))
          .then((handle) => handle.getFile())
          .then((file) => file.text())
      `);
      assert.deepEqual(keysOf(written), ['item-1']);
    });
  });

  test('the sample has pictures, references and three languages, and is removed by one click', async () => {
    await withPage('sample', async (page) => {
      await page.getByRole('button', { name: 'Load the sample catalogue' }).click();
      await counted(page, '15 of 15');
      await console.put({ key: 'own', sample: true }, 'sample');
      await page.getByRole('link', { name: 'sample-oak-chair', exact: true }).click();
      await page.locator('.pictures img').waitFor();
      await page.getByRole('link', { name: 'North Workshop' }).waitFor();
      assert.deepEqual(Object.keys((await get('sample', 'sample-oak-chair')).name), ['en', 'de', 'fr']);
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByRole('button', { name: 'Remove the sample' }).click();
      await page.getByText('The sample catalogue is removed.').waitFor();
      await counted(page, '1 of 1');
      const images = await console.api.call({ path: '/sample/resource/images?staged=true&limit=100' });
      const left = (images.json.results as { images: string[] }[]).flatMap(({ images: own }) => own);
      assert.deepEqual(left, []);
    });
  });

  test('of a long table only the rows in view are in the page, and the rest comes by cursor', async () => {
    await fill('long', 1200);
    await withPage('long', async (page) => {
      await page.goto(`${console.address}/console/long/resources?sort=size+asc&columns=key,size`);
      await counted(page, '100 of 1,200');
      const requests: URLSearchParams[] = [];
      page.on('request', (request) => {
        if (request.url().includes('sorted-query-parameters')) requests.push(new URL(request.url()).searchParams);
      });
      // The list may be read once more when the live changes begin, so the end is looked for again and again.
      const loaded = async () => Number((await page.locator('.count').innerText()).split(' ')[0]);
      while ((await loaded()) < 600) {
        await page.locator('.rows').evaluate((element) => element.scrollTo(0, element.scrollHeight));
      }
      assert.ok(requests.filter((query) => query.has('cursor')).length >= 5);
      assert.ok(!requests.some((query) => query.has('offset')));
      const drawn = await page.locator('.rows tbody tr:not(.spacer)').count();
      assert.ok(drawn > 0 && drawn < 80, `${drawn} rows`);
      // A row far above is where it was.
      await page.locator('.rows').evaluate((element) => element.scrollTo(0, 0));
      await page.getByRole('link', { name: 'item-0', exact: true }).focus();
      // By keys alone: up, down, and the space bar selects; with the shift key, all in between.
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', ' ']) await page.keyboard.press(key);
      await page.getByText('1 selected').waitFor();
      assert.equal(await page.getByLabel('Select item-1', { exact: true }).isChecked(), true);
      await page.getByLabel('Select item-5', { exact: true }).click({ modifiers: ['Shift'] });
      await page.getByText('5 selected').waitFor();
    });
  });

  test('the end of the table that comes into view while something is loaded is followed afterwards', async () => {
    await fill('end', 250);
    await withPage('end', async (page) => {
      const [live, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route('**/end/events*', async (route) => {
        await live.promise;
        await route.continue();
      });
      await page.goto(`${console.address}/console/end/resources?sort=size+asc&columns=key,size`);
      await counted(page, '100 of 250');
      await page.route('**/end/resource/sorted-query-parameters*', async (route) => {
        await held.promise;
        await route.continue();
      });
      // The list is read once more when the live changes begin.
      const again = page.waitForRequest('**/end/resource/sorted-query-parameters*');
      live.resolve();
      await again;
      await page.locator('.rows').evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page.getByRole('link', { name: 'item-99', exact: true }).waitFor();
      held.resolve();
      await counted(page, '200 of 250');
      // Another order begins with its first row.
      await page.getByRole('columnheader', { name: 'size' }).getByRole('button').click();
      await page.getByRole('link', { name: 'item-249', exact: true }).waitFor();
      assert.equal(await page.locator('.rows').evaluate((element) => element.scrollTop), 0);
      await counted(page, '100 of 250');
    });
  });

  test('a page of the table that could not be loaded is asked for again: by a button, and when changes arrive again', async () => {
    await fill('again', 450);
    await withPage('again', async (page) => {
      await page.goto(`${console.address}/console/again/resources?sort=size+asc&columns=key,size`);
      await counted(page, '100 of 450');
      const pages = (url: URL) => url.pathname === '/again/resource/sorted-query-parameters';
      const following = (url: URL) => pages(url) && url.searchParams.has('cursor');
      const retry = page.getByRole('button', { name: 'Try again' });
      const toEnd = () => page.locator('.rows').evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page.route(following, (route) => route.abort());
      await toEnd();
      await retry.waitFor();
      await counted(page, '100 of 450');
      await page.unroute(following);
      await retry.click();
      await counted(page, '200 of 450');
      await retry.waitFor({ state: 'detached' });
      // The same when the service is away for a while: all connections end, and none is made until it is back.
      await page.route(following, (route) => route.abort());
      const isGone = page.waitForRequest('**/again/events*');
      await page.route('**/again/events*', (route) => route.abort());
      console.api.app.server.listener.closeAllConnections();
      await isGone;
      await toEnd();
      await retry.waitFor();
      await page.unroute(following);
      await page.unroute('**/again/events*');
      await counted(page, '300 of 450');
      await retry.waitFor({ state: 'detached' });
    });
  });

  test('one page is loaded for an end that comes into view, however late the browser draws', async () => {
    await fill('late-frames', 450);
    await withPage('late-frames', async (page) => {
      await counted(page, '100 of 450');
      const cursors: string[] = [];
      page.on('request', (request) => {
        const cursor = new URL(request.url()).searchParams.get('cursor');
        if (cursor !== null) cursors.push(cursor);
      });
      // Without frames, what waits for one is done after a second.
      await page.evaluate(`
        const after = setTimeout;
        window.setTimeout = (work, ms, ...rest) => after(work, ms > 20 && ms < 200 ? 1000 : ms, ...rest);
        window.requestAnimationFrame = () => 0;
        document.querySelector('.rows').scrollTo(0, document.querySelector('.rows').scrollHeight);
      `);
      await page
        .locator('.count')
        .getByText(/^[2-4]\d0 of 450$/)
        .waitFor();
      // Another page would have been asked for by now.
      await page.evaluate('new Promise((done) => setTimeout(done, 100))');
      assert.equal(cursors.length, 1);
      assert.match(await page.locator('.count').innerText(), /^200 of 450/);
    });
  });

  test('a page that has arrived when another order is asked for does not get into the rows of that order', async () => {
    await fill('late', 250);
    await withPage('late', async (page) => {
      await page.goto(`${console.address}/console/late/resources?sort=size+asc&columns=key,size`);
      await counted(page, '100 of 250');
      // Nothing of a response that is here already can be aborted.
      await page.evaluate(`
        const send = fetch;
        const held = new Promise((resolve) => { window.release = resolve; });
        window.arrived = new Promise((resolve) => {
          window.fetch = async (url, init) => {
            if (!url.includes('cursor=')) return send(url, init);
            window.fetch = send;
            const response = await send(url, { ...init, signal: null });
            const text = await response.text();
            resolve();
            await held;
            return new Response(text, { headers: response.headers });
          };
        });
        // Not the promise, which would be waited for.
        undefined;
      `);
      const toEnd = () => page.locator('.rows').evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await toEnd();
      await page.evaluate('arrived');
      await page.getByRole('columnheader', { name: 'size' }).getByRole('button').click();
      await page.getByRole('link', { name: 'item-249', exact: true }).waitFor();
      await page.evaluate('release()');
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
      assert.match(await page.locator('.count').innerText(), /^100 of 250/);
      await toEnd();
      await counted(page, '200 of 250');
      await toEnd();
      await page.getByRole('link', { name: 'item-50', exact: true }).waitFor();
    });
  });

  test('axe finds nothing in the table and its dialogs, in light and dark colours, on a phone and a desktop', async () => {
    const project = 'axe';
    await fill(project, 3);
    await withPage(project, async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await counted(page, '3 of 3');
      await filter(page).fill('color = ');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await assertSeen(page, 'completion');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Save this query' }).click();
      await assertSeen(page, 'name of a query');
      await page.keyboard.press('Escape');
      await page.getByText('More', { exact: true }).click();
      await assertSeen(page, 'menu');
      await page.getByRole('button', { name: 'Export all matches' }).click();
      await page.getByLabel('CSV').check();
      await assertSeen(page, 'export');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.locator('dialog input[type=file]').setInputFiles(csv('key,size:number\na,1\nb,x\n'));
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByText('2 lines checked').waitFor();
      await assertSeen(page, 'import');
      await page.keyboard.press('Escape');
      await page.getByLabel('Select all', { exact: true }).check();
      await page.getByRole('button', { name: 'Set a field' }).click();
      await page.getByLabel('Field (a path').fill('a');
      await assertSeen(page, 'bulk');
      await page.keyboard.press('Escape');
      await goWithin(page, `/console/${project}/resources?view=deleted`);
      await page.getByText('There are no deleted resources to restore.').waitFor();
      await assertSeen(page, 'deleted');
    });
  });

  test('the files that the package has ready are those that are served here', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grs-built-console-'));
    try {
      await packFiles(folder);
      const [ready, made] = [await createBundle(pathToFileURL(`${folder}/`))(), await createBundle()()];
      assert.equal(ready.page('nonce', ''), made.page('nonce', ''));
      const texts = (bundle: Bundle) =>
        [...bundle.assets].map(([name, file]) => [name, Buffer.from(file.body).toString()]).sort();
      assert.deepEqual(texts(ready), texts(made));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('no script complained', () => assert.deepEqual(console.complaints, []));
});
