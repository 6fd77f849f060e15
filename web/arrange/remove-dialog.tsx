/** Asks for confirmation before a photo leaves an album that hides it. */
import type { AlbumDetail } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';

/** Returns whether the album hides its photos: a removed public photo becomes visible to everybody. */
export function isHiddenByAlbum({ is_public, parents }: AlbumDetail): boolean {
  return is_public === 0 || parents.some((parent) => parent.is_public === 0);
}

interface Props {
  name: string;
  onConfirm(): void;
  onClose(): void;
}

export function RemoveFromAlbumDialog({ name, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      title={t('albumRemovePhotoTitle', { name })}
      text={t('albumRemovePhotoText')}
      action={t('albumRemovePhoto')}
      isHarmless
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
