/** The choice of the order of search results. */
import { useNavigate } from '@tanstack/react-router';
import { t } from '../messages/messages.ts';
import { type SearchSort, searchSorts } from './address.ts';
import styles from './sort-field.module.css';

const texts = {
  relevance: 'sortRelevance',
  create_time: 'sortAdded',
  likes: 'sortLikes',
  title: 'sortTitle',
} as const satisfies Record<SearchSort, string>;

export function SortField({ sort }: { sort: SearchSort | undefined }) {
  const navigate = useNavigate({ from: '/search' });
  return (
    <select
      className={styles.sort}
      aria-label={t('sortBy')}
      value={sort ?? ''}
      onChange={({ target }) =>
        void navigate({
          search: ({ q }) => ({ q, ...(target.value && { sort: target.value as SearchSort }) }),
        })
      }
    >
      <option value="">{t('sortTaken')}</option>
      {searchSorts.map((one) => (
        <option key={one} value={one}>
          {t(texts[one])}
        </option>
      ))}
    </select>
  );
}
