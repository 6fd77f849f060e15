/**
 * Replaces the wall of an empty gallery: explains how to create the first account or upload the first photos.
 */
import { Images, ImageUp } from 'lucide-react';
import { useSite, useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { useDropHint } from '../ui/use-drop-hint.ts';
import styles from './empty.module.css';

export function EmptyGallery() {
  const site = useSite();
  const user = useUser();
  if (user) return <DropZone />;
  const icon = <Images size={32} strokeWidth={1.5} />;
  if (!site || site.has_users) return <Card title={t('noPhotos')} text={t('noPhotosText')} icon={icon} />;
  return (
    <Card title={t('firstRunTitle')} text={t('firstRunText')} icon={icon}>
      {site.registration === 'open' && <ButtonLink to="/register">{t('firstRunAction')}</ButtonLink>}
      <p className={styles.hint}>{t('firstRunAdmin')}</p>
    </Card>
  );
}

/** A hint as large as the window. The upload button in the bar accepts files that are dropped anywhere. */
function DropZone() {
  return (
    <div className={styles.zone}>
      <ImageUp className={styles.icon} size={56} strokeWidth={1.25} aria-hidden="true" />
      <h2>{t('firstPhotosTitle')}</h2>
      <p>{useDropHint(t('firstPhotosText'))}</p>
      <button
        className="button"
        type="button"
        onClick={() => document.getElementById('upload-files')?.click()}
      >
        {t('firstPhotosChoose')}
      </button>
    </div>
  );
}
