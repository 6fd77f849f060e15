/** The filters of a search as chips that can be removed. */
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { getFieldLabel } from './fields.ts';
import styles from './filters.module.css';
import { formatQuery, type QueryFilter, type QueryParts } from './parts.ts';

export function FilterChips({ filters, words }: QueryParts) {
  if (filters.length === 0) return null;
  return (
    <ul className={styles.filters} aria-label={t('filters')}>
      {filters.map((filter, index) => {
        const name = describeFilter(filter);
        return (
          <li key={filter.text}>
            <span className={styles.name}>
              {t(filter.isExcluded ? 'filterNot' : getFieldLabel(filter.field))}
            </span>
            <bdi className={styles.value}>
              {filter.isExcluded && `${t(getFieldLabel(filter.field))} `}
              {filter.value}
            </bdi>
            <Link
              to="/search"
              search={{ q: formatQuery({ filters: filters.toSpliced(index, 1), words }) }}
              aria-label={t('removeFilter', { name })}
              title={t('removeFilter', { name })}
            >
              <X size={16} aria-hidden="true" />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns a label such as "Camera Fuji X-T5". */
export function describeFilter({ field, value, isExcluded }: QueryFilter): string {
  return `${isExcluded ? `${t('filterNot')} ` : ''}${t(getFieldLabel(field))} ${value}`;
}
