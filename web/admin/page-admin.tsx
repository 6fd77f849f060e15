/** The frame of all administration pages. Everyone but an admin sees a "not found" page. */
import { Link, Outlet } from '@tanstack/react-router';
import { NotFound } from '../app.tsx';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import styles from './admin.module.css';
import { formatNumber } from './texts.ts';

export function AdminPage() {
  const user = useUser();
  if (!user?.is_admin) return <NotFound />;
  return (
    <Page title={t('administration')}>
      <div className={styles.admin}>
        <Tabs className={styles.tabs} label={t('administration')}>
          <Link to="/admin" activeOptions={{ exact: true }}>
            {t('adminOverview')}
          </Link>
          <Link to="/admin/reports">
            {t('adminReports')}
            {user.open_reports > 0 && ` ${formatNumber(user.open_reports)}`}
          </Link>
          <Link to="/admin/users">{t('adminUsers')}</Link>
          <Link to="/admin/invites">{t('adminInvites')}</Link>
          <Link to="/admin/photos">{t('adminPhotos')}</Link>
          <Link to="/admin/comments">{t('adminComments')}</Link>
          <Link to="/admin/site">{t('adminSite')}</Link>
          <Link to="/admin/log">{t('adminAuditLog')}</Link>
        </Tabs>
        <Outlet />
      </div>
    </Page>
  );
}
