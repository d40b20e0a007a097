import type { Answer, Api, Query } from '../api.ts';
import { type Check, checksOf, expectEqual, expectRefusal, expectRefused, expectStatus, expectThat } from '../check.ts';

/** A whole picture of each format, a few pixels wide. */
const pictures = {
  'image/gif': 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'image/png':
    'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAE0lEQVQImWP4z8DwnwGM/zMwAAAf7gP9qS/A4gAAAABJRU5ErkJggg==',
  'image/jpeg':
    '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAEAAQDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABQb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCKALXj/9k=',
} as const;

type Format = keyof typeof pictures;

const bytesOf = (format: Format) => new Uint8Array(Buffer.from(pictures[format], 'base64'));

/** Uploads a picture; of another type or other bytes than its own where told. */
async function upload(
  api: Api,
  query: Query,
  format: Format,
  type: string = format,
  body = bytesOf(format),
): Promise<Answer> {
  const answer = await api.send('POST', '/images', { query, body, headers: { 'content-type': type } });
  if (typeof answer.json?.id === 'string') api.owned(answer.json.id);
  return answer;
}

/** Uploads of images (E13). */
export const imageChecks: readonly Check[] = checksOf('E13', {
  interface: {
    'takes JPEG, PNG and GIF for a variant': async (api) => {
      const query = { filename: 'picture', sku: api.unique('formats'), staged: 'false' };
      for (const format of Object.keys(pictures) as Format[]) {
        const answer = await upload(api, query, format);
        expectThat(answer, `a status of success, not ${answer.status}`, answer.status >= 200 && answer.status < 300);
      }
    },
    'takes no other format': async (api) => {
      expectRefusal(await upload(api, { sku: api.unique('other') }, 'image/gif', 'image/webp'));
    },
    'view_test may not upload': async (api) => {
      const sent = { body: bytesOf('image/gif'), headers: { 'content-type': 'image/gif' }, right: 'view' } as const;
      expectStatus(await api.send('POST', '/images', { ...sent, query: { sku: api.unique('view') } }), 401, 403);
    },
  },
  contract: {
    'answers 200 with the variant, whose images are served without a token': async (api) => {
      const sku = api.unique('served');
      const answer = await upload(api, { filename: 'picture.png', sku, staged: 'false' }, 'image/png');
      expectStatus(answer, 200);
      const { images } = answer.json;
      expectEqual(answer, 'the sku and one image', [answer.json.sku, images.length], [sku, 1]);
      const address = new URL(images[0], `${api.baseUrl}/`);
      const path = `${new URL(api.baseUrl).origin}${address.pathname}`;
      const picture = expectStatus(await api.sendTo('GET', path, { right: 'none' }), 200);
      expectEqual(picture, 'its type', picture.headers.get('content-type'), 'image/png');
    },
    'filename names the file; sku and variant name one variant': async (api) => {
      const sku = api.unique('named');
      const first = await upload(api, { filename: 'front.gif', variant: '7', sku, staged: 'false' }, 'image/gif');
      expectStatus(first, 200);
      expectEqual(first, 'variant and sku', [first.json.variant, first.json.sku], [7, sku]);
      const file = String(first.json.images[0]).split('/').at(-1)!;
      expectThat(first, `a file name with “front”, not ${file}`, file.includes('front'));
      const second = await upload(api, { filename: 'back', variant: '7', staged: 'false' }, 'image/png');
      expectStatus(second, 200);
      expectEqual(second, 'sku and number of images', [second.json.sku, second.json.images?.length], [sku, 2]);
    },
    'an upload is seen by staged=true alone, unless it says staged=false': async (api) => {
      const query = { sku: api.unique('staged') };
      const first = await upload(api, { ...query, staged: 'false' }, 'image/gif');
      const counts = async () => {
        const [current, staged] = await Promise.all(
          ['', '?staged=true'].map((which) => api.send('GET', `/${first.json.id}${which}`)),
        );
        return [current!.json.images?.length, staged!.json.images?.length];
      };
      expectEqual(first, 'images of both projections', await counts(), [1, 1]);
      for (const [more, expected] of [
        [{}, [1, 2]],
        [{ staged: 'true' }, [1, 3]],
      ] as const) {
        const next = expectStatus(await upload(api, { ...query, ...more }, 'image/png'), 200);
        expectEqual(next, 'images of both projections', await counts(), expected);
      }
    },
    'bytes that are not a whole picture, or of another format, are 400': async (api) => {
      const query = { sku: api.unique('broken') };
      const half = bytesOf('image/png').subarray(0, 50);
      expectRefused(await upload(api, query, 'image/png', 'image/png', half), 400);
      expectRefused(await upload(api, query, 'image/gif', 'image/png'), 400);
      expectRefused(await upload(api, query, 'image/gif', 'text/plain'), 415, 'UnsupportedMediaType');
    },
  },
});
