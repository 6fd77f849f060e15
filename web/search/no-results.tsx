/** Shown if a search finds nothing: what was searched, and a search that finds something. */
import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import type { SearchTerm } from '../api/types.ts';
import { getLanguage, t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { getSearchFieldLabel, searchFieldNames } from './fields.ts';
import styles from './no-results.module.css';
import { emptySearchQuery } from './queries.ts';

export function NoResults({ query }: { query: string }) {
  const { understood = [], nearest } = useQuery(emptySearchQuery(query)).data ?? {};
  return (
    <Card
      title={t('noPhotosMatch')}
      text={understood.length === 0 ? '' : t(understood.length > 1 ? 'searchedFor' : 'searchedForOne')}
      icon={<SearchX size={32} strokeWidth={1.5} />}
    >
      {understood.length > 0 && (
        <ul className={styles.terms} dir="auto">
          {understood.map((term) => (
            <li key={term.q}>{describeTerm(term)}</li>
          ))}
        </ul>
      )}
      {nearest !== undefined && (
        <ButtonLink to="/search" search={{ q: nearest }}>
          {t('searchFor', { words: nearest })}
        </ButtonLink>
      )}
      <ButtonLink className="quiet" to="/search" search={{}}>
        {t('searchClear')}
      </ButtonLink>
    </Card>
  );
}

function describeTerm(term: SearchTerm): string {
  const text = describeMatch(term);
  return term.is_excluded ? t('searchedNot', { term: text }) : text;
}

function describeMatch({ field, value, taken }: SearchTerm): string {
  if (searchFieldNames.includes(field)) return `${t(getSearchFieldLabel(field))} ${value}`;
  if (field !== 'words') return value;
  if (taken === undefined) return t('searchedWord', { word: value });
  return t('searchedDate', { word: value, date: formatTaken(taken) });
}

/** Returns `2019-05` as "May 2019", `--05` as "May", and `1990..1999` as "1990 – 1999". */
function formatTaken(taken: string): string {
  if (taken.includes('..')) return taken.replace('..', ' – ');
  const [year, month, day] = taken.startsWith('--') ? ['', taken.slice(2)] : taken.split('-');
  const date = new Date(Date.UTC(Number(year || 2000), Number(month ?? 1) - 1, Number(day ?? 1)));
  return new Intl.DateTimeFormat(getLanguage(), {
    timeZone: 'UTC',
    ...(year && { year: 'numeric' }),
    ...(month && { month: 'long' }),
    ...(day && { day: 'numeric' }),
  }).format(date);
}
