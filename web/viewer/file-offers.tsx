/** Lists values of the file that differ from those of the photo, each with a button that takes the value over. */
import type { Photo, PhotoUpdate } from '../api/types.ts';
import { type MessageKey, t } from '../messages/messages.ts';
import { formatPlace } from '../photos/place-text.ts';
import { describeError } from '../ui/error-notice.tsx';
import { formatTakenTime } from './facts.ts';
import styles from './file-offers.module.css';
import { useTakeFromFile } from './queries.ts';

type Field = NonNullable<PhotoUpdate['from_file']>[number];
type FileValues = NonNullable<Photo['file']>;

const labels: Record<Field, MessageKey> = {
  taken_time: 'dateTaken',
  location: 'place',
  rating: 'rating',
  title: 'title',
  description: 'description',
  tags: 'tags',
};

export function FileOffers({ photo }: { photo: Photo }) {
  const take = useTakeFromFile(photo.id);
  const file = photo.file ?? {};
  const fields = (Object.keys(labels) as Field[]).filter((field) => file[field] !== undefined);
  if (fields.length === 0) return null;
  return (
    <section className={styles.offers} aria-label={t('fileSays')}>
      <h3>{t('fileSays')}</h3>
      <ul>
        {fields.map((field) => (
          <li key={field}>
            <p>
              <small>{t(labels[field])}</small>
              <span dir="auto">{formatValue(file, field) || t('fileSaysNothing')}</span>
            </p>
            <button
              className="button quiet"
              type="button"
              aria-label={t('useFileValue', { field: t(labels[field]) })}
              aria-busy={take.isPending}
              onClick={() => !take.isPending && take.mutate([field])}
            >
              {t('useIt')}
            </button>
          </li>
        ))}
      </ul>
      {take.error && <p role="alert">{describeError(take.error)}</p>}
    </section>
  );
}

function formatValue(file: FileValues, field: Field): string {
  switch (field) {
    case 'taken_time':
      return file.taken_time ? formatTakenTime(file.taken_time) : '';
    case 'location':
      return file.location ? formatPlace(file.location) : '';
    case 'rating':
      return file.rating ? t('stars', { count: file.rating }) : '';
    case 'tags':
      return file.tags?.join(', ') ?? '';
    default:
      return file[field] ?? '';
  }
}
