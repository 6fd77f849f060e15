/** The upload's form fields for all photos. Changes apply to files that have not started yet. */
import { useQuery } from '@tanstack/react-query';
import { t } from '../messages/messages.ts';
import { VisibilityField } from '../visibility/visibility-field.tsx';
import type { UploadBatchFields } from './batch-fields.ts';
import styles from './fields.module.css';
import { fillableAlbumsQuery } from './queries.ts';

const maxNames = 3;

interface Props {
  user: number;
  fields: UploadBatchFields;
  folders: string[];
  onChange(changed: Partial<UploadBatchFields>): void;
}

export function UploadBatchForm({ user, fields, folders, onChange }: Props) {
  const albums = useQuery(fillableAlbumsQuery(user)).data ?? [];
  return (
    <div className={styles.fields}>
      <div className={styles.visibility}>
        <VisibilityField
          value={fields.visibility}
          album={albums.find((album) => album.id === fields.album)}
          onChange={(visibility) => onChange({ visibility })}
        />
      </div>
      <label className={styles.field}>
        <span>{t('uploadTitle')}</span>
        <input
          value={fields.title}
          maxLength={200}
          placeholder={t('uploadTitleHint')}
          onChange={({ target }) => onChange({ title: target.value })}
        />
      </label>
      <label className={styles.field}>
        <span>{t('tags')}</span>
        <input
          value={fields.tags}
          placeholder={t('uploadTagsHint')}
          onChange={({ target }) => onChange({ tags: target.value })}
        />
      </label>
      {albums.length > 0 && (
        <label className={styles.field}>
          <span>{t('album')}</span>
          <select value={fields.album} onChange={({ target }) => onChange({ album: Number(target.value) })}>
            <option value={0}>{t('uploadNoAlbum')}</option>
            {albums.map(({ id: album, path }) => (
              <option key={album} value={album}>
                {path}
              </option>
            ))}
          </select>
        </label>
      )}
      {folders.length > 0 && (
        <label className={styles.folders}>
          <input
            type="checkbox"
            checked={fields.asAlbums}
            onChange={({ target }) => onChange({ asAlbums: target.checked })}
          />
          <span>
            {t('uploadAsAlbums', { count: folders.length })}
            <span className={styles.names}>{formatFolders(folders)}</span>
          </span>
        </label>
      )}
    </div>
  );
}

/** Returns text such as "Alps, Alps / First day, 4 more". */
function formatFolders(folders: string[]): string {
  const names = folders.slice(0, maxNames).map((folder) => folder.replaceAll('/', ' / '));
  const more = folders.length - names.length;
  return [...names, ...(more > 0 ? [t('uploadMoreFolders', { count: more })] : [])].join(', ');
}
