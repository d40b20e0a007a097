/** A value now or later: the embedded engine returns point reads at once, a remote one does not. Callers `await`. */
export type Eventually<T> = T | Promise<T>;
