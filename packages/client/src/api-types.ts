/** Schemas of the OpenAPI document. Made by `node tools/client-types.ts`: do not edit. */

export type AccessToken = {
    readonly access_token: string;
    readonly token_type: "Bearer";
    /** In seconds. */
    readonly expires_in: number;
    readonly scope: string;
};
export type ArrayElement = {
    /** An integer of 64 bits; every digit is kept. */
    readonly integerExample?: number | null;
    readonly integerExampleInt32?: number | null;
};
/** Seven arrays, all optional. Further fields are kept as they are. */
export type ArrayTestType = {
    /** Integers; values may repeat. */
    readonly arrayOfIntExample?: readonly number[];
    readonly arrayOfUniqueIntExample?: readonly number[];
    readonly arrayOfTwonumbersExample?: readonly number[];
    readonly arrayOfFloatExample?: readonly number[];
    readonly arrayOfNumberNoDefaultsExample?: readonly number[];
    readonly arrayOfStringExample?: readonly string[];
    readonly arrayOfObjectType?: readonly ArrayElement[];
} & {
    readonly [key: string]: unknown;
};
/** The client of the token, and `X-External-User-ID` where it was sent. */
export type Author = {
    readonly clientId?: string;
    readonly externalUserId?: string;
} & {
    readonly [key: string]: unknown;
};
export type BatchDelete = {
    readonly operation: "delete";
    readonly id?: string;
    readonly key?: string;
    readonly version?: number;
};
export type BatchDraft = {
    readonly operation: "create" | "replace" | "merge" | "overwrite";
    readonly draft: ResourceDraft;
};
export type BatchOperation = BatchDraft | BatchUpdate | BatchDelete;
export type BatchOperationResult = {
    /** 201 where a resource was created, else 200, or that of the error. */
    readonly status: number;
    /** Absent where it was refused. */
    readonly outcome?: "created" | "updated" | "unchanged" | "deleted";
    readonly id?: string;
    readonly key?: string;
    readonly version?: number;
    readonly resource?: Resource;
    readonly error?: NestedError;
};
export type BatchResult = {
    /** One for each operation, in their order. */
    readonly results: readonly BatchOperationResult[];
};
export type BatchUpdate = {
    readonly operation: "update";
    readonly id?: string;
    readonly key?: string;
    /** The current version of the resource; another is 409. */
    readonly version: number;
    /** Applied in order, all or none. */
    readonly actions: readonly ResourceUpdateAction[];
};
/** Sets the field someProperty. */
export type ChangeSomePropertyAction = {
    readonly action: "changeSomeProperty";
    /** The new value. */
    readonly someProperty: string;
    /** Change the staged projection only. Default: false. */
    readonly staged?: boolean;
};
/** Of an update, the top-level fields that changed, `key` included; a projection that stayed as it was is absent. */
export type ChangedFields = {
    /** What readers see. */
    readonly current?: readonly string[];
    /** What waits for `publish`. Absent where nothing is staged. */
    readonly staged?: readonly string[];
};
export type ChangedResource = {
    /** `image-variant` with the type `imageUploaded`, `backend-document` with `backendDocumentWritten`. */
    readonly typeId: "resource" | "image-variant" | "backend-document";
    /** Of a variant: `image-variant-` and its number. Of what the backend keeps: `document` (E14 to E17) or `value` (E18). */
    readonly id: string;
    readonly key?: string;
    /** After the change; of a deletion, the deleted version. */
    readonly version: number;
};
/** What has the value. */
export type ConflictingResource = {
    readonly typeId: string;
    readonly id: string;
};
export type DeletedResource = {
    readonly id: string;
    readonly key?: string;
    /** The one that was deleted. */
    readonly version: number;
    readonly deletedAt: string;
    readonly deletedBy: Author;
    readonly correlationId?: string;
};
export type Dimensions = {
    readonly w: number;
    readonly h: number;
};
/** Touches the resource: a new version and a new lastModifiedAt, and no other change. */
export type DoSomeThingAction = {
    readonly action: "doSomeThing";
};
export type Error = {
    /** The HTTP status of the response. */
    readonly statusCode: number;
    /** The message of the first error. */
    readonly message: string;
    /** The errors, the most relevant first. */
    readonly errors: readonly ErrorEntry[];
    /** The OAuth error code. Present with 401 and 403, and at the token endpoint. */
    readonly error?: string;
    /** The message again. Present with `error`. */
    readonly error_description?: string;
};
export type ErrorEntry = {
    /** Identifies the kind of error. The meaning of a code never changes. */
    readonly code: string;
    /** Explains to a person what was wrong and what would be right. */
    readonly message: string;
    /** What is wrong where in the body. */
    readonly detailedErrorMessage?: string;
    /** The field, parameter or action at fault. */
    readonly field?: string;
    /** The value that is not allowed. */
    readonly invalidValue?: unknown;
    /** The values that are allowed. */
    readonly allowedValues?: readonly unknown[];
    /** The value that is taken. */
    readonly duplicateValue?: unknown;
    readonly conflictingResource?: ConflictingResource;
    /** The current version; 0 if the resource does not exist. */
    readonly currentVersion?: number;
    /** The fields that differ from the version sent. Absent where it is no longer known. */
    readonly changedFields?: readonly string[];
    /** What the backend said, as JSON. */
    readonly details?: unknown;
    readonly versions?: KeptVersions;
    /** The cursor where the log begins. */
    readonly oldest?: string;
    /** The cursor where the log ends. */
    readonly latest?: string;
} & {
    readonly [key: string]: unknown;
};
/** A change of a resource, the upload of an image, or a write of a document that the embedded backend keeps. */
export type Event = {
    /** Unique. Send it as `after` to continue after this event. */
    readonly id: string;
    /** Rises within the project, with gaps. */
    readonly sequence: number;
    readonly resource: ChangedResource;
    readonly type: "created" | "updated" | "deleted" | "published" | "reverted" | "restored" | "imageUploaded" | "backendDocumentWritten" | "forgotten";
    /** When the change was made. */
    readonly at: string;
    readonly actor: Author;
    /** Of the request that made it. */
    readonly correlationId?: string;
    /** What made the change. */
    readonly cause: "draft" | "actions" | "delete" | "import" | "restore" | "image" | "backend" | "forget";
    /** The update actions, in their order. */
    readonly actions?: readonly string[];
    readonly changedFields?: ChangedFields;
    readonly data?: EventData;
};
/** With `include=resource`: the resource after the change. Absent after a deletion, if forgotten, and for documents of the backend. */
export type EventData = {
    readonly current: Resource;
    readonly staged?: Resource;
};
export type ExplainedWord = {
    /** The word of the query, in lower case and without accents. */
    readonly word: string;
    /** The word of the resource that counts, or its parts; absent if it has none. */
    readonly matched?: string;
    /** In which form the resource has the word. */
    readonly form?: "written" | "inflected" | "joined" | "synonym" | "split" | "compound" | "beginning" | "head" | "typos";
    /** Where it counts, such as `name.en` or `variants[0].color`. */
    readonly path?: string;
    readonly place?: "name" | "attribute" | "text";
    /** By how rare the word is; 0 if no resource has it. */
    readonly weight: number;
    /** What the form is worth beside the word as it is written. */
    readonly factor: number;
    /** What the place is worth, by its length and by the weight of the field in the settings. */
    readonly field: number;
    /** `weight × factor × field`, and times `share` and `boost`. */
    readonly score: number;
};
/** Why a result ranks where it does, by the text that it fits best. */
export type Explanation = {
    /** The sum of the scores of the words. An earlier rung comes before it. */
    readonly score: number;
    /** The first rung whose condition the resource meets. */
    readonly rung: "all" | "typos" | "most";
    /** The locale of the text. */
    readonly locale: string;
    /** On the rung `most`, the share of the weights of the words that the resource has; else 1. */
    readonly share: number;
    /** What the `boosts` of the settings multiply the score by; else 1. */
    readonly boost: number;
    /** In the order of the text. */
    readonly words: readonly ExplainedWord[];
};
export type Facet = TermsFacet | TreeFacet | RangeFacet | FilterFacet;
export type FacetRange = {
    /** The lower bound, inclusive; 0 where it is open. */
    readonly from: number;
    /** As requested; empty where the range is open. */
    readonly fromStr: string;
    /** The upper bound, exclusive; 0 where it is open. */
    readonly to: number;
    /** As requested; empty where the range is open. */
    readonly toStr: string;
    /** Resources. */
    readonly count: number;
    /** The same, with `counting products`. */
    readonly productCount?: number;
    /** Sum of the values in the range; of points in time in milliseconds. */
    readonly total: number;
    readonly min: number;
    readonly max: number;
    readonly mean: number;
};
export type FacetTerm = {
    readonly term: string;
    /** Resources. */
    readonly count: number;
    /** The same, with `counting products`. */
    readonly productCount?: number;
};
export type FilterFacet = {
    readonly type: "filter";
    /** Resources. */
    readonly count: number;
    /** The same, with `counting products`. */
    readonly productCount?: number;
    /** The counts are estimates from so many. Absent: they are exact. */
    readonly sampled?: number;
};
/** A text with words that answer the query. */
export type Highlight = {
    /** A dotted path such as `name.en` or `variants[0].color`. */
    readonly path: string;
    /** The locale that the text is under. Absent where it is under none. */
    readonly locale?: string;
    /** From the first UTF-16 unit of a word up to the one after its last, ascending. */
    readonly ranges: readonly (readonly number[])[];
    /** The text, or a part of a long one, as HTML that is safe to insert: escaped, with `<mark>` around the words. */
    readonly html: string;
};
/** A change of the resource. */
export type HistoryEntry = {
    /** After the change; of a deletion, the deleted version. */
    readonly version: number;
    readonly key?: string;
    readonly type: "created" | "updated" | "deleted" | "published" | "reverted" | "restored" | "imageUploaded" | "backendDocumentWritten" | "forgotten";
    /** When the change was made. */
    readonly at: string;
    readonly actor: Author;
    /** Of the request that made it. */
    readonly correlationId?: string;
    /** What made the change. */
    readonly cause: "draft" | "actions" | "delete" | "import" | "restore" | "image" | "backend" | "forget";
    /** The update actions, in their order. */
    readonly actions?: readonly string[];
    readonly changedFields?: ChangedFields;
    readonly diff?: VersionDiff;
};
export type Image = {
    readonly url: string;
    /** What the image shows, in words (`setImageLabel`). Absent where it has none. */
    readonly label?: string;
    readonly dimensions: Dimensions;
    readonly mimeType: "image/jpeg" | "image/png" | "image/gif";
    readonly sizeBytes: number;
    readonly renditions: {
        /** The longer side has at most 50 pixels. */
        readonly thumb?: ImageRendition;
        /** The longer side has at most 150 pixels. */
        readonly small?: ImageRendition;
        /** The longer side has at most 400 pixels. */
        readonly medium?: ImageRendition;
        /** The longer side has at most 700 pixels. */
        readonly large?: ImageRendition;
        /** The longer side has at most 1400 pixels. */
        readonly zoom?: ImageRendition;
    };
};
export type ImageRendition = {
    /** The URL of the image itself if the image is no larger than the rendition. */
    readonly url: string;
    readonly dimensions: Dimensions;
    /** The URL of a rendition that is not `ready` returns 404. */
    readonly status: "ready" | "pending" | "failed";
    /** Why it failed, as a sentence for people. Only with `failed`. */
    readonly reason?: string;
};
/** Sets the field secondPropertyToUpdate. */
export type ImportFooForSecondPropertyToUpdateAction = {
    readonly action: "importFooForSecondPropertyToUpdate";
    /** The new value, any JSON but null. */
    readonly secondPropertyToUpdate: unknown;
    /** Change the staged projection only. Default: false. */
    readonly staged?: boolean;
};
export type ImportLine = {
    /** The number of the line, from 1; of CSV that of the record, the header being 1. */
    readonly line: number;
    readonly status: "created" | "updated" | "unchanged" | "refused";
    readonly id?: string;
    readonly key?: string;
    readonly version?: number;
    /** The earlier line that names the same resource, among the last 50,000 names. */
    readonly repeats?: number;
    readonly error?: NestedError;
};
/** The last line. Where it is missing, the response was cut. */
export type ImportSummary = {
    /** True if all lines were processed. */
    readonly complete: boolean;
    /** The lines that have a result, whether or not it was sent. */
    readonly lines: number;
    readonly created: number;
    readonly updated: number;
    readonly unchanged: number;
    readonly refused: number;
    /** The lines that name the resource of an earlier line; absent if none. */
    readonly repeated?: number;
    /** Of CSV: `comma`, `semicolon`, `tab` or `pipe`. */
    readonly delimiter?: string;
    /** Of CSV: columns without a type whose cells have values of several types; absent if none. */
    readonly mixedColumns?: readonly MixedColumn[];
    /** True, and only present, where nothing was written. */
    readonly dryRun?: boolean;
    /** The line to continue with if the import is not complete: send it as `from`. */
    readonly resumeAt?: number;
    readonly error?: NestedError;
};
/** RFC 6902. The path of the whole document, where it was created or deleted, is empty. */
export type JsonPatch = readonly JsonPatchOperation[];
export type JsonPatchOperation = {
    readonly op: "add" | "remove" | "replace";
    /** JSON Pointer (RFC 6901). */
    readonly path: string;
    /** Of `add` and `replace`. */
    readonly value?: unknown;
    /** Of `remove` and `replace`, with `oldValues=true`. */
    readonly oldValue?: unknown;
};
/** The stored versions. */
export type KeptVersions = {
    readonly first: number;
    readonly last: number;
};
export type MixedColumn = {
    readonly column: string;
    /** The first line of each type: `string`, `number`, `boolean`, `array`, `object`. */
    readonly firstLines: {
        readonly [key: string]: number;
    };
};
/** Moves an image of a variant to another position among its images. */
export type MoveImageToPositionAction = {
    readonly action: "moveImageToPosition";
    /** The `url` of the image as responses have it, or its path. */
    readonly imageUrl: string;
    /** From 0 on. Of two projections, in one that has fewer images it becomes the last. */
    readonly position: number;
    /** Change the staged images only; `false`: both projections. Without it as with `true`, as an upload. */
    readonly staged?: boolean;
};
/** The same as the body of an error response. */
export type NestedError = {
    readonly statusCode: number;
    readonly message: string;
    readonly errors: readonly NestedErrorEntry[];
} & {
    readonly [key: string]: unknown;
};
export type NestedErrorEntry = {
    readonly code: string;
    readonly message: string;
} & {
    readonly [key: string]: unknown;
};
export type Project = {
    readonly key: string;
    /** The languages (ISO 639-1) whose words a search knows, by their forms or by a dictionary. */
    readonly languages: readonly string[];
    readonly counts: ProjectCounts;
    /** The scopes of the token in this project. */
    readonly scopes: readonly string[];
    readonly links: ProjectLinks;
};
export type ProjectCounts = {
    /** The resources of the project. */
    readonly resources: number;
    /** The product variants that have images. */
    readonly imageVariants: number;
};
export type ProjectLinks = {
    readonly self: string;
    readonly resources: string;
    readonly list: string;
    readonly search: string;
    readonly images: string;
    readonly deleted: string;
    readonly subscriptions: string;
    readonly events: string;
    readonly apiClients: string;
};
/** Makes the staged projection the current one. Where nothing is staged, nothing changes. */
export type PublishAction = {
    readonly action: "publish";
};
export type RangeFacet = {
    readonly type: "range";
    /** The counts are estimates from so many. Absent: they are exact. */
    readonly sampled?: number;
    readonly ranges: readonly FacetRange[];
};
/** Removes an image from a variant. Its files are deleted once neither projection has it. */
export type RemoveImageAction = {
    readonly action: "removeImage";
    /** The `url` of the image as responses have it, or its path. */
    readonly imageUrl: string;
    /** Change the staged images only; `false`: both projections. Without it as with `true`, as an upload. */
    readonly staged?: boolean;
};
/** Moves the value of one of the client's own fields to another path, at any depth. Refused where there is no value to move, or one in its way. */
export type RenameFieldAction = {
    readonly action: "renameField";
    /** Path of the value, as for setField. In an array, the items after it close the gap. */
    readonly from: string;
    /** Path that has no value yet, as it is before the action; objects on the way are made. */
    readonly to: string;
    /** Change the staged projection only. Default: false. */
    readonly staged?: boolean;
};
/** A resource: system fields, then the fields that the client sent. */
export type Resource = {
    /** A UUID, unless the client chose another text. */
    readonly id: string;
    /** Rises with every change. */
    readonly version: number;
    /** Chosen by the client, unique in the project. */
    readonly key?: string;
    readonly createdAt: string;
    readonly lastModifiedAt: string;
    readonly createdBy: Author;
    readonly lastModifiedBy: Author;
    readonly objectTypeProperty: ArrayTestType;
    /** True, and only present, where staged changes wait. */
    readonly hasStagedChanges?: boolean;
} & {
    readonly [key: string]: unknown;
};
/** All fields are optional, `null` is absent. Further fields are kept as they are. */
export type ResourceDraft = {
    /** The resource to write; a new one gets a UUID where it is absent. */
    readonly id?: string;
    /** Chosen by the client, unique in the project. `null` removes it. */
    readonly key?: string | null;
    /** The version that must be current; 0 for a new one. */
    readonly version?: number;
    readonly objectTypeProperty?: ArrayTestType;
} & {
    readonly [key: string]: unknown;
};
export type ResourcePage = {
    /** As requested; default: 20. */
    readonly limit: number;
    /** As requested; default: 0. */
    readonly offset: number;
    /** Number of resources in `results`. */
    readonly count: number;
    /** Number of resources that match, on all pages: exact unless `totalRelation` says otherwise. Absent with `withTotal=false`. */
    readonly total?: number;
    /** There may be more resources than `total`: without `withTotal` a list counts no further than 10,000, and a search need not. Absent where `total` is exact. */
    readonly totalRelation?: "gte";
    /** Send it as `cursor` for the page that follows. Absent on the last page. */
    readonly next?: string;
    readonly results: readonly SelectedResource[];
};
export type ResourceUpdateAction = DoSomeThingAction | ChangeSomePropertyAction | ImportFooForSecondPropertyToUpdateAction | SetKeyAction | SetFieldAction | RenameFieldAction | PublishAction | RevertStagedChangesAction | RestoreAction | MoveImageToPositionAction | RemoveImageAction | SetImageLabelAction;
/** Makes the content of an earlier version that of the next one: the client's own fields of both projections, and the key. */
export type RestoreAction = {
    readonly action: "restore";
    /** A stored version, or the current one. */
    readonly version: number;
};
/** Drops the staged projection. Where nothing is staged, nothing changes. */
export type RevertStagedChangesAction = {
    readonly action: "revertStagedChanges";
};
/** How the text found what it found. Absent without text. */
export type SearchMatch = {
    /** The last rung that was taken. */
    readonly rung: "all" | "typos" | "most";
    /** The resources found up to each rung that was taken, before `filter` narrows them. */
    readonly totals: {
        readonly all?: number;
        readonly typos?: number;
        readonly most?: number;
    };
    /** There may be more than the last of `totals`. Absent: it is exact. */
    readonly totalRelation?: "gte";
    /** Only so many were ranked, and are on the pages. Absent: all. */
    readonly ranked?: number;
    /** Words that no resource has, where most of the words sufficed, as they were typed. */
    readonly dropped: readonly string[];
    /** Words that no resource has as they were typed, with what was taken for each, as a resource writes it. */
    readonly corrected: {
        readonly [key: string]: string;
    };
};
export type SearchPage = ResourcePage & {
    /** By alias, or path as requested. Absent without facets. */
    readonly facets?: {
        readonly [key: string]: Facet;
    };
    readonly match?: SearchMatch;
    /** With `highlight=true` and text: by the id of the resource, the texts that answer the query. */
    readonly highlights?: {
        readonly [key: string]: readonly Highlight[];
    };
    /** With `explain=true` and text: by the id of the resource, why it ranks where it does. Of 100 results at most. */
    readonly explanations?: {
        readonly [key: string]: Explanation;
    };
};
/** A resource, or with `fields` only its `id`, `version`, `key` and the fields asked for. */
export type SelectedResource = {
    /** A UUID, unless the client chose another text. */
    readonly id: string;
    /** Rises with every change. */
    readonly version: number;
    /** Chosen by the client, unique in the project. */
    readonly key?: string;
    readonly createdAt?: string;
    readonly lastModifiedAt?: string;
    readonly createdBy?: Author;
    readonly lastModifiedBy?: Author;
    readonly objectTypeProperty?: ArrayTestType;
    /** True, and only present, where staged changes wait. */
    readonly hasStagedChanges?: boolean;
} & {
    readonly [key: string]: unknown;
};
/** Sets or removes one of the client's own fields, at any depth. */
export type SetFieldAction = {
    readonly action: "setField";
    /** Names separated by dots; those with dots or backticks in backticks. In an array a name is the index of an item, also written as `[0]`; the index after the last one appends. */
    readonly path: string;
    /** The new value; without it the field is removed. */
    readonly value?: unknown;
    /** Change the staged projection only. Default: false. */
    readonly staged?: boolean;
};
/** Sets what an image of a variant shows in words, for its alternative text, or removes that. */
export type SetImageLabelAction = {
    readonly action: "setImageLabel";
    /** The `url` of the image as responses have it, or its path. */
    readonly imageUrl: string;
    /** At most 500 characters; without it the label is removed. */
    readonly label?: string;
    /** Change the staged images only; `false`: both projections. Without it as with `true`, as an upload. */
    readonly staged?: boolean;
};
/** Sets the key of the resource, in both projections; without a key, removes it. */
export type SetKeyAction = {
    readonly action: "setKey";
    /** Unique in the project, 1 to 256 characters. */
    readonly key?: string;
};
export type Suggestion = {
    /** What was typed, its last word completed as resources write it. */
    readonly text: string;
    /** The word that completes it, in lower case and without accents. */
    readonly word: string;
    /** Resources that have all of its words. */
    readonly count: number;
};
export type Suggestions = {
    /** By count, greatest first, then by word. */
    readonly suggestions: readonly Suggestion[];
    /** The counts are estimates from so many. Absent: they are exact. */
    readonly sampled?: number;
    /** What was typed, with words that no resource has corrected. Absent if there are none. */
    readonly didYouMean?: string;
};
export type TermsFacet = {
    readonly type: "terms";
    readonly dataType: "text" | "number" | "boolean" | "date" | "time" | "datetime";
    /** Resources without a value. */
    readonly missing: number;
    /** Resources with a value. */
    readonly total: number;
    /** Terms beyond those listed. */
    readonly other: number;
    /** The counts are estimates from so many. Absent: they are exact. */
    readonly sampled?: number;
    /** By count, then by term. */
    readonly terms: readonly FacetTerm[];
};
export type TreeFacet = {
    readonly type: "tree";
    /** Resources without a value. */
    readonly missing: number;
    /** Resources with a value. */
    readonly total: number;
    /** Categories beyond those listed. */
    readonly other: number;
    /** The counts are estimates from so many. Absent: they are exact. */
    readonly sampled?: number;
    /** By count, then by level, then by term: a category comes after those that it is below. */
    readonly terms: readonly TreeTerm[];
};
export type TreeTerm = {
    /** The whole path, such as `clothing > shoes`. */
    readonly term: string;
    readonly level: number;
    /** Resources. */
    readonly count: number;
    /** The same, with `counting products`. */
    readonly productCount?: number;
};
export type Variant = {
    /** Can be used like the id of a resource: to read, update, publish and revert the variant. */
    readonly id: string;
    readonly version: number;
    /** The number of the variant in the project. */
    readonly variant: number;
    readonly sku?: string;
    readonly images: readonly string[];
    readonly attributes: {
        readonly [key: string]: unknown;
    };
    /** Details of the images, in the order of `images`. */
    readonly imageDetails: readonly Image[];
    readonly createdAt?: string;
    readonly lastModifiedAt?: string;
    readonly createdBy?: Author;
    readonly lastModifiedBy?: Author;
    readonly hasStagedChanges?: boolean;
};
export type VariantPage = {
    /** As requested; default: 20. */
    readonly limit: number;
    /** As requested; default: 0. */
    readonly offset: number;
    /** Number of resources in `results`. */
    readonly count: number;
    /** Number of resources that match, on all pages: exact unless `totalRelation` says otherwise. Absent with `withTotal=false`. */
    readonly total?: number;
    /** There may be more resources than `total`: without `withTotal` a list counts no further than 10,000, and a search need not. Absent where `total` is exact. */
    readonly totalRelation?: "gte";
    /** Send it as `cursor` for the page that follows. Absent on the last page. */
    readonly next?: string;
    readonly results: readonly Variant[];
};
/** With `diff=true`: from the version before to this one. Absent where one of them is no longer kept, or the first one of the log. */
export type VersionDiff = {
    readonly current: JsonPatch;
    readonly staged?: JsonPatch;
};
