/** The environment of this process. This is the only file that reads it. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Lets worker threads use the compile cache of the process as well: they look for it in their environment. */
export function offerCompileCache(folder: string): void {
  process.env.NODE_COMPILE_CACHE = folder;
}
