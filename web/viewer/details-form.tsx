/** A form for the title, description, tags and visibility of the user's own photo. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { albumQuery } from '../albums/queries.ts';
import type { Photo, VisibilityLevel } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { formatPlace, parsePlace } from '../photos/place-text.ts';
import { describeError } from '../ui/error-notice.tsx';
import { createFieldErrorLookup } from '../ui/form.tsx';
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
  const id = useId();
  const save = useSaveDetails(photo.id);
  const [visibility, setVisibility] = useState(photo.visibility);
  const { data: album } = useQuery({ ...albumQuery(photo.album?.id ?? 0), enabled: photo.album !== null });
  useReturnFocus();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
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
  const fieldProps = (name: string) => ({
    name,
    'aria-invalid': findProblem(name) ? (true as const) : undefined,
    'aria-describedby': findProblem(name) ? `${id}-${name}` : undefined,
  });
  const problemText = (name: string) =>
    findProblem(name) && (
      <span id={`${id}-${name}`} className={styles.problem} role="alert">
        {findProblem(name)}
      </span>
    );
  return (
    <form
      className={styles.form}
      aria-label={t('editDetails')}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
    >
      <label>
        {t('title')}
        {/* biome-ignore lint/a11y/noAutofocus: the user pressed a button to open the form */}
        <input {...fieldProps('title')} defaultValue={photo.title} maxLength={200} dir="auto" autoFocus />
        {problemText('title')}
      </label>
      <label>
        {t('description')}
        <textarea
          {...fieldProps('description')}
          defaultValue={photo.description}
          maxLength={2000}
          rows={4}
          dir="auto"
        />
        {problemText('description')}
      </label>
      <label>
        {t('tags')}
        <input
          {...fieldProps('tags')}
          defaultValue={formatTags(photo)}
          placeholder={t('tagsHint')}
          autoCapitalize="none"
          dir="auto"
        />
        {problemText('tags')}
      </label>
      <label>
        {t('dateTaken')}
        <input
          {...fieldProps('taken_time')}
          type="datetime-local"
          step={1}
          min="1000-01-01T00:00"
          max="9999-12-31T23:59:59"
          defaultValue={photo.taken_time.replace(' ', 'T')}
          required
        />
        {problemText('taken_time')}
      </label>
      <label>
        {t('place')}
        <input
          {...fieldProps('location')}
          defaultValue={formatLocation(photo)}
          placeholder="46.0207, 7.7491"
          autoComplete="off"
          maxLength={500}
          onInput={({ currentTarget }) =>
            currentTarget.setCustomValidity(findPlaceProblem(currentTarget.value))
          }
        />
        <small>{t('placeHint')}</small>
        {problemText('location')}
      </label>
      <VisibilityField
        value={visibility}
        album={album}
        problem={findProblem('visibility')}
        onChange={setVisibility}
      />
      {save.error && !told && (
        <p className={styles.problem} role="alert">
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
    </form>
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

/** Returns why the browser refuses a text as a place, or '' for a place or no text. */
const findPlaceProblem = (text: string) =>
  text.trim() === '' || parsePlace(text) ? '' : t('placeUnreadable');

function parseTags(text: string): string[] {
  const tags = text.split(/[,，、\r\n]/).map((tag) => tag.trim());
  return [...new Set(tags)].filter(Boolean);
}
