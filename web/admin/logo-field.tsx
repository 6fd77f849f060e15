/** Uploads or removes the logo of the gallery. */
import { useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import { describeError } from '../ui/error-notice.tsx';
import form from '../ui/form.module.css';
import { useRemoveLogo, useSaveLogo } from './queries.ts';
import styles from './site.module.css';

/** Maximum size in the API, in bytes. */
const maxBytes = 512 * 1024;

export function LogoField({ logo }: { logo: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const save = useSaveLogo();
  const remove = useRemoveLogo();
  const error = save.error ?? remove.error;
  const upload = (file: File | undefined) => {
    save.reset();
    remove.reset();
    setTooLarge(file !== undefined && file.size > maxBytes);
    if (file && file.size <= maxBytes) save.mutate(file);
  };
  return (
    <div className={styles.logo}>
      <p className={styles.text}>{t('adminSiteLogoText')}</p>
      {logo && <img src={logo} height={28} alt={t('adminSiteLogo')} />}
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={({ target }) => {
          upload(target.files?.[0]);
          // An empty value lets the admin choose the same file again.
          target.value = '';
        }}
      />
      <div className={styles.actions}>
        <button
          className="button quiet"
          type="button"
          aria-busy={save.isPending}
          onClick={() => input.current?.click()}
        >
          {t('adminSiteLogoChoose')}
        </button>
        {logo && (
          <button className="button quiet" type="button" onClick={() => remove.mutate()}>
            {t('adminSiteLogoRemove')}
          </button>
        )}
      </div>
      {(error || isTooLarge) && (
        <p className={form.problem} role="alert">
          {isTooLarge ? t('adminSiteLogoTooLarge') : describeError(error!)}
        </p>
      )}
    </div>
  );
}
