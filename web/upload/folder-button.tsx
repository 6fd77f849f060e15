/** A button that adds all files of a folder. */
import { FolderPlus } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { type PickedFile, readChosenFiles } from './files.ts';

export function FolderButton({ take }: { take(picked: PickedFile[]): void }) {
  const chooseFolder = () => {
    const input = document.createElement('input');
    input.type = 'file';
    input.webkitdirectory = true;
    input.onchange = () =>
      take(readChosenFiles(input.files).filter(({ file }) => !file.name.startsWith('.')));
    input.click();
  };
  const name = t('uploadAddFolder');
  return (
    <button type="button" aria-label={name} title={name} onClick={chooseFolder}>
      <FolderPlus size={20} aria-hidden="true" />
    </button>
  );
}
