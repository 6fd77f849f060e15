/** The filters of a search as chips that can be removed. */
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { getSearchFieldLabel } from './fields.ts';
import styles from './filters.module.css';
import { formatSearchQuery, type SearchQueryFilter, type SearchQueryParts } from './parts.ts';

export function FilterChips({ filters, words }: SearchQueryParts) {
  if (filters.length === 0) return null;
  return (
    <ul className={styles.filters} aria-label={t('filters')}>
      {filters.map((filter, index) => {
        const name = describeSearchFilter(filter);
        return (
          <li key={filter.text}>
            <span className={styles.name}>
              {t(filter.isExcluded ? 'filterNot' : getSearchFieldLabel(filter.field))}
            </span>
            <bdi className={styles.value}>
              {filter.isExcluded && `${t(getSearchFieldLabel(filter.field))} `}
              {filter.value}
            </bdi>
            <Link
              to="/search"
              search={{ q: formatSearchQuery({ filters: filters.toSpliced(index, 1), words }) }}
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
export function describeSearchFilter({ field, value, isExcluded }: SearchQueryFilter): string {
  return `${isExcluded ? `${t('filterNot')} ` : ''}${t(getSearchFieldLabel(field))} ${value}`;
}
