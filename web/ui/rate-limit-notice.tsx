/** Tells the user that calls wait for the next minute of the rate limit, with a countdown. */
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { rateLimiter } from '../api/rate-limiter.ts';
import { t } from '../messages/messages.ts';
import styles from './rate-limit-notice.module.css';

export function RateLimitNotice() {
  const [until, setUntil] = useState<number>();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => rateLimiter.onWait(setUntil), []);
  useEffect(() => {
    if (until === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  if (until === undefined) return null;
  const count = Math.max(1, Math.ceil((until - now) / 1000));
  // The page is inert below the viewer, so the notice stands outside the page.
  return createPortal(
    // Screen readers announce the notice once, not every second.
    <p className={styles.waiting} role="status" aria-relevant="additions">
      {t('tooManyRequests', { count })}
    </p>,
    document.body,
  );
}
