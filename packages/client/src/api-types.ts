/** The schemas of the OpenAPI document. Made by `node tools/client-types.ts`: do not edit. */

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** AccessToken */
        readonly AccessToken: {
            readonly access_token: string;
            /** @constant */
            readonly token_type: "Bearer";
            /** @description In seconds. */
            readonly expires_in: number;
            readonly scope: string;
        };
        /**
         * AllArrays
         * @description The seven arrays of a resource. An array that the resource does not have is empty.
         * @example {
         *       "arrayOfIntExample": [
         *         1,
         *         1,
         *         2,
         *         3,
         *         5,
         *         8
         *       ],
         *       "arrayOfUniqueIntExample": [
         *         2,
         *         4,
         *         6
         *       ],
         *       "arrayOfTwonumbersExample": [
         *         0.5,
         *         2
         *       ],
         *       "arrayOfFloatExample": [
         *         1.5,
         *         2.25
         *       ],
         *       "arrayOfNumberNoDefaultsExample": [
         *         10,
         *         10.5
         *       ],
         *       "arrayOfStringExample": [
         *         "red",
         *         "green"
         *       ],
         *       "arrayOfObjectType": [
         *         {
         *           "integerExample": 4611686018427388,
         *           "integerExampleInt32": 2147483647
         *         }
         *       ]
         *     }
         */
        readonly AllArrays: {
            /** @description Integers; values may repeat. */
            readonly arrayOfIntExample: readonly number[];
            readonly arrayOfUniqueIntExample: readonly number[];
            /** @description Two numbers, or none. */
            readonly arrayOfTwonumbersExample: readonly number[];
            readonly arrayOfFloatExample: readonly number[];
            readonly arrayOfNumberNoDefaultsExample: readonly number[];
            readonly arrayOfStringExample: readonly string[];
            readonly arrayOfObjectType: readonly components["schemas"]["ArrayElement"][];
        } & {
            readonly [key: string]: unknown;
        };
        /** ApiClientDraft */
        readonly ApiClientDraft: {
            readonly name: string;
            readonly scopes?: readonly string[];
            /** @description Instead of `scopes`: the scopes with spaces between them. */
            readonly scope?: string;
        } & (unknown | unknown);
        /** ApiClientPage */
        readonly ApiClientPage: {
            readonly limit: number;
            readonly count: number;
            readonly results: readonly components["schemas"]["RegisteredApiClient"][];
            /** @description Send it as `cursor` for the page that follows. Absent on the last page. */
            readonly next?: string;
        };
        /**
         * ArrayElement
         * @example {
         *       "integerExample": 4611686018427388,
         *       "integerExampleInt32": 2147483647
         *     }
         */
        readonly ArrayElement: {
            /**
             * Format: int64
             * @description An integer of 64 bits; every digit is kept.
             */
            readonly integerExample?: number | null;
            /** Format: int32 */
            readonly integerExampleInt32?: number | null;
        };
        /**
         * ArrayTestType
         * @description Seven arrays, all optional. Further fields are kept as they are.
         * @example {
         *       "arrayOfIntExample": [
         *         1,
         *         1,
         *         2,
         *         3,
         *         5,
         *         8
         *       ],
         *       "arrayOfUniqueIntExample": [
         *         2,
         *         4,
         *         6
         *       ],
         *       "arrayOfTwonumbersExample": [
         *         0.5,
         *         2
         *       ],
         *       "arrayOfFloatExample": [
         *         1.5,
         *         2.25
         *       ],
         *       "arrayOfNumberNoDefaultsExample": [
         *         10,
         *         10.5
         *       ],
         *       "arrayOfStringExample": [
         *         "red",
         *         "green"
         *       ],
         *       "arrayOfObjectType": [
         *         {
         *           "integerExample": 4611686018427388,
         *           "integerExampleInt32": 2147483647
         *         }
         *       ]
         *     }
         */
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
        /**
         * Author
         * @description The client of the token, and `X-External-User-ID` where it was sent.
         */
        readonly Author: {
            readonly clientId?: string;
            readonly externalUserId?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /** BackendState */
        readonly BackendState: {
            /**
             * @description `local` is the embedded one.
             * @enum {string}
             */
            readonly kind: "local" | "http" | "module";
            /** @description The backend of all projects that have none of their own. */
            readonly isDefault: boolean;
            /** @description Backend actions since the processes have started, of all its projects. */
            readonly calls: number;
            /** @description How many of these calls the backend failed. */
            readonly failures: number;
            /** @description Half of the calls took no longer. Absent before the first one. */
            readonly p50Ms?: number;
            /** @description 99 of 100 took no longer. Absent before the first one. */
            readonly p99Ms?: number;
            /**
             * @description Of `http`: whether calls go through; of several processes, that of the worst.
             * @enum {string}
             */
            readonly circuit?: "closed" | "halfOpen" | "open";
        };
        /**
         * Batch
         * @example {
         *       "operations": [
         *         {
         *           "operation": "merge",
         *           "draft": {
         *             "key": "shoe-1",
         *             "name": {
         *               "en": "Blue shoe"
         *             }
         *           }
         *         },
         *         {
         *           "operation": "update",
         *           "key": "sale",
         *           "version": 3,
         *           "actions": [
         *             {
         *               "action": "publish"
         *             }
         *           ]
         *         },
         *         {
         *           "operation": "delete",
         *           "key": "shoe-0"
         *         }
         *       ]
         *     }
         */
        readonly Batch: {
            /** @description Executed in order: each sees the results of the previous ones. */
            readonly operations: readonly components["schemas"]["BatchOperation"][];
        };
        /** BatchDelete */
        readonly BatchDelete: {
            /** @enum {string} */
            readonly operation: "delete";
            readonly id?: string;
            readonly key?: string;
            /** Format: int64 */
            readonly version?: number;
        };
        /** BatchDraft */
        readonly BatchDraft: {
            /** @enum {string} */
            readonly operation: "create" | "replace" | "merge" | "overwrite";
            readonly draft: components["schemas"]["ResourceDraft"];
        };
        /** BatchOperation */
        readonly BatchOperation: components["schemas"]["BatchDraft"] | components["schemas"]["BatchUpdate"] | components["schemas"]["BatchDelete"];
        /** BatchOperationResult */
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
        /**
         * BatchResult
         * @example {
         *       "results": [
         *         {
         *           "status": 201,
         *           "outcome": "created",
         *           "id": "0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11",
         *           "key": "shoe-1",
         *           "version": 1
         *         },
         *         {
         *           "status": 200,
         *           "outcome": "updated",
         *           "id": "0197f3c2-6d10-7a53-9c41-2f6b8e0d9a12",
         *           "key": "sale",
         *           "version": 4
         *         },
         *         {
         *           "status": 200,
         *           "outcome": "deleted",
         *           "id": "0197f3c2-6d10-7a53-9c41-2f6b8e0d9a10",
         *           "key": "shoe-0",
         *           "version": 2
         *         }
         *       ]
         *     }
         */
        readonly BatchResult: {
            /** @description One for each operation, in their order. */
            readonly results: readonly components["schemas"]["BatchOperationResult"][];
        };
        /** BatchUpdate */
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
        /** Boost */
        readonly Boost: {
            /** @description A predicate as in the parameter `where`. */
            readonly where: string;
            readonly factor: number;
        };
        /**
         * Cart
         * @description Further fields that were written are kept.
         * @example {
         *       "cartId": "my-shop",
         *       "cartVersion": "3",
         *       "lineItems": [
         *         {
         *           "lineItemId": "6f0c1f5e-2a47-8d10-9b3e-1c5a7e90d2f4",
         *           "productId": "oak-chair",
         *           "name": "Oak chair",
         *           "type": "variant",
         *           "count": 2,
         *           "price": {
         *             "fractionDigits": 2,
         *             "centAmount": 12950,
         *             "currencyCode": "EUR"
         *           },
         *           "discountTexts": [],
         *           "discounts": [],
         *           "totalPrice": {
         *             "fractionDigits": 2,
         *             "centAmount": 25900,
         *             "currencyCode": "EUR"
         *           },
         *           "variant": {
         *             "id": "oak-chair-natural",
         *             "sku": "OAK-1",
         *             "images": [
         *               "/images/my-shop/oak-1.jpg"
         *             ],
         *             "groupId": "oak-chair",
         *             "attributes": {
         *               "colour": {
         *                 "key": "natural",
         *                 "label": "Natural oak"
         *               },
         *               "material": "oak"
         *             },
         *             "price": {
         *               "fractionDigits": 2,
         *               "centAmount": 12950,
         *               "currencyCode": "EUR"
         *             },
         *             "isOnStock": true
         *           },
         *           "isGift": false,
         *           "_url": "/oak-chair"
         *         }
         *       ],
         *       "sum": {
         *         "fractionDigits": 2,
         *         "centAmount": 25900,
         *         "currencyCode": "EUR"
         *       },
         *       "shippingAddress": {},
         *       "billingAddress": {},
         *       "payments": [],
         *       "discountCodes": []
         *     }
         */
        readonly Cart: {
            readonly cartId: string;
            /** @description Number of writes to the document. */
            readonly cartVersion: string;
            readonly lineItems: readonly components["schemas"]["LineItem"][];
            readonly sum: components["schemas"]["Money"];
            readonly shippingAddress: Record<string, never>;
            readonly billingAddress: Record<string, never>;
            readonly payments: readonly unknown[];
            readonly discountCodes: readonly unknown[];
        };
        /** CartAttribute */
        readonly CartAttribute: string | {
            readonly key: string;
            readonly label: string;
        };
        /** CartVariant */
        readonly CartVariant: {
            readonly id: string;
            readonly sku: string;
            /** @description URLs; from the images of the sku where none were written. */
            readonly images: readonly string[];
            readonly groupId: string;
            readonly attributes: {
                readonly [key: string]: components["schemas"]["CartAttribute"];
            };
            readonly price: components["schemas"]["Money"];
            readonly isOnStock: boolean;
        };
        /**
         * ChangeSomePropertyAction
         * @description Sets the field someProperty.
         * @example {
         *       "action": "changeSomeProperty",
         *       "someProperty": "new value"
         *     }
         */
        readonly ChangeSomePropertyAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "changeSomeProperty";
            /**
             * @description The new value.
             * @example new value
             */
            readonly someProperty: string;
            /** @description Change the staged projection only. Default: false. */
            readonly staged?: boolean;
        };
        /**
         * ChangedFields
         * @description Of an update, the top-level fields that changed, `key` included; a projection that stayed as it was is absent.
         */
        readonly ChangedFields: {
            /** @description What readers see. */
            readonly current?: readonly string[];
            /** @description What waits for `publish`. Absent where nothing is staged. */
            readonly staged?: readonly string[];
        };
        /** ChangedResource */
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
        /** ChangedSubscription */
        readonly ChangedSubscription: {
            readonly id: string;
            /** Format: int64 */
            readonly version: number;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly lastModifiedAt: string;
            readonly createdBy: components["schemas"]["Author"];
            readonly lastModifiedBy: components["schemas"]["Author"];
            /**
             * Format: uri
             * @description The receiver. `https:` at a public address, unless the operator allows others.
             */
            readonly url: string;
            /** @enum {string} */
            readonly status: "enabled" | "disabled";
            /** @description The secrets that sign, newest first, without their texts. */
            readonly secrets: readonly components["schemas"]["SubscriptionSecret"][];
            /** @description Chosen by the client, unique among the subscriptions of the project. */
            readonly key?: string;
            /** @description Only events of these types. Absent: all. */
            readonly types?: readonly ("created" | "updated" | "deleted" | "published" | "reverted" | "restored" | "imageUploaded" | "backendDocumentWritten" | "forgotten")[];
            /** @description A predicate that the resource must satisfy after the change; of a deletion, the deleted resource. */
            readonly where?: string;
            /**
             * @description Events have the resource after the change as `data`.
             * @enum {string}
             */
            readonly include?: "resource";
            readonly description?: string;
            /**
             * @description `gone`: the receiver answered 410.
             * @enum {string}
             */
            readonly disabledReason?: "byClient" | "gone";
            /** @description Shown in this response only. */
            readonly secret?: string;
        };
        /**
         * ConflictingResource
         * @description What has the value.
         */
        readonly ConflictingResource: {
            readonly typeId: string;
            readonly id: string;
        };
        /** CreatedApiClient */
        readonly CreatedApiClient: {
            readonly id: string;
            readonly name: string;
            readonly scopes: readonly string[];
            readonly scope: string;
            /** Format: date-time */
            readonly createdAt: string;
            readonly secret: string;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation is accepted. Absent where it is not.
             */
            readonly previousSecretUntil?: string;
            /**
             * Format: date-time
             * @description When the API client last got a token or used one, to the minute, a few minutes late. Absent where it never did.
             */
            readonly lastUsedAt?: string;
        };
        /** CreatedSubscription */
        readonly CreatedSubscription: {
            readonly id: string;
            /** Format: int64 */
            readonly version: number;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly lastModifiedAt: string;
            readonly createdBy: components["schemas"]["Author"];
            readonly lastModifiedBy: components["schemas"]["Author"];
            /**
             * Format: uri
             * @description The receiver. `https:` at a public address, unless the operator allows others.
             */
            readonly url: string;
            /** @enum {string} */
            readonly status: "enabled" | "disabled";
            /** @description The secrets that sign, newest first, without their texts. */
            readonly secrets: readonly components["schemas"]["SubscriptionSecret"][];
            /** @description Shown in this response only. */
            readonly secret: string;
            /** @description Chosen by the client, unique among the subscriptions of the project. */
            readonly key?: string;
            /** @description Only events of these types. Absent: all. */
            readonly types?: readonly ("created" | "updated" | "deleted" | "published" | "reverted" | "restored" | "imageUploaded" | "backendDocumentWritten" | "forgotten")[];
            /** @description A predicate that the resource must satisfy after the change; of a deletion, the deleted resource. */
            readonly where?: string;
            /**
             * @description Events have the resource after the change as `data`.
             * @enum {string}
             */
            readonly include?: "resource";
            readonly description?: string;
            /**
             * @description `gone`: the receiver answered 410.
             * @enum {string}
             */
            readonly disabledReason?: "byClient" | "gone";
        };
        /** DeadLetter */
        readonly DeadLetter: {
            readonly id: string;
            /** @description Its `webhook-id`, which a replay keeps. */
            readonly messageId: string;
            readonly sequence: number;
            readonly resourceId: string;
            /** @enum {string} */
            readonly type: "created" | "updated" | "deleted" | "published" | "reverted" | "restored" | "imageUploaded" | "backendDocumentWritten" | "forgotten";
            /**
             * Format: date-time
             * @description When it was given up.
             */
            readonly at: string;
            readonly attempts: number;
            /** @description `HTTP 500`, or why the receiver did not respond. */
            readonly lastFailure: string;
            /** @description What was to be delivered: an Event. */
            readonly event: {
                readonly [key: string]: unknown;
            };
        };
        /** DeadLetterPage */
        readonly DeadLetterPage: {
            readonly limit: number;
            readonly count: number;
            readonly results: readonly components["schemas"]["ListedDeadLetter"][];
            /** @description Where the next page begins, for `after`. Absent on the last page. */
            readonly next?: string;
        };
        /** DeletedResource */
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
        /**
         * DeletedResourcePage
         * @example {
         *       "limit": 20,
         *       "count": 1,
         *       "results": [
         *         {
         *           "id": "0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11",
         *           "key": "summer-sale",
         *           "version": 3,
         *           "deletedAt": "2026-05-06T08:00:00.000Z",
         *           "deletedBy": {
         *             "clientId": "my-shop.importer"
         *           },
         *           "correlationId": "cleanup-2"
         *         }
         *       ]
         *     }
         */
        readonly DeletedResourcePage: {
            /** @description As requested; default: 20. */
            readonly limit: number;
            readonly count: number;
            /** @description The last deleted one first. */
            readonly results: readonly components["schemas"]["DeletedResource"][];
            /** @description `cursor` for the next page; absent on the last one. */
            readonly next?: string;
        };
        /** DeliveryAttempt */
        readonly DeliveryAttempt: {
            /** Format: date-time */
            readonly at: string;
            /** @description Its `webhook-id`. */
            readonly messageId: string;
            /** @description Of the event; `test` for a test. */
            readonly type: string;
            readonly attempt: number;
            readonly durationMs: number;
            readonly resourceId?: string;
            readonly sequence?: number;
            /** @description HTTP status. Absent without a response. */
            readonly status?: number;
            /** @description Why the receiver did not respond. */
            readonly failure?: string;
        };
        /** DeliveryReport */
        readonly DeliveryReport: {
            /** @description The receiver answered 2xx. */
            readonly delivered: boolean;
            readonly durationMs: number;
            readonly status?: number;
            readonly failure?: string;
        };
        /** Dimensions */
        readonly Dimensions: {
            readonly w: number;
            readonly h: number;
        };
        /**
         * DoSomeThingAction
         * @description Touches the resource: a new version and a new lastModifiedAt, and no other change.
         * @example {
         *       "action": "doSomeThing"
         *     }
         */
        readonly DoSomeThingAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "doSomeThing";
        };
        /** Error */
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
        /** ErrorEntry */
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
        /**
         * Event
         * @description A change of a resource, the upload of an image, or a write of a document that the embedded backend keeps.
         * @example {
         *       "id": "MmsuMWRsajJrLjAxOTdmM2My",
         *       "sequence": 92,
         *       "type": "updated",
         *       "resource": {
         *         "typeId": "resource",
         *         "id": "0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11",
         *         "key": "summer-sale",
         *         "version": 3
         *       },
         *       "at": "2026-05-05T17:40:02.009Z",
         *       "actor": {
         *         "clientId": "my-shop.importer",
         *         "externalUserId": "jane"
         *       },
         *       "correlationId": "sync-17",
         *       "cause": "actions",
         *       "actions": [
         *         "setField"
         *       ],
         *       "changedFields": {
         *         "current": [
         *           "name"
         *         ]
         *       }
         *     }
         */
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
        /**
         * EventData
         * @description With `include=resource`: the resource after the change. Absent after a deletion, if forgotten, and for documents of the backend.
         */
        readonly EventData: {
            readonly current: components["schemas"]["Resource"];
            readonly staged?: components["schemas"]["Resource"];
        };
        /**
         * EventPage
         * @example {
         *       "limit": 100,
         *       "count": 1,
         *       "results": [
         *         {
         *           "id": "MmsuMWRsajJrLjAxOTdmM2My",
         *           "sequence": 92,
         *           "type": "updated",
         *           "resource": {
         *             "typeId": "resource",
         *             "id": "0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11",
         *             "key": "summer-sale",
         *             "version": 3
         *           },
         *           "at": "2026-05-05T17:40:02.009Z",
         *           "actor": {
         *             "clientId": "my-shop.importer",
         *             "externalUserId": "jane"
         *           },
         *           "correlationId": "sync-17",
         *           "cause": "actions",
         *           "actions": [
         *             "setField"
         *           ],
         *           "changedFields": {
         *             "current": [
         *               "name"
         *             ]
         *           }
         *         }
         *       ],
         *       "next": "MmsuMWRsajJrLjAxOTdmM2My",
         *       "hasMore": false
         *     }
         */
        readonly EventPage: {
            /** @description As requested; default: 100. */
            readonly limit: number;
            /** @description Number of events in `results`. */
            readonly count: number;
            /** @description In the order of the changes. */
            readonly results: readonly components["schemas"]["Event"][];
            /** @description `after` for the next page; also where nothing has happened since. */
            readonly next: string;
            /** @description There are further events already. */
            readonly hasMore: boolean;
        };
        /** ExplainedWord */
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
        /**
         * Explanation
         * @description Why a result ranks where it does, by the text that it fits best.
         */
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
        /** Facet */
        readonly Facet: components["schemas"]["TermsFacet"] | components["schemas"]["TreeFacet"] | components["schemas"]["RangeFacet"] | components["schemas"]["FilterFacet"];
        /** FacetRange */
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
        /** FacetTerm */
        readonly FacetTerm: {
            readonly term: string;
            /** @description Resources. */
            readonly count: number;
            /** @description The same, with `counting products`. */
            readonly productCount?: number;
        };
        /**
         * FailedReplay
         * @description The dead letter that was not delivered, which ended the replay.
         */
        readonly FailedReplay: {
            readonly id: string;
            readonly reason: string;
        };
        /** FilterFacet */
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
        /**
         * ForgottenResource
         * @example {
         *       "id": "0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11",
         *       "forgottenAt": "2026-05-07T08:00:00.000Z"
         *     }
         */
        readonly ForgottenResource: {
            readonly id: string;
            /** Format: date-time */
            readonly forgottenAt: string;
        };
        /** HealthCommits */
        readonly HealthCommits: {
            readonly count: number;
            readonly writes: number;
            /** @description Half of them took no longer. Absent without any. */
            readonly p50Ms?: number;
            /** @description 99 of 100 took no longer. Absent without any. */
            readonly p99Ms?: number;
        };
        /** HealthEvents */
        readonly HealthEvents: {
            /** @description Open streams of events at the end. */
            readonly streams: number;
            /** @description Events that were delivered to subscriptions. */
            readonly delivered: number;
            /** @description Age of the oldest event that is not delivered to some subscription. */
            readonly lagSeconds: number;
        };
        /** HealthHistory */
        readonly HealthHistory: {
            readonly intervalSeconds: number;
            readonly maxSamples: number;
            /** @description Oldest first. */
            readonly samples: readonly components["schemas"]["HealthSample"][];
        };
        /** HealthImages */
        readonly HealthImages: {
            readonly running: number;
            readonly waiting: number;
        };
        /** HealthMemory */
        readonly HealthMemory: {
            readonly rssBytes: number;
            readonly heapBytes: number;
        };
        /** HealthQueries */
        readonly HealthQueries: {
            readonly count: number;
            /** @description Waiting at the end. */
            readonly waiting: number;
            /** @description Half of them took no longer. Absent without any. */
            readonly p50Ms?: number;
            /** @description 99 of 100 took no longer. Absent without any. */
            readonly p99Ms?: number;
        };
        /** HealthRequests */
        readonly HealthRequests: {
            /** @description Absent where it is 0. */
            readonly "1xx"?: number;
            /** @description Absent where it is 0. */
            readonly "2xx"?: number;
            /** @description Absent where it is 0. */
            readonly "3xx"?: number;
            /** @description Absent where it is 0. */
            readonly "4xx"?: number;
            /** @description Absent where it is 0. */
            readonly "5xx"?: number;
            /** @description Half of them took no longer. Absent without any. */
            readonly p50Ms?: number;
            /** @description 99 of 100 took no longer. Absent without any. */
            readonly p99Ms?: number;
        };
        /** HealthSample */
        readonly HealthSample: {
            /**
             * Format: date-time
             * @description The end of the interval.
             */
            readonly at: string;
            /** @description Its length: 10, or a little more or less. */
            readonly seconds: number;
            /** @description By operation (`operationId`): responses by the class of their status, and durations. */
            readonly requests: {
                readonly [key: string]: components["schemas"]["HealthRequests"];
            };
            /** @description Requests in progress at the end. */
            readonly inFlight: number;
            readonly commits: components["schemas"]["HealthCommits"];
            /** @description Lists, searches and existence checks by the queue that they ran in. */
            readonly queries: {
                readonly [key: string]: components["schemas"]["HealthQueries"];
            };
            readonly images: components["schemas"]["HealthImages"];
            readonly events: components["schemas"]["HealthEvents"];
            readonly memory: components["schemas"]["HealthMemory"];
            /** @description CPU time per second: 1 is one core, fully used. */
            readonly processors: number;
            /** @description How late timers fire (99th percentile). */
            readonly loopDelayMs: number;
            readonly store: components["schemas"]["HealthStore"];
        };
        /** HealthStore */
        readonly HealthStore: {
            readonly bytes: number;
            readonly logBytes: number;
        };
        /**
         * Highlight
         * @description A text with words that answer the query.
         */
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
        /**
         * HistoryEntry
         * @description A change of the resource.
         * @example {
         *       "version": 3,
         *       "type": "updated",
         *       "key": "summer-sale",
         *       "at": "2026-05-05T17:40:02.009Z",
         *       "actor": {
         *         "clientId": "my-shop.importer",
         *         "externalUserId": "jane"
         *       },
         *       "correlationId": "sync-17",
         *       "cause": "actions",
         *       "actions": [
         *         "setField"
         *       ],
         *       "changedFields": {
         *         "current": [
         *           "name"
         *         ]
         *       },
         *       "diff": {
         *         "current": [
         *           {
         *             "op": "replace",
         *             "path": "/version",
         *             "value": 3,
         *             "oldValue": 2
         *           },
         *           {
         *             "op": "replace",
         *             "path": "/name/en",
         *             "value": "Summer sale",
         *             "oldValue": "Sale"
         *           }
         *         ]
         *       }
         *     }
         */
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
        /**
         * HistoryPage
         * @example {
         *       "limit": 20,
         *       "count": 1,
         *       "results": [
         *         {
         *           "version": 3,
         *           "type": "updated",
         *           "key": "summer-sale",
         *           "at": "2026-05-05T17:40:02.009Z",
         *           "actor": {
         *             "clientId": "my-shop.importer",
         *             "externalUserId": "jane"
         *           },
         *           "correlationId": "sync-17",
         *           "cause": "actions",
         *           "actions": [
         *             "setField"
         *           ],
         *           "changedFields": {
         *             "current": [
         *               "name"
         *             ]
         *           },
         *           "diff": {
         *             "current": [
         *               {
         *                 "op": "replace",
         *                 "path": "/version",
         *                 "value": 3,
         *                 "oldValue": 2
         *               },
         *               {
         *                 "op": "replace",
         *                 "path": "/name/en",
         *                 "value": "Summer sale",
         *                 "oldValue": "Sale"
         *               }
         *             ]
         *           }
         *         }
         *       ]
         *     }
         */
        readonly HistoryPage: {
            /** @description As requested; default: 20. */
            readonly limit: number;
            readonly count: number;
            /** @description Newest first. */
            readonly results: readonly components["schemas"]["HistoryEntry"][];
            /** @description `cursor` for the next page; absent on the last one. */
            readonly next?: string;
        };
        /** Image */
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
        /** ImageRendition */
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
        /**
         * ImportFooForSecondPropertyToUpdateAction
         * @description Sets the field secondPropertyToUpdate.
         * @example {
         *       "action": "importFooForSecondPropertyToUpdate",
         *       "secondPropertyToUpdate": {
         *         "foo": "bar"
         *       }
         *     }
         */
        readonly ImportFooForSecondPropertyToUpdateAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "importFooForSecondPropertyToUpdate";
            /**
             * @description The new value, any JSON but null.
             * @example {
             *       "foo": "bar"
             *     }
             */
            readonly secondPropertyToUpdate: unknown;
            /** @description Change the staged projection only. Default: false. */
            readonly staged?: boolean;
        };
        /** ImportLine */
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
        /** ImportResult */
        readonly ImportResult: components["schemas"]["ImportLine"] | components["schemas"]["ImportSummary"];
        /**
         * ImportSummary
         * @description The last line. Where it is missing, the response was cut.
         */
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
        /** Introspection */
        readonly Introspection: {
            readonly active: boolean;
            readonly scope?: string;
            readonly client_id?: string;
            readonly token_type?: string;
            /**
             * Format: int64
             * @description In seconds since 1970.
             */
            readonly exp?: number;
            /**
             * Format: int64
             * @description In seconds since 1970.
             */
            readonly iat?: number;
            readonly sub?: string;
            readonly aud?: string;
            readonly iss?: string;
        };
        /** IntrospectionRequest */
        readonly IntrospectionRequest: {
            readonly token: string;
            readonly token_type_hint?: string;
            readonly client_id?: string;
            /** Format: password */
            readonly client_secret?: string;
        };
        /**
         * JsonPatch
         * @description RFC 6902. The path of the whole document, where it was created or deleted, is empty.
         */
        readonly JsonPatch: readonly components["schemas"]["JsonPatchOperation"][];
        /** JsonPatchOperation */
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
        /** JsonWebKeySet */
        readonly JsonWebKeySet: {
            readonly keys: readonly {
                readonly [key: string]: unknown;
            }[];
        };
        /**
         * KeptVersions
         * @description The stored versions.
         */
        readonly KeptVersions: {
            /** Format: int64 */
            readonly first: number;
            /** Format: int64 */
            readonly last: number;
        };
        /** LineItem */
        readonly LineItem: {
            readonly lineItemId: string;
            readonly productId: string;
            readonly name: string;
            readonly type: string;
            readonly count: number;
            readonly price: components["schemas"]["Money"];
            readonly discountTexts: readonly unknown[];
            readonly discounts: readonly unknown[];
            readonly totalPrice: components["schemas"]["Money"];
            readonly variant: components["schemas"]["CartVariant"];
            readonly isGift: boolean;
            /** @description Path of the product. */
            readonly _url: string;
        };
        /** ListedDeadLetter */
        readonly ListedDeadLetter: {
            readonly id: string;
            /** @description Its `webhook-id`, which a replay keeps. */
            readonly messageId: string;
            readonly sequence: number;
            readonly resourceId: string;
            /** @enum {string} */
            readonly type: "created" | "updated" | "deleted" | "published" | "reverted" | "restored" | "imageUploaded" | "backendDocumentWritten" | "forgotten";
            /**
             * Format: date-time
             * @description When it was given up.
             */
            readonly at: string;
            readonly attempts: number;
            /** @description `HTTP 500`, or why the receiver did not respond. */
            readonly lastFailure: string;
        };
        /** ListedProject */
        readonly ListedProject: {
            readonly key: string;
            /** @description The number of resources; counting stops at 10,000. */
            readonly resources: number;
            /**
             * @description There are more than `resources`.
             * @enum {string}
             */
            readonly resourcesRelation?: "gte";
        };
        /** Liveness */
        readonly Liveness: {
            /** @enum {string} */
            readonly status: "live";
        };
        /** MergedResourcePage */
        readonly MergedResourcePage: components["schemas"]["ArrayTestType"] & components["schemas"]["ResourcePage"];
        /** MixedColumn */
        readonly MixedColumn: {
            readonly column: string;
            /** @description The first line of each type: `string`, `number`, `boolean`, `array`, `object`. */
            readonly firstLines: {
                readonly [key: string]: number;
            };
        };
        /** Money */
        readonly Money: {
            /** @description Digits after the point. */
            readonly fractionDigits: number;
            /**
             * Format: int64
             * @description Amount in the smallest unit.
             */
            readonly centAmount: number;
            readonly currencyCode: string;
        };
        /**
         * MoveImageToPositionAction
         * @description Moves an image of a variant to another position among its images.
         * @example {
         *       "action": "moveImageToPosition",
         *       "imageUrl": "/my-project/images/front-0197f3c26d107a539c412f6b8e0d9a11.jpg",
         *       "position": 0,
         *       "staged": true
         *     }
         */
        readonly MoveImageToPositionAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "moveImageToPosition";
            /**
             * @description The `url` of the image as responses have it, or its path.
             * @example /my-project/images/front-0197f3c26d107a539c412f6b8e0d9a11.jpg
             */
            readonly imageUrl: string;
            /**
             * @description From 0 on. Of two projections, in one that has fewer images it becomes the last.
             * @example 0
             */
            readonly position: number;
            /**
             * @description Change the staged images only; `false`: both projections. Without it as with `true`, as an upload.
             * @example true
             */
            readonly staged?: boolean;
        };
        /**
         * NestedError
         * @description The same as the body of an error response.
         */
        readonly NestedError: {
            readonly statusCode: number;
            readonly message: string;
            readonly errors: readonly components["schemas"]["NestedErrorEntry"][];
        } & {
            readonly [key: string]: unknown;
        };
        /** NestedErrorEntry */
        readonly NestedErrorEntry: {
            readonly code: string;
            readonly message: string;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * OutOfOrderPropertiesTestType
         * @description All properties are optional; further ones are kept as they are.
         * @example {
         *       "key": "box [blue]",
         *       "version": "spring-draft",
         *       "createdAt": "2026-03-01T08:00:00.000Z",
         *       "createdBy": {
         *         "firstName": "Ada",
         *         "lastName": "Jones"
         *       },
         *       "custom": "gift wrap",
         *       "eigthProperty": "eight"
         *     }
         */
        readonly OutOfOrderPropertiesTestType: {
            /** @description The resource to write. */
            readonly id?: string;
            /** @description The digits of an integer are the expected version; other texts become externalVersion. */
            readonly version?: string;
            /** @description The resource to write where there is no id. */
            readonly key?: string;
            /** Format: date-time */
            readonly createdAt?: string;
            /** Format: date-time */
            readonly lastModifiedAt?: string;
            readonly createdBy?: components["schemas"]["Person"];
            readonly lastModifiedBy?: components["schemas"]["Person"];
            readonly custom?: string;
            readonly eigthProperty?: string;
            readonly ninthProperty?: string;
            readonly tenthProperty?: string;
            readonly eleventhPropery?: string;
            readonly twelthProperty?: string;
            readonly twelfthProperty?: string;
            readonly thirteenthProperty?: string;
            readonly fourteenthProperty?: string;
            readonly fifteenthProperty?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /** Person */
        readonly Person: {
            readonly firstName?: string;
            readonly lastName?: string;
        };
        /** Project */
        readonly Project: {
            readonly key: string;
            /** @description The languages (ISO 639-1) whose words a search knows, by their forms or by a dictionary. */
            readonly languages: readonly string[];
            readonly counts: components["schemas"]["ProjectCounts"];
            /** @description The scopes of the token in this project. */
            readonly scopes: readonly string[];
            readonly links: components["schemas"]["ProjectLinks"];
        };
        /** ProjectCounts */
        readonly ProjectCounts: {
            /** @description The resources of the project. */
            readonly resources: number;
            /** @description The product variants that have images. */
            readonly imageVariants: number;
        };
        /** ProjectLinks */
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
        /** ProjectPage */
        readonly ProjectPage: {
            readonly limit: number;
            readonly count: number;
            readonly results: readonly components["schemas"]["ListedProject"][];
            /** @description Send it as `cursor` for the page that follows. Absent on the last page. */
            readonly next?: string;
        };
        /**
         * PublishAction
         * @description Makes the staged projection the current one. Where nothing is staged, nothing changes.
         * @example {
         *       "action": "publish"
         *     }
         */
        readonly PublishAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "publish";
        };
        /** QueryRun */
        readonly QueryRun: {
            readonly queue: string;
            /** @description From its arrival in the store until its result. */
            readonly totalMs: number;
            /** @description Of that, the time in which it ran; the remainder it waited. */
            readonly ranMs: number;
            /** @description What the plan did, in words; empty where it is not known. */
            readonly plan: readonly string[];
            /** @description Resources that the query read one by one. */
            readonly rowsRead?: number;
        };
        /** RangeFacet */
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
        /** Readiness */
        readonly Readiness: {
            /** @enum {string} */
            readonly status: "ready" | "unready";
            /** @description The result of each check: `ok`, or the problem. */
            readonly checks: {
                readonly [key: string]: string;
            };
        };
        /** RecentCall */
        readonly RecentCall: {
            /**
             * Format: date-time
             * @description When it ended.
             */
            readonly at: string;
            readonly clientId: string;
            /** @description The `operationId`. Neither the path nor parameters are kept. */
            readonly operation: string;
            /** @description Of the response; 499 if the client was gone before. */
            readonly status: number;
            /** @description From its head to the end of its response. */
            readonly durationMs: number;
            /** @description The `X-External-User-ID` of the call. */
            readonly externalUserId?: string;
            /** @description Absent for calls that concern no project. */
            readonly projectKey?: string;
        };
        /** RecentCalls */
        readonly RecentCalls: {
            /** @description The last one first. */
            readonly results: readonly components["schemas"]["RecentCall"][];
        };
        /** RegisteredApiClient */
        readonly RegisteredApiClient: {
            readonly id: string;
            readonly name: string;
            readonly scopes: readonly string[];
            readonly scope: string;
            /** Format: date-time */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation is accepted. Absent where it is not.
             */
            readonly previousSecretUntil?: string;
            /**
             * Format: date-time
             * @description When the API client last got a token or used one, to the minute, a few minutes late. Absent where it never did.
             */
            readonly lastUsedAt?: string;
        };
        /**
         * RemoveImageAction
         * @description Removes an image from a variant. Its files are deleted once neither projection has it.
         * @example {
         *       "action": "removeImage",
         *       "imageUrl": "/my-project/images/front-0197f3c26d107a539c412f6b8e0d9a11.jpg",
         *       "staged": true
         *     }
         */
        readonly RemoveImageAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "removeImage";
            /**
             * @description The `url` of the image as responses have it, or its path.
             * @example /my-project/images/front-0197f3c26d107a539c412f6b8e0d9a11.jpg
             */
            readonly imageUrl: string;
            /**
             * @description Change the staged images only; `false`: both projections. Without it as with `true`, as an upload.
             * @example true
             */
            readonly staged?: boolean;
        };
        /**
         * RenameFieldAction
         * @description Moves the value of one of the client's own fields to another path, at any depth. Refused where there is no value to move, or one in its way.
         * @example {
         *       "action": "renameField",
         *       "from": "name.en",
         *       "to": "title.en"
         *     }
         */
        readonly RenameFieldAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "renameField";
            /**
             * @description Path of the value, as for setField. In an array, the items after it close the gap.
             * @example name.en
             */
            readonly from: string;
            /**
             * @description Path that has no value yet, as it is before the action; objects on the way are made.
             * @example title.en
             */
            readonly to: string;
            /** @description Change the staged projection only. Default: false. */
            readonly staged?: boolean;
        };
        /** ReplayReport */
        readonly ReplayReport: {
            readonly delivered: number;
            /** @description There are dead letters left. */
            readonly more: boolean;
            readonly failed?: components["schemas"]["FailedReplay"];
        };
        /**
         * Resource
         * @description A resource: system fields, then the fields that the client sent.
         * @example {
         *       "id": "0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11",
         *       "version": 3,
         *       "key": "summer-sale",
         *       "createdAt": "2026-05-04T09:12:33.120Z",
         *       "lastModifiedAt": "2026-05-05T17:40:02.009Z",
         *       "createdBy": {
         *         "clientId": "my-shop.importer"
         *       },
         *       "lastModifiedBy": {
         *         "clientId": "my-shop.importer",
         *         "externalUserId": "jane"
         *       },
         *       "name": {
         *         "en": "Summer sale"
         *       },
         *       "objectTypeProperty": {
         *         "arrayOfIntExample": [
         *           1,
         *           1,
         *           2,
         *           3,
         *           5,
         *           8
         *         ],
         *         "arrayOfUniqueIntExample": [
         *           2,
         *           4,
         *           6
         *         ],
         *         "arrayOfTwonumbersExample": [
         *           0.5,
         *           2
         *         ],
         *         "arrayOfFloatExample": [
         *           1.5,
         *           2.25
         *         ],
         *         "arrayOfNumberNoDefaultsExample": [
         *           10,
         *           10.5
         *         ],
         *         "arrayOfStringExample": [
         *           "red",
         *           "green"
         *         ],
         *         "arrayOfObjectType": [
         *           {
         *             "integerExample": 4611686018427388,
         *             "integerExampleInt32": 2147483647
         *           }
         *         ]
         *       }
         *     }
         */
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
        /**
         * ResourceDraft
         * @description All fields are optional, `null` is absent. Further fields are kept as they are.
         * @example {
         *       "key": "summer-sale",
         *       "name": {
         *         "en": "Summer sale"
         *       },
         *       "objectTypeProperty": {
         *         "arrayOfIntExample": [
         *           1,
         *           1,
         *           2,
         *           3,
         *           5,
         *           8
         *         ],
         *         "arrayOfUniqueIntExample": [
         *           2,
         *           4,
         *           6
         *         ],
         *         "arrayOfTwonumbersExample": [
         *           0.5,
         *           2
         *         ],
         *         "arrayOfFloatExample": [
         *           1.5,
         *           2.25
         *         ],
         *         "arrayOfNumberNoDefaultsExample": [
         *           10,
         *           10.5
         *         ],
         *         "arrayOfStringExample": [
         *           "red",
         *           "green"
         *         ],
         *         "arrayOfObjectType": [
         *           {
         *             "integerExample": 4611686018427388,
         *             "integerExampleInt32": 2147483647
         *           }
         *         ]
         *       }
         *     }
         */
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
        /** ResourcePage */
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
        /**
         * ResourceRestore
         * @example {
         *       "version": 3
         *     }
         */
        readonly ResourceRestore: {
            /**
             * Format: int64
             * @description The version whose content it gets. Default: the one that was deleted.
             */
            readonly version?: number;
            /** @description Another key than it had, or `null` for none. */
            readonly key?: string | null;
        };
        /**
         * ResourceUpdate
         * @example {
         *       "version": 1,
         *       "actions": [
         *         {
         *           "action": "changeSomeProperty",
         *           "someProperty": "new value"
         *         },
         *         {
         *           "action": "doSomeThing"
         *         }
         *       ]
         *     }
         */
        readonly ResourceUpdate: {
            /**
             * Format: int64
             * @description The current version of the resource; another is 409.
             */
            readonly version: number;
            /** @description Applied in order, all or none. */
            readonly actions: readonly components["schemas"]["ResourceUpdateAction"][];
        };
        /** ResourceUpdateAction */
        readonly ResourceUpdateAction: components["schemas"]["DoSomeThingAction"] | components["schemas"]["ChangeSomePropertyAction"] | components["schemas"]["ImportFooForSecondPropertyToUpdateAction"] | components["schemas"]["SetKeyAction"] | components["schemas"]["SetFieldAction"] | components["schemas"]["RenameFieldAction"] | components["schemas"]["PublishAction"] | components["schemas"]["RevertStagedChangesAction"] | components["schemas"]["RestoreAction"] | components["schemas"]["MoveImageToPositionAction"] | components["schemas"]["RemoveImageAction"] | components["schemas"]["SetImageLabelAction"];
        /**
         * RestoreAction
         * @description Makes the content of an earlier version that of the next one: the client's own fields of both projections, and the key.
         * @example {
         *       "action": "restore",
         *       "version": 3
         *     }
         */
        readonly RestoreAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "restore";
            /**
             * @description A stored version, or the current one.
             * @example 3
             */
            readonly version: number;
        };
        /**
         * RevertStagedChangesAction
         * @description Drops the staged projection. Where nothing is staged, nothing changes.
         * @example {
         *       "action": "revertStagedChanges"
         *     }
         */
        readonly RevertStagedChangesAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "revertStagedChanges";
        };
        /** RevocationRequest */
        readonly RevocationRequest: {
            readonly token: string;
            readonly token_type_hint?: string;
            readonly client_id?: string;
            /** Format: password */
            readonly client_secret?: string;
        };
        /**
         * SearchMatch
         * @description How the text found what it found. Absent without text.
         */
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
        /** SearchPage */
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
        /** SearchSettings */
        readonly SearchSettings: {
            /** @description Rises with every change. 0: the project has no settings. */
            readonly version: number;
            /**
             * Format: date-time
             * @description Absent where there are no settings.
             */
            readonly lastModifiedAt?: string;
            /**
             * @description What `match` is where a search says nothing.
             * @default auto
             * @enum {unknown}
             */
            readonly match: "auto" | "all" | "most";
            /**
             * @description By path: how much the words of a field, and of all below it, count. Of other fields 1. The longest path decides.
             * @default {}
             */
            readonly weights: {
                readonly [key: string]: number;
            };
            /**
             * @description Paths of fields whose words are not found, nor those of all below them.
             * @default []
             */
            readonly excludedPaths: readonly string[];
            /**
             * @description By path: what the texts of a field, and of all below it, are. `plain`: under no locale, although the names around them look like languages (`{"uk": "7 wide", "eu": "41"}`). `localised`: as their names say, within a path that is plain. The longest path decides.
             * @default {}
             */
            readonly types: {
                readonly [key: string]: "plain" | "localised";
            };
            /**
             * @description Words that find others, in the languages of their locales.
             * @default []
             */
            readonly synonyms: readonly components["schemas"]["Synonym"][];
            /**
             * @description By locale: words that need not occur and weigh little, in addition to the stop words of the language.
             * @default {}
             */
            readonly stopWords: {
                readonly [key: string]: readonly string[];
            };
            /**
             * @description What the relevance of some resources is multiplied by; of several that hold, each counts.
             * @default []
             */
            readonly boosts: readonly components["schemas"]["Boost"][];
        };
        /** SearchSettingsDraft */
        readonly SearchSettingsDraft: {
            /** @description The version that must be current; 0 where there are no settings yet. Absent: any. */
            readonly version?: number;
            /**
             * @description What `match` is where a search says nothing.
             * @default auto
             * @enum {unknown}
             */
            readonly match: "auto" | "all" | "most";
            /**
             * @description By path: how much the words of a field, and of all below it, count. Of other fields 1. The longest path decides.
             * @default {}
             */
            readonly weights: {
                readonly [key: string]: number;
            };
            /**
             * @description Paths of fields whose words are not found, nor those of all below them.
             * @default []
             */
            readonly excludedPaths: readonly string[];
            /**
             * @description By path: what the texts of a field, and of all below it, are. `plain`: under no locale, although the names around them look like languages (`{"uk": "7 wide", "eu": "41"}`). `localised`: as their names say, within a path that is plain. The longest path decides.
             * @default {}
             */
            readonly types: {
                readonly [key: string]: "plain" | "localised";
            };
            /**
             * @description Words that find others, in the languages of their locales.
             * @default []
             */
            readonly synonyms: readonly components["schemas"]["Synonym"][];
            /**
             * @description By locale: words that need not occur and weigh little, in addition to the stop words of the language.
             * @default {}
             */
            readonly stopWords: {
                readonly [key: string]: readonly string[];
            };
            /**
             * @description What the relevance of some resources is multiplied by; of several that hold, each counts.
             * @default []
             */
            readonly boosts: readonly components["schemas"]["Boost"][];
        };
        /** SecretRotation */
        readonly SecretRotation: {
            /**
             * @description How long the previous secret is still accepted.
             * @default 0
             */
            readonly overlapSeconds: number;
        };
        /**
         * SelectedResource
         * @description A resource, or with `fields` only its `id`, `version`, `key` and the fields asked for.
         * @example {
         *       "id": "0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11",
         *       "version": 3,
         *       "key": "summer-sale",
         *       "createdAt": "2026-05-04T09:12:33.120Z",
         *       "lastModifiedAt": "2026-05-05T17:40:02.009Z",
         *       "createdBy": {
         *         "clientId": "my-shop.importer"
         *       },
         *       "lastModifiedBy": {
         *         "clientId": "my-shop.importer",
         *         "externalUserId": "jane"
         *       },
         *       "name": {
         *         "en": "Summer sale"
         *       },
         *       "objectTypeProperty": {
         *         "arrayOfIntExample": [
         *           1,
         *           1,
         *           2,
         *           3,
         *           5,
         *           8
         *         ],
         *         "arrayOfUniqueIntExample": [
         *           2,
         *           4,
         *           6
         *         ],
         *         "arrayOfTwonumbersExample": [
         *           0.5,
         *           2
         *         ],
         *         "arrayOfFloatExample": [
         *           1.5,
         *           2.25
         *         ],
         *         "arrayOfNumberNoDefaultsExample": [
         *           10,
         *           10.5
         *         ],
         *         "arrayOfStringExample": [
         *           "red",
         *           "green"
         *         ],
         *         "arrayOfObjectType": [
         *           {
         *             "integerExample": 4611686018427388,
         *             "integerExampleInt32": 2147483647
         *           }
         *         ]
         *       }
         *     }
         */
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
        /** ServerMetadata */
        readonly ServerMetadata: {
            readonly issuer: string;
            readonly token_endpoint: string;
            readonly jwks_uri: string;
        };
        /**
         * SetFieldAction
         * @description Sets or removes one of the client's own fields, at any depth.
         * @example {
         *       "action": "setField",
         *       "path": "name.en",
         *       "value": "Sale"
         *     }
         */
        readonly SetFieldAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "setField";
            /**
             * @description Names separated by dots; those with dots or backticks in backticks. In an array a name is the index of an item, also written as `[0]`; the index after the last one appends.
             * @example name.en
             */
            readonly path: string;
            /**
             * @description The new value; without it the field is removed.
             * @example Sale
             */
            readonly value?: unknown;
            /** @description Change the staged projection only. Default: false. */
            readonly staged?: boolean;
        };
        /**
         * SetImageLabelAction
         * @description Sets what an image of a variant shows in words, for its alternative text, or removes that.
         * @example {
         *       "action": "setImageLabel",
         *       "imageUrl": "/my-project/images/front-0197f3c26d107a539c412f6b8e0d9a11.jpg",
         *       "label": "A blue shoe from the front",
         *       "staged": true
         *     }
         */
        readonly SetImageLabelAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "setImageLabel";
            /**
             * @description The `url` of the image as responses have it, or its path.
             * @example /my-project/images/front-0197f3c26d107a539c412f6b8e0d9a11.jpg
             */
            readonly imageUrl: string;
            /**
             * @description At most 500 characters; without it the label is removed.
             * @example A blue shoe from the front
             */
            readonly label?: string;
            /**
             * @description Change the staged images only; `false`: both projections. Without it as with `true`, as an upload.
             * @example true
             */
            readonly staged?: boolean;
        };
        /**
         * SetKeyAction
         * @description Sets the key of the resource, in both projections; without a key, removes it.
         * @example {
         *       "action": "setKey",
         *       "key": "summer-sale"
         *     }
         */
        readonly SetKeyAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "setKey";
            /**
             * @description Unique in the project, 1 to 256 characters.
             * @example summer-sale
             */
            readonly key?: string;
        };
        /** SlowQueries */
        readonly SlowQueries: {
            readonly results: readonly components["schemas"]["SlowQuery"][];
        };
        /** SlowQuery */
        readonly SlowQuery: {
            /** Format: date-time */
            readonly at: string;
            readonly projectKey: string;
            readonly operation: string;
            /** @description The parameters as sent, without `cursor`; long ones are truncated. Predicates may contain data. */
            readonly parameters: {
                readonly [key: string]: readonly string[];
            };
            readonly correlationId: string;
            readonly totalMs: number;
            readonly clientId?: string;
            readonly run?: components["schemas"]["QueryRun"];
            /** @description The code of the error that it ended with. */
            readonly error?: string;
        };
        /** Subscription */
        readonly Subscription: {
            readonly id: string;
            /** Format: int64 */
            readonly version: number;
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly lastModifiedAt: string;
            readonly createdBy: components["schemas"]["Author"];
            readonly lastModifiedBy: components["schemas"]["Author"];
            /**
             * Format: uri
             * @description The receiver. `https:` at a public address, unless the operator allows others.
             */
            readonly url: string;
            /** @enum {string} */
            readonly status: "enabled" | "disabled";
            /** @description The secrets that sign, newest first, without their texts. */
            readonly secrets: readonly components["schemas"]["SubscriptionSecret"][];
            /** @description Chosen by the client, unique among the subscriptions of the project. */
            readonly key?: string;
            /** @description Only events of these types. Absent: all. */
            readonly types?: readonly ("created" | "updated" | "deleted" | "published" | "reverted" | "restored" | "imageUploaded" | "backendDocumentWritten" | "forgotten")[];
            /** @description A predicate that the resource must satisfy after the change; of a deletion, the deleted resource. */
            readonly where?: string;
            /**
             * @description Events have the resource after the change as `data`.
             * @enum {string}
             */
            readonly include?: "resource";
            readonly description?: string;
            /**
             * @description `gone`: the receiver answered 410.
             * @enum {string}
             */
            readonly disabledReason?: "byClient" | "gone";
        };
        /** SubscriptionDeliveries */
        readonly SubscriptionDeliveries: {
            /**
             * @description `retrying`: some resources wait for another attempt. `down`: after several failures in a row, only what failed is tried again.
             * @enum {string}
             */
            readonly state: "upToDate" | "delivering" | "retrying" | "down" | "disabled";
            /** @description Resources of which an event is not delivered yet. */
            readonly held: number;
            /** @description Changes that were pruned before they were delivered, at most. */
            readonly missed: number;
            /** @description The last 100, newest first. */
            readonly attempts: readonly components["schemas"]["DeliveryAttempt"][];
            /**
             * Format: date-time
             * @description When the first of the held resources is tried again.
             */
            readonly nextAttemptAt?: string;
        };
        /** SubscriptionDisableAction */
        readonly SubscriptionDisableAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "disable";
        };
        /** SubscriptionDraft */
        readonly SubscriptionDraft: {
            /** @description Chosen by the client, unique among the subscriptions of the project. */
            readonly key?: string;
            /**
             * Format: uri
             * @description The receiver. `https:` at a public address, unless the operator allows others.
             */
            readonly url: string;
            /** @description Only events of these types. Absent: all. */
            readonly types?: readonly ("created" | "updated" | "deleted" | "published" | "reverted" | "restored" | "imageUploaded" | "backendDocumentWritten" | "forgotten")[];
            /** @description A predicate that the resource must satisfy after the change; of a deletion, the deleted resource. */
            readonly where?: string;
            /**
             * @description Events have the resource after the change as `data`.
             * @enum {string}
             */
            readonly include?: "resource";
            readonly description?: string;
            /** @description `whsec_` and the base64 of 24 to 64 bytes. Absent: the service makes one. */
            readonly secret?: string;
            /**
             * @description `now`: only new events. `oldest`: all stored events first. Absent: `now`.
             * @enum {string}
             */
            readonly from?: "now" | "oldest";
            /** @description `false`: nothing is delivered before the action `enable`. */
            readonly enabled?: boolean;
        };
        /** SubscriptionEnableAction */
        readonly SubscriptionEnableAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "enable";
        };
        /** SubscriptionPage */
        readonly SubscriptionPage: {
            readonly limit: number;
            readonly offset: number;
            readonly count: number;
            readonly total: number;
            readonly results: readonly components["schemas"]["Subscription"][];
        };
        /** SubscriptionRotateSecretAction */
        readonly SubscriptionRotateSecretAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "rotateSecret";
            /** @description `whsec_` and the base64 of 24 to 64 bytes. Absent: the service makes one. */
            readonly secret?: string;
            /** @description How long the previous secrets keep signing. Absent: 86400, a day. */
            readonly overlapSeconds?: number;
        };
        /** SubscriptionSecret */
        readonly SubscriptionSecret: {
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly expiresAt?: string;
        };
        /** SubscriptionSetDescriptionAction */
        readonly SubscriptionSetDescriptionAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "setDescription";
            /** @description Absent: none. */
            readonly description?: string;
        };
        /** SubscriptionSetIncludeAction */
        readonly SubscriptionSetIncludeAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "setInclude";
            /**
             * @description Absent: nothing.
             * @enum {string}
             */
            readonly include?: "resource";
        };
        /** SubscriptionSetKeyAction */
        readonly SubscriptionSetKeyAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "setKey";
            /** @description Absent: none. */
            readonly key?: string;
        };
        /** SubscriptionSetTypesAction */
        readonly SubscriptionSetTypesAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "setTypes";
            /** @description Only events of these types. Absent: all. */
            readonly types?: readonly ("created" | "updated" | "deleted" | "published" | "reverted" | "restored" | "imageUploaded" | "backendDocumentWritten" | "forgotten")[];
        };
        /** SubscriptionSetUrlAction */
        readonly SubscriptionSetUrlAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "setUrl";
            /**
             * Format: uri
             * @description The receiver. `https:` at a public address, unless the operator allows others.
             */
            readonly url: string;
        };
        /** SubscriptionSetWhereAction */
        readonly SubscriptionSetWhereAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly action: "setWhere";
            /** @description Absent: none. */
            readonly where?: string;
        };
        /** SubscriptionUpdate */
        readonly SubscriptionUpdate: {
            /**
             * Format: int64
             * @description The current version of the subscription; another is 409.
             */
            readonly version: number;
            /** @description Applied in order, all or none. */
            readonly actions: readonly components["schemas"]["SubscriptionUpdateAction"][];
        };
        /** SubscriptionUpdateAction */
        readonly SubscriptionUpdateAction: components["schemas"]["SubscriptionSetKeyAction"] | components["schemas"]["SubscriptionSetUrlAction"] | components["schemas"]["SubscriptionSetTypesAction"] | components["schemas"]["SubscriptionSetWhereAction"] | components["schemas"]["SubscriptionSetIncludeAction"] | components["schemas"]["SubscriptionSetDescriptionAction"] | components["schemas"]["SubscriptionEnableAction"] | components["schemas"]["SubscriptionDisableAction"] | components["schemas"]["SubscriptionRotateSecretAction"];
        /** Suggestion */
        readonly Suggestion: {
            /** @description What was typed, its last word completed as resources write it. */
            readonly text: string;
            /** @description The word that completes it, in lower case and without accents. */
            readonly word: string;
            /** @description Resources that have all of its words. */
            readonly count: number;
        };
        /** Suggestions */
        readonly Suggestions: {
            /** @description By count, greatest first, then by word. */
            readonly suggestions: readonly components["schemas"]["Suggestion"][];
            /** @description The counts are estimates from so many. Absent: they are exact. */
            readonly sampled?: number;
            /** @description What was typed, with words that no resource has corrected. Absent if there are none. */
            readonly didYouMean?: string;
        };
        /** Synonym */
        readonly Synonym: {
            readonly locale: string;
            /** @description Each of them finds the others. */
            readonly words?: readonly string[];
            /** @description Instead of `words`: each of these phrases also finds those of `to`, but not vice versa. */
            readonly from?: readonly string[];
            readonly to?: readonly string[];
        };
        /** TermsFacet */
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
        /** TokenRequest */
        readonly TokenRequest: {
            /** @enum {string} */
            readonly grant_type: "client_credentials";
            /** @description Scopes with spaces between them. Default: all scopes of the client. */
            readonly scope?: string;
            readonly client_id?: string;
            /** Format: password */
            readonly client_secret?: string;
        };
        /** TreeFacet */
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
        /** TreeTerm */
        readonly TreeTerm: {
            /** @description The whole path, such as `clothing > shoes`. */
            readonly term: string;
            readonly level: number;
            /** @description Resources. */
            readonly count: number;
            /** @description The same, with `counting products`. */
            readonly productCount?: number;
        };
        /** Variant */
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
        /** VariantPage */
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
        /**
         * VersionDiff
         * @description With `diff=true`: from the version before to this one. Absent where one of them is no longer kept, or the first one of the log.
         */
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
export type AllArrays = components['schemas']['AllArrays'];
export type ApiClientDraft = components['schemas']['ApiClientDraft'];
export type ApiClientPage = components['schemas']['ApiClientPage'];
export type ArrayElement = components['schemas']['ArrayElement'];
export type ArrayTestType = components['schemas']['ArrayTestType'];
export type Author = components['schemas']['Author'];
export type BackendState = components['schemas']['BackendState'];
export type Batch = components['schemas']['Batch'];
export type BatchDelete = components['schemas']['BatchDelete'];
export type BatchDraft = components['schemas']['BatchDraft'];
export type BatchOperation = components['schemas']['BatchOperation'];
export type BatchOperationResult = components['schemas']['BatchOperationResult'];
export type BatchResult = components['schemas']['BatchResult'];
export type BatchUpdate = components['schemas']['BatchUpdate'];
export type Boost = components['schemas']['Boost'];
export type Cart = components['schemas']['Cart'];
export type CartAttribute = components['schemas']['CartAttribute'];
export type CartVariant = components['schemas']['CartVariant'];
export type ChangeSomePropertyAction = components['schemas']['ChangeSomePropertyAction'];
export type ChangedFields = components['schemas']['ChangedFields'];
export type ChangedResource = components['schemas']['ChangedResource'];
export type ChangedSubscription = components['schemas']['ChangedSubscription'];
export type ConflictingResource = components['schemas']['ConflictingResource'];
export type CreatedApiClient = components['schemas']['CreatedApiClient'];
export type CreatedSubscription = components['schemas']['CreatedSubscription'];
export type DeadLetter = components['schemas']['DeadLetter'];
export type DeadLetterPage = components['schemas']['DeadLetterPage'];
export type DeletedResource = components['schemas']['DeletedResource'];
export type DeletedResourcePage = components['schemas']['DeletedResourcePage'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type DeliveryReport = components['schemas']['DeliveryReport'];
export type Dimensions = components['schemas']['Dimensions'];
export type DoSomeThingAction = components['schemas']['DoSomeThingAction'];
export type Error = components['schemas']['Error'];
export type ErrorEntry = components['schemas']['ErrorEntry'];
export type Event = components['schemas']['Event'];
export type EventData = components['schemas']['EventData'];
export type EventPage = components['schemas']['EventPage'];
export type ExplainedWord = components['schemas']['ExplainedWord'];
export type Explanation = components['schemas']['Explanation'];
export type Facet = components['schemas']['Facet'];
export type FacetRange = components['schemas']['FacetRange'];
export type FacetTerm = components['schemas']['FacetTerm'];
export type FailedReplay = components['schemas']['FailedReplay'];
export type FilterFacet = components['schemas']['FilterFacet'];
export type ForgottenResource = components['schemas']['ForgottenResource'];
export type HealthCommits = components['schemas']['HealthCommits'];
export type HealthEvents = components['schemas']['HealthEvents'];
export type HealthHistory = components['schemas']['HealthHistory'];
export type HealthImages = components['schemas']['HealthImages'];
export type HealthMemory = components['schemas']['HealthMemory'];
export type HealthQueries = components['schemas']['HealthQueries'];
export type HealthRequests = components['schemas']['HealthRequests'];
export type HealthSample = components['schemas']['HealthSample'];
export type HealthStore = components['schemas']['HealthStore'];
export type Highlight = components['schemas']['Highlight'];
export type HistoryEntry = components['schemas']['HistoryEntry'];
export type HistoryPage = components['schemas']['HistoryPage'];
export type Image = components['schemas']['Image'];
export type ImageRendition = components['schemas']['ImageRendition'];
export type ImportFooForSecondPropertyToUpdateAction = components['schemas']['ImportFooForSecondPropertyToUpdateAction'];
export type ImportLine = components['schemas']['ImportLine'];
export type ImportResult = components['schemas']['ImportResult'];
export type ImportSummary = components['schemas']['ImportSummary'];
export type Introspection = components['schemas']['Introspection'];
export type IntrospectionRequest = components['schemas']['IntrospectionRequest'];
export type JsonPatch = components['schemas']['JsonPatch'];
export type JsonPatchOperation = components['schemas']['JsonPatchOperation'];
export type JsonWebKeySet = components['schemas']['JsonWebKeySet'];
export type KeptVersions = components['schemas']['KeptVersions'];
export type LineItem = components['schemas']['LineItem'];
export type ListedDeadLetter = components['schemas']['ListedDeadLetter'];
export type ListedProject = components['schemas']['ListedProject'];
export type Liveness = components['schemas']['Liveness'];
export type MergedResourcePage = components['schemas']['MergedResourcePage'];
export type MixedColumn = components['schemas']['MixedColumn'];
export type Money = components['schemas']['Money'];
export type MoveImageToPositionAction = components['schemas']['MoveImageToPositionAction'];
export type NestedError = components['schemas']['NestedError'];
export type NestedErrorEntry = components['schemas']['NestedErrorEntry'];
export type OutOfOrderPropertiesTestType = components['schemas']['OutOfOrderPropertiesTestType'];
export type Person = components['schemas']['Person'];
export type Project = components['schemas']['Project'];
export type ProjectCounts = components['schemas']['ProjectCounts'];
export type ProjectLinks = components['schemas']['ProjectLinks'];
export type ProjectPage = components['schemas']['ProjectPage'];
export type PublishAction = components['schemas']['PublishAction'];
export type QueryRun = components['schemas']['QueryRun'];
export type RangeFacet = components['schemas']['RangeFacet'];
export type Readiness = components['schemas']['Readiness'];
export type RecentCall = components['schemas']['RecentCall'];
export type RecentCalls = components['schemas']['RecentCalls'];
export type RegisteredApiClient = components['schemas']['RegisteredApiClient'];
export type RemoveImageAction = components['schemas']['RemoveImageAction'];
export type RenameFieldAction = components['schemas']['RenameFieldAction'];
export type ReplayReport = components['schemas']['ReplayReport'];
export type Resource = components['schemas']['Resource'];
export type ResourceDraft = components['schemas']['ResourceDraft'];
export type ResourcePage = components['schemas']['ResourcePage'];
export type ResourceRestore = components['schemas']['ResourceRestore'];
export type ResourceUpdate = components['schemas']['ResourceUpdate'];
export type ResourceUpdateAction = components['schemas']['ResourceUpdateAction'];
export type RestoreAction = components['schemas']['RestoreAction'];
export type RevertStagedChangesAction = components['schemas']['RevertStagedChangesAction'];
export type RevocationRequest = components['schemas']['RevocationRequest'];
export type SearchMatch = components['schemas']['SearchMatch'];
export type SearchPage = components['schemas']['SearchPage'];
export type SearchSettings = components['schemas']['SearchSettings'];
export type SearchSettingsDraft = components['schemas']['SearchSettingsDraft'];
export type SecretRotation = components['schemas']['SecretRotation'];
export type SelectedResource = components['schemas']['SelectedResource'];
export type ServerMetadata = components['schemas']['ServerMetadata'];
export type SetFieldAction = components['schemas']['SetFieldAction'];
export type SetImageLabelAction = components['schemas']['SetImageLabelAction'];
export type SetKeyAction = components['schemas']['SetKeyAction'];
export type SlowQueries = components['schemas']['SlowQueries'];
export type SlowQuery = components['schemas']['SlowQuery'];
export type Subscription = components['schemas']['Subscription'];
export type SubscriptionDeliveries = components['schemas']['SubscriptionDeliveries'];
export type SubscriptionDisableAction = components['schemas']['SubscriptionDisableAction'];
export type SubscriptionDraft = components['schemas']['SubscriptionDraft'];
export type SubscriptionEnableAction = components['schemas']['SubscriptionEnableAction'];
export type SubscriptionPage = components['schemas']['SubscriptionPage'];
export type SubscriptionRotateSecretAction = components['schemas']['SubscriptionRotateSecretAction'];
export type SubscriptionSecret = components['schemas']['SubscriptionSecret'];
export type SubscriptionSetDescriptionAction = components['schemas']['SubscriptionSetDescriptionAction'];
export type SubscriptionSetIncludeAction = components['schemas']['SubscriptionSetIncludeAction'];
export type SubscriptionSetKeyAction = components['schemas']['SubscriptionSetKeyAction'];
export type SubscriptionSetTypesAction = components['schemas']['SubscriptionSetTypesAction'];
export type SubscriptionSetUrlAction = components['schemas']['SubscriptionSetUrlAction'];
export type SubscriptionSetWhereAction = components['schemas']['SubscriptionSetWhereAction'];
export type SubscriptionUpdate = components['schemas']['SubscriptionUpdate'];
export type SubscriptionUpdateAction = components['schemas']['SubscriptionUpdateAction'];
export type Suggestion = components['schemas']['Suggestion'];
export type Suggestions = components['schemas']['Suggestions'];
export type Synonym = components['schemas']['Synonym'];
export type TermsFacet = components['schemas']['TermsFacet'];
export type TokenRequest = components['schemas']['TokenRequest'];
export type TreeFacet = components['schemas']['TreeFacet'];
export type TreeTerm = components['schemas']['TreeTerm'];
export type Variant = components['schemas']['Variant'];
export type VariantPage = components['schemas']['VariantPage'];
export type VersionDiff = components['schemas']['VersionDiff'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
