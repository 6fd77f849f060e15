/**
 * Replaces the wall of an empty gallery: explains how to create the first account or upload the first photos.
 */
import { Link } from '@tanstack/react-router';
import { FolderPlus, Images, ImageUp, UserPlus } from 'lucide-react';
import { NewAlbumButton } from '../albums/new-album-button.tsx';
import { useSite, useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { useDropHint } from '../ui/use-drop-hint.ts';
import styles from './empty.module.css';

export function EmptyGallery() {
  const site = useSite();
  const user = useUser();
  if (user) return <FirstStepsZone user={user.id} />;
  const icon = <Images size={32} strokeWidth={1.5} />;
  if (!site || site.has_users) {
    return (
      <Card title={t('noPhotos')} text={t('noPhotosText')} icon={icon}>
        <ButtonLink to="/sign-in">{t('signIn')}</ButtonLink>
      </Card>
    );
  }
  return (
    <Card title={t('firstRunTitle')} text={t('firstRunText')} icon={icon}>
      {site.registration === 'open' && <ButtonLink to="/register">{t('firstRunAction')}</ButtonLink>}
      <p className={styles.hint}>{t('firstRunAdmin')}</p>
    </Card>
  );
}

/** Stands above the photos of others while a user has none: greets the user and offers the first steps. */
export function Welcome({ user }: { user: number }) {
  const site = useSite();
  return (
    <div className={styles.welcome}>
      <h1>{t('welcomeTitle', { name: site?.name ?? '' })}</h1>
      {site?.welcome && <p>{site.welcome}</p>}
      <FirstSteps user={user} />
    </div>
  );
}

/** The first steps in a zone as large as the window. The upload button in the bar accepts files that are dropped anywhere. */
function FirstStepsZone({ user }: { user: number }) {
  return (
    <div className={styles.zone}>
      <h2>{t('firstPhotosTitle')}</h2>
      <p>{useDropHint(t('firstPhotosText'))}</p>
      <FirstSteps user={user} />
    </div>
  );
}

function FirstSteps({ user }: { user: number }) {
  return (
    <ul className={styles.steps}>
      <li>
        <button
          className={styles.step}
          type="button"
          onClick={() => document.getElementById('upload-files')?.click()}
        >
          <ImageUp aria-hidden="true" />
          <b>{t('firstUpload')}</b>
          {t('firstUploadText')}
        </button>
      </li>
      <li>
        <NewAlbumButton user={user} className={styles.step!}>
          <FolderPlus aria-hidden="true" />
          <b>{t('firstAlbum')}</b>
          {t('firstAlbumText')}
        </NewAlbumButton>
      </li>
      <li>
        <Link to="/explore/people" className={styles.step}>
          <UserPlus aria-hidden="true" />
          <b>{t('findPeople')}</b>
          {t('firstPeopleText')}
        </Link>
      </li>
    </ul>
  );
}
