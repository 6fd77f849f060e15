/** Makes a link: what it allows, then the link itself, copied already, and as a code for a camera. */
import { Link } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense } from 'react';
import { t } from '../messages/messages.ts';
import { Copy } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form, fieldErrorOf } from '../ui/form.tsx';
import { type Shareable, useMakeShare } from './queries.ts';
import { RuleFields, rulesOf } from './rules.tsx';
import styles from './shares.module.css';

const QrCode = lazy(() => import('./qr-code.tsx'));

interface Props {
  of: Shareable;
  onClose(): void;
}

export function LinkDialog({ of, onClose }: Props) {
  const make = useMakeShare(of);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) => make.mutate(rulesOf(currentTarget));
  return (
    <Dialog title={t(of.type === 'photo' ? 'sharePhoto' : 'shareAlbum')} onClose={onClose}>
      {make.data ? (
        <Made url={make.data.url} onClose={onClose} />
      ) : (
        <>
          <p className={styles.text}>{t(of.type === 'photo' ? 'sharePhotoText' : 'shareAlbumText')}</p>
          <Form onSubmit={submit} error={make.error} isBusy={make.isPending} action={t('shareMake')}>
            <RuleFields problemOf={fieldErrorOf(make.error)} />
          </Form>
        </>
      )}
    </Dialog>
  );
}

function Made({ url, onClose }: { url: string; onClose(): void }) {
  return (
    <div className={styles.made}>
      <Copy label={t('shareLink')} text={url} isCopiedAtOnce />
      <Suspense fallback={<div className={styles.code} />}>
        <QrCode text={url} label={t('shareCode')} />
      </Suspense>
      <p className={styles.text}>
        {t('shareCodeText')}{' '}
        <Link to="/shares" onClick={onClose}>
          {t('shareAll')}
        </Link>
      </p>
    </div>
  );
}
