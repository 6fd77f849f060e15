/**
 * A button that loads a form, replaces itself with the form, and focuses its first field. Closing the form
 * shows and focuses the button again.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLazyModule } from './use-loaded.ts';

interface Props<Module> {
  label: string;
  /** Loads the form's script. The function must keep its identity between renders. */
  load: () => Promise<Module>;
  children(module: Module, close: () => void): ReactNode;
}

export function LoadOnClick<Module>({ label, load, children }: Props<Module>) {
  const [module, begin] = useLazyModule(load);
  const [isClosed, setClosed] = useState(false);
  if (module && !isClosed) return <FocusOnMount>{children(module, () => setClosed(true))}</FocusOnMount>;
  const open = () => {
    setClosed(false);
    begin();
  };
  return (
    <div>
      {/* biome-ignore lint/a11y/noAutofocus: the user has just closed the form */}
      <button className="button quiet" type="button" autoFocus={isClosed} onClick={open}>
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
