import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageFileName, parseImageFileName, renditionFileName } from '../../src/domain/image/file-name.ts';
import { fitInside, planRenditions } from '../../src/domain/image/rendition.ts';

const uuid = '01936f0e-7c1a-7d3e-9a52-0f4b6c8d2e10';
const unique = '01936f0e7c1a7d3e9a520f4b6c8d2e10';

const names: readonly (readonly [string | undefined, string])[] = [
  [undefined, 'image'],
  ['', 'image'],
  ['logo.gif', 'logo'],
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\x.png', 'x'],
  ['C:\\x\\y.png', 'y'],
  ['/', 'image'],
  ['..', 'image'],
  ['.htaccess', 'htaccess'],
  ['shell.php.jpg', 'shell-php'],
  ['a\0b.png', 'a-b'],
  ['a\r\nSet-Cookie: x.png', 'a-Set-Cookie-x'],
  ['"><script>.png', 'script'],
  ['Crème Brûlée.png', 'Creme-Brulee'],
  ['\u202egnp.exe', 'gnp'],
  ['图片.png', 'image'],
  ['x'.repeat(300), 'x'.repeat(64)],
  [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
  ['-rf.png', 'rf'],
];
for (const [sent, kept] of names) {
  test(`imageFileName of ${JSON.stringify(sent)?.slice(0, 40)} begins with ${kept.slice(0, 20)} and is read back`, () => {
    const name = imageFileName(sent, uuid, 'image/png');
    assert.equal(name, `${kept}-${unique}.png`);
    assert.deepEqual(parseImageFileName(name), { type: 'image/png', tag: unique, isRendition: false });
    const rendition = renditionFileName(name, 'thumb');
    assert.equal(rendition, `${kept}-${unique}-thumb.png`);
    assert.deepEqual(parseImageFileName(rendition), { type: 'image/png', tag: `${unique}-thumb`, isRendition: true });
  });
}

test('parseImageFileName knows no name that the service does not make', () => {
  const strange = [
    'x.png',
    `-${unique}.png`,
    `x-${unique}.svg`,
    `x-${unique}.PNG`,
    `x-${unique}-huge.png`,
    `x-${unique}.png.html`,
    `../x-${unique}.png`,
    `x/${unique}.png`,
    `x-${unique.toUpperCase()}.png`,
    `x-${unique}.png\n`,
    `ü-${unique}.png`,
  ];
  for (const name of strange) assert.equal(parseImageFileName(name), undefined, name);
});

test('a rendition keeps the proportions, has at least a pixel a side, and never enlarges', () => {
  assert.deepEqual(fitInside({ w: 3000, h: 2000 }, 150), { w: 150, h: 100 });
  assert.deepEqual(fitInside({ w: 20, h: 3000 }, 50), { w: 1, h: 50 });
  assert.deepEqual(fitInside({ w: 40, h: 30 }, 50), { w: 40, h: 30 });
  const planned = planRenditions({ w: 400, h: 100 });
  assert.deepEqual(
    planned.map(({ name, dimensions: { w, h }, isOriginal }) => [name, w, h, isOriginal]),
    [
      ['thumb', 50, 13, false],
      ['small', 150, 38, false],
      ['medium', 400, 100, true],
      ['large', 400, 100, true],
      ['zoom', 400, 100, true],
    ],
  );
});
