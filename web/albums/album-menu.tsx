/** The menu of an album's owner. The script is loaded with the viewer's own album only. */
import { useNavigate } from '@tanstack/react-router';
import { FolderInput, FolderPlus, ImageIcon, Pencil, Settings2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { AlbumDetail } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { MenuButton, type MenuItem } from '../ui/menu.tsx';
import { showToast } from '../ui/toast.tsx';
import { AlbumForm } from './album-form.tsx';
import { ChooseCoverDialog } from './cover-dialog.tsx';
import type { AlbumDialogProps } from './dialog-props.ts';
import { MoveAlbumDialog } from './move-dialog.tsx';
import { NewAlbumDialog } from './new-album.tsx';
import { useDeleteAlbum, useUpdateAlbum } from './queries.ts';

type AlbumAction = 'edit' | 'move' | 'cover' | 'inner' | 'delete';

export function AlbumMenu({ album }: { album: AlbumDetail }) {
  const [act, setAct] = useState<AlbumAction>();
  const { is_smart: isSmart, user } = album;
  const closeDialog = () => setAct(undefined);
  const menuItem = (name: AlbumAction, label: string, icon: MenuItem['icon']) => ({
    ...{ name, label, icon: icon! },
    perform: () => setAct(name),
  });
  const items: MenuItem[] = [
    menuItem('edit', t(isSmart ? 'albumEditRule' : 'albumEditDetails'), Pencil),
    menuItem('move', t('albumMove'), FolderInput),
    ...(isSmart
      ? []
      : [
          menuItem('cover', t('albumChangeCover'), ImageIcon),
          menuItem('inner', t('albumNewSub'), FolderPlus),
        ]),
    { ...menuItem('delete', t('albumDelete'), Trash2), isDestructive: true },
  ];
  return (
    <>
      <MenuButton className="button quiet" label={t('albumOptions')} items={items}>
        <Settings2 size={18} aria-hidden="true" />
      </MenuButton>
      {act === 'edit' && <EditDialog album={album} onClose={closeDialog} />}
      {act === 'move' && <MoveAlbumDialog album={album} onClose={closeDialog} />}
      {act === 'cover' && <ChooseCoverDialog album={album} onClose={closeDialog} />}
      {act === 'inner' && <NewAlbumDialog user={user.id} parent={album} onClose={closeDialog} />}
      {act === 'delete' && <DeleteDialog album={album} onClose={closeDialog} />}
    </>
  );
}

function EditDialog({ album, onClose }: AlbumDialogProps) {
  const change = useUpdateAlbum(album.id);
  const { name, description, visibility, rule, user, parents } = album;
  return (
    <AlbumForm
      title={t(rule === null ? 'albumEditDetails' : 'albumEditRule')}
      action={t('save')}
      user={user.id}
      first={{ name, description, visibility, rule: rule ?? undefined }}
      above={parents.at(-1)}
      error={change.error}
      isBusy={change.isPending}
      onClose={onClose}
      onSubmit={(written) =>
        change.mutate(
          {
            ...{ name: written.name, description: written.description },
            ...(written.visibility !== visibility && { visibility: written.visibility }),
            ...(rule !== null && written.rule !== rule && { rule: written.rule }),
          },
          { onSuccess: onClose },
        )
      }
    />
  );
}

function DeleteDialog({ album: { id, name, photo_count, is_smart, parent_id }, onClose }: AlbumDialogProps) {
  const navigate = useNavigate();
  const remove = useDeleteAlbum(id);
  const leaveDeletedAlbum = () => {
    showToast({ text: t('albumDeleted', { album: name }) });
    if (parent_id === 0) return navigate({ to: '/albums', replace: true });
    return navigate({ to: '/albums/$albumId', params: { albumId: String(parent_id) }, replace: true });
  };
  return (
    <ConfirmDialog
      title={t('albumDeleteTitle', { album: name })}
      text={is_smart ? t('smartDeleteText') : t('albumDeleteText', { count: photo_count ?? 0 })}
      action={t('albumDelete')}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => void leaveDeletedAlbum() })}
      onClose={onClose}
    />
  );
}
