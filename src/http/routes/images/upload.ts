import { malformedParameter } from '../../../contract/errors.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { type RenditionStatuses, renditionStatuses } from '../../../domain/image/deferred.ts';
import { imageTypeOf, imageTypes } from '../../../domain/image/format.ts';
import { maxVariantNumber, variantProjectOf } from '../../../domain/image/variant.ts';
import { viewVariant } from '../../../domain/image/view.ts';
import { stringifyJson } from '../../../domain/json/parse.ts';
import { maxLimit, maxOffset, parsePaging } from '../../../domain/paging.ts';
import type { ListQuery } from '../../../domain/ports/list-query.ts';
import type { Literal, Predicate } from '../../../domain/predicate/ast.ts';
import { pageText, parseDocuments } from '../../../domain/resource/read/page.ts';
import type { WriteResponse } from '../../../domain/resource/write/commit.ts';
import type { Outcome } from '../../../domain/resource/write/decision.ts';
import type { Images } from '../../../images/open-images.ts';
import type { ApiRequest, HttpResponse, ParameterTable, QueryValues, Route, RouteBody } from '../../route.ts';
import { externalUserHeader, ifMatchHeader } from '../headers.ts';
import { type ResourceDeps, toHttpResponse, writeOf } from '../resources/resource.ts';
import { imageFileRoute, imageTag } from './files.ts';
import { pageSchema, variantExample, variantSchema } from './schemas.ts';
import { variantTag } from './variants.ts';

export interface ImageRouteDeps extends ResourceDeps {
  readonly images: Images;
  readonly maxBytes: number;
}

const path = '/:projectKey/resource/images';

/** A variant's document is the service's own and bounded by its number of images. */
const maxVariantBytes = 1_048_576;

const variantParameters: ParameterTable = {
  sku: { type: 'string', description: 'The SKU of the variant.', example: 'shoe-1-blue' },
  variant: {
    type: 'integer',
    description: 'The number of the variant.',
    minimum: 1,
    maximum: maxVariantNumber,
    example: 1,
  },
};

function uploadRoute(deps: ImageRouteDeps): Route {
  const body: RouteBody = {
    kind: 'stream',
    contentTypes: imageTypes,
    required: true,
    schema: { type: 'string', contentEncoding: 'binary' },
    maxBytes: deps.maxBytes,
  };
  return {
    ...{ operationId: 'uploadImage', method: 'POST', path, tag: imageTag, access: ['manage_products'] },
    summary: 'Upload an image of a variant',
    description:
      'The body is the bytes of one whole image. The variant is made by its first image; without `sku` and `variant` it is variant 1. Renditions that are `pending` are ready soon after.',
    query: {
      ...variantParameters,
      filename: {
        type: 'string',
        description: 'What the address of the image is to begin with.',
        example: 'front.jpg',
      },
      staged: {
        type: 'boolean',
        default: true,
        description: 'True: only the staged projection gets the image; else both.',
      },
    },
    headers: [ifMatchHeader, externalUserHeader],
    body,
    responses: {
      200: {
        description: 'The variant with its new image, in the projection that was asked for.',
        content: { 'application/json': { schema: variantSchema, example: variantExample } },
        headers: ['ETag'],
      },
    },
    errors: ['InvalidOperation', 'ConcurrentModification', 'PreconditionFailed', 'QuotaExceeded', ...storageErrors],
    idempotent: true,
    handler: (request) => upload(deps, request),
  };
}

const storageErrors = ['InsufficientStorage', 'OutcomeUnknown', 'DataCorruption'] as const;

async function upload(deps: ImageRouteDeps, request: ApiRequest): Promise<HttpResponse> {
  const { query, headers, stream } = request;
  const staged = query.get('staged') !== false;
  const responseOf = (outcome: Outcome, statuses: RenditionStatuses): WriteResponse => {
    const { current, staged: next } = outcome.documents;
    const document = viewVariant(staged ? (next ?? current) : current, deps.baseUrl, statuses);
    return { status: 200, headers: variantTag(outcome.record.version, statuses), body: stringifyJson(document) };
  };
  const write = writeOf(request, { ...deps, maxDocumentBytes: maxVariantBytes }, () => {
    throw new Error('an upload makes its own answer');
  });
  const answer = await deps.images.upload({
    ...{ write, staged, responseOf, wanted: wantedOf(query), body: stream! },
    // The media type was checked with the head of the request.
    type: imageTypeOf(headers['content-type'] ?? '')!,
    filename: query.get('filename') as string | undefined,
    expectedBytes: Number(headers['content-length'] ?? deps.maxBytes),
  });
  return toHttpResponse(answer);
}

function wantedOf(query: QueryValues) {
  const sku = query.get('sku') as string | undefined;
  if (sku !== undefined && !/^\P{Cc}{1,256}$/u.test(sku)) {
    throw malformedParameter('sku', '1 to 256 characters without control characters expected');
  }
  return { sku, number: query.get('variant') as number | undefined };
}

function listRoute(deps: ImageRouteDeps): Route {
  return {
    ...{ operationId: 'listImages', method: 'GET', path, tag: imageTag },
    summary: 'List variants with their images',
    description: 'By the number of the variant. With `sku` or `variant` that one only, if it exists.',
    access: ['manage_products', 'manage_test', 'view_test'],
    query: {
      ...variantParameters,
      staged: { type: 'boolean', default: false, description: 'Answer the staged projections (decision 13).' },
      limit: { type: 'number', description: `Variants in the answer, 0–${maxLimit}.`, default: 20 },
      offset: { type: 'number', description: `Variants to pass over, 0–${maxOffset}.`, default: 0 },
      withTotal: { type: 'boolean', description: 'Count all of them.', default: true },
    },
    strictQuery: true,
    responses: { 200: { description: 'A page of variants.', content: { 'application/json': { schema: pageSchema } } } },
    errors: ['QueryTimedOut', 'DataCorruption'],
    handler: (request) => list(deps, request),
  };
}

async function list({ store, baseUrl }: ImageRouteDeps, { projectKey, query }: ApiRequest): Promise<HttpResponse> {
  const paging = parsePaging(query);
  const listed: ListQuery = {
    ...paging,
    projectKey: variantProjectOf(projectKey),
    where: conditionsOf(query),
    sort: [{ path: ['variant'], direction: 'asc' }],
    staged: query.get('staged') === true,
  };
  const page = await store.list(listed);
  const documents = parseDocuments(page.results);
  const statuses = await renditionStatuses(store, projectKey, documents);
  const view = (document: JsonObject) => stringifyJson(viewVariant(document, baseUrl, statuses));
  return { status: 200, body: pageText(paging, { ...page, results: documents.map(view).join(',') }) };
}

function conditionsOf(query: QueryValues): readonly Predicate[] {
  const { sku, number } = wantedOf(query);
  const equals = (name: string, value: Literal): Predicate => ({ kind: 'compare', path: [name], op: '=', value });
  return [
    ...(sku === undefined ? [] : [equals('key', { type: 'string', value: sku })]),
    ...(number === undefined ? [] : [equals('variant', { type: 'number', value: BigInt(number) })]),
  ];
}

/** Images: uploads (E13), lists, and the files themselves. */
export function imageRoutes(deps: ImageRouteDeps): readonly Route[] {
  return [uploadRoute(deps), listRoute(deps), imageFileRoute(deps.images)];
}
