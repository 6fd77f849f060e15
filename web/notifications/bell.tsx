/** The bell in the bar with the number of unread notifications. The list is loaded on hover or focus. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import type { CurrentUser } from '../api/types.ts';
import { refetchUser } from '../auth/queries.ts';
import { loadWithTexts, t } from '../messages/messages.ts';
import { closeWhenLeft } from '../ui/popover.ts';
import { useLazyModule } from '../ui/use-loaded.ts';
import styles from './bell.module.css';

const loadNotificationPanel = loadWithTexts(() => import('./panel.tsx'), 'notifications');
const narrowScreen = '(max-width: 700px)';
const maxShown = 99;

export function NotificationBell({ user: { unread } }: { user: CurrentUser }) {
  const router = useRouter();
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [panel, begin] = useLazyModule(loadNotificationPanel);
  useUnreadOnFocus();
  const label = unread > 0 ? t('notificationsUnread', { count: unread }) : t('notifications');
  const handleClick = (event: MouseEvent) => {
    begin();
    // On a narrow screen, and on the notifications page itself, the bell opens that page instead of a popup.
    if (!matchMedia(narrowScreen).matches && router.state.location.pathname !== '/notifications') return;
    event.preventDefault();
    void router.navigate({ to: '/notifications' });
  };
  return (
    <>
      <button
        className={styles.bell}
        type="button"
        popoverTarget="notifications"
        aria-label={label}
        title={label}
        onPointerEnter={begin}
        onFocus={begin}
        onClick={handleClick}
      >
        <BellIcon size={20} aria-hidden="true" />
        {unread > 0 && (
          <span className={styles.count} aria-hidden="true">
            {unread > maxShown ? `${maxShown}+` : unread}
          </span>
        )}
      </button>
      <div
        ref={popover}
        className={styles.popover}
        id="notifications"
        popover="auto"
        role="dialog"
        aria-label={t('notifications')}
        onBlur={closeWhenLeft}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && panel && <panel.NotificationPanel close={() => popover.current?.hidePopover()} />}
      </div>
    </>
  );
}

/** Reloads the number of unread notifications on return to the tab; no timer polls. */
function useUnreadOnFocus(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refetchIfVisible = () => {
      if (document.visibilityState === 'visible') void refetchUser(client);
    };
    window.addEventListener('focus', refetchIfVisible);
    document.addEventListener('visibilitychange', refetchIfVisible);
    return () => {
      window.removeEventListener('focus', refetchIfVisible);
      document.removeEventListener('visibilitychange', refetchIfVisible);
    };
  }, [client]);
}
