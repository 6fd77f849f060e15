/** The field "Who can see this" of all forms for photos and albums. */
import { useId } from 'react';
import type { VisibilityLevel } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { useFieldProblem } from '../ui/validation.ts';
import {
  describeNarrowing,
  isWiderLevel,
  type NarrowingAlbum,
  useLevelLabel,
  visibilityLevels,
} from './levels.ts';
import styles from './visibility-field.module.css';

interface Props {
  /** The chosen level; undefined if the photos have different levels. */
  value: VisibilityLevel | undefined;
  onChange(level: VisibilityLevel): void;
  /** The album around the photo or album. A hint appears if the album is narrower than the chosen level. */
  album?: NarrowingAlbum | undefined;
  /** The widest level that an admin can give to photos of other people. */
  widest?: VisibilityLevel | undefined;
  /** True for the level of an album, which narrows the photos in the album. */
  isOfAlbum?: boolean;
  /** Further hint. */
  hint?: string | undefined;
  problem?: string | undefined;
}

export function VisibilityField({
  value,
  onChange,
  album,
  widest,
  isOfAlbum,
  hint,
  problem: apiProblem,
}: Props) {
  const id = useId();
  const [problem, handlers] = useFieldProblem(apiProblem);
  const getLabel = useLevelLabel();
  const offered = visibilityLevels.filter((level) => !widest || !isWiderLevel(level, widest));
  const narrowing = value && album && describeNarrowing(value, album);
  return (
    <fieldset className={styles.field} aria-describedby={`${id}-hint`} {...handlers}>
      <legend>{t('whoCanSee')}</legend>
      {offered.map((level) => (
        <label key={level}>
          <input
            type="radio"
            name={id}
            required
            checked={value === level}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? `${id}-problem` : undefined}
            onChange={() => onChange(level)}
          />
          {widest && level === 'private' ? t('onlyOwner') : getLabel(level)}
        </label>
      ))}
      <p id={`${id}-hint`} aria-live="polite">
        {[narrowing, isOfAlbum && t('albumNarrowsPhotos'), hint].filter(Boolean).join(' ')}
      </p>
      {problem && (
        <p id={`${id}-problem`} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
