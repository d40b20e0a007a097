/** The messages between the processes of a service: plain data, in order. */

/** Where a service listens, and the issuer of its tokens. */
export interface Serving {
  /** `http://127.0.0.1:8080` */
  readonly address: string;
  readonly issuer: string;
}

/** From the primary, which starts the workers and does not serve itself, to a worker. */
export type ToWorker =
  /**
   * The first message: the number of the worker, from 1 on, whether it does the background work of the service, and
   * where the first worker serves; undefined for the first one itself.
   */
  | {
      readonly kind: 'start';
      readonly number: number;
      readonly tidies: boolean;
      readonly serving: Serving | undefined;
    }
  /** From the writer of the store. */
  | { readonly kind: 'store'; readonly body: unknown }
  /** Complete the requests in flight, then exit. */
  | { readonly kind: 'end' }
  | { readonly kind: 'metricsRequest'; readonly id: number }
  | { readonly kind: 'allMetricsReply'; readonly id: number; readonly text: string };

export type ToPrimary =
  /** The worker serves. */
  | { readonly kind: 'ready'; readonly serving: Serving }
  | { readonly kind: 'store'; readonly body: unknown }
  | { readonly kind: 'metricsReply'; readonly id: number; readonly text: string }
  /** Asks for the metrics of all processes. */
  | { readonly kind: 'allMetricsRequest'; readonly id: number };

/** A channel between the store of a worker and the part of it that the primary hosts. */
export interface StoreLink {
  send(body: unknown): void;
  onMessage(listener: (body: unknown) => void): void;
}
