import { registerHooks } from 'node:module';

/**
 * Imported for its effect: in this thread, relative imports between files of the service and of its packages are resolved
 * by their URL alone. Node would look for symbolic links and for a package of each file, which was a quarter of a thread's
 * start.
 */
const folders = ['./', '../packages/words/'].map((folder) => new URL(folder, import.meta.url).href);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL } = context;
    // Modules of the operator and of packages are left to Node.
    const isOwn = specifier.startsWith('.') && specifier.endsWith('.ts');
    if (!isOwn || !folders.some((folder) => parentURL?.startsWith(folder))) return nextResolve(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
  },
});
