/** The album that the chosen photos go into: one of the user's, a new one, or none. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '../messages/messages.ts';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import form from '../ui/form.module.css';
import { Field, fieldErrorOf } from '../ui/form.tsx';
import { textOf } from '../ui/trouble.tsx';
import { albumsToFill } from '../upload/queries.ts';
import styles from './album-dialog.module.css';
import { createAlbum } from './queries.ts';
import type { QuestionProps } from './question-props.ts';

export function AlbumDialog({ photos, user, onClose, onChange }: QuestionProps) {
  const { data: albums, error } = useQuery(albumsToFill(user.id));
  const [isNew, setNew] = useState(false);
  const create = useMutation({ mutationFn: createAlbum });
  const move = (album_id: number | null) => onChange({ action: 'move', album_id });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (create.isPending) return;
    const name = String(new FormData(event.currentTarget).get('name'));
    create.mutate(name, { onSuccess: ({ id }) => move(id) });
  };
  const showsForm = isNew || albums?.length === 0;
  const problem = fieldErrorOf(create.error)('name') ?? (create.error ? textOf(create.error) : undefined);
  return (
    <Dialog title={t('moveTitle', { count: photos.length })} onClose={onClose}>
      {error && <p role="alert">{textOf(error)}</p>}
      {showsForm ? (
        <form className={form.form} onSubmit={submit}>
          <Field name="name" label={t('moveNewName')} problem={problem} maxLength={100} autoFocus />
          <DialogButtons>
            <button className="button" type="submit" aria-busy={create.isPending}>
              {t('moveNewAct')}
            </button>
          </DialogButtons>
        </form>
      ) : (
        <>
          <ul className={styles.albums} aria-busy={!albums}>
            {albums?.map(({ id, path }) => (
              <li key={id}>
                <button type="button" onClick={() => move(id)}>
                  <span dir="auto">{path}</span>
                </button>
              </li>
            ))}
          </ul>
          <DialogButtons>
            <button className="button quiet" type="button" onClick={() => move(null)}>
              {t('moveNone')}
            </button>
            <button className="button" type="button" onClick={() => setNew(true)}>
              {t('moveNew')}
            </button>
          </DialogButtons>
        </>
      )}
    </Dialog>
  );
}
