/** Shows the rule of a smart album as filter chips, like the search page. */
import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { getSearchFieldLabel } from '../search/fields.ts';
import { formatSearchCondition, parseSearchQuery } from '../search/parts.ts';
import styles from './rule.module.css';

interface Props {
  rule: string;
  /** Username of the album's owner. */
  owner: string;
}

export function SmartAlbumRule({ rule, owner }: Props) {
  const { filters, words } = parseSearchQuery(rule);
  return (
    <ul className={styles.rule} aria-label={t('albumRule')}>
      {filters.map(({ text, field, value, isExcluded }) => (
        <li key={text}>
          <span>{`${isExcluded ? '− ' : ''}${t(getSearchFieldLabel(field))}`}</span>
          <bdi>{value}</bdi>
        </li>
      ))}
      {words !== '' && (
        <li>
          <bdi>{words}</bdi>
        </li>
      )}
      <li>
        <Link to="/search" search={{ q: buildRuleSearch(rule, owner) }}>
          <Search size={16} aria-hidden="true" />
          {t('albumOpenSearch')}
        </Link>
      </li>
    </ul>
  );
}

/** Returns a search that finds the photos of a rule: the rule and a filter for the owner. */
export function buildRuleSearch(rule: string, owner: string): string {
  const isPlain = parseSearchQuery(rule).filters.length > 0 || !/[()]|\bOR\b/.test(rule);
  return `${isPlain ? rule : `(${rule})`} ${formatSearchCondition('by', owner)}`;
}
