/** A share link in the user's list. */
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Share } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { formatAgo, formatDate, isPast } from '../ui/time.ts';
import type { ShareDialogName } from './share-dialogs.tsx';
import styles from './shares.module.css';

const ShareDialogs = lazy(() =>
  import('./share-dialogs.tsx').then((part) => ({ default: part.ShareDialogs })),
);

/** Describes a target without a title: a photo can have none, and a target that is gone has neither title nor picture. */
function describeUntitled({ type, target }: Share): string {
  if (type === 'album') return t('unavailableAlbum');
  return t(target.thumb ? 'sharedPhoto' : 'unavailablePhoto');
}

export function ShareItem({ share }: { share: Share }) {
  const [opened, setOpened] = useState<ShareDialogName>();
  const closeDialog = () => setOpened(undefined);
  const title = share.target.title || describeUntitled(share);
  return (
    <li className={styles.item}>
      {share.target.thumb ? (
        <img src={share.target.thumb} alt="" loading="lazy" />
      ) : (
        <span className={styles.blank} />
      )}
      <div className={styles.what}>
        <p className={styles.name}>
          <ShareTargetLink share={share} title={title} />
          <ShareBadges share={share} />
        </p>
        <p className={styles.facts}>{describeShare(share)}</p>
      </div>
      <div className={styles.actions}>
        <button className="button quiet" type="button" onClick={() => setOpened('link')}>
          {t('shareLink')}
        </button>
        <button className="button quiet" type="button" onClick={() => setOpened('change')}>
          {t('shareEdit')}
        </button>
        <button className="button quiet" type="button" onClick={() => setOpened('revoke')}>
          {t('shareRevoke')}
        </button>
      </div>
      {opened && (
        <Suspense>
          <ShareDialogs {...{ share, title, opened }} onClose={closeDialog} />
        </Suspense>
      )}
    </li>
  );
}

function ShareTargetLink({ share: { type, target }, title }: { share: Share; title: string }) {
  // The target was deleted, or is hidden from the user who shared it.
  if (target.title === '' && target.thumb === '') return <span dir="auto">{title}</span>;
  if (type === 'album') {
    return (
      <Link to="/albums/$albumId" params={{ albumId: String(target.id) }} dir="auto">
        {title}
      </Link>
    );
  }
  return (
    <Link to="/photos/$photoId" params={{ photoId: String(target.id) }} dir="auto">
      {title}
    </Link>
  );
}

function ShareBadges({ share: { expire_time, max_views, views, has_password } }: { share: Share }) {
  if (expire_time !== '' && isPast(expire_time))
    return <span className={styles.bad}>{t('shareExpired')}</span>;
  if (max_views !== null && views >= max_views)
    return <span className={styles.bad}>{t('shareViewLimitReached')}</span>;
  return has_password && <span className={styles.mark}>{t('shareHasPassword')}</span>;
}

function describeShare(share: Share): string {
  const { type, views, max_views, downloads, last_view_time, expire_time, allow_download } = share;
  return [
    t(type === 'album' ? 'album' : 'photo'),
    max_views === null
      ? t('shareViews', { count: views })
      : t('shareViewsOf', { count: views, most: max_views }),
    downloads > 0 && t('shareDownloads', { count: downloads }),
    last_view_time && t('shareLastOpened', { time: formatAgo(last_view_time) }),
    !allow_download && t('shareNoDownload'),
    expire_time && !isPast(expire_time) && t('shareExpiresAt', { time: formatDate(expire_time) }),
  ]
    .filter(Boolean)
    .join(' · ');
}
