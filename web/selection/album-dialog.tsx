/** A dialog that moves the selected photos into an album of the user, a new album, or none. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '../messages/messages.ts';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { describeError } from '../ui/error-notice.tsx';
import form from '../ui/form.module.css';
import { createFieldErrorLookup, Field } from '../ui/form.tsx';
import { fillableAlbumsQuery } from '../upload/queries.ts';
import { chooseWidest } from '../visibility/levels.ts';
import { VisibilityField } from '../visibility/visibility-field.tsx';
import styles from './album-dialog.module.css';
import type { BulkDialogProps } from './dialog-props.ts';
import { createAlbum } from './queries.ts';

export function MovePhotosDialog({ photos, user, onClose, onChange }: BulkDialogProps) {
  const { data: albums, error } = useQuery(fillableAlbumsQuery(user.id));
  const [isNew, setNew] = useState(false);
  // The new album is as visible as its photos, so that the move itself hides nothing.
  const [visibility, setVisibility] = useState(() =>
    chooseWidest(photos.map((photo) => photo.effective_visibility)),
  );
  const create = useMutation({ mutationFn: createAlbum });
  const moveTo = (album_id: number | null) => onChange({ action: 'move', album_id });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (create.isPending) return;
    const name = String(new FormData(event.currentTarget).get('name'));
    create.mutate({ name, visibility }, { onSuccess: ({ id }) => moveTo(id) });
  };
  const showsForm = isNew || albums?.length === 0;
  const problem =
    createFieldErrorLookup(create.error)('name') ?? (create.error ? describeError(create.error) : undefined);
  return (
    <Dialog title={t('moveTitle', { count: photos.length })} onClose={onClose}>
      {error && <p role="alert">{describeError(error)}</p>}
      {showsForm ? (
        <form className={form.form} onSubmit={submit}>
          <Field name="name" label={t('moveAlbumName')} problem={problem} maxLength={100} autoFocus />
          <VisibilityField value={visibility} isOfAlbum onChange={setVisibility} />
          <DialogButtons>
            <button className="button" type="submit" aria-busy={create.isPending}>
              {t('moveCreate')}
            </button>
          </DialogButtons>
        </form>
      ) : (
        <>
          <ul className={styles.albums} aria-busy={!albums}>
            {albums?.map(({ id, path }) => (
              <li key={id}>
                <button type="button" onClick={() => moveTo(id)}>
                  <span dir="auto">{path}</span>
                </button>
              </li>
            ))}
          </ul>
          <DialogButtons>
            <button className="button quiet" type="button" onClick={() => moveTo(null)}>
              {t('moveRemove')}
            </button>
            <button className="button" type="button" onClick={() => setNew(true)}>
              {t('moveNewAlbum')}
            </button>
          </DialogButtons>
        </>
      )}
    </Dialog>
  );
}
