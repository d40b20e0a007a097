/** The JSON source text access proposal, in V8 but not yet in TypeScript's library. */
interface JSON {
  /** A number (or other primitive) that `JSON.stringify` writes with exactly this text. */
  rawJSON(text: string): { readonly rawJSON: string };
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
}
