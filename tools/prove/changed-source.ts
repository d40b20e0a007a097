import { registerHooks } from 'node:module';

/** A text of a source file that is another one while a program runs. */
export interface SourceChange {
  /** The source file, from the root of the project. */
  readonly file: string;
  /** A text that stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
}

/** Changes one source file as it is loaded. To be called before it is, in each thread and process. */
export function changeSource({ file, from, to }: SourceChange): void {
  const target = new URL(`../../${file}`, import.meta.url).href;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (url !== target) return loaded;
      const [before, after, ...more] = String(loaded.source).split(from);
      // A change that changes nothing would prove nothing.
      if (after === undefined || more.length > 0) throw new Error(`${file} does not have this text once: ${from}`);
      return { ...loaded, source: `${before}${to}${after}` };
    },
  });
}
