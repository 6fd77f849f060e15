/** The viewer: a photo of the wall below it, at the photo's own address. */
import { useParams, useRouter } from '@tanstack/react-router';
import { useWall } from '../photos/wall/wall-context.ts';
import { Trouble } from '../ui/trouble.tsx';
import { useListPhotos } from './use-list-photos.ts';
import styles from './viewer.module.css';
import { Viewer } from './viewer.tsx';

export function ViewerPage() {
  const { photoId } = useParams({ strict: false });
  const id = Number(photoId);
  const { list } = useWall();
  const router = useRouter();
  const photos = useListPhotos(list, id);
  if (photos.error) {
    return (
      <div className={styles.fault}>
        <Trouble error={photos.error} retry={() => router.history.replace('/')} />
      </div>
    );
  }
  if (photos.index === undefined) return null;
  return <Viewer id={id} photos={photos} first={photos.index} />;
}
