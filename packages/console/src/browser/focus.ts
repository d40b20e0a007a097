/** As `ref`: the element has the focus when it appears. The attribute `autofocus` works once per page only. */
export const focus = (element: HTMLElement | null): void => element?.focus();
