export type {
  ArrayTestType,
  ByPredicateLine,
  ByPredicateSummary,
  Cart,
  DeletedResource,
  Facet,
  FilterFacet,
  HistoryEntry,
  Image,
  ImportLine,
  Project,
  RangeFacet,
  ResourceUpdateAction,
  Searches,
  Suggestions,
  TermsFacet,
  TreeFacet,
  Variant,
  VariantPage,
} from '../dist/api-types.js';
export type { Export, ExportOptions, ImportOptions, ImportSource } from './bulk/bulk.ts';
export type { ByPredicateOptions } from './bulk/by-predicate.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type ErrorDetail,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  ServiceError,
  UnavailableError,
} from './errors.ts';
export type { Images, UploadOptions } from './images.ts';
export { all, any, FieldPath, field, Predicate, type PredicateValue, where } from './predicate.ts';
export type { ApiCall, ApiResult } from './request.ts';
export type {
  Changes,
  Draft,
  HistoryOptions,
  Page,
  ReadOptions,
  Resource,
  Resources,
  RestoreOptions,
  SearchResult,
  Target,
  UpdateActions,
  WriteOptions,
} from './resources.ts';
export {
  type FacetQuery,
  type FacetResults,
  type Facets,
  type ListOptions,
  matching,
  ranges,
  type SearchesOptions,
  type SearchOptions,
  type SuggestOptions,
  terms,
  tree,
} from './search.ts';
export type { Session } from './session.ts';
export type { Event, EventOptions, StreamCall } from './stream.ts';
export type { CreatedClient, Credentials } from './tokens.ts';
