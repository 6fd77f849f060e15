/** A dialog that moves an album into another album or to the top level. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { SelectField } from '../ui/fields.tsx';
import { createFieldErrorLookup, Form } from '../ui/form.tsx';
import { type FillableAlbum, fillableAlbumsQuery } from '../upload/queries.ts';
import type { AlbumDialogProps } from './dialog-props.ts';
import { useUpdateAlbum } from './queries.ts';

export function MoveAlbumDialog({ album, onClose }: AlbumDialogProps) {
  const { data = [] } = useQuery(fillableAlbumsQuery(album.user.id));
  const change = useUpdateAlbum(album.id);
  const [parent, setParent] = useState(album.parent_id);
  return (
    <Dialog title={t('albumMoveTitle', { album: album.name })} onClose={onClose}>
      <Form
        onSubmit={() => change.mutate({ parent_id: parent }, { onSuccess: onClose })}
        error={change.error}
        isBusy={change.isPending}
        end={
          <DialogButtons>
            <button className="button quiet" type="button" onClick={onClose}>
              {t('cancel')}
            </button>
            <button className="button" type="submit" aria-busy={change.isPending}>
              {t('albumMoveAction')}
            </button>
          </DialogButtons>
        }
      >
        <SelectField
          label={t('albumMoveTo')}
          hint={t('albumMoveText')}
          problem={createFieldErrorLookup(change.error)('parent_id')}
          value={parent}
          onChange={({ target }) => setParent(Number(target.value))}
        >
          <option value={0}>{t('albumTopLevel')}</option>
          {excludeDescendants(data, album.id).map(({ id, path }) => (
            <option key={id} value={id}>
              {path}
            </option>
          ))}
        </SelectField>
      </Form>
    </Dialog>
  );
}

/** Leaves out the album and its descendants: an album cannot lie inside itself. */
function excludeDescendants(albums: FillableAlbum[], id: number): FillableAlbum[] {
  const parentById = new Map(albums.map((one) => [one.id, one.parent_id]));
  const isWithin = (at: number | undefined): boolean =>
    at !== undefined && at !== 0 && (at === id || isWithin(parentById.get(at)));
  return albums.filter((one) => !isWithin(one.id));
}
