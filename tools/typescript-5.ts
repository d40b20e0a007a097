import { registerHooks } from 'node:module';

/**
 * Generators of clients print TypeScript with the API of its compiler. That of version 7, which checks this project, has
 * none, so programs that run after this module get version 5 for it.
 */
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});
