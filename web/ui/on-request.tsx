/** A button that loads a form, replaces itself with the form, and focuses its first field. */
import { type ReactNode, useEffect, useRef } from 'react';
import { useLazyModule } from './use-loaded.ts';

interface Props<Module> {
  label: string;
  /** Loads the form's script. The function must keep its identity between renders. */
  load: () => Promise<Module>;
  children(module: Module): ReactNode;
}

export function LoadOnClick<Module>({ label, load, children }: Props<Module>) {
  const [module, begin] = useLazyModule(load);
  if (module) return <FocusOnMount>{children(module)}</FocusOnMount>;
  return (
    <div>
      <button className="button quiet" type="button" onClick={begin}>
        {label}
      </button>
    </div>
  );
}

function FocusOnMount({ children }: { children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus(), []);
  return <div ref={element}>{children}</div>;
}
