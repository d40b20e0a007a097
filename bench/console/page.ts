import type { Page } from 'playwright-core';

/**
 * Runs in each page before its own scripts: `bench.rowsMs` is a promise of the time at which rows were there, `bench.shift`
 * how far things have moved by themselves, and `bench.moreMs(count)` scrolls to the end and measures until so many rows
 * are loaded. As a text: the bench has no types of browsers.
 */
export const observe = `
  const loaded = () => Number(document.querySelector('.count')?.textContent.split(' ')[0].replaceAll(',', '') ?? 0);
  const until = (holds) => new Promise((resolve) => {
    const look = () => (holds() ? resolve(performance.now()) : requestAnimationFrame(look));
    look();
  });
  globalThis.bench = {
    shift: 0,
    rowsMs: until(() => document.querySelector('.rows tbody a')),
    async moreMs(count) {
      await until(() => loaded() >= count - 100);
      const begun = performance.now();
      const box = document.querySelector('.rows');
      box.scrollTo(0, box.scrollHeight);
      return (await until(() => loaded() >= count)) - begun;
    },
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.bench.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** How far things have moved by themselves, as the layout instability of the page. */
export const shiftOf = (page: Page) => page.evaluate<number>('globalThis.bench.shift');

/** As many rows as the table, in a page that does nothing. */
export const blankPage = `<!doctype html><div id="box" style="height: 700px; overflow: auto">
  <table>${'<tr style="height: 36px"><td><a href="#">r-1</a></td><td>spring</td><td>300</td></tr>'.repeat(500)}</table>
</div>`;

/** How frames came while a box scrolled. */
export interface Frames {
  readonly count: number;
  readonly late: number;
  readonly worstMs: number;
  /** Frames in which the middle of the box had no row. */
  readonly blanks: number;
}

/** Scrolls a box down and up for three seconds, by as much in each frame as 6 px/ms make. */
export const scrollFrames = (page: Page, selector: string): Promise<Frames> =>
  page.evaluate<Frames>(`new Promise((resolve) => {
    const box = document.querySelector(${JSON.stringify(selector)});
    const { left, top, width, height } = box.getBoundingClientRect();
    const frames = { count: 0, late: 0, worstMs: 0, blanks: 0 };
    let [begun, before, direction] = [undefined, undefined, 1];
    box.scrollTo(0, 0);
    const frame = (now) => {
      begun ??= now;
      if (before !== undefined) {
        const took = now - before;
        frames.count += 1;
        if (took > 25) frames.late += 1;
        frames.worstMs = Math.max(frames.worstMs, took);
        box.scrollTop += direction * 6 * Math.min(took, 50);
        if (box.scrollTop <= 0 || box.scrollTop + box.clientHeight >= box.scrollHeight - 1) direction = -direction;
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        if (!seen?.closest('tr') || seen.closest('.spacer')) frames.blanks += 1;
      }
      before = now;
      if (now - begun < 3000) requestAnimationFrame(frame);
      else resolve(frames);
    };
    requestAnimationFrame(frame);
  })`);
