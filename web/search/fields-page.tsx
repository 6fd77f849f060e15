/** Explains the search fields, below an error if the query is invalid. */
import { Link } from '@tanstack/react-router';
import { t } from '../messages/messages.ts';
import { Page } from '../ui/page.tsx';
import { searchFields } from './fields.ts';
import styles from './fields-page.module.css';

interface Props {
  query?: string;
  /** The API's error message. */
  problem?: string;
}

export function SearchFieldsHelp({ query, problem }: Props) {
  const title = t(problem ? 'searchInvalid' : 'searchTitle');
  return (
    <Page title={problem ? title : t('search')}>
      <div className={styles.page}>
        <h1>{title}</h1>
        {problem && query ? <QueryProblem query={query} problem={problem} /> : <p>{t('searchHelp')}</p>}
        <dl className={styles.fields}>
          {searchFields.map(({ name, label, example }) => (
            <div key={name}>
              <dt>{t(label)}</dt>
              <dd>
                <Link to="/search" search={{ q: example }}>
                  {example}
                </Link>
              </dd>
            </div>
          ))}
        </dl>
        <p className={styles.more}>{t('searchSyntax')}</p>
      </div>
    </Page>
  );
}

const problemPosition = /at character (\d+): (.*?)(?:\. Fields: .*)?$/s;

/** Shows the query with a mark at the position of the error. */
function QueryProblem({ query, problem }: Required<Props>) {
  const [, at, reason = problem] = problemPosition.exec(problem) ?? [];
  const characters = Array.from(query);
  const index = at ? Math.min(Number(at) - 1, characters.length) : -1;
  const marked = index < 0 ? '' : (/^\S+/.exec(characters.slice(index).join(''))?.[0] ?? '');
  return (
    <div className={styles.problem} role="status">
      <p className={styles.query} dir="auto">
        {characters.slice(0, Math.max(index, 0)).join('')}
        {index >= 0 && <mark>{marked || '…'}</mark>}
        {characters.slice(Math.max(index, 0)).join('').slice(marked.length)}
      </p>
      <p>{at ? t('searchProblemAt', { place: Number(at), reason }) : reason}</p>
    </div>
  );
}
