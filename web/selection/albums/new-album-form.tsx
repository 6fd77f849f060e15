/** A form that creates an album for photos: its name, and who can see it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Album, PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { DialogButtons } from '../../ui/dialog.tsx';
import { createFieldErrorLookup, Field, Form } from '../../ui/form.tsx';
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
    create.mutate({ name: String(new FormData(event.currentTarget).get('name')), visibility });
  };
  const findProblem = createFieldErrorLookup(create.error);
  return (
    <Form
      onSubmit={submit}
      error={create.error}
      isBusy={create.isPending}
      end={
        <DialogButtons>
          <button className="button quiet" type="button" onClick={onCancel}>
            {t('cancel')}
          </button>
          <button className="button" type="submit" aria-busy={create.isPending}>
            {t('newAlbumCreate')}
          </button>
        </DialogButtons>
      }
    >
      <Field
        name="name"
        label={t('newAlbumName')}
        problem={findProblem('name')}
        defaultValue={name}
        maxLength={100}
        autoFocus
      />
      <VisibilityField
        value={visibility}
        problem={findProblem('visibility')}
        isOfAlbum
        onChange={setVisibility}
      />
    </Form>
  );
}
