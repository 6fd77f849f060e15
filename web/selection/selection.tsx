/** Tools for selected photos: the bar, ranges, keyboard shortcuts, and dialogs of some actions. */

import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import type { AlbumDetail, PhotoItem } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import {
  type BulkAction,
  type BulkActionHandlers,
  type BulkActionTarget,
  bulkActions,
} from '../photos/bulk-actions.ts';
import { findAlbumOfList, isTrash, type PhotoList, refreshPhotoList } from '../photos/queries.ts';
import type { WallLayout } from '../photos/wall/layout.ts';
import type { ListedPhoto, PhotoPicker, PhotoSelectionState } from '../photos/wall/selection-state.ts';
import { describeError } from '../ui/error-notice.tsx';
import { isKeyForPage, readKey, readRatingKey } from '../ui/keys.ts';
import { showToast } from '../ui/toast.tsx';
import { useKeydown } from '../ui/use-keydown.ts';
import { ChooseAlbumsDialog } from './albums/dialog.tsx';
import { createRemovalFromAlbum } from './albums/remove.ts';
import { useRemoveFromAlbum } from './albums/use-leaving-change.ts';
import { PhotoPickerBar, SelectionBar } from './bar.tsx';
import { DateDialog } from './date-dialog.tsx';
import { DescribePhotosDialog } from './describe-dialog.tsx';
import { PlaceDialog } from './place-dialog.tsx';
import { PurgePhotosDialog } from './purge-dialog.tsx';
import { createZipLink } from './queries.ts';
import { fetchPhotoRange, fetchPhotosBetween, maxSelected } from './range.ts';
import { RatingDialog } from './rating-dialog.tsx';
import { TagDialog } from './tag-dialog.tsx';
import { useBulkChanges } from './use-changes.ts';
import { useTileKeys } from './use-tile-keys.ts';
import { VisibilityDialog } from './visibility-dialog.tsx';

interface Props {
  list: PhotoList;
  layout: WallLayout;
  sheet: RefObject<HTMLElement | null>;
  reveal(index: number, id: number): void;
  findListedPhoto(id: number): ListedPhoto | undefined;
  selecting: PhotoSelectionState;
  picker: PhotoPicker | undefined;
}

type BulkDialogName = Parameters<BulkActionHandlers['ask']>[0];
const dialogByAction = {
  tag: TagDialog,
  describe: DescribePhotosDialog,
  date: DateDialog,
  place: PlaceDialog,
  rate: RatingDialog,
  visibility: VisibilityDialog,
  purge: PurgePhotosDialog,
};

export function SelectionTools(props: Props) {
  const { list, layout, selecting, picker } = props;
  const client = useQueryClient();
  const user = useUser();
  const [question, setQuestion] = useState<BulkDialogName>();
  const { isReading } = useRangeSelection(props);
  const { changeSelected, busy: changing } = useBulkChanges(list, selecting);
  const { leave, busy: leaving } = useRemoveFromAlbum(list, selecting);
  const busy = changing ?? leaving;
  useTileKeys(props);
  const { selected } = selecting.marks;
  const photos = [...selected.values()];
  const clearSelection = () => selecting.setSelected(new Map());
  const album = findAlbumOfList(list);
  const total = countListedPhotos(layout);
  const target = user && photos.length > 0 ? { photos, user, isTrash: isTrash(list), album } : undefined;
  const handlers: BulkActionHandlers = {
    change: (given) => void changeSelected(given),
    ask: setQuestion,
    removeFromAlbum: (id) => {
      const name = client.getQueryData<AlbumDetail>(['albums', 'one', id])?.name ?? '';
      void leave(createRemovalFromAlbum(client, { id, name }, photos), photos);
    },
    archive: () => {
      createZipLink([...selected.keys()]).then(({ url }) => startDownload(url), showFailure);
    },
  };
  useActionKeys(
    (key, rating) => {
      if (key === 'escape') clearSelection();
      const isRated = rating !== undefined && !picker && bulkActions.some(isRatingFor(target!));
      if (isRated) handlers.change({ action: 'rate', rating });
      if (isRated) return true;
      const action = picker ? undefined : bulkActions.find((one) => one.key === key && one.isFor(target!));
      action?.perform(target!, handlers);
      return action !== undefined || key === 'escape';
    },
    target !== undefined && busy === undefined,
  );

  if (!target) return null;
  if (picker) {
    return createPortal(
      <PhotoPickerBar {...{ picker, photos, end: clearSelection }} isBusy={picker.isBusy || isReading} />,
      document.body,
    );
  }
  const Question = question && question !== 'album' && dialogByAction[question];
  return (
    <>
      {createPortal(
        <SelectionBar
          {...{ target, handlers, end: clearSelection }}
          selectAll={total > photos.length ? () => selecting.pickSection(0, total) : undefined}
          busy={busy ?? (isReading ? t('selecting') : undefined)}
        />,
        document.body,
      )}
      {question === 'album' && (
        <ChooseAlbumsDialog
          photos={photos}
          user={target.user}
          onClose={() => setQuestion(undefined)}
          reload={() => refreshPhotoList(client, list)}
          page={album === undefined ? undefined : { album, leave: (change) => void leave(change, photos) }}
          // A moved photo may have left the album whose photos the page shows.
          onDone={(changed, isMove) =>
            selecting.setSelected(isMove ? new Map() : new Map(changed.map((one) => [one.id, one])))
          }
        />
      )}
      {Question && (
        <Question
          photos={photos}
          user={target.user}
          onClose={() => setQuestion(undefined)}
          onChange={(given) => {
            setQuestion(undefined);
            void changeSelected(given);
          }}
        />
      )}
    </>
  );
}

/** Selects a range by Shift+click, and the whole list by Ctrl+A or ⌘A. */
function useRangeSelection({ list, layout, selecting, picker }: Props) {
  const client = useQueryClient();
  const [isReading, setReading] = useState(false);
  const { anchor, rangeEnd, wantedSection, marks } = selecting;
  const add = useEffectEvent(
    async (count: number, read: () => Promise<PhotoItem[] | undefined>, last?: ListedPhoto) => {
      if (count > maxSelected) {
        selecting.setSelected(marks.selected, anchor);
        return showToast({ text: t('selectTooMany', { count, max: maxSelected }), isError: true });
      }
      setReading(true);
      try {
        const found = await read();
        if (!found) throw new Error(t('selectListChanged'));
        selecting.setSelected(
          new Map([...marks.selected, ...found.map((photo) => [photo.id, photo] as const)]),
          last,
        );
      } catch (error) {
        selecting.setSelected(marks.selected, anchor);
        showFailure(error as Error);
      } finally {
        setReading(false);
      }
    },
  );
  /** Selects the photos of a section, or takes them out of the selection if all of them are selected. */
  const toggleSection = useEffectEvent(async (from: number, count: number) => {
    const read = () => fetchPhotoRange(client, list, from, from + count - 1);
    if (count > maxSelected) return add(count, read);
    const photos = await read().catch(() => undefined);
    if (!photos?.every(({ id }) => marks.selected.has(id) || marks.taken.has(id))) return add(count, read);
    const others = new Map(marks.selected);
    for (const { id } of photos) others.delete(id);
    selecting.setSelected(others, anchor);
  });
  useEffect(() => {
    if (!rangeEnd) return;
    const from = anchor ?? rangeEnd;
    const count = Math.abs(from.index - rangeEnd.index) + 1;
    void add(count, () => fetchPhotosBetween(client, list, [from, rangeEnd]), rangeEnd);
  }, [client, list, anchor, rangeEnd]);
  useEffect(() => {
    if (!wantedSection) return;
    const { from, count } = wantedSection;
    void toggleSection(from, count);
  }, [wantedSection]);
  useKeydown((event) => {
    if (readKey(event) !== 'a' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    if (
      !isKeyForPage(event) ||
      !marks.isOffered ||
      (marks.selected.size === 0 && !picker && !isAtTile(event))
    )
      return;
    event.preventDefault();
    const total = countListedPhotos(layout);
    if (total > 0) void add(total, () => fetchPhotoRange(client, list, 0, total - 1));
  });
  return { isReading };
}

function countListedPhotos({ placedSections }: WallLayout): number {
  const last = placedSections.at(-1)?.section;
  return last ? last.from + last.count : 0;
}

function isAtTile({ target }: KeyboardEvent): boolean {
  return (target as Element).closest('.tile') !== null;
}

const isRatingFor = (target: BulkActionTarget) => (action: BulkAction) =>
  action.name === 'rate' && action.isFor(target);

function useActionKeys(onKey: (key: string, rating?: number) => boolean, isOn: boolean): void {
  useKeydown((event) => {
    if (!isKeyForPage(event) || event.metaKey || event.ctrlKey || event.altKey) return;
    if (onKey(readKey(event), readRatingKey(event))) event.preventDefault();
  }, isOn);
}

function showFailure(error: Error): void {
  showToast({ text: error.name === 'Error' ? error.message : describeError(error), isError: true });
}

function startDownload(url: string): void {
  const link = document.createElement('a');
  link.href = new URL(url).pathname;
  link.download = '';
  link.click();
}
