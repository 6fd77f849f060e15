/** A button in the head of the user's own album: upload photos, or choose photos of the library. */
import { useRouter } from '@tanstack/react-router';
import { Images, Plus, Upload } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { MenuButton } from '../ui/menu.tsx';

export function AddPhotosButton({ album }: { album: number }) {
  const { history } = useRouter();
  return (
    <MenuButton
      className="button album-add"
      label={t('albumAddPhotos')}
      items={[
        {
          ...{ name: 'choose', label: t('albumChooseOwn'), icon: Images },
          perform: () => history.push(`/albums/${album}/add`, { isOverWall: true }),
        },
        { ...{ name: 'upload', label: t('albumUpload'), icon: Upload }, perform: openUploadFileChooser },
      ]}
    >
      <Plus size={18} aria-hidden="true" />
      <span>{t('albumAddPhotos')}</span>
    </MenuButton>
  );
}

/** Opens the file chooser of the upload button in the bar. */
export function openUploadFileChooser(): void {
  document.getElementById('upload-files')?.click();
}
