/** The admin page with all comments, sorted by date or by number of reports. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AdminComment } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { useTitle } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import styles from './admin.module.css';
import { DeleteListItemDialog } from './delete-dialog.tsx';
import { PagedList } from './listing.tsx';
import { adminListQuery } from './queries.ts';
import { ReportedOnlyFilter } from './reported-only.tsx';
import reportStyles from './reports.module.css';
import { formatNumber, formatTime } from './texts.ts';
import { useAdminListFilter } from './use-filter.ts';

export function AdminCommentsPage() {
  useTitle(t('adminComments'), 'inner');
  const { filter, change, asked, setPage } = useAdminListFilter();
  const query = useQuery(adminListQuery('comments', asked));
  const [removed, setRemoved] = useState<AdminComment>();
  return (
    <>
      <div className={styles.head}>
        <h1>
          {t('adminComments')} <span>{query.data && formatNumber(query.data.pagination.total)}</span>
        </h1>
        <SearchField
          label={t('adminSearchComments')}
          value={filter.keyword}
          onChange={(keyword) => change({ keyword })}
        />
        <ReportedOnlyFilter value={filter.reported} onChange={(reported) => change({ reported })} />
      </div>
      <PagedList query={query} onPage={setPage}>
        {(comments) => (
          <ul className={reportStyles.reports}>
            {comments.map((comment) => (
              <li key={comment.id} className={reportStyles.report}>
                <div>
                  <p dir="auto">{comment.content}</p>
                  <p className={reportStyles.by}>
                    <Link to="/users/$name" params={{ name: comment.user.username }}>
                      @{comment.user.username}
                    </Link>{' '}
                    · {formatTime(comment.create_time)} ·{' '}
                    <Link to="/photos/$photoId" params={{ photoId: String(comment.photo_id) }}>
                      {t('adminKindPhoto')} {comment.photo_id}
                    </Link>
                    {comment.reports > 0 && (
                      <em data-alarm>{t('adminReportsCount', { count: comment.reports })}</em>
                    )}
                  </p>
                </div>
                <div className={reportStyles.choices}>
                  <button
                    className="button quiet"
                    type="button"
                    aria-label={t('adminRemoveNamed', {
                      name: Array.from(comment.content).slice(0, 40).join(''),
                    })}
                    onClick={() => setRemoved(comment)}
                  >
                    {t('adminRemove')}
                  </button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {removed && (
        <DeleteListItemDialog
          kind="comments"
          id={removed.id}
          title={t('adminRemoveCommentTitle')}
          text={t('adminRemoveCommentText', { name: removed.user.username, count: removed.reply_count })}
          name={removed.user.username}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  );
}
