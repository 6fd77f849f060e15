/** A dialog that makes one photo of an album its cover. */
import { useQuery } from '@tanstack/react-query';
import { t } from '../messages/messages.ts';
import { getPhotoName } from '../photos/name.ts';
import { createAlbumPhotoList, photoPageQuery } from '../photos/queries.ts';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { describeError } from '../ui/error-notice.tsx';
import styles from './cover-dialog.module.css';
import type { AlbumDialogProps } from './dialog-props.ts';
import { useUpdateAlbum } from './queries.ts';

export function ChooseCoverDialog({ album, onClose }: AlbumDialogProps) {
  const { data } = useQuery(photoPageQuery(createAlbumPhotoList(album), 1));
  const change = useUpdateAlbum(album.id);
  const choose = (cover_id: number) => {
    if (!change.isPending) change.mutate({ cover_id }, { onSuccess: onClose });
  };
  const photos = data?.list ?? [];
  return (
    <Dialog title={t('albumChangeCover')} onClose={onClose} isWide>
      {data && photos.length === 0 && <p>{t('albumEmpty')}</p>}
      <ul className={styles.covers}>
        {photos.map((photo) => (
          <li key={photo.id}>
            <button type="button" onClick={() => choose(photo.id)}>
              <img src={photo.thumb} loading="lazy" alt={getPhotoName(photo)} />
            </button>
          </li>
        ))}
      </ul>
      {change.error && (
        <p className={styles.problem} role="alert">
          {describeError(change.error)}
        </p>
      )}
      <DialogButtons>
        <button className="button quiet" type="button" onClick={() => choose(0)}>
          {t('albumCoverNewest')}
        </button>
      </DialogButtons>
    </Dialog>
  );
}
