/**
 * The dialog "Add to album" for one photo or a selection. For one photo, ticks show which albums contain the
 * photo, and the dialog stays open. For a selection, the dialog closes after the choice of an album.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { Album, CurrentUser, PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { photoQuery } from '../../photos/queries.ts';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Switch } from '../../ui/fields.tsx';
import { createAdditionToAlbum } from './add.ts';
import { AlbumChoiceList } from './album-list.tsx';
import { performAlbumChange, type ReloadList, type UndoableAlbumChange } from './change.ts';
import { createMoveToAlbum, maxUndoableMove } from './move.ts';
import { NewAlbumForm } from './new-album-form.tsx';
import { createRemovalFromAlbum } from './remove.ts';

interface Props {
  photos: PhotoItem[];
  user: CurrentUser;
  onClose(): void;
  /** Reloads the list that the page shows. */
  reload?: ReloadList;
  /** Called with the changed photos before the dialog closes; `isMove` is true after a move. */
  onDone?(photos: PhotoItem[], isMove: boolean): void;
  /** The album that the page shows. The page itself performs a change that removes the photo from this album. */
  page?: { album: number; leave(change: UndoableAlbumChange): void } | undefined;
}

export function ChooseAlbumsDialog({ photos, user, onClose, reload, onDone, page }: Props) {
  const client = useQueryClient();
  const { history } = useRouter();
  const only = photos.length === 1 ? photos[0] : undefined;
  const { data: detail } = useQuery({ ...photoQuery(only?.id ?? 0), enabled: only !== undefined });
  const [isMove, setMove] = useState(false);
  /** The album whose photos are being changed, and its tick after the change. */
  const [busy, setBusy] = useState<{ id: number; isTicked: boolean }>();
  const [newName, setNewName] = useState<string>();
  const count = photos.length;
  const staysOpen = only !== undefined && !isMove;
  const isTicked = ({ id }: Pick<Album, 'id'>) =>
    busy?.id === id ? busy.isTicked : (detail?.albums.some((one) => one.id === id) ?? false);

  const run = async (album: Pick<Album, 'id' | 'name'>, change: UndoableAlbumChange, leaves: boolean) => {
    if (busy !== undefined) return;
    if (page && leaves) {
      onClose();
      return page.leave(change);
    }
    setBusy({ id: album.id, isTicked: !isTicked(album) });
    const isRemoval = staysOpen && isTicked(album);
    const openAlbum = () => history.push(`/albums/${album.id}`);
    const isDone = await performAlbumChange(change, reload, isRemoval ? undefined : openAlbum);
    setBusy(undefined);
    if (!isDone) return;
    onDone?.(change.changedPhotos(), isMove);
    if (staysOpen) setNewName(undefined);
    else onClose();
  };
  const choose = (album: Pick<Album, 'id' | 'name'>) => {
    if (isMove) {
      const leaves = detail?.album?.id === page?.album && album.id !== page?.album;
      return run(album, createMoveToAlbum(client, album, photos), leaves);
    }
    if (only && isTicked(album)) {
      return run(album, createRemovalFromAlbum(client, album, photos), album.id === page?.album);
    }
    return run(album, createAdditionToAlbum(client, album, photos), false);
  };

  return (
    <Dialog title={t(isMove ? 'moveTitle' : 'addTitle', { count })} onClose={onClose}>
      {newName !== undefined ? (
        <NewAlbumForm
          name={newName}
          photos={photos}
          onCreated={choose}
          onCancel={() => setNewName(undefined)}
        />
      ) : (
        <>
          <AlbumChoiceList
            user={user.id}
            busy={busy?.id}
            mainId={only && detail?.album?.id}
            isTicked={staysOpen ? isTicked : undefined}
            isDisabled={only !== undefined && !detail}
            onChoose={choose}
            onNew={setNewName}
          />
          <Switch
            name="move"
            label={t('moveInsteadOfAdd')}
            hint={
              isMove && count > maxUndoableMove ? t('moveNotUndone', { max: maxUndoableMove }) : t('moveHint')
            }
            checked={isMove}
            onChange={setMove}
          />
          {staysOpen && (
            <DialogButtons>
              <button className="button" type="button" onClick={onClose}>
                {t('addDone')}
              </button>
            </DialogButtons>
          )}
        </>
      )}
    </Dialog>
  );
}
