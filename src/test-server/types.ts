/** A request of a test, sent through the whole service without a socket. */
export interface InjectedRequest {
  /** Default: GET. */
  readonly method?: string;
  /** With its query: `/my-shop/resource/key=shoe-1?staged=true`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON; a text or bytes as they are, with the content type that `headers` says. */
  readonly body?: unknown;
  /** Scopes of the token that is sent, as `TestServer.token` takes them. Default: no token, unless `headers` has one. */
  readonly scope?: string;
}

export interface InjectedResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body parsed as JSON; undefined where it is empty or no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape.
  readonly json: any;
}

export interface TestServerOptions {
  /**
   * Settings by the names of their environment variables, as `grs config` lists them: `{ ACTIONS_DIR: './actions' }`.
   * The environment of the process is not read.
   */
  readonly settings?: Readonly<Record<string, string>>;
  /** Folder of the store, which stays. Default: a temporary one, which `close` removes. */
  readonly dataDir?: string;
  /** False: no socket is opened; `inject` works all the same. Default: true, on a free port of 127.0.0.1. */
  readonly listen?: boolean;
}

/** The service in this process, on a store of its own. Any number may run at once. */
export interface TestServer {
  /** Where it listens, such as `http://127.0.0.1:41233`. Throws if it was created with `listen: false`. */
  readonly url: string;
  /** Id and secret of the administrator client, which may do everything. */
  readonly admin: { readonly clientId: string; readonly clientSecret: string };
  /** An access token for scopes, separated by spaces: `manage_project:my-shop`. Tokens are kept and given out again. */
  token(scope: string): Promise<string>;
  /** Sends a request through the service without a socket. */
  inject(request: InjectedRequest): Promise<InjectedResponse>;
  /** Completes the requests in progress, closes the store, and removes its folder if it is a temporary one. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
