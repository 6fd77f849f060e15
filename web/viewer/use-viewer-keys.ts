/** Keyboard shortcuts of the viewer. */
import { useLayoutEffect, useRef } from 'react';
import { listPhotoActions, type PhotoActionHandlers, type PhotoActionTarget } from '../photos/actions.ts';
import { readKey, readRatingKey } from '../ui/keys.ts';
import type { ViewerStage } from './stage.ts';

const stageActions: Record<string, (stage: ViewerStage) => void> = {
  ArrowRight: (stage) => stage.next(),
  ArrowLeft: (stage) => stage.previous(),
  Escape: (stage) => stage.close(),
  '+': ({ zoom }) => zoom.nearer(),
  '=': ({ zoom }) => zoom.nearer(),
  '-': ({ zoom }) => zoom.farther(),
  z: ({ zoom }) => zoom.toggle(),
};

/**
 * Handles the viewer's shortcuts. `read` returns what the stage shows at a key press, even before React
 * renders it.
 */
export function useViewerKeys(
  stage: ViewerStage | undefined,
  handlers: PhotoActionHandlers,
  read: () => PhotoActionTarget | undefined,
): void {
  const readNow = useRef(read);
  readNow.current = read;
  // A layout effect adds the listener together with the picture, so that the first key counts.
  useLayoutEffect(() => {
    if (!stage) return;
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event)) return;
      const pressed = readKey(event);
      const step = stageActions[event.key] ?? stageActions[pressed];
      const target = readNow.current();
      const action = target && listPhotoActions(target).find(({ key }) => key === pressed);
      const rating = readRatingKey(event);
      if (step) step(stage);
      else if (rating !== undefined && target && isRatable(target)) {
        handlers.rate(target.photo.id, rating, event.shiftKey);
      } else if (target && action?.isFor(target)) action.perform(target, handlers);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', handleKeyDown);
    return () => window.removeEventListener('keydown', handleKeyDown);
  }, [stage, handlers]);
}

function isRatable({ photo, user, isTrash }: PhotoActionTarget): boolean {
  return !isTrash && user?.id === photo.user.id;
}

/** Returns whether a field has the focus, where keys are text. Esc removes the focus. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || !target.matches('input, textarea, select')) return false;
  if (key === 'Escape') target.blur();
  return true;
}
