/** Schemas of the OpenAPI document. Made by `node tools/client-types.ts`: do not edit. */

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly AccessToken: {
            readonly access_token: string;
            /** @constant */
            readonly token_type: "Bearer";
            /** @description In seconds. */
            readonly expires_in: number;
            readonly scope: string;
        };
        readonly ArrayElement: {
            /**
             * Format: int64
             * @description An integer of 64 bits; every digit is kept.
             */
            readonly integerExample?: number | null;
            /** Format: int32 */
            readonly integerExampleInt32?: number | null;
        };
        /** @description Seven arrays, all optional. Further fields are kept as they are. */
        readonly ArrayTestType: {
            /** @description Integers; values may repeat. */
            readonly arrayOfIntExample?: readonly number[];
            readonly arrayOfUniqueIntExample?: readonly number[];
            readonly arrayOfTwonumbersExample?: readonly number[];
            readonly arrayOfFloatExample?: readonly number[];
            readonly arrayOfNumberNoDefaultsExample?: readonly number[];
            readonly arrayOfStringExample?: readonly string[];
            readonly arrayOfObjectType?: readonly components["schemas"]["ArrayElement"][];
        } & {
            readonly [key: string]: unknown;
        };
        /** @description The client of the token, and `X-External-User-ID` where it was sent. */
        readonly Author: {
            readonly clientId?: string;
            readonly externalUserId?: string;
        } & {
            readonly [key: string]: unknown;
        };
        readonly BatchDelete: {
            /** @enum {string} */
            readonly operation: "delete";
            readonly id?: string;
            readonly key?: string;
            /** Format: int64 */
            readonly version?: number;
        };
        readonly BatchDraft: {
            /** @enum {string} */
            readonly operation: "create" | "replace" | "merge" | "overwrite";
            readonly draft: components["schemas"]["ResourceDraft"];
        };
        readonly BatchOperation: components["schemas"]["BatchDraft"] | components["schemas"]["BatchUpdate"] | components["schemas"]["BatchDelete"];
        readonly BatchOperationResult: {
            /** @description 201 where a resource was created, else 200, or that of the error. */
            readonly status: number;
            /**
             * @description Absent where it was refused.
             * @enum {string}
             */
            readonly outcome?: "created" | "updated" | "unchanged" | "deleted";
            readonly id?: string;
            readonly key?: string;
            /** Format: int64 */
            readonly version?: number;
            readonly resource?: components["schemas"]["Resource"];
            readonly error?: components["schemas"]["NestedError"];
        };
        readonly BatchResult: {
            /** @description One for each operation, in their order. */
            readonly results: readonly components["schemas"]["BatchOperationResult"][];
        };
        readonly BatchUpdate: {
            /** @enum {string} */
            readonly operation: "update";
            readonly id?: string;
            readonly key?: string;
            /**
             * Format: int64
             * @description The current version of the resource; another is 409.
             */
            readonly version: number;
            /** @description Applied in order, all or none. */
            readonly actions: readonly components["schemas"]["ResourceUpdateAction"][];
        };
        /** @description Sets the field someProperty. */
        readonly ChangeSomePropertyAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "changeSomeProperty";
            /** @description The new value. */
            readonly someProperty: string;
            /** @description Change the staged projection only. Default: false. */
            readonly staged?: boolean;
        };
        /** @description Of an update, the top-level fields that changed, `key` included; a projection that stayed as it was is absent. */
        readonly ChangedFields: {
            /** @description What readers see. */
            readonly current?: readonly string[];
            /** @description What waits for `publish`. Absent where nothing is staged. */
            readonly staged?: readonly string[];
        };
        readonly ChangedResource: {
            /**
             * @description `image-variant` with the type `imageUploaded`, `backend-document` with `backendDocumentWritten`.
             * @enum {string}
             */
            readonly typeId: "resource" | "image-variant" | "backend-document";
            /** @description Of a variant: `image-variant-` and its number. Of what the backend keeps: `document` (E14 to E17) or `value` (E18). */
            readonly id: string;
            readonly key?: string;
            /**
             * Format: int64
             * @description After the change; of a deletion, the deleted version.
             */
            readonly version: number;
        };
        /** @description What has the value. */
        readonly ConflictingResource: {
            readonly typeId: string;
            readonly id: string;
        };
        readonly DeletedResource: {
            readonly id: string;
            readonly key?: string;
            /**
             * Format: int64
             * @description The one that was deleted.
             */
            readonly version: number;
            /** Format: date-time */
            readonly deletedAt: string;
            readonly deletedBy: components["schemas"]["Author"];
            readonly correlationId?: string;
        };
        readonly Dimensions: {
            readonly w: number;
            readonly h: number;
        };
        /** @description Touches the resource: a new version and a new lastModifiedAt, and no other change. */
        readonly DoSomeThingAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "doSomeThing";
        };
        readonly Error: {
            /** @description The HTTP status of the response. */
            readonly statusCode: number;
            /** @description The message of the first error. */
            readonly message: string;
            /** @description The errors, the most relevant first. */
            readonly errors: readonly components["schemas"]["ErrorEntry"][];
            /** @description The OAuth error code. Present with 401 and 403, and at the token endpoint. */
            readonly error?: string;
            /** @description The message again. Present with `error`. */
            readonly error_description?: string;
        };
        readonly ErrorEntry: {
            /** @description Identifies the kind of error. The meaning of a code never changes. */
            readonly code: string;
            /** @description Explains to a person what was wrong and what would be right. */
            readonly message: string;
            /** @description What is wrong where in the body. */
            readonly detailedErrorMessage?: string;
            /** @description The field, parameter or action at fault. */
            readonly field?: string;
            /** @description The value that is not allowed. */
            readonly invalidValue?: unknown;
            /** @description The values that are allowed. */
            readonly allowedValues?: readonly unknown[];
            /** @description The value that is taken. */
            readonly duplicateValue?: unknown;
            readonly conflictingResource?: components["schemas"]["ConflictingResource"];
            /**
             * Format: int64
             * @description The current version; 0 if the resource does not exist.
             */
            readonly currentVersion?: number;
            /** @description The fields that differ from the version sent. Absent where it is no longer known. */
            readonly changedFields?: readonly string[];
            /** @description What the backend said, as JSON. */
            readonly details?: unknown;
            readonly versions?: components["schemas"]["KeptVersions"];
            /** @description The cursor where the log begins. */
            readonly oldest?: string;
            /** @description The cursor where the log ends. */
            readonly latest?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description A change of a resource, the upload of an image, or a write of a document that the embedded backend keeps. */
        readonly Event: {
            /** @description Unique. Send it as `after` to continue after this event. */
            readonly id: string;
            /**
             * Format: int64
             * @description Rises within the project, with gaps.
             */
            readonly sequence: number;
            readonly resource: components["schemas"]["ChangedResource"];
            /** @enum {string} */
            readonly type: "created" | "updated" | "deleted" | "published" | "reverted" | "restored" | "imageUploaded" | "backendDocumentWritten" | "forgotten";
            /**
             * Format: date-time
             * @description When the change was made.
             */
            readonly at: string;
            readonly actor: components["schemas"]["Author"];
            /** @description Of the request that made it. */
            readonly correlationId?: string;
            /**
             * @description What made the change.
             * @enum {string}
             */
            readonly cause: "draft" | "actions" | "delete" | "import" | "restore" | "image" | "backend" | "forget";
            /** @description The update actions, in their order. */
            readonly actions?: readonly string[];
            readonly changedFields?: components["schemas"]["ChangedFields"];
            readonly data?: components["schemas"]["EventData"];
        };
        /** @description With `include=resource`: the resource after the change. Absent after a deletion, if forgotten, and for documents of the backend. */
        readonly EventData: {
            readonly current: components["schemas"]["Resource"];
            readonly staged?: components["schemas"]["Resource"];
        };
        readonly ExplainedWord: {
            /** @description The word of the query, in lower case and without accents. */
            readonly word: string;
            /** @description The word of the resource that counts, or its parts; absent if it has none. */
            readonly matched?: string;
            /**
             * @description In which form the resource has the word.
             * @enum {string}
             */
            readonly form?: "written" | "inflected" | "joined" | "synonym" | "split" | "compound" | "beginning" | "head" | "typos";
            /** @description Where it counts, such as `name.en` or `variants[0].color`. */
            readonly path?: string;
            /** @enum {string} */
            readonly place?: "name" | "attribute" | "text";
            /** @description By how rare the word is; 0 if no resource has it. */
            readonly weight: number;
            /** @description What the form is worth beside the word as it is written. */
            readonly factor: number;
            /** @description What the place is worth, by its length and by the weight of the field in the settings. */
            readonly field: number;
            /** @description `weight × factor × field`, and times `share` and `boost`. */
            readonly score: number;
        };
        /** @description Why a result ranks where it does, by the text that it fits best. */
        readonly Explanation: {
            /** @description The sum of the scores of the words. An earlier rung comes before it. */
            readonly score: number;
            /**
             * @description The first rung whose condition the resource meets.
             * @enum {string}
             */
            readonly rung: "all" | "typos" | "most";
            /** @description The locale of the text. */
            readonly locale: string;
            /** @description On the rung `most`, the share of the weights of the words that the resource has; else 1. */
            readonly share: number;
            /** @description What the `boosts` of the settings multiply the score by; else 1. */
            readonly boost: number;
            /** @description In the order of the text. */
            readonly words: readonly components["schemas"]["ExplainedWord"][];
        };
        readonly Facet: components["schemas"]["TermsFacet"] | components["schemas"]["TreeFacet"] | components["schemas"]["RangeFacet"] | components["schemas"]["FilterFacet"];
        readonly FacetRange: {
            /** @description The lower bound, inclusive; 0 where it is open. */
            readonly from: number;
            /** @description As requested; empty where the range is open. */
            readonly fromStr: string;
            /** @description The upper bound, exclusive; 0 where it is open. */
            readonly to: number;
            /** @description As requested; empty where the range is open. */
            readonly toStr: string;
            /** @description Resources. */
            readonly count: number;
            /** @description The same, with `counting products`. */
            readonly productCount?: number;
            /** @description Sum of the values in the range; of points in time in milliseconds. */
            readonly total: number;
            readonly min: number;
            readonly max: number;
            readonly mean: number;
        };
        readonly FacetTerm: {
            readonly term: string;
            /** @description Resources. */
            readonly count: number;
            /** @description The same, with `counting products`. */
            readonly productCount?: number;
        };
        readonly FilterFacet: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "filter";
            /** @description Resources. */
            readonly count: number;
            /** @description The same, with `counting products`. */
            readonly productCount?: number;
            /** @description The counts are estimates from so many. Absent: they are exact. */
            readonly sampled?: number;
        };
        /** @description A text with words that answer the query. */
        readonly Highlight: {
            /** @description A dotted path such as `name.en` or `variants[0].color`. */
            readonly path: string;
            /** @description The locale that the text is under. Absent where it is under none. */
            readonly locale?: string;
            /** @description From the first UTF-16 unit of a word up to the one after its last, ascending. */
            readonly ranges: readonly (readonly number[])[];
            /** @description The text, or a part of a long one, as HTML that is safe to insert: escaped, with `<mark>` around the words. */
            readonly html: string;
        };
        /** @description A change of the resource. */
        readonly HistoryEntry: {
            /**
             * Format: int64
             * @description After the change; of a deletion, the deleted version.
             */
            readonly version: number;
            readonly key?: string;
            /** @enum {string} */
            readonly type: "created" | "updated" | "deleted" | "published" | "reverted" | "restored" | "imageUploaded" | "backendDocumentWritten" | "forgotten";
            /**
             * Format: date-time
             * @description When the change was made.
             */
            readonly at: string;
            readonly actor: components["schemas"]["Author"];
            /** @description Of the request that made it. */
            readonly correlationId?: string;
            /**
             * @description What made the change.
             * @enum {string}
             */
            readonly cause: "draft" | "actions" | "delete" | "import" | "restore" | "image" | "backend" | "forget";
            /** @description The update actions, in their order. */
            readonly actions?: readonly string[];
            readonly changedFields?: components["schemas"]["ChangedFields"];
            readonly diff?: components["schemas"]["VersionDiff"];
        };
        readonly Image: {
            /** Format: uri-reference */
            readonly url: string;
            /** @description What the image shows, in words (`setImageLabel`). Absent where it has none. */
            readonly label?: string;
            readonly dimensions: components["schemas"]["Dimensions"];
            /** @enum {string} */
            readonly mimeType: "image/jpeg" | "image/png" | "image/gif";
            readonly sizeBytes: number;
            readonly renditions: {
                /** @description The longer side has at most 50 pixels. */
                readonly thumb?: components["schemas"]["ImageRendition"];
                /** @description The longer side has at most 150 pixels. */
                readonly small?: components["schemas"]["ImageRendition"];
                /** @description The longer side has at most 400 pixels. */
                readonly medium?: components["schemas"]["ImageRendition"];
                /** @description The longer side has at most 700 pixels. */
                readonly large?: components["schemas"]["ImageRendition"];
                /** @description The longer side has at most 1400 pixels. */
                readonly zoom?: components["schemas"]["ImageRendition"];
            };
        };
        readonly ImageRendition: {
            /**
             * Format: uri-reference
             * @description The URL of the image itself if the image is no larger than the rendition.
             */
            readonly url: string;
            readonly dimensions: components["schemas"]["Dimensions"];
            /**
             * @description The URL of a rendition that is not `ready` returns 404.
             * @enum {string}
             */
            readonly status: "ready" | "pending" | "failed";
            /** @description Why it failed, as a sentence for people. Only with `failed`. */
            readonly reason?: string;
        };
        /** @description Sets the field secondPropertyToUpdate. */
        readonly ImportFooForSecondPropertyToUpdateAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "importFooForSecondPropertyToUpdate";
            /** @description The new value, any JSON but null. */
            readonly secondPropertyToUpdate: unknown;
            /** @description Change the staged projection only. Default: false. */
            readonly staged?: boolean;
        };
        readonly ImportLine: {
            /** @description The number of the line, from 1; of CSV that of the record, the header being 1. */
            readonly line: number;
            /** @enum {string} */
            readonly status: "created" | "updated" | "unchanged" | "refused";
            readonly id?: string;
            readonly key?: string;
            /** Format: int64 */
            readonly version?: number;
            /** @description The earlier line that names the same resource, among the last 50,000 names. */
            readonly repeats?: number;
            readonly error?: components["schemas"]["NestedError"];
        };
        /** @description The last line. Where it is missing, the response was cut. */
        readonly ImportSummary: {
            /** @description True if all lines were processed. */
            readonly complete: boolean;
            /** @description The lines that have a result, whether or not it was sent. */
            readonly lines: number;
            readonly created: number;
            readonly updated: number;
            readonly unchanged: number;
            readonly refused: number;
            /** @description The lines that name the resource of an earlier line; absent if none. */
            readonly repeated?: number;
            /** @description Of CSV: `comma`, `semicolon`, `tab` or `pipe`. */
            readonly delimiter?: string;
            /** @description Of CSV: columns without a type whose cells have values of several types; absent if none. */
            readonly mixedColumns?: readonly components["schemas"]["MixedColumn"][];
            /** @description True, and only present, where nothing was written. */
            readonly dryRun?: boolean;
            /** @description The line to continue with if the import is not complete: send it as `from`. */
            readonly resumeAt?: number;
            readonly error?: components["schemas"]["NestedError"];
        };
        /** @description RFC 6902. The path of the whole document, where it was created or deleted, is empty. */
        readonly JsonPatch: readonly components["schemas"]["JsonPatchOperation"][];
        readonly JsonPatchOperation: {
            /** @enum {string} */
            readonly op: "add" | "remove" | "replace";
            /** @description JSON Pointer (RFC 6901). */
            readonly path: string;
            /** @description Of `add` and `replace`. */
            readonly value?: unknown;
            /** @description Of `remove` and `replace`, with `oldValues=true`. */
            readonly oldValue?: unknown;
        };
        /** @description The stored versions. */
        readonly KeptVersions: {
            /** Format: int64 */
            readonly first: number;
            /** Format: int64 */
            readonly last: number;
        };
        readonly MixedColumn: {
            readonly column: string;
            /** @description The first line of each type: `string`, `number`, `boolean`, `array`, `object`. */
            readonly firstLines: {
                readonly [key: string]: number;
            };
        };
        /** @description Moves an image of a variant to another position among its images. */
        readonly MoveImageToPositionAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "moveImageToPosition";
            /** @description The `url` of the image as responses have it, or its path. */
            readonly imageUrl: string;
            /** @description From 0 on. Of two projections, in one that has fewer images it becomes the last. */
            readonly position: number;
            /** @description Change the staged images only; `false`: both projections. Without it as with `true`, as an upload. */
            readonly staged?: boolean;
        };
        /** @description The same as the body of an error response. */
        readonly NestedError: {
            readonly statusCode: number;
            readonly message: string;
            readonly errors: readonly components["schemas"]["NestedErrorEntry"][];
        } & {
            readonly [key: string]: unknown;
        };
        readonly NestedErrorEntry: {
            readonly code: string;
            readonly message: string;
        } & {
            readonly [key: string]: unknown;
        };
        readonly Project: {
            readonly key: string;
            /** @description The languages (ISO 639-1) whose words a search knows, by their forms or by a dictionary. */
            readonly languages: readonly string[];
            readonly counts: components["schemas"]["ProjectCounts"];
            /** @description The scopes of the token in this project. */
            readonly scopes: readonly string[];
            readonly links: components["schemas"]["ProjectLinks"];
        };
        readonly ProjectCounts: {
            /** @description The resources of the project. */
            readonly resources: number;
            /** @description The product variants that have images. */
            readonly imageVariants: number;
        };
        readonly ProjectLinks: {
            /** Format: uri-reference */
            readonly self: string;
            /** Format: uri-reference */
            readonly resources: string;
            /** Format: uri-reference */
            readonly list: string;
            /** Format: uri-reference */
            readonly search: string;
            /** Format: uri-reference */
            readonly images: string;
            /** Format: uri-reference */
            readonly deleted: string;
            /** Format: uri-reference */
            readonly subscriptions: string;
            /** Format: uri-reference */
            readonly events: string;
            /** Format: uri-reference */
            readonly apiClients: string;
        };
        /** @description Makes the staged projection the current one. Where nothing is staged, nothing changes. */
        readonly PublishAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "publish";
        };
        readonly RangeFacet: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "range";
            /** @description The counts are estimates from so many. Absent: they are exact. */
            readonly sampled?: number;
            readonly ranges: readonly components["schemas"]["FacetRange"][];
        };
        /** @description Removes an image from a variant. Its files are deleted once neither projection has it. */
        readonly RemoveImageAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "removeImage";
            /** @description The `url` of the image as responses have it, or its path. */
            readonly imageUrl: string;
            /** @description Change the staged images only; `false`: both projections. Without it as with `true`, as an upload. */
            readonly staged?: boolean;
        };
        /** @description Moves the value of one of the client's own fields to another path, at any depth. Refused where there is no value to move, or one in its way. */
        readonly RenameFieldAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "renameField";
            /** @description Path of the value, as for setField. In an array, the items after it close the gap. */
            readonly from: string;
            /** @description Path that has no value yet, as it is before the action; objects on the way are made. */
            readonly to: string;
            /** @description Change the staged projection only. Default: false. */
            readonly staged?: boolean;
        };
        /** @description A resource: system fields, then the fields that the client sent. */
        readonly Resource: {
            /** @description A UUID, unless the client chose another text. */
            readonly id: string;
            /**
             * Format: int64
             * @description Rises with every change.
             */
            readonly version: number;
            /** @description Chosen by the client, unique in the project. */
            readonly key?: string;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly lastModifiedAt: string;
            readonly createdBy: components["schemas"]["Author"];
            readonly lastModifiedBy: components["schemas"]["Author"];
            readonly objectTypeProperty: components["schemas"]["ArrayTestType"];
            /** @description True, and only present, where staged changes wait. */
            readonly hasStagedChanges?: boolean;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description All fields are optional, `null` is absent. Further fields are kept as they are. */
        readonly ResourceDraft: {
            /** @description The resource to write; a new one gets a UUID where it is absent. */
            readonly id?: string;
            /** @description Chosen by the client, unique in the project. `null` removes it. */
            readonly key?: string | null;
            /**
             * Format: int64
             * @description The version that must be current; 0 for a new one.
             */
            readonly version?: number;
            readonly objectTypeProperty?: components["schemas"]["ArrayTestType"];
        } & {
            readonly [key: string]: unknown;
        };
        readonly ResourcePage: {
            /** @description As requested; default: 20. */
            readonly limit: number;
            /** @description As requested; default: 0. */
            readonly offset: number;
            /** @description Number of resources in `results`. */
            readonly count: number;
            /** @description Number of resources that match, on all pages: exact unless `totalRelation` says otherwise. Absent with `withTotal=false`. */
            readonly total?: number;
            /**
             * @description There may be more resources than `total`: without `withTotal` a list counts no further than 10,000, and a search need not. Absent where `total` is exact.
             * @enum {unknown}
             */
            readonly totalRelation?: "gte";
            /** @description Send it as `cursor` for the page that follows. Absent on the last page. */
            readonly next?: string;
            readonly results: readonly components["schemas"]["SelectedResource"][];
        };
        readonly ResourceUpdateAction: components["schemas"]["DoSomeThingAction"] | components["schemas"]["ChangeSomePropertyAction"] | components["schemas"]["ImportFooForSecondPropertyToUpdateAction"] | components["schemas"]["SetKeyAction"] | components["schemas"]["SetFieldAction"] | components["schemas"]["RenameFieldAction"] | components["schemas"]["PublishAction"] | components["schemas"]["RevertStagedChangesAction"] | components["schemas"]["RestoreAction"] | components["schemas"]["MoveImageToPositionAction"] | components["schemas"]["RemoveImageAction"] | components["schemas"]["SetImageLabelAction"];
        /** @description Makes the content of an earlier version that of the next one: the client's own fields of both projections, and the key. */
        readonly RestoreAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "restore";
            /** @description A stored version, or the current one. */
            readonly version: number;
        };
        /** @description Drops the staged projection. Where nothing is staged, nothing changes. */
        readonly RevertStagedChangesAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "revertStagedChanges";
        };
        /** @description How the text found what it found. Absent without text. */
        readonly SearchMatch: {
            /**
             * @description The last rung that was taken.
             * @enum {string}
             */
            readonly rung: "all" | "typos" | "most";
            /** @description The resources found up to each rung that was taken, before `filter` narrows them. */
            readonly totals: {
                readonly all?: number;
                readonly typos?: number;
                readonly most?: number;
            };
            /**
             * @description There may be more than the last of `totals`. Absent: it is exact.
             * @enum {unknown}
             */
            readonly totalRelation?: "gte";
            /** @description Only so many were ranked, and are on the pages. Absent: all. */
            readonly ranked?: number;
            /** @description Words that no resource has, where most of the words sufficed, as they were typed. */
            readonly dropped: readonly string[];
            /** @description Words that no resource has as they were typed, with what was taken for each, as a resource writes it. */
            readonly corrected: {
                readonly [key: string]: string;
            };
        };
        readonly SearchPage: components["schemas"]["ResourcePage"] & {
            /** @description By alias, or path as requested. Absent without facets. */
            readonly facets?: {
                readonly [key: string]: components["schemas"]["Facet"];
            };
            readonly match?: components["schemas"]["SearchMatch"];
            /** @description With `highlight=true` and text: by the id of the resource, the texts that answer the query. */
            readonly highlights?: {
                readonly [key: string]: readonly components["schemas"]["Highlight"][];
            };
            /** @description With `explain=true` and text: by the id of the resource, why it ranks where it does. Of 100 results at most. */
            readonly explanations?: {
                readonly [key: string]: components["schemas"]["Explanation"];
            };
        };
        /** @description A resource, or with `fields` only its `id`, `version`, `key` and the fields asked for. */
        readonly SelectedResource: {
            /** @description A UUID, unless the client chose another text. */
            readonly id: string;
            /**
             * Format: int64
             * @description Rises with every change.
             */
            readonly version: number;
            /** @description Chosen by the client, unique in the project. */
            readonly key?: string;
            /** Format: date-time */
            readonly createdAt?: string;
            /** Format: date-time */
            readonly lastModifiedAt?: string;
            readonly createdBy?: components["schemas"]["Author"];
            readonly lastModifiedBy?: components["schemas"]["Author"];
            readonly objectTypeProperty?: components["schemas"]["ArrayTestType"];
            /** @description True, and only present, where staged changes wait. */
            readonly hasStagedChanges?: boolean;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description Sets or removes one of the client's own fields, at any depth. */
        readonly SetFieldAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "setField";
            /** @description Names separated by dots; those with dots or backticks in backticks. In an array a name is the index of an item, also written as `[0]`; the index after the last one appends. */
            readonly path: string;
            /** @description The new value; without it the field is removed. */
            readonly value?: unknown;
            /** @description Change the staged projection only. Default: false. */
            readonly staged?: boolean;
        };
        /** @description Sets what an image of a variant shows in words, for its alternative text, or removes that. */
        readonly SetImageLabelAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "setImageLabel";
            /** @description The `url` of the image as responses have it, or its path. */
            readonly imageUrl: string;
            /** @description At most 500 characters; without it the label is removed. */
            readonly label?: string;
            /** @description Change the staged images only; `false`: both projections. Without it as with `true`, as an upload. */
            readonly staged?: boolean;
        };
        /** @description Sets the key of the resource, in both projections; without a key, removes it. */
        readonly SetKeyAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "setKey";
            /** @description Unique in the project, 1 to 256 characters. */
            readonly key?: string;
        };
        readonly Suggestion: {
            /** @description What was typed, its last word completed as resources write it. */
            readonly text: string;
            /** @description The word that completes it, in lower case and without accents. */
            readonly word: string;
            /** @description Resources that have all of its words. */
            readonly count: number;
        };
        readonly Suggestions: {
            /** @description By count, greatest first, then by word. */
            readonly suggestions: readonly components["schemas"]["Suggestion"][];
            /** @description The counts are estimates from so many. Absent: they are exact. */
            readonly sampled?: number;
            /** @description What was typed, with words that no resource has corrected. Absent if there are none. */
            readonly didYouMean?: string;
        };
        readonly TermsFacet: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "terms";
            /** @enum {string} */
            readonly dataType: "text" | "number" | "boolean" | "date" | "time" | "datetime";
            /** @description Resources without a value. */
            readonly missing: number;
            /** @description Resources with a value. */
            readonly total: number;
            /** @description Terms beyond those listed. */
            readonly other: number;
            /** @description The counts are estimates from so many. Absent: they are exact. */
            readonly sampled?: number;
            /** @description By count, then by term. */
            readonly terms: readonly components["schemas"]["FacetTerm"][];
        };
        readonly TreeFacet: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly type: "tree";
            /** @description Resources without a value. */
            readonly missing: number;
            /** @description Resources with a value. */
            readonly total: number;
            /** @description Categories beyond those listed. */
            readonly other: number;
            /** @description The counts are estimates from so many. Absent: they are exact. */
            readonly sampled?: number;
            /** @description By count, then by level, then by term: a category comes after those that it is below. */
            readonly terms: readonly components["schemas"]["TreeTerm"][];
        };
        readonly TreeTerm: {
            /** @description The whole path, such as `clothing > shoes`. */
            readonly term: string;
            readonly level: number;
            /** @description Resources. */
            readonly count: number;
            /** @description The same, with `counting products`. */
            readonly productCount?: number;
        };
        readonly Variant: {
            /** @description Can be used like the id of a resource: to read, update, publish and revert the variant. */
            readonly id: string;
            readonly version: number;
            /** @description The number of the variant in the project. */
            readonly variant: number;
            readonly sku?: string;
            readonly images: readonly string[];
            readonly attributes: {
                readonly [key: string]: unknown;
            };
            /** @description Details of the images, in the order of `images`. */
            readonly imageDetails: readonly components["schemas"]["Image"][];
            /** Format: date-time */
            readonly createdAt?: string;
            /** Format: date-time */
            readonly lastModifiedAt?: string;
            readonly createdBy?: components["schemas"]["Author"];
            readonly lastModifiedBy?: components["schemas"]["Author"];
            readonly hasStagedChanges?: boolean;
        };
        readonly VariantPage: {
            /** @description As requested; default: 20. */
            readonly limit: number;
            /** @description As requested; default: 0. */
            readonly offset: number;
            /** @description Number of resources in `results`. */
            readonly count: number;
            /** @description Number of resources that match, on all pages: exact unless `totalRelation` says otherwise. Absent with `withTotal=false`. */
            readonly total?: number;
            /**
             * @description There may be more resources than `total`: without `withTotal` a list counts no further than 10,000, and a search need not. Absent where `total` is exact.
             * @enum {unknown}
             */
            readonly totalRelation?: "gte";
            /** @description Send it as `cursor` for the page that follows. Absent on the last page. */
            readonly next?: string;
            readonly results: readonly components["schemas"]["Variant"][];
        };
        /** @description With `diff=true`: from the version before to this one. Absent where one of them is no longer kept, or the first one of the log. */
        readonly VersionDiff: {
            readonly current: components["schemas"]["JsonPatch"];
            readonly staged?: components["schemas"]["JsonPatch"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccessToken = components['schemas']['AccessToken'];
export type ArrayElement = components['schemas']['ArrayElement'];
export type ArrayTestType = components['schemas']['ArrayTestType'];
export type Author = components['schemas']['Author'];
export type BatchDelete = components['schemas']['BatchDelete'];
export type BatchDraft = components['schemas']['BatchDraft'];
export type BatchOperation = components['schemas']['BatchOperation'];
export type BatchOperationResult = components['schemas']['BatchOperationResult'];
export type BatchResult = components['schemas']['BatchResult'];
export type BatchUpdate = components['schemas']['BatchUpdate'];
export type ChangeSomePropertyAction = components['schemas']['ChangeSomePropertyAction'];
export type ChangedFields = components['schemas']['ChangedFields'];
export type ChangedResource = components['schemas']['ChangedResource'];
export type ConflictingResource = components['schemas']['ConflictingResource'];
export type DeletedResource = components['schemas']['DeletedResource'];
export type Dimensions = components['schemas']['Dimensions'];
export type DoSomeThingAction = components['schemas']['DoSomeThingAction'];
export type Error = components['schemas']['Error'];
export type ErrorEntry = components['schemas']['ErrorEntry'];
export type Event = components['schemas']['Event'];
export type EventData = components['schemas']['EventData'];
export type ExplainedWord = components['schemas']['ExplainedWord'];
export type Explanation = components['schemas']['Explanation'];
export type Facet = components['schemas']['Facet'];
export type FacetRange = components['schemas']['FacetRange'];
export type FacetTerm = components['schemas']['FacetTerm'];
export type FilterFacet = components['schemas']['FilterFacet'];
export type Highlight = components['schemas']['Highlight'];
export type HistoryEntry = components['schemas']['HistoryEntry'];
export type Image = components['schemas']['Image'];
export type ImageRendition = components['schemas']['ImageRendition'];
export type ImportFooForSecondPropertyToUpdateAction = components['schemas']['ImportFooForSecondPropertyToUpdateAction'];
export type ImportLine = components['schemas']['ImportLine'];
export type ImportSummary = components['schemas']['ImportSummary'];
export type JsonPatch = components['schemas']['JsonPatch'];
export type JsonPatchOperation = components['schemas']['JsonPatchOperation'];
export type KeptVersions = components['schemas']['KeptVersions'];
export type MixedColumn = components['schemas']['MixedColumn'];
export type MoveImageToPositionAction = components['schemas']['MoveImageToPositionAction'];
export type NestedError = components['schemas']['NestedError'];
export type NestedErrorEntry = components['schemas']['NestedErrorEntry'];
export type Project = components['schemas']['Project'];
export type ProjectCounts = components['schemas']['ProjectCounts'];
export type ProjectLinks = components['schemas']['ProjectLinks'];
export type PublishAction = components['schemas']['PublishAction'];
export type RangeFacet = components['schemas']['RangeFacet'];
export type RemoveImageAction = components['schemas']['RemoveImageAction'];
export type RenameFieldAction = components['schemas']['RenameFieldAction'];
export type Resource = components['schemas']['Resource'];
export type ResourceDraft = components['schemas']['ResourceDraft'];
export type ResourcePage = components['schemas']['ResourcePage'];
export type ResourceUpdateAction = components['schemas']['ResourceUpdateAction'];
export type RestoreAction = components['schemas']['RestoreAction'];
export type RevertStagedChangesAction = components['schemas']['RevertStagedChangesAction'];
export type SearchMatch = components['schemas']['SearchMatch'];
export type SearchPage = components['schemas']['SearchPage'];
export type SelectedResource = components['schemas']['SelectedResource'];
export type SetFieldAction = components['schemas']['SetFieldAction'];
export type SetImageLabelAction = components['schemas']['SetImageLabelAction'];
export type SetKeyAction = components['schemas']['SetKeyAction'];
export type Suggestion = components['schemas']['Suggestion'];
export type Suggestions = components['schemas']['Suggestions'];
export type TermsFacet = components['schemas']['TermsFacet'];
export type TreeFacet = components['schemas']['TreeFacet'];
export type TreeTerm = components['schemas']['TreeTerm'];
export type Variant = components['schemas']['Variant'];
export type VariantPage = components['schemas']['VariantPage'];
export type VersionDiff = components['schemas']['VersionDiff'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
