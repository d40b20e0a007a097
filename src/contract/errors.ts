/**
 * Every error that the service can return, in one table. docs/errors.md and the OpenAPI document are made from it.
 * Shapes: decision 2. Codes are never reused for another meaning.
 */
export interface ErrorRow {
  /** HTTP status of a response whose first error has this code. */
  readonly status: number;
  /** When it is returned, in a sentence for the documentation. */
  readonly meaning: string;
  /** Names of the extra fields that an error of this code may carry beside `code` and `message`. */
  readonly fields?: readonly string[];
  /** True for the OAuth codes: the body also gets `error` and `error_description` (RFC 6749 §5.2, RFC 6750 §3). */
  readonly oauth?: true;
}

export const errorTable = {
  InvalidInput: {
    status: 400,
    meaning: 'A parameter, header, predicate, sort expression or update action is malformed.',
  },
  InvalidJsonInput: {
    status: 400,
    meaning: 'The body is not JSON, or does not have the expected shape.',
    fields: ['detailedErrorMessage'],
  },
  InvalidOperation: { status: 400, meaning: 'The request is valid, but not allowed in the present state.' },
  InvalidField: {
    status: 400,
    meaning: 'A field has a value that is not allowed there.',
    fields: ['field', 'invalidValue', 'allowedValues'],
  },
  RequiredField: { status: 400, meaning: 'A field that must be given is missing.', fields: ['field'] },
  DuplicateField: {
    status: 400,
    meaning: 'A value that must be unique in the project is taken.',
    fields: ['field', 'duplicateValue', 'conflictingResource'],
  },
  ReferencedResourceNotFound: {
    status: 400,
    meaning: 'A reference that a type of the project declares leads to no resource.',
    fields: ['field', 'id', 'key', 'referencedType'],
  },
  ReferenceExists: {
    status: 400,
    meaning: 'Other resources refer to the resource, so that it cannot be deleted, nor lose the key that they name.',
    fields: ['referencedBy'],
  },
  ResourceSizeLimitExceeded: { status: 400, meaning: 'The document would be larger or deeper than the limit.' },
  QueryTimedOut: {
    status: 400,
    meaning:
      'The query used more time than the query deadline allows. An index-backed condition helps; waiting is not counted.',
  },
  invalid_token: { status: 401, meaning: 'The access token is missing, malformed, expired or revoked.', oauth: true },
  invalid_client: { status: 401, meaning: 'The client credentials are missing or wrong.', oauth: true },
  invalid_request: { status: 400, meaning: 'The token request lacks a parameter or repeats one.', oauth: true },
  unsupported_grant_type: { status: 400, meaning: 'The grant type is not client_credentials.', oauth: true },
  unsupported_token_type: {
    status: 400,
    meaning: 'The token is of the outside issuer, and the client is not the administrator.',
    oauth: true,
  },
  invalid_scope: { status: 400, meaning: 'A scope is unknown, or not granted to the client.', oauth: true },
  insufficient_scope: { status: 403, meaning: 'The token is good, but lacks the scope for this request.', oauth: true },
  ResourceNotFound: { status: 404, meaning: 'There is no such resource, project or path.' },
  MethodNotAllowed: { status: 405, meaning: 'The path exists, but not with this method. `Allow` lists those it has.' },
  NotAcceptable: { status: 406, meaning: 'The Accept header excludes the media type of the response.' },
  RequestTimeout: { status: 408, meaning: 'The request did not arrive completely in time.' },
  ConcurrentModification: {
    status: 409,
    meaning: 'The version sent is not the current one.',
    fields: ['currentVersion', 'changedFields', 'actor'],
  },
  RequestInProgress: { status: 409, meaning: 'A request with the same Idempotency-Key is still running.' },
  CartConflict: {
    status: 409,
    meaning: 'The document of the backend is not a valid cart. Correct the part named in the message.',
    fields: ['detailedErrorMessage'],
  },
  BackendRefused: {
    status: 400,
    meaning: 'The backend refused the action. The status is that of the backend: 400, 404, 409, 410, 412 or 422.',
    fields: ['details'],
  },
  VersionGone: {
    status: 410,
    meaning:
      'That version of the resource is no longer stored. `versions` names the `first` and the `last` stored version.',
    fields: ['versions'],
  },
  CursorGone: {
    status: 410,
    meaning:
      'The changes after the cursor are no longer stored, or the cursor belongs to another log. `oldest` and `latest` are the ends of the log.',
    fields: ['oldest', 'latest'],
  },
  PreconditionFailed: {
    status: 412,
    meaning: 'An If-Match or If-None-Match condition does not hold.',
    fields: ['currentVersion'],
  },
  ContentTooLarge: { status: 413, meaning: 'The body is larger than the limit.' },
  QuotaExceeded: {
    status: 413,
    meaning: 'The project has reached its limit of images, of their bytes, or of sessions.',
  },
  UriTooLong: { status: 414, meaning: 'The request target, or a segment of it, is longer than the limit.' },
  UnsupportedMediaType: { status: 415, meaning: 'The content type or encoding of the body is not supported here.' },
  RangeNotSatisfiable: { status: 416, meaning: 'The requested range begins beyond the end of the image.' },
  ResponseNotRead: {
    status: 400,
    meaning: 'The last line of an import whose results the client did not read. What was reported stays.',
  },
  ExpectationFailed: { status: 417, meaning: 'The Expect header asks for something other than 100-continue.' },
  MisdirectedRequest: { status: 421, meaning: 'The Host names another region or provider than this node serves.' },
  IdempotencyKeyReused: { status: 422, meaning: 'The Idempotency-Key was used before with another request.' },
  TooManyRequests: {
    status: 429,
    meaning:
      'The client has used up its rate, or has too many streams, imports or exports open. `Retry-After` says when to try again.',
  },
  HeadersTooLarge: { status: 431, meaning: 'The header fields are larger than the limit.' },
  General: { status: 500, meaning: 'An error of the service. The log has the details under the correlation id.' },
  HookFailed: {
    status: 500,
    meaning: 'Code of the operator that runs before writes failed, or took too long. Nothing was written.',
  },
  DataCorruption: { status: 500, meaning: 'A stored row does not match its checksum. Nothing of it is served.' },
  NotImplemented: { status: 501, meaning: 'The HTTP method is unknown to the service.' },
  BackendFailed: {
    status: 502,
    meaning: 'The backend of the action cannot be reached, failed, or gave no valid response.',
  },
  OverCapacity: {
    status: 503,
    meaning:
      'Too much load, shutting down, the database or image store cannot be reached, or the database is read-only and refuses a write. `Retry-After` says when to try again.',
  },
  OutcomeUnknown: {
    status: 503,
    meaning: 'The write may or may not have been stored. Repeat it with the same Idempotency-Key to find out.',
  },
  BackendTimedOut: { status: 504, meaning: 'The backend of the action did not respond in time.' },
  InsufficientStorage: {
    status: 507,
    meaning: 'The disk is full. Reads continue; writes work again when there is room.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** The extra fields that the table names. */
export type ErrorField = Extract<(typeof errorTable)[ErrorCode], { readonly fields: unknown }>['fields'][number];

/** Extra fields of an error; those under a symbol stay inside of the service. */
type ErrorDetails = Readonly<Record<string | symbol, unknown>>;

/**
 * An error for the client. Any other error is ours: the response is 500, without its text. `details` are extra fields of
 * the error entry; `headers` are added to the response.
 * `status` is that of the code, except for a failed If-Match: `ConcurrentModification` as 412 (decision 10).
 */
export class ServiceError extends Error {
  /** Further errors of the same request, where several are told at once. */
  readonly others: readonly ServiceError[] = [];
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;

  constructor(
    code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
    headers: Readonly<Record<string, string>> = {},
    status: number = errorTable[code].status,
  ) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
    this.details = details;
    this.headers = headers;
    this.status = status;
  }
}

/** Several errors of one request. Its status, code and message are those of the first. */
export class ServiceErrors extends ServiceError {
  override readonly others: readonly ServiceError[];

  /** One or more. */
  constructor([first, ...others]: readonly ServiceError[]) {
    super(first!.code, first!.message, first!.details, first!.headers, first!.status);
    this.others = others;
  }
}

type ErrorParts = Pick<ServiceError, 'code' | 'message' | 'details' | 'status'> & Partial<Pick<ServiceError, 'others'>>;

/** Makes the body of a 4xx or 5xx response (decision 2). `more`: details of each of its errors. */
export function errorBody(
  { code, message, details, status, others = [] }: ErrorParts,
  more: Readonly<Record<string, unknown>> = {},
) {
  const row: ErrorRow = errorTable[code];
  const entries = others.map((each) => ({ code: each.code, message: each.message, ...each.details, ...more }));
  const body = { statusCode: status, message, errors: [{ code, message, ...details, ...more }, ...entries] };
  return row.oauth ? { ...body, error: code, error_description: message } : body;
}

/** A body is not JSON: 400 `InvalidJsonInput` that says where. */
export function notJson(detailedErrorMessage: string): ServiceError {
  return new ServiceError('InvalidJsonInput', 'Request body does not contain valid JSON.', { detailedErrorMessage });
}

/** A body, or a part of it, is JSON of the wrong shape: 400 `InvalidJsonInput` that names the path (decision 9). */
export function invalidJson(detailedErrorMessage: string): ServiceError {
  const message = `Malformed request body: ${detailedErrorMessage.replace(/\.$/, '')}.`;
  return new ServiceError('InvalidJsonInput', message, { detailedErrorMessage });
}

/** A query parameter or a header is malformed: 400 `InvalidInput`. */
export function malformedParameter(name: string, problem: string): ServiceError {
  return new ServiceError('InvalidInput', `Malformed parameter: ${name}: ${problem}`);
}
