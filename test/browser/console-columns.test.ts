import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { assertSeen, skip, startTestConsole, type TestConsole } from './test-console.ts';

if (skip) process.stdout.write(`the columns of the console's table: skipped, ${skip}\n`);

/** A project whose first rows are short: the longer ones come into view only when the table is scrolled. */
describe('the columns of the console’s table', { skip }, () => {
  const project = 'columns';
  const count = 250;
  let console: TestConsole;
  let page: Page;

  before(async () => {
    console = await startTestConsole();
    const drafts = Array.from({ length: count }, (_, at) => ({
      ...{ key: `item-${at}`, size: at },
      title: at < 90 ? `Item ${at}` : `Item ${at} with ${'a much longer title '.repeat(1 + (at % 9))}`,
      arabic: at < 90 ? 'كرسي' : `كرسي ${'من خشب البلوط '.repeat(1 + (at % 5))}`,
    }));
    const operations = drafts.map((draft) => ({ operation: 'overwrite', draft }));
    const path = `/${project}/resource/batch`;
    assert.equal((await console.api.call({ method: 'POST', path, body: { operations } })).status, 200);
    page = await console.openTab(`/console/${project}/resources?sort=size+asc&columns=key,title,arabic,size`);
    await counted('100 of 250');
  });
  after(async () => {
    await console?.[Symbol.asyncDispose]();
  });

  const counted = (text: string) => page.locator('.count').getByText(text, { exact: true }).waitFor();
  const handle = (column: string): Locator => page.getByRole('separator', { name: `Width of ${column}` });
  const value = async (column: string) => Number(await handle(column).getAttribute('aria-valuenow'));
  /** Where the heads of the columns are, in pixels. */
  const heads = () =>
    page.evaluate<readonly number[][]>(`
      [...document.querySelectorAll('.rows thead th')].map((head) => {
        const { left, top, width } = head.getBoundingClientRect();
        return [left, top, width];
      })
    `);
  const widthOf = async (column: string) =>
    (await page.getByRole('columnheader', { name: column, exact: true }).boundingBox())!.width;
  async function drag(column: string, byPx: number): Promise<void> {
    const { x, y, width, height } = (await handle(column).boundingBox())!;
    const [fromX, atY] = [x + width / 2, y + height / 2];
    await page.mouse.move(fromX, atY);
    await page.mouse.down();
    await page.mouse.move(fromX + byPx / 2, atY, { steps: 3 });
    await page.mouse.move(fromX + byPx, atY);
    await page.mouse.up();
  }

  test('they stay where they are while longer values are scrolled into view, page by page', async () => {
    const names = page.locator('.rows th > button');
    assert.ok(await names.evaluateAll((all) => all.every((name) => name.scrollWidth <= name.clientWidth)));
    const before = await heads();
    assert.ok(before.every(([, , width]) => width! >= 40 && width! <= 330));
    for (const last of [99, 199, 249]) {
      const end = page.getByRole('link', { name: `item-${last}`, exact: true });
      // To its place, which is there once the pages before it are.
      while (!(await end.isVisible())) {
        await page.locator('.rows').evaluate((element, at) => {
          const { height } = element.querySelector('tbody tr:not(.spacer)')!.getBoundingClientRect();
          element.scrollTo(0, at * height);
        }, last);
      }
      assert.deepEqual(await heads(), before, `item-${last}`);
    }
    const cut = page.getByRole('row', { name: 'item-248' }).getByRole('cell', { name: /longer title/ });
    await cut.hover();
    assert.equal(await cut.getAttribute('title'), await cut.innerText());
    const whole = page.getByRole('row', { name: 'item-248' }).getByRole('cell', { name: '248', exact: true });
    await whole.hover();
    assert.equal(await whole.getAttribute('title'), '');
    await page.locator('.rows').evaluate((element) => element.scrollTo(0, 0));
    assert.deepEqual(await heads(), before);
  });

  test('the rows of another query make them wider, and never narrower', async () => {
    const narrow = await widthOf('title');
    const order = page.getByRole('columnheader', { name: 'size', exact: true }).getByRole('button');
    await order.click();
    await page.getByRole('link', { name: 'item-249', exact: true }).waitFor();
    const wide = await widthOf('title');
    assert.ok(wide > narrow, `${narrow} to ${wide}`);
    await page.goBack();
    await page.getByRole('link', { name: 'item-0', exact: true }).waitFor();
    assert.equal(await widthOf('title'), wide);
  });

  test('an edge is dragged, and no other column changes; the width is remembered, within its bounds', async () => {
    const [before, next] = [await widthOf('title'), await widthOf('arabic')];
    await drag('title', 120);
    assert.equal(await widthOf('title'), before + 120);
    assert.equal(await widthOf('arabic'), next);
    assert.equal(await value('title'), before + 120);
    // A head whose edge is dragged is not sorted by.
    assert.match(page.url(), /sort=size\+asc/);
    await drag('size', -500);
    assert.equal(await widthOf('size'), 56);
    await page.reload();
    await counted('100 of 250');
    assert.deepEqual([await widthOf('title'), await widthOf('size')], [before + 120, 56]);
    // A click that moves nothing chooses nothing.
    const own = await widthOf('arabic');
    await drag('arabic', 0);
    assert.equal(await page.evaluate('localStorage.getItem("grs-console-widths-columns").includes("arabic")'), false);
    assert.equal(await widthOf('arabic'), own);
  });

  test('the arrow keys move an edge, Enter and a double click fit the column to what is drawn', async () => {
    const begun = await widthOf('title');
    await handle('title').focus();
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight', 'Shift+ArrowRight']) await page.keyboard.press(key);
    assert.equal(await widthOf('title'), begun - 8 + 64);
    await page.keyboard.press('Home');
    assert.equal(await widthOf('title'), 56);
    await page.keyboard.press('End');
    assert.equal(await widthOf('title'), 1200);
    assert.equal(await handle('title').getAttribute('aria-valuetext'), '1200 pixels');
    await page.keyboard.press('Enter');
    const fitted = await widthOf('title');
    assert.ok(fitted > 56 && fitted < 330, `${fitted}`);
    const cells = page.locator('.rows tbody td:nth-child(3)');
    assert.ok(await cells.evaluateAll((all) => all.every((cell) => cell.scrollWidth <= cell.clientWidth)));
    await page.keyboard.press('End');
    await handle('title').dblclick();
    assert.equal(await widthOf('title'), fitted);
    await page.reload();
    await counted('100 of 250');
    assert.equal(await widthOf('title'), fitted);
  });

  test('on a phone the table scrolls in its own box, and the edges are named for screen readers', async () => {
    await handle('title').focus();
    await page.keyboard.press('End');
    await page.setViewportSize({ width: 390, height: 844 });
    const [inner, outer] = await page.evaluate<[number, number]>(
      `[document.querySelector('.rows').scrollWidth, document.documentElement.scrollWidth]`,
    );
    assert.ok(inner > 1200 && outer <= 390, `${inner}, ${outer}`);
    assert.equal(await page.getByRole('separator').count(), 4);
    for (const name of ['aria-orientation', 'aria-valuemin', 'aria-valuemax', 'aria-valuenow'])
      assert.ok(await handle('arabic').getAttribute(name), name);
    await assertSeen(page, 'columns');
  });

  /** How far things have moved by themselves; it ends with a shift of its own, behind which no other can hide. */
  const shifted = (one: Page) =>
    one.evaluate<number>(`new Promise((resolve) => {
      let sum = 0;
      const begun = performance.now();
      new PerformanceObserver((list) => {
        for (const { startTime, value } of list.getEntries()) {
          if (startTime > begun) resolve(sum);
          else sum += value;
        }
      }).observe({ type: 'layout-shift', buffered: true });
      const spacer = document.createElement('p');
      spacer.textContent = 'moves all of it';
      document.body.prepend(spacer);
    })`);

  /** Scrolls the table to the end of what is loaded, further in each frame than what is drawn. */
  const scrollThrough = (one: Page) =>
    one.evaluate(`new Promise((resolve) => {
      const box = document.querySelector('.rows');
      const step = () => {
        const before = box.scrollTop;
        box.scrollTop += 1200;
        if (box.scrollTop === before) resolve();
        else requestAnimationFrame(step);
      };
      step();
    })`);

  test('nothing moves by itself while a room is read and the table is scrolled', async () => {
    const rooms = [
      ['resources', '.rows tbody a'],
      ['search', '.hits li'],
      ['images', '.empty'],
      ['events', '.subscriptions .hint'],
      ['backends', '.tall'],
      ['access', '.calls table'],
    ] as const;
    for (const [room, content] of rooms) {
      const own = await console.openTab(`/console/${project}/${room}`);
      await own.locator(content).first().waitFor();
      if (room === 'resources') await scrollThrough(own);
      assert.ok((await shifted(own)) < 0.001, room);
      await own.close();
    }
  });

  test('no script complained', () => assert.deepEqual(console.complaints, []));
});
