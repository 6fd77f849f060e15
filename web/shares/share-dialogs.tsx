/** Actions on a share link: show, change, revoke. The script is loaded with the first action. */
import { type FormEvent, lazy, Suspense } from 'react';
import type { Share } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { createFieldErrorLookup, Form } from '../ui/form.tsx';
import { LinkField } from './link-field.tsx';
import { useRevokeShare, useUpdateShare } from './queries.ts';
import { readRules, ShareRuleFields } from './rules.tsx';
import styles from './shares.module.css';

const QrCode = lazy(() => import('./qr-code.tsx'));

export type ShareDialogName = 'link' | 'change' | 'revoke';

interface Props {
  share: Share;
  title: string;
  onClose(): void;
}

export function ShareDialogs({ opened, ...props }: Props & { opened: ShareDialogName }) {
  if (opened === 'link') return <ShowLinkDialog {...props} />;
  return opened === 'change' ? <ChangeLinkDialog {...props} /> : <RevokeLinkDialog {...props} />;
}

function ShowLinkDialog({ share, title, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles.made}>
        <LinkField label={t('shareLink')} url={share.url} name={title} />
        <Suspense fallback={<div className={styles.code} />}>
          <QrCode text={share.url} label={t('shareQrCode')} />
        </Suspense>
      </div>
    </Dialog>
  );
}

function ChangeLinkDialog({ share, onClose }: Props) {
  const change = useUpdateShare(share.id);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
    change.mutate(readRules(currentTarget, share), { onSuccess: onClose });
  return (
    <Dialog title={t('shareEditTitle')} onClose={onClose}>
      <Form onSubmit={submit} error={change.error} isBusy={change.isPending} action={t('save')}>
        <ShareRuleFields share={share} findProblem={createFieldErrorLookup(change.error)} />
      </Form>
    </Dialog>
  );
}

function RevokeLinkDialog({ share, title, onClose }: Props) {
  const revoke = useRevokeShare(share.id);
  return (
    <ConfirmDialog
      title={t('shareRevokeTitle', { name: title })}
      text={t('shareRevokeText')}
      action={t('shareRevoke')}
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    />
  );
}
