/** The viewer page: a photo over its wall, at the photo's own URL. */
import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { ApiError } from '../api/client.ts';
import { t } from '../messages/messages.ts';
import { removeFirstPicture } from '../photos/first-picture.ts';
import { photoQuery } from '../photos/queries.ts';
import { useWallContext } from '../photos/wall/wall-context.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useTitle } from '../ui/page.tsx';
import { useViewerPhotos, type ViewerPhotos } from './use-list-photos.ts';
import styles from './viewer.module.css';
import { PhotoViewer } from './viewer.tsx';

export function ViewerPage() {
  const { photoId } = useParams({ strict: false });
  const id = Number(photoId);
  const { list, href } = useWallContext();
  const { place } = useRouter().history.location.state;
  const photos = useViewerPhotos(list, id, place);
  if (photos.error && isMissing(photos.error)) {
    return href === '/' ? <SinglePhoto id={id} /> : <ViewInGallery id={id} />;
  }
  if (photos.error) return <ViewerError error={photos.error} />;
  if (photos.index === undefined) return null;
  return <PhotoViewer id={id} photos={photos} first={photos.index} />;
}

/**
 * Opens the photo over the home wall, because the current list does not contain the photo or cannot locate it
 * (the feed). Only the home wall knows the photo's neighbors then. Closing the viewer still returns to the
 * previous page.
 */
function ViewInGallery({ id }: { id: number }) {
  const { history } = useRouter();
  useEffect(() => {
    const { place: _, ...state } = history.location.state;
    history.replace(`/photos/${id}`, state);
  }, [history, id]);
  return null;
}

/**
 * Opens a photo that no list contains but the viewer can see: admins open private photos of other users. The photo has
 * no neighbors.
 */
function SinglePhoto({ id }: { id: number }) {
  const { data, error } = useQuery(photoQuery(id));
  const photo = useRef(data);
  photo.current = data;
  const photos = useMemo<ViewerPhotos>(
    () => ({ index: 0, total: 1, error: null, photoAt: () => photo.current, load: async () => [] }),
    [],
  );
  if (data) return <PhotoViewer id={id} photos={photos} first={0} />;
  return error && <ViewerError error={error} />;
}

function isMissing(error: Error): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Shows an error over the wall: the photo does not exist or failed to load. */
function ViewerError({ error }: { error: Error }) {
  const isMissing = error instanceof ApiError && [400, 403, 404].includes(error.status);
  const title = t(isMissing ? 'notFoundTitle' : 'errorTitle');
  useTitle(title, 'inner');
  useEffect(removeFirstPicture, []);
  return (
    <section className={styles.fault} aria-label={title}>
      {isMissing ? (
        <Card title={title} text={t('notFoundText')}>
          <ButtonLink to="/">{t('goToPhotos')}</ButtonLink>
        </Card>
      ) : (
        <ErrorNotice error={error} retry={() => location.reload()} />
      )}
    </section>
  );
}
