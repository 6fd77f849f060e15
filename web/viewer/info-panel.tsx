/** The info panel beside a photo: details and comments. The script is loaded on first use. */
import { Link } from '@tanstack/react-router';
import { Flag, Pencil } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { CurrentUser, Photo, User } from '../api/types.ts';
import { Avatar } from '../auth/avatar.tsx';
import { Comments } from '../comments/comments.tsx';
import { t } from '../messages/messages.ts';
import { ReportForm } from '../reports/report-form.tsx';
import { formatSearchCondition } from '../search/parts.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { LinkedText } from '../ui/linked-text.tsx';
import { PhotoDetailsForm } from './details-form.tsx';
import { FileOffers } from './file-offers.tsx';
import styles from './info-panel.module.css';
import { PhotoFacts } from './photo-facts.tsx';

interface Props {
  photo: Photo | undefined;
  user: CurrentUser | null | undefined;
  /** The photo is in the trash, where nobody can change it. */
  isTrash: boolean;
  /** Error of a failed request for the photo's details. */
  error: Error | null;
  retry(): void;
  rate(id: number, rating: number): void;
  /** The user asked for the comments or the report form, which then get the focus. */
  wanted: 'comments' | 'report' | undefined;
  onWantedShown(): void;
}

export function PhotoInfoPanel({ photo, error, retry, ...props }: Props) {
  return (
    <PanelFrame isBusy={!photo && !error}>
      {photo ? (
        <PanelContent key={photo.id} photo={photo} {...props} />
      ) : (
        error && <ErrorNotice error={error} retry={retry} />
      )}
    </PanelFrame>
  );
}

function PanelFrame({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = panel.current!;
    // PhotoSwipe handles wheel events in its dialog; the panel must scroll instead.
    const stopWheel = (event: WheelEvent) => event.stopPropagation();
    element.addEventListener('wheel', stopWheel);
    return () => element.removeEventListener('wheel', stopWheel);
  }, []);
  return (
    <aside className={`always-dark ${styles.panel}`} ref={panel} aria-label={t('info')} aria-busy={isBusy}>
      {children}
    </aside>
  );
}

type ContentProps = Omit<Props, 'photo' | 'error' | 'retry'> & { photo: Photo };

function PanelContent({ photo, user, isTrash, rate, wanted, onWantedShown }: ContentProps) {
  useFocusNextPhoto();
  const [isEditing, setEditing] = useState(false);
  const [isReporting, setReporting] = useState(false);
  useEffect(() => {
    if (wanted !== 'report') return;
    setReporting(true);
    onWantedShown();
  }, [wanted, onWantedShown]);
  const isMine = user?.id === photo.user.id;
  const canEdit = isMine && !isTrash;
  if (isEditing) return <PhotoDetailsForm photo={photo} close={() => setEditing(false)} />;
  return (
    <>
      {photo.title && <h2 dir="auto">{photo.title}</h2>}
      <AuthorLine user={photo.user} />
      {photo.description && (
        <p className={styles.description} dir="auto">
          <LinkedText text={photo.description} />
        </p>
      )}
      {canEdit && (
        <button
          className={`button quiet ${styles.change}`}
          type="button"
          data-opens="details"
          onClick={() => setEditing(true)}
        >
          <Pencil size={16} aria-hidden="true" />
          {t('editDetails')}
        </button>
      )}
      {canEdit && <FileOffers photo={photo} />}
      <PhotoFacts {...{ photo, user, isTrash, rate }} />
      <TagList tags={photo.tags} />
      {!isTrash && (
        <Comments photo={photo} user={user} isWanted={wanted === 'comments'} onShown={onWantedShown} />
      )}
      {user && !isMine && (
        <div className={styles.report}>
          {isReporting ? (
            <ReportForm target="photo" id={photo.id} close={() => setReporting(false)} />
          ) : (
            <button type="button" data-opens="report" onClick={() => setReporting(true)}>
              <Flag size={15} aria-hidden="true" />
              {t('reportPhoto')}
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** When a focused element disappears with its photo, moves the focus to the next photo. */
function useFocusNextPhoto(): void {
  useLayoutEffect(
    () => () => {
      const at = document.activeElement;
      if (at?.closest(`.${styles.panel}`)) at.closest<HTMLElement>('.pswp')?.focus();
    },
    [],
  );
}

function TagList({ tags }: Pick<Photo, 'tags'>) {
  if (tags.length === 0) return null;
  return (
    <ul className={styles.tags} aria-label={t('tags')}>
      {tags.map((tag) => (
        <li key={tag}>
          <Link to="/search" search={{ q: formatSearchCondition('tag', tag) }} dir="auto">
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function AuthorLine({ user }: { user: User }) {
  const content = (
    <>
      <Avatar user={user} />
      <bdi>{user.nickname || user.username}</bdi>
    </>
  );
  // A disabled account has no name in API responses.
  if (user.username === '') return <p className={styles.by}>{content}</p>;
  return (
    <Link className={styles.by} to="/users/$name" params={{ name: user.username }}>
      {content}
    </Link>
  );
}
