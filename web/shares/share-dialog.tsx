/** A dialog that creates a share link, copies the link and shows it as a QR code. */
import { Link } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense } from 'react';
import { t } from '../messages/messages.ts';
import { CopyField } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { createFieldErrorLookup, Form } from '../ui/form.tsx';
import { type ShareTarget, useCreateShare } from './queries.ts';
import { readRules, ShareRuleFields } from './rules.tsx';
import styles from './shares.module.css';

const QrCode = lazy(() => import('./qr-code.tsx'));

interface Props {
  of: ShareTarget;
  onClose(): void;
}

export function CreateShareLinkDialog({ of, onClose }: Props) {
  const make = useCreateShare(of);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) => make.mutate(readRules(currentTarget));
  return (
    <Dialog title={t(of.type === 'photo' ? 'sharePhoto' : 'shareAlbum')} onClose={onClose}>
      {make.data ? (
        <CreatedLink url={make.data.url} onClose={onClose} />
      ) : (
        <>
          <p className={styles.text}>{describeLink(of)}</p>
          <Form onSubmit={submit} error={make.error} isBusy={make.isPending} action={t('shareCreate')}>
            <ShareRuleFields findProblem={createFieldErrorLookup(make.error)} />
          </Form>
        </>
      )}
    </Dialog>
  );
}

function describeLink({ type, level }: ShareTarget): string {
  if (type === 'album') return t(level === 'public' ? 'shareAlbumText' : 'shareHiddenAlbumText');
  return t(level === 'public' ? 'sharePhotoText' : 'shareHiddenPhotoText');
}

function CreatedLink({ url, onClose }: { url: string; onClose(): void }) {
  return (
    <div className={styles.made}>
      <CopyField label={t('shareLink')} text={url} isCopiedAtOnce />
      <Suspense fallback={<div className={styles.code} />}>
        <QrCode text={url} label={t('shareQrCode')} />
      </Suspense>
      <p className={styles.text}>
        {t('shareScan')}{' '}
        <Link to="/shares" onClick={onClose}>
          {t('shareViewAll')}
        </Link>
      </p>
    </div>
  );
}
