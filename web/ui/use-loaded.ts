/** Loads a script on demand. After a failure the next call tries again. */
import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Returns the loaded module and a function that starts loading. `load` must keep its identity between
 * renders.
 */
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
