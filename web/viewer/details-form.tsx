/** A form for the title, description, tags and visibility of the user's own photo. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { albumQuery } from '../albums/queries.ts';
import type { Photo, VisibilityLevel } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { PlaceField } from '../photos/place-field.tsx';
import { formatPlace, parsePlace } from '../photos/place-text.ts';
import { CheckedForm } from '../ui/checked-form.tsx';
import { describeError } from '../ui/error-notice.tsx';
import { TextAreaField } from '../ui/fields.tsx';
import form from '../ui/form.module.css';
import { createFieldErrorLookup, Field } from '../ui/form.tsx';
import { readWallClock } from '../ui/time.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { chooseNarrowerLevel } from '../visibility/levels.ts';
import { VisibilityField } from '../visibility/visibility-field.tsx';
import styles from './details-form.module.css';
import { type PhotoDetails, useSaveDetails } from './queries.ts';

interface Props {
  photo: Photo;
  close(): void;
}

export function PhotoDetailsForm({ photo, close }: Props) {
  const save = useSaveDetails(photo.id);
  const [visibility, setVisibility] = useState(photo.visibility);
  const { data: album } = useQuery({ ...albumQuery(photo.album?.id ?? 0), enabled: photo.album !== null });
  useReturnFocus();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (save.isPending) return;
    const changed = readChanges(new FormData(event.currentTarget), photo, visibility);
    if (Object.keys(changed).length === 0) return close();
    const above = photo.album ? (album ?? photo).effective_visibility : 'public';
    save.mutate({ changed, effective: chooseNarrowerLevel(visibility, above) }, { onSuccess: close });
  };
  const fieldError = createFieldErrorLookup(save.error);
  // The API names an invalid tag by its position: "tags.0".
  const findProblem = (name: string) =>
    fieldError(name) ?? (name === 'tags' ? fieldError('tags.0') : undefined);
  const told = ['title', 'description', 'tags', 'visibility', 'taken_time', 'location'].some(findProblem);
  return (
    <CheckedForm
      className={form.form}
      aria-label={t('editDetails')}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
    >
      <Field
        name="title"
        label={t('title')}
        problem={findProblem('title')}
        defaultValue={photo.title}
        required={false}
        maxLength={200}
        dir="auto"
        autoFocus
      />
      <TextAreaField
        name="description"
        label={t('description')}
        problem={findProblem('description')}
        defaultValue={photo.description}
        maxLength={2000}
        dir="auto"
      />
      <Field
        name="tags"
        label={t('tags')}
        problem={findProblem('tags')}
        defaultValue={formatTags(photo)}
        required={false}
        placeholder={t('tagsHint')}
        autoCapitalize="none"
        dir="auto"
      />
      <Field
        name="taken_time"
        label={t('dateTaken')}
        problem={findProblem('taken_time')}
        type="datetime-local"
        step={1}
        min="1000-01-01T00:00"
        max="9999-12-31T23:59:59"
        defaultValue={photo.taken_time.replace(' ', 'T')}
      />
      <PlaceField
        name="location"
        problem={findProblem('location')}
        defaultValue={formatLocation(photo)}
        required={false}
      />
      <VisibilityField
        value={visibility}
        album={album}
        problem={findProblem('visibility')}
        onChange={setVisibility}
      />
      {save.error && !told && (
        <p className={form.problem} role="alert">
          {describeError(save.error)}
        </p>
      )}
      <p className={styles.acts}>
        <button className="button" type="submit" aria-busy={save.isPending}>
          {t('save')}
        </button>
        <button className="button quiet" type="button" onClick={close}>
          {t('cancel')}
        </button>
      </p>
    </CheckedForm>
  );
}

/** Returns only the changed fields, so that changes by others and tags with a comma are kept. */
function readChanges(form: FormData, photo: Photo, visibility: VisibilityLevel): PhotoDetails {
  const readText = (name: string) => String(form.get(name)).trim();
  const [title, description] = [readText('title'), readText('description')];
  const takenTime = readWallClock(readText('taken_time'));
  return {
    ...(title !== photo.title && { title }),
    ...(description !== photo.description && { description }),
    ...(readText('tags') !== formatTags(photo) && { tags: parseTags(readText('tags')) }),
    ...(takenTime !== photo.taken_time && { taken_time: takenTime }),
    ...(readText('location') !== formatLocation(photo) && {
      location: parsePlace(readText('location')) ?? null,
    }),
    ...(visibility !== photo.visibility && { visibility }),
  };
}

const formatTags = ({ tags }: Photo) => tags.join(', ');

const formatLocation = ({ location }: Photo) => (location ? formatPlace(location) : '');

function parseTags(text: string): string[] {
  const tags = text.split(/[,，、\r\n]/).map((tag) => tag.trim());
  return [...new Set(tags)].filter(Boolean);
}
