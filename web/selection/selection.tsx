/** Selecting photos of a wall: the bar with what can be done, ranges, keys, and the questions that some acts ask. */

import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import type { PhotoItem } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { type ManyHands, manyActions } from '../photos/actions.ts';
import type { PhotoList } from '../photos/queries.ts';
import type { Layout } from '../photos/wall/layout.ts';
import type { Selecting, Spot } from '../photos/wall/selection-state.ts';
import { isForPage } from '../ui/keys.ts';
import { showToast } from '../ui/toast.tsx';
import { textOf } from '../ui/trouble.tsx';
import { useKeydown } from '../ui/use-keydown.ts';
import { AlbumDialog } from './album-dialog.tsx';
import { SelectionBar } from './bar.tsx';
import { DescribeDialog } from './describe-dialog.tsx';
import { PurgeDialog } from './purge-dialog.tsx';
import { makeArchive } from './queries.ts';
import { maxSelected, photosAt, photosBetween } from './range.ts';
import { TagDialog } from './tag-dialog.tsx';
import { useChanges } from './use-changes.ts';
import { useTileKeys } from './use-tile-keys.ts';

interface Props {
  list: PhotoList;
  layout: Layout;
  sheet: RefObject<HTMLElement | null>;
  reveal(index: number, id: number): void;
  spotOf(id: number): Spot | undefined;
  selecting: Selecting;
  /** The trash. */
  isOnlyPicked: boolean;
}

type Question = Parameters<ManyHands['ask']>[0];
const dialogs = { tag: TagDialog, describe: DescribeDialog, move: AlbumDialog, purge: PurgeDialog };

export function Selection(props: Props) {
  const { list, selecting, isOnlyPicked } = props;
  const user = useUser();
  const [question, setQuestion] = useState<Question>();
  const { isReading } = useRanges(props);
  const { change, busy } = useChanges(list, selecting);
  useTileKeys(props);
  const { selected } = selecting.marks;
  const photos = [...selected.values()];
  const end = () => selecting.setSelected(new Map());
  const target = user && photos.length > 0 ? { photos, user, isTrash: isOnlyPicked } : undefined;
  const hands: ManyHands = {
    change: (given) => void change(given),
    ask: setQuestion,
    archive: () => {
      makeArchive([...selected.keys()]).then(({ url }) => download(url), tell);
    },
  };
  useActionKeys(
    (key) => {
      if (key === 'escape') end();
      const action = target && manyActions.find((one) => one.key === key && one.isFor(target));
      action?.perform(target!, hands);
      return action !== undefined || key === 'escape';
    },
    target !== undefined && busy === undefined,
  );

  if (!target) return null;
  const Question = question && dialogs[question];
  return (
    <>
      {createPortal(
        <SelectionBar {...{ target, hands, end }} busy={busy ?? (isReading ? t('selecting') : undefined)} />,
        document.body,
      )}
      {Question && (
        <Question
          photos={photos}
          user={target.user}
          onClose={() => setQuestion(undefined)}
          onChange={(given) => {
            setQuestion(undefined);
            void change(given);
          }}
        />
      )}
    </>
  );
}

/** From the anchor to where one clicked with Shift, and all of the list with Ctrl+A or ⌘A. */
function useRanges({ list, layout, selecting, isOnlyPicked }: Props) {
  const client = useQueryClient();
  const [isReading, setReading] = useState(false);
  const { anchor, rangeEnd, marks } = selecting;
  const add = useEffectEvent(
    async (count: number, read: () => Promise<PhotoItem[] | undefined>, last?: Spot) => {
      if (count > maxSelected) {
        selecting.setSelected(marks.selected, anchor);
        return showToast({ text: t('selectTooMany', { count, max: maxSelected }), isAlarm: true });
      }
      setReading(true);
      try {
        const found = await read();
        if (!found) throw new Error(t('selectChanged'));
        selecting.setSelected(
          new Map([...marks.selected, ...found.map((photo) => [photo.id, photo] as const)]),
          last,
        );
      } catch (error) {
        selecting.setSelected(marks.selected, anchor);
        tell(error as Error);
      } finally {
        setReading(false);
      }
    },
  );
  useEffect(() => {
    if (!rangeEnd) return;
    const from = anchor ?? rangeEnd;
    const count = Math.abs(from.index - rangeEnd.index) + 1;
    void add(count, () => photosBetween(client, list, [from, rangeEnd]), rangeEnd);
  }, [client, list, anchor, rangeEnd]);
  useKeydown((event) => {
    if (
      event.key.toLowerCase() !== 'a' ||
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey
    )
      return;
    if (
      !isForPage(event) ||
      !marks.isOffered ||
      (marks.selected.size === 0 && !isOnlyPicked && !isAtTile(event))
    )
      return;
    event.preventDefault();
    const last = layout.places.at(-1)?.section;
    const total = last ? last.from + last.count : 0;
    if (total > 0) void add(total, () => photosAt(client, list, 0, total - 1));
  });
  return { isReading };
}

function isAtTile({ target }: KeyboardEvent): boolean {
  return (target as Element).closest('.tile') !== null;
}

function useActionKeys(onKey: (key: string) => boolean, isOn: boolean): void {
  useKeydown((event) => {
    if (!isForPage(event) || event.metaKey || event.ctrlKey || event.altKey) return;
    if (onKey(event.key.toLowerCase())) event.preventDefault();
  }, isOn);
}

function tell(error: Error): void {
  showToast({ text: error.name === 'Error' ? error.message : textOf(error), isAlarm: true });
}

function download(url: string): void {
  const link = document.createElement('a');
  link.href = new URL(url).pathname;
  link.download = '';
  link.click();
}
