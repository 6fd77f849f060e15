/** A part of the page that is loaded when it is meant to be used; where that fails, the next time tries again. */
import { useCallback, useEffect, useRef, useState } from 'react';

/** `load` stays the same from one rendering to the next. */
export function useLazyModule<Module>(load: () => Promise<Module>): [Module | undefined, () => void] {
  const [loaded, setLoaded] = useState<Module>();
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  const begin = useCallback(() => {
    load().then(
      (module) => isThere.current && setLoaded(() => module),
      () => {},
    );
  }, [load]);
  return [loaded, begin];
}
