/** Chooses, previews, replaces or removes the user's avatar. */
import { useEffect, useRef, useState } from 'react';
import type { CurrentUser } from '../api/types.ts';
import { Avatar } from '../auth/avatar.tsx';
import { t } from '../messages/messages.ts';
import { describeError } from '../ui/error-notice.tsx';
import { useRemoveAvatar, useSaveAvatar } from './queries.ts';
import styles from './settings.module.css';

const previewSide = 96;
/** Maximum size in the API, in bytes. */
const maxBytes = 5 * 1024 * 1024;

export function AvatarField({ user }: { user: CurrentUser }) {
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<File>();
  const save = useSaveAvatar();
  const remove = useRemoveAvatar();
  const error = save.error ?? remove.error;
  const isTooLarge = chosen !== undefined && chosen.size > maxBytes;
  const chooseFile = (file: File | undefined) => {
    save.reset();
    remove.reset();
    setChosen(file);
  };
  return (
    <div className={styles.avatar}>
      {chosen ? <AvatarPreview file={chosen} /> : <Avatar user={user} size={previewSide} />}
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
            {!isTooLarge && (
              <button
                className="button"
                type="button"
                aria-busy={save.isPending}
                onClick={() => save.mutate(chosen, { onSuccess: () => setChosen(undefined) })}
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

/**
 * Previews the square in the middle, as the server will crop it. An unreadable file stays an empty circle.
 */
function AvatarPreview({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const target = canvas.current!.getContext('2d')!;
    target.clearRect(0, 0, 2 * previewSide, 2 * previewSide);
    let isGone = false;
    const drawSquare = (picture: ImageBitmap) => {
      const cut = Math.min(picture.width, picture.height);
      const [x, y] = [(picture.width - cut) / 2, (picture.height - cut) / 2];
      if (!isGone) target.drawImage(picture, x, y, cut, cut, 0, 0, 2 * previewSide, 2 * previewSide);
      picture.close();
    };
    createImageBitmap(file).then(drawSquare, () => {});
    return () => {
      isGone = true;
    };
  }, [file]);
  return (
    <canvas
      ref={canvas}
      className={styles.preview}
      role="img"
      aria-label={t('settingsPicturePreview')}
      width={2 * previewSide}
      height={2 * previewSide}
    />
  );
}
