/** A dialog that offers the link of a public page, and creates a share link with a QR code. */
import { Link } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense } from 'react';
import { type MessageKey, t } from '../messages/messages.ts';
import { Dialog } from '../ui/dialog.tsx';
import { createFieldErrorLookup, Form } from '../ui/form.tsx';
import type { ShareDialogProps } from './dialog-props.ts';
import { LinkField } from './link-field.tsx';
import { type ShareTarget, useCreateShare } from './queries.ts';
import { readRules, ShareRuleFields } from './rules.tsx';
import styles from './shares.module.css';

const QrCode = lazy(() => import('./qr-code.tsx'));
const titles: Record<ShareDialogProps['kind'], MessageKey> = {
  photo: 'sharePhoto',
  album: 'shareAlbum',
  person: 'sharePerson',
};

export function SharePageDialog({ kind, name, path, target, onClose }: ShareDialogProps) {
  return (
    <Dialog title={t(titles[kind])} onClose={onClose}>
      {target ? (
        <CreateShare {...{ name, path, target, onClose }} />
      ) : (
        path && <PageLink path={path} name={name} />
      )}
    </Dialog>
  );
}

function PageLink({ path, name }: { path: string; name: string }) {
  return (
    <div className={styles.made}>
      <LinkField label={t('sharePageLink')} url={location.origin + path} name={name} />
      <p className={styles.text}>{t('sharePageText')}</p>
    </div>
  );
}

type CreateProps = Pick<ShareDialogProps, 'name' | 'path' | 'onClose'> & { target: ShareTarget };

function CreateShare({ name, path, target, onClose }: CreateProps) {
  const make = useCreateShare(target);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) => make.mutate(readRules(currentTarget));
  if (make.data) return <CreatedLink url={make.data.url} name={name} onClose={onClose} />;
  return (
    <>
      {path && (
        <>
          <PageLink path={path} name={name} />
          <h3 className={styles.other}>{t('shareOther')}</h3>
        </>
      )}
      <p className={styles.text}>{describeLink(target)}</p>
      <Form onSubmit={submit} error={make.error} isBusy={make.isPending} action={t('shareCreate')}>
        <ShareRuleFields findProblem={createFieldErrorLookup(make.error)} />
      </Form>
    </>
  );
}

function describeLink({ type, level }: ShareTarget): string {
  if (type === 'album') return t(level === 'public' ? 'shareAlbumText' : 'shareHiddenAlbumText');
  return t(level === 'public' ? 'sharePhotoText' : 'shareHiddenPhotoText');
}

function CreatedLink({ url, name, onClose }: { url: string; name: string; onClose(): void }) {
  return (
    <div className={styles.made}>
      <LinkField label={t('shareLink')} url={url} name={name} isCopiedAtOnce />
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
