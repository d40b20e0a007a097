import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { notifyError } from '../app/notices.tsx';

/**
 * A component that is loaded when it is first shown, so that the first view is small. Nothing is shown meanwhile.
 * `load` is called once; again where it failed.
 */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazily(props: P) {
    const [View, setView] = useState<ComponentType<P> | undefined>(() => loaded);
    useEffect(() => {
      if (View) return;
      load()
        .then((component) => {
          loaded = component;
          setView(() => component);
        })
        .catch(notifyError);
    }, []);
    return View ? <View {...props} /> : null;
  };
}
