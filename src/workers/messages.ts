/** The messages between the processes of a service: plain data, in order. */

/** Where a service listens, and the issuer of its tokens. */
export interface Serving {
  /** `http://127.0.0.1:8080` */
  readonly address: string;
  readonly issuer: string;
}

/** What a process tells of itself: its metrics as text, or the calls that it remembers as a JSON array. */
export type Report = 'metrics' | 'calls';

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
  | { readonly kind: 'reportRequest'; readonly id: number; readonly report: Report }
  | { readonly kind: 'allReply'; readonly id: number; readonly text: string };

export type ToPrimary =
  /** The worker serves. */
  | { readonly kind: 'ready'; readonly serving: Serving }
  | { readonly kind: 'store'; readonly body: unknown }
  | { readonly kind: 'reportReply'; readonly id: number; readonly text: string }
  /** Asks for the report of all processes. */
  | { readonly kind: 'allRequest'; readonly id: number; readonly report: Report };
