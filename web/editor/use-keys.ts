/** Keyboard shortcuts of the editor. Most are off while a number field has the focus. */

import { useLayoutEffect } from 'react';
import { readKey } from '../ui/keys.ts';

export interface EditorKeys {
  leave(): void;
  undo(): void;
  redo(): void;
  turnLeft(): void;
  turnRight(): void;
  save(): void;
  /** Shows the photo before the edits while the key is held. */
  compare(isHeld: boolean): void;
}

export function useEditorKeys(keys: EditorKeys): void {
  // A layout effect installs the handlers with the state they act on, so that a quick "save" includes the
  // last rotation.
  useLayoutEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const act = findAction(event, keys);
      if (!act) return;
      event.preventDefault();
      act();
    };
    const handleKeyUp = (event: KeyboardEvent) => {
      if (readKey(event) === 'b') keys.compare(false);
    };
    window.addEventListener('keydown', handleKeyDown);
    window.addEventListener('keyup', handleKeyUp);
    return () => {
      window.removeEventListener('keydown', handleKeyDown);
      window.removeEventListener('keyup', handleKeyUp);
    };
  }, [keys]);
}

function findAction(event: KeyboardEvent, keys: EditorKeys): (() => void) | undefined {
  const { shiftKey, target } = event;
  const key = readKey(event);
  const isText = target instanceof HTMLElement && target.matches('input[type="number"]');
  if (event.ctrlKey || event.metaKey) {
    if (key === 's') return keys.save;
    if (isText) return undefined;
    if (key === 'z') return shiftKey ? keys.redo : keys.undo;
    return key === 'y' ? keys.redo : undefined;
  }
  if (event.altKey) return undefined;
  if (key === 'escape') return keys.leave;
  if (isText) return undefined;
  if (key === 'r') return shiftKey ? keys.turnLeft : keys.turnRight;
  return key === 'b' ? () => keys.compare(true) : undefined;
}
