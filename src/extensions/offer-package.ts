import { registerHooks } from 'node:module';

/** The name by which modules of the operator import what this package exports. */
const packageName = 'generic-resource-service';

let isOffered = false;

/**
 * Lets the operator's modules import this package by its name wherever they are: in a folder without node_modules, too,
 * and in a checkout that was not built. They get the running version. `entry` is the address of its exports.
 */
export function offerPackage(entry: URL): void {
  if (isOffered) return;
  isOffered = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === packageName ? { url: entry.href, shortCircuit: true } : next(specifier, context),
  });
}
