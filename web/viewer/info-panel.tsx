/** What there is to know of a photo, beside it. */
import { Link } from '@tanstack/react-router';
import type { CurrentUser, Photo, User } from '../api/types.ts';
import { Avatar } from '../auth/avatar.tsx';
import { t } from '../messages/messages.ts';
import { conditionOf } from '../search/parts.ts';
import { audienceOf, exifLine, sizeLine, takenText } from './facts.ts';
import styles from './info-panel.module.css';

interface Props {
  photo: Photo | undefined;
  user: CurrentUser | null | undefined;
}

export function InfoPanel({ photo, user }: Props) {
  if (!photo) return <aside className={styles.panel} aria-label={t('info')} aria-busy="true" />;
  const camera = exifLine(photo);
  return (
    <aside className={styles.panel} aria-label={t('info')}>
      {photo.title && <h2 dir="auto">{photo.title}</h2>}
      <By user={photo.user} />
      {photo.description && (
        <p className={styles.description} dir="auto">
          {photo.description}
        </p>
      )}
      <dl className={styles.facts}>
        <Fact name={t('taken')} value={takenText(photo.taken_time)} />
        {camera && <Fact name={t('camera')} value={camera} more={photo.lens} />}
        <Fact name={t('picture')} value={sizeLine(photo)} more={photo.file_name} />
        {photo.album && <Fact name={t('album')} value={photo.album.name} />}
        <Fact name={t('whoSees')} value={audienceOf(photo, user)} />
        <Fact
          name={t('counts')}
          value={[
            t('views', { count: photo.views }),
            t('likes', { count: photo.likes }),
            t('downloads', { count: photo.downloads }),
          ].join(' · ')}
        />
      </dl>
      {photo.tags.length > 0 && (
        <ul className={styles.tags} aria-label={t('tags')}>
          {photo.tags.map((tag) => (
            <li key={tag}>
              <Link to="/search" search={{ q: conditionOf('tag', tag) }} dir="auto">
                {tag}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </aside>
  );
}

function By({ user }: { user: User }) {
  const content = (
    <>
      <Avatar user={user} />
      <bdi>{user.nickname || user.username}</bdi>
    </>
  );
  // Of an account that is disabled nothing is left but its id.
  if (user.username === '') return <p className={styles.by}>{content}</p>;
  return (
    <Link className={styles.by} to="/users/$name" params={{ name: user.username }}>
      {content}
    </Link>
  );
}

function Fact({ name, value, more }: { name: string; value: string; more?: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {more && <span>{more}</span>}
      </dd>
    </div>
  );
}
