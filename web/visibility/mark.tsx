/** A lock for private photos and albums, and two people for those of members. Public ones have no mark. */
import type { VisibilityLevel } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import styles from './mark.module.css';

export function VisibilityMark({ level, className = '' }: { level: VisibilityLevel; className?: string }) {
  if (level === 'public') return null;
  const name = t(level === 'members' ? 'markMembers' : 'markPrivate');
  return (
    <span
      className={`${styles.mark} ${className}`}
      role="img"
      aria-label={name}
      title={name}
      data-level={level}
    />
  );
}
