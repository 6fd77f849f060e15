/**
 * Selects photos of a wall by click and long press, and shows their marks. The bar, shortcuts and ranges are
 * in `selection/`, which is loaded with the first selection.
 */

import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { PhotoItem } from '../../api/types.ts';
import { useUser } from '../../auth/queries.ts';
import { loadWithTexts } from '../../messages/messages.ts';
import { readKey } from '../../ui/keys.ts';
import type { EarlyKey } from '../../ui/replay-keys.ts';
import { useLazyModule } from '../../ui/use-loaded.ts';
import type { PhotoList } from '../queries.ts';
import type { ListedPhoto, PhotoPicker, PhotoSelectionState, SelectionMarks } from './selection-state.ts';

const loadSelection = loadWithTexts(() => import('../../selection/selection.tsx'), 'selection', 'visibility');
const emptySelection: Pick<SelectionMarks, 'selected' | 'leaving'> = {
  selected: new Map(),
  leaving: new Set(),
};
const noPhotos: ReadonlySet<number> = new Set();
const tileKeys = /^(?:Arrow.*|Home|End| |x)$/i;
const longPressMs = 450;
/** Pixels that a finger may move during a long press. */
const slackPx = 10;

interface SelectionRange {
  anchor?: ListedPhoto | undefined;
  end?: ListedPhoto | undefined;
  section?: { from: number; count: number };
}

export function usePhotoSelection(
  list: PhotoList,
  findListedPhoto: (id: number) => ListedPhoto | undefined,
  picker: PhotoPicker | undefined,
) {
  const isOffered = Boolean(useUser());
  const taken = picker?.taken ?? noPhotos;
  const isKept = picker !== undefined;
  const [tools, begin] = useLazyModule(loadSelection);
  const [shown, setShown] = useState(emptySelection);
  const [{ anchor, end: rangeEnd, section: wantedSection }, setRange] = useState<SelectionRange>({});
  // A new list starts with an empty selection. A picker keeps the selection of several searches.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run for each new list
  useEffect(() => {
    if (!isKept) setShown(emptySelection);
    setRange({});
  }, [list]);

  const setSelected = useCallback(
    (selected: SelectionMarks['selected'], next?: ListedPhoto) => {
      const allowed = new Map([...selected].filter(([id]) => !taken.has(id)));
      setShown(({ leaving }) => ({ selected: allowed, leaving }));
      setRange(({ anchor }) => (allowed.size === 0 ? {} : { anchor: next ?? anchor }));
    },
    [taken],
  );
  const setLeaving = useCallback(
    (leaving: SelectionMarks['leaving']) => setShown(({ selected }) => ({ selected, leaving })),
    [],
  );
  const pick = useCallback(
    (spot: ListedPhoto, isRange: boolean) => {
      begin();
      if (taken.has(spot.photo.id) && !isRange) return;
      if (isRange) return setRange(({ anchor }) => ({ anchor, end: spot }));
      setShown(({ selected, leaving }) => ({ selected: toggleSelected(selected, spot.photo), leaving }));
      setRange({ anchor: spot });
    },
    [begin, taken],
  );
  const pickSection = useCallback(
    (from: number, count: number) => {
      begin();
      setRange(({ anchor }) => ({ anchor, section: { from, count } }));
    },
    [begin],
  );
  const missed = useRef<EarlyKey[]>([]);
  const readMissedKeys = useCallback(() => missed.current.splice(0), []);
  const marks = useMemo(() => ({ isOffered, taken, ...shown }), [isOffered, taken, shown]);
  const selecting: PhotoSelectionState = {
    marks,
    anchor,
    rangeEnd,
    wantedSection,
    setSelected,
    setLeaving,
    pick,
    pickSection,
    readMissedKeys,
  };
  const press = useLongPress((id) => {
    const spot = isOffered && findListedPhoto(id);
    if (spot) pick(spot, false);
  });
  const queueMissedKey = (event: KeyboardEvent) => {
    const isChord = event.metaKey || event.ctrlKey || event.altKey;
    const tile = (event.target as Element).closest<HTMLElement>('.tile[data-id]');
    if (tools || !tile || isChord || !tileKeys.test(event.key.length > 1 ? event.key : readKey(event)))
      return;
    event.preventDefault();
    begin();
    missed.current.push({ tile, key: event.key, code: event.code, shiftKey: event.shiftKey });
  };
  return { selecting, Tools: tools?.SelectionTools, begin, press, queueMissedKey };
}

function toggleSelected(selected: SelectionMarks['selected'], photo: PhotoItem): SelectionMarks['selected'] {
  const next = new Map(selected);
  if (!next.delete(photo.id)) next.set(photo.id, photo);
  return next;
}

/** Detects a long press on a tile; the click that follows must be ignored. */
function useLongPress(onHold: (id: number) => void) {
  const held = useRef({ timer: 0, x: 0, y: 0, isDone: false });
  const cancelTimer = () => clearTimeout(held.current.timer);
  return {
    /** Returns once after each long press whether it happened. */
    wasLong(): boolean {
      const was = held.current.isDone;
      held.current.isDone = false;
      return was;
    },
    handlers: {
      onPointerDown({ pointerType, target, clientX, clientY }: PointerEvent) {
        const tile = (target as Element).closest<HTMLElement>('.tile[data-id]');
        cancelTimer();
        held.current.isDone = false;
        if (pointerType !== 'touch' || !tile) return;
        const timer = window.setTimeout(() => {
          held.current.isDone = true;
          onHold(Number(tile.dataset.id));
        }, longPressMs);
        held.current = { timer, x: clientX, y: clientY, isDone: false };
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        const { x, y } = held.current;
        if (Math.hypot(clientX - x, clientY - y) > slackPx) cancelTimer();
      },
      onPointerUp: cancelTimer,
      onPointerCancel: cancelTimer,
      onContextMenu(event: { preventDefault(): void }) {
        if (held.current.isDone) event.preventDefault();
      },
    },
  };
}
