/** Notifications grouped by day, latest first. Scrolling to the end loads more. */
import { BellOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Notification } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { describeError, ErrorNotice } from '../ui/error-notice.tsx';
import { formatDay } from '../ui/time.ts';
import { NotificationItem } from './item.tsx';
import styles from './notifications.module.css';
import { useNotifications } from './queries.ts';

interface Props {
  /** Heading level of each day's title. */
  heading: 'h2' | 'h3';
  onOpen?: (() => void) | undefined;
}

export function NotificationList({ heading: Heading, onOpen }: Props) {
  const query = useNotifications();
  const { data, error, refetch, notifications, newIds } = query;
  if (error && !data) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!data) return <div className={styles.waiting} aria-busy="true" />;
  if (notifications.length === 0) {
    if (Heading === 'h3') return <p className={styles.empty}>{t('noNotificationsText')}</p>;
    const icon = <BellOff size={32} strokeWidth={1.5} />;
    return (
      <Card title={t('noNotifications')} text={t('noNotificationsText')} icon={icon}>
        <ButtonLink to="/explore/people">{t('findPeople')}</ButtonLink>
      </Card>
    );
  }
  return (
    <>
      {groupByDay(notifications).map(({ day, list }) => (
        <section key={day} className={styles.day}>
          <Heading>{day}</Heading>
          <ul>
            {list.map((one) => (
              <NotificationItem key={one.id} notification={one} isNew={newIds.has(one.id)} onOpen={onOpen} />
            ))}
          </ul>
        </section>
      ))}
      <LoadMore {...query} />
    </>
  );
}

function groupByDay(notifications: Notification[]): { day: string; list: Notification[] }[] {
  const days = Map.groupBy(notifications, ({ create_time }) => formatDay(create_time));
  return [...days].map(([day, list]) => ({ day, list }));
}

type NotificationsQuery = ReturnType<typeof useNotifications>;

/** A button that loads more when it scrolls into view; after an error the user must press it. */
function LoadMore({
  error,
  hasNextPage,
  fetchNextPage,
  isFetchingNextPage,
  isFetchNextPageError,
}: NotificationsQuery) {
  const button = useRef<HTMLButtonElement>(null);
  const isEager = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (!isEager) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), {
      rootMargin: '200px',
    });
    observer.observe(button.current!);
    return () => observer.disconnect();
  }, [isEager, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div className={styles.more}>
      {isFetchNextPageError && <p role="alert">{describeError(error!)}</p>}
      <button
        ref={button}
        className="button quiet"
        type="button"
        aria-busy={isFetchingNextPage}
        onClick={() => void fetchNextPage()}
      >
        {t('noticeShowOlder')}
      </button>
    </div>
  );
}
