/** A form that creates an album for photos: its name, and who can see it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Album, PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { DialogButtons } from '../../ui/dialog.tsx';
import { describeError } from '../../ui/error-notice.tsx';
import form from '../../ui/form.module.css';
import { createFieldErrorLookup, Field } from '../../ui/form.tsx';
import { chooseWidestLevel } from '../../visibility/levels.ts';
import { VisibilityField } from '../../visibility/visibility-field.tsx';
import { createAlbum } from './queries.ts';

interface Props {
  name: string;
  photos: PhotoItem[];
  onCreated(album: Album): void;
  onCancel(): void;
}

export function NewAlbumForm({ name, photos, onCreated, onCancel }: Props) {
  // The new album is as visible as its photos, so that the album hides none of them.
  const [visibility, setVisibility] = useState(() =>
    chooseWidestLevel(photos.map((photo) => photo.effective_visibility)),
  );
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: createAlbum,
    onSuccess: (album) => {
      void client.invalidateQueries({ queryKey: ['albums'] });
      onCreated(album);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (create.isPending) return;
    create.mutate({ name: String(new FormData(event.currentTarget).get('name')), visibility });
  };
  const problem =
    createFieldErrorLookup(create.error)('name') ?? (create.error ? describeError(create.error) : undefined);
  return (
    <form className={form.form} onSubmit={submit}>
      <Field
        name="name"
        label={t('newAlbumName')}
        problem={problem}
        defaultValue={name}
        maxLength={100}
        autoFocus
      />
      <VisibilityField value={visibility} isOfAlbum onChange={setVisibility} />
      <DialogButtons>
        <button className="button quiet" type="button" onClick={onCancel}>
          {t('cancel')}
        </button>
        <button className="button" type="submit" aria-busy={create.isPending}>
          {t('newAlbumCreate')}
        </button>
      </DialogButtons>
    </form>
  );
}
