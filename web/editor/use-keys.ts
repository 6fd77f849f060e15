/** Keys of the editor. In a field they are letters. */
import { useLayoutEffect } from 'react';

export interface EditorKeys {
  leave(): void;
  undo(): void;
  redo(): void;
  turnLeft(): void;
  turnRight(): void;
  save(): void;
  /** How the photo was, as long as the key is held. */
  compare(isHeld: boolean): void;
}

export function useEditorKeys(keys: EditorKeys): void {
  // Together with what they act on: what was turned a moment ago is saved, and not left.
  useLayoutEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const act = findAction(event, keys);
      if (!act) return;
      event.preventDefault();
      act();
    };
    const handleKeyUp = ({ key }: KeyboardEvent) => {
      if (key.toLowerCase() === 'b') keys.compare(false);
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
  const key = event.key.toLowerCase();
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
