/** The facts of a photo in the panel: rating, date, place, camera, file, albums, audience and counts. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CurrentUser, Photo } from '../api/types.ts';
import { getLanguage, t } from '../messages/messages.ts';
import { createMapUrl, formatPlace } from '../photos/place-text.ts';
import { useAudienceText } from '../visibility/audience.ts';
import { formatPictureSize, formatTakenTime } from './facts.ts';
import styles from './info-panel.module.css';
import { RatingStars } from './rating-stars.tsx';

interface Props {
  photo: Photo;
  user: CurrentUser | null | undefined;
  isTrash: boolean;
  rate(id: number, rating: number): void;
}

export function PhotoFacts({ photo, user, isTrash, rate }: Props) {
  const isMine = user?.id === photo.user.id;
  const audience = useAudienceText(photo, user);
  const counts = [
    t('views', { count: photo.views }),
    t('likes', { count: photo.likes }),
    t('downloads', { count: photo.downloads }),
  ];
  return (
    <dl className={styles.facts}>
      {isMine && !isTrash && (
        <PhotoFact
          name={t('rating')}
          value={<RatingStars rating={photo.rating ?? 0} onRate={(rating) => rate(photo.id, rating)} />}
        />
      )}
      <PhotoFact name={t('dateTaken')} value={formatTakenTime(photo.taken_time)} />
      {photo.location && <PhotoFact name={t('place')} value={<MapLink place={photo.location} />} />}
      <CameraFacts photo={photo} />
      <PhotoFact name={t('file')} value={formatPictureSize(photo)} more={photo.file_name} />
      {photo.albums.length > 0 && (
        <PhotoFact
          name={t(photo.albums.length > 1 ? 'albums' : 'album')}
          value={<AlbumLinks photo={photo} />}
        />
      )}
      {!isTrash && <PhotoFact name={t('whoCanSee')} value={audience} />}
      <PhotoFact name={t('activity')} value={counts.join(' · ')} />
    </dl>
  );
}

/** A plain link, so that the page itself loads nothing from the map's server. */
function MapLink({ place }: { place: NonNullable<Photo['location']> }) {
  return (
    <a href={createMapUrl(place)} target="_blank" rel="noopener noreferrer" title={t('openMap')}>
      {formatPlace(place)}
    </a>
  );
}

/** Camera and lens, and below them the exposure in cells of two columns. */
function CameraFacts({ photo: { exif, lens, focal_length } }: { photo: Photo }) {
  const focalLength = focal_length > 0 ? `${focal_length.toLocaleString(getLanguage())}\u00a0mm` : '';
  const cells: [name: string, value: string][] = [
    [t('focalLength'), focalLength],
    [t('aperture'), exif.aperture],
    [t('shutter'), exif.shutter && `${exif.shutter}\u00a0s`],
    ['ISO', exif.iso > 0 ? String(exif.iso) : ''],
  ];
  const known = cells.filter(([, value]) => value !== '');
  return (
    <>
      {(exif.camera || lens) && (
        <PhotoFact name={t('camera')} value={exif.camera || lens} more={exif.camera ? lens : undefined} />
      )}
      {known.map(([name, value]) => (
        <PhotoFact key={name} name={name} value={value} isCell />
      ))}
    </>
  );
}

function AlbumLinks({ photo: { albums } }: { photo: Photo }) {
  return albums.map(({ id, name }) => (
    <Link key={id} to="/albums/$albumId" params={{ albumId: String(id) }} dir="auto">
      {name}
    </Link>
  ));
}

interface FactProps {
  name: string;
  value: ReactNode;
  more?: string | undefined;
  /** Takes one of the two columns. */
  isCell?: boolean;
}

function PhotoFact({ name, value, more, isCell }: FactProps) {
  return (
    <div data-cell={isCell || undefined}>
      <dt>{name}</dt>
      <dd>
        {value}
        {more && <span>{more}</span>}
      </dd>
    </div>
  );
}
