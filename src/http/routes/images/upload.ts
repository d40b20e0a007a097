import { malformedParameter } from '../../../contract/errors.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { shortTextSchema } from '../../../contract/resource.ts';
import { imageTypeOf, imageTypes } from '../../../domain/image/file-name.ts';
import { maxVariantNumber, variantProjectOf } from '../../../domain/image/variant.ts';
import { viewVariant } from '../../../domain/image/view.ts';
import { stringifyJson } from '../../../domain/json/parse.ts';
import { parsePaging, textsOf } from '../../../domain/paging.ts';
import type { ListQuery } from '../../../domain/ports/list-query.ts';
import type { Literal, Predicate } from '../../../domain/predicate/ast.ts';
import { pageBody, parseDocuments } from '../../../domain/resource/read/page.ts';
import { etagOf } from '../../../domain/resource/write/preconditions.ts';
import type { ApiRequest, HttpResponse, ParameterTable, QueryValues, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { externalUserHeader, ifMatchHeader } from '../headers.ts';
import { answer } from '../json.ts';
import { nextCursor, readCursor } from '../resources/cursors.ts';
import { pageOf } from '../resources/list-parameters.ts';
import { publishedParts, type ReadDeps } from '../resources/published.ts';
import { writeOf } from '../resources/resource.ts';
import { versionParameter } from '../version-parameter.ts';
import { imageFileRoute } from './files.ts';
import { binarySchema, pageExample, pageSchema, variantExample, variantSchema } from './schemas.ts';
import { shownVariant } from './variants.ts';

/** The document of a variant is the service's own, and bounded by the number of its images. */
const maxVariantBytes = 1_048_576;

/** Variants that one list may be asked for by their SKUs. */
const maxSkus = 100;

const shared = { path: '/:projectKey/resource/images', tag: 'Images' } as const satisfies Partial<Route>;

const skuText = {
  type: 'string',
  pattern: new RegExp(shortTextSchema.pattern.replace('+$', '{1,256}$'), 'u'),
  form: '1 to 256 characters without control characters',
} as const;

const variantParameters: ParameterTable = {
  sku: { ...skuText, description: 'The SKU of the variant.', example: 'shoe-1-blue' },
  variant: {
    type: 'integer',
    description: 'The number of the variant.',
    minimum: 1,
    maximum: maxVariantNumber,
    example: 1,
  },
};

function uploadRoute(deps: RouteDeps): Route {
  return {
    ...shared,
    operationId: 'uploadImage',
    method: 'POST',
    summary: 'Upload an image',
    description:
      'The body is one image file. The first image creates the variant; without `sku` and `variant`, the image goes to variant 1.',
    access: ['manage_products'],
    query: {
      ...variantParameters,
      filename: {
        type: 'string',
        description: 'The beginning of the file name in the URL of the image.',
        example: 'front.jpg',
      },
      staged: {
        type: 'boolean',
        default: true,
        description: 'If true, only the staged projection gets the image. If false, both projections get it.',
      },
      ...versionParameter,
    },
    headers: [ifMatchHeader, externalUserHeader],
    body: {
      kind: 'stream',
      contentTypes: imageTypes,
      required: true,
      schema: binarySchema,
      maxBytes: deps.config.imageMaxBytes,
    },
    responses: {
      200: answer(
        'The variant with its new image, in the projection selected by `staged`.',
        variantSchema,
        variantExample,
        ['ETag'],
      ),
    },
    errors: ['InvalidOperation', 'ConcurrentModification', 'PreconditionFailed', 'QuotaExceeded'],
    idempotent: true,
    handler: (request) => upload(deps, request),
  };
}

function upload(deps: RouteDeps, request: ApiRequest): Promise<HttpResponse> {
  const { query, headers, stream } = request;
  const staged = query.get('staged') !== false;
  return deps.images.upload({
    write: {
      ...writeOf(request, { ...deps, maxDocumentBytes: maxVariantBytes }),
      responseOf({ record, documents }) {
        const document = staged ? (documents.staged ?? documents.current) : documents.current;
        const body = stringifyJson(viewVariant(document, deps.baseUrl));
        return { status: 200, headers: { etag: etagOf(record) }, body };
      },
    },
    staged,
    wanted: variantOf(query),
    body: stream!,
    // The media type was checked before the body.
    type: imageTypeOf(headers['content-type'] ?? '')!,
    filename: query.get('filename') as string | undefined,
    expectedBytes: Number(headers['content-length'] ?? deps.config.imageMaxBytes),
  });
}

/** The variant that the parameters name. */
function variantOf(query: QueryValues) {
  return { sku: query.get('sku') as string | undefined, number: query.get('variant') as number | undefined };
}

function listRoute(deps: RouteDeps): Route {
  return {
    ...shared,
    operationId: 'listImages',
    method: 'GET',
    summary: 'List variants with their images',
    description:
      'Sorted by the number of the variant. With `sku` or `variant`, returns only the matching variants that exist.',
    access: ['manage_products', 'manage_test', 'view_test'],
    published: true,
    query: {
      ...variantParameters,
      sku: {
        ...skuText,
        repeatable: true,
        description: `The SKU of a variant; up to ${maxSkus} of them if repeated.`,
        example: ['shoe-1-blue', 'shoe-1-red'],
      },
      staged: { type: 'boolean', default: false, description: 'Return the staged projections (decision 13).' },
      ...pageOf('variants', ' Several `sku` raise the default to their number.'),
      cursor: {
        type: 'string',
        description:
          'The `next` of the previous page. All other parameters must stay the same, except `limit` and `withTotal`.',
      },
      withTotal: { type: 'boolean', description: 'Whether to count all matching variants in `total`.', default: true },
    },
    responses: { 200: answer('A page of variants.', pageSchema, pageExample, ['Link']) },
    errors: ['QueryTimedOut'],
    handler: async (request) => list(request.isPublished ? await publishedParts(deps, request) : deps, request),
  };
}

async function list(deps: ReadDeps, { projectKey, query, signal }: ApiRequest): Promise<HttpResponse> {
  const { store } = deps;
  const skus = new Set(textsOf(query, 'sku'));
  if (skus.size > maxSkus) throw malformedParameter('sku', `expected at most ${maxSkus}, not ${skus.size}`);
  const sent = parsePaging(query);
  const paging = query.has('limit') ? sent : { ...sent, limit: Math.max(sent.limit, skus.size) };
  const cursor = readCursor(deps, 'images', projectKey, query);
  const listed: ListQuery = {
    ...paging,
    projectKey: variantProjectOf(projectKey),
    where: conditionsOf([...skus], query.get('variant') as number | undefined),
    sort: [{ path: ['variant'], direction: 'asc' }],
    after: cursor.after,
    staged: query.get('staged') === true,
  };
  const page = await store.list(listed, signal());
  const documents = await parseDocuments(page.results);
  const view = (document: JsonObject) => stringifyJson(shownVariant(deps, document));
  const next = nextCursor(deps, cursor, page.next);
  const body = pageBody(paging, { ...page, results: documents.map(view) }, next);
  return { status: 200, body, next };
}

function conditionsOf(skus: readonly string[], number: number | undefined): readonly Predicate[] {
  const isOne = (name: string, ...values: readonly Literal[]): Predicate => ({ kind: 'in', path: [name], values });
  const ofSkus = skus.map((value) => ({ type: 'string', value }) as const);
  return [
    ...(skus.length === 0 ? [] : [isOne('key', ...ofSkus)]),
    ...(number === undefined ? [] : [isOne('variant', { type: 'number', value: BigInt(number) })]),
  ];
}

/** Images: uploads (E13), lists, and the files themselves. */
export function imageRoutes(deps: RouteDeps): readonly Route[] {
  return [uploadRoute(deps), listRoute(deps), imageFileRoute(deps.images)];
}
