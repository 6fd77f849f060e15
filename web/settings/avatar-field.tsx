/** Chooses, frames, replaces or removes the user's avatar. */
import { lazy, Suspense, useRef, useState } from 'react';
import type { CurrentUser } from '../api/types.ts';
import { Avatar } from '../auth/avatar.tsx';
import { t } from '../messages/messages.ts';
import { describeError } from '../ui/error-notice.tsx';
import { useRemoveAvatar, useSaveAvatar } from './queries.ts';
import styles from './settings.module.css';

const AvatarFrame = lazy(() => import('./avatar-frame.tsx'));
const avatarWidth = 96;
const jpegQuality = 0.92;
/** Maximum size in the API, in bytes. */
const maxBytes = 5 * 1024 * 1024;

export function AvatarField({ user }: { user: CurrentUser }) {
  const input = useRef<HTMLInputElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [chosen, setChosen] = useState<File>();
  /** Undefined until the browser has tried to read the chosen picture. */
  const [isReadable, setReadable] = useState<boolean>();
  const save = useSaveAvatar();
  const remove = useRemoveAvatar();
  const error = save.error ?? remove.error;
  // The server reads a picture that the browser cannot read, such as HEIC, and crops the middle.
  const isTooLarge = isReadable === false && chosen !== undefined && chosen.size > maxBytes;
  const chooseFile = (file: File | undefined) => {
    save.reset();
    remove.reset();
    setChosen(file);
    setReadable(undefined);
  };
  const saveChosen = async (file: File) => {
    const square = isReadable && canvas.current ? await readSquare(canvas.current, file) : null;
    save.mutate(square ?? file, { onSuccess: () => setChosen(undefined) });
  };
  return (
    <div className={styles.avatar}>
      {chosen && isReadable !== false && (
        <Suspense>
          <AvatarFrame file={chosen} canvas={canvas} onRead={setReadable} />
        </Suspense>
      )}
      {!chosen && <Avatar user={user} size={avatarWidth} />}
      {isReadable === false && chosen && <p>{chosen.name}</p>}
      <input
        ref={input}
        type="file"
        accept="image/*,.heic,.heif"
        hidden
        onChange={({ target }) => {
          chooseFile(target.files?.[0]);
          // An empty value lets the user choose the same file again.
          target.value = '';
        }}
      />
      <div className={styles.actions}>
        {chosen ? (
          <>
            {isReadable !== undefined && !isTooLarge && (
              <button
                className="button"
                type="button"
                aria-busy={save.isPending}
                onClick={() => void saveChosen(chosen)}
              >
                {t('settingsPictureUse')}
              </button>
            )}
            <button className="button quiet" type="button" onClick={() => chooseFile(undefined)}>
              {t('cancel')}
            </button>
          </>
        ) : (
          <>
            <button className="button quiet" type="button" onClick={() => input.current?.click()}>
              {t('settingsPictureChoose')}
            </button>
            {user.avatar && (
              <button className="button quiet" type="button" onClick={() => remove.mutate()}>
                {t('settingsPictureRemove')}
              </button>
            )}
          </>
        )}
      </div>
      {(error || isTooLarge) && (
        <p className={styles.problem} role="alert">
          {isTooLarge ? t('settingsPictureTooLarge') : describeError(error!)}
        </p>
      )}
    </div>
  );
}

/** Returns the square in the frame as a file. A picture with transparency stays a PNG. */
function readSquare(canvas: HTMLCanvasElement, { type }: File): Promise<Blob | null> {
  return new Promise((resolve) => {
    canvas.toBlob(resolve, type === 'image/png' ? 'image/png' : 'image/jpeg', jpegQuality);
  });
}
