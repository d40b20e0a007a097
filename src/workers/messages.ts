/** What the processes of a service tell each other. Plain data, in order. */

/** Where a service listens, and the issuer of its tokens. */
export interface Serving {
  /** `http://127.0.0.1:8080` */
  readonly address: string;
  readonly issuer: string;
}

/** From the primary, which starts the workers and serves nothing itself, to a worker. */
export type ToWorker =
  /**
   * The first message: which worker it is, from 1 on, whether it looks after what others may have left undone, and
   * where the first one serves; undefined for the first one itself.
   */
  | {
      readonly kind: 'start';
      readonly number: number;
      readonly tidies: boolean;
      readonly serving: Serving | undefined;
    }
  /** Of the store: from its writer. */
  | { readonly kind: 'store'; readonly body: unknown }
  /** Answer what is in flight, then end. */
  | { readonly kind: 'end' }
  | { readonly kind: 'askMetrics'; readonly ask: number }
  | { readonly kind: 'allMetrics'; readonly ask: number; readonly text: string };

export type ToPrimary =
  /** It serves. */
  | { readonly kind: 'ready'; readonly serving: Serving }
  | { readonly kind: 'store'; readonly body: unknown }
  | { readonly kind: 'metrics'; readonly ask: number; readonly text: string }
  /** Asks for the metrics of all processes. */
  | { readonly kind: 'askAllMetrics'; readonly ask: number };

/** The messages between a worker's store and what the primary hosts of it. */
export interface StoreLink {
  send(body: unknown): void;
  onMessage(listener: (body: unknown) => void): void;
}
