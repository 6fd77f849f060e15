/** The admin page with all photos, private ones too, sorted by date or by number of reports. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { AdminPhoto } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { useTitle } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import styles from './admin.module.css';
import { DeleteListItemDialog } from './delete-dialog.tsx';
import { PagedList } from './listing.tsx';
import photoStyles from './photos.module.css';
import { adminListQuery } from './queries.ts';
import { ReportedOnlyFilter } from './reported-only.tsx';
import { formatNumber } from './texts.ts';
import { useAdminListFilter } from './use-filter.ts';

export function AdminPhotosPage() {
  useTitle(t('adminPhotos'), 'inner');
  const { filter, change, asked, setPage } = useAdminListFilter();
  const query = useQuery(adminListQuery('photos', asked));
  const [removed, setRemoved] = useState<AdminPhoto>();
  const name = removed?.title || t('adminUntitled');
  return (
    <>
      <div className={styles.head}>
        <h1>
          {t('adminPhotos')} <span>{query.data && formatNumber(query.data.pagination.total)}</span>
        </h1>
        <SearchField
          label={t('adminSearchPhotos')}
          value={filter.keyword}
          onChange={(keyword) => change({ keyword })}
        />
        <ReportedOnlyFilter value={filter.reported} onChange={(reported) => change({ reported })} />
      </div>
      <PagedList query={query} onPage={setPage}>
        {(photos) => (
          <ul className={photoStyles.photos}>
            {photos.map((photo) => (
              <li key={photo.id}>
                <Link to="/photos/$photoId" params={{ photoId: String(photo.id) }}>
                  <img src={photo.thumb} alt="" loading="lazy" />
                  <bdi>{photo.title || t('adminUntitled')}</bdi>
                </Link>
                <p>
                  <small>@{photo.user.username}</small>
                  {photo.reports > 0 && (
                    <em data-alarm>{t('adminReportsCount', { count: photo.reports })}</em>
                  )}
                  <button
                    className={styles.more}
                    type="button"
                    aria-label={t('adminRemoveNamed', { name: photo.title || t('adminUntitled') })}
                    onClick={() => setRemoved(photo)}
                  >
                    <Trash2 size={18} aria-hidden="true" />
                  </button>
                </p>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {removed && (
        <DeleteListItemDialog
          kind="photos"
          id={removed.id}
          title={t('adminRemovePhotoTitle', { name })}
          text={t('adminRemovePhotoText', { name: removed.user.username })}
          name={name}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  );
}
