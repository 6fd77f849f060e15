/** Buttons that lead to the previous and the next page of a list. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { t } from '../messages/messages.ts';
import styles from './admin.module.css';

interface Props {
  pagination: { page: number; pages: number; total: number };
  onPage(page: number): void;
}

export function Pager({ pagination: { page, pages }, onPage }: Props) {
  if (pages <= 1) return null;
  return (
    <nav className={styles.pager} aria-label={t('adminPages')}>
      <button
        className="button quiet"
        type="button"
        aria-label={t('adminPreviousPage')}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft size={18} aria-hidden="true" />
      </button>
      <span>{t('adminPageOf', { page, pages })}</span>
      <button
        className="button quiet"
        type="button"
        aria-label={t('adminNextPage')}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        <ChevronRight size={18} aria-hidden="true" />
      </button>
    </nav>
  );
}
