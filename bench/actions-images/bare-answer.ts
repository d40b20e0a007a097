/** The response of bare.ts at a path. */
export interface BareAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** The entity tag of everything that bare.ts returns. */
export const bareTag = '"bare"';
