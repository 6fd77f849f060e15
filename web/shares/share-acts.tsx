/** What one does with a link of one's own: show it, change its rules, revoke it. Loaded with the first of these. */
import { type FormEvent, lazy, Suspense } from 'react';
import type { Share } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Copy } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form, fieldErrorOf } from '../ui/form.tsx';
import { useChangeShare, useRevokeShare } from './queries.ts';
import { RuleFields, rulesOf } from './rules.tsx';
import styles from './shares.module.css';

const QrCode = lazy(() => import('./qr-code.tsx'));

export type ShareAct = 'link' | 'change' | 'revoke';

interface Props {
  share: Share;
  title: string;
  onClose(): void;
}

export function ShareActs({ opened, ...props }: Props & { opened: ShareAct }) {
  if (opened === 'link') return <Show {...props} />;
  return opened === 'change' ? <Change {...props} /> : <Revoke {...props} />;
}

function Show({ share, title, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles.made}>
        <Copy label={t('shareLink')} text={share.url} />
        <Suspense fallback={<div className={styles.code} />}>
          <QrCode text={share.url} label={t('shareCode')} />
        </Suspense>
      </div>
    </Dialog>
  );
}

function Change({ share, onClose }: Props) {
  const change = useChangeShare(share.id);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
    change.mutate(rulesOf(currentTarget, share), { onSuccess: onClose });
  return (
    <Dialog title={t('shareChangeTitle')} onClose={onClose}>
      <Form onSubmit={submit} error={change.error} isBusy={change.isPending} action={t('save')}>
        <RuleFields share={share} problemOf={fieldErrorOf(change.error)} />
      </Form>
    </Dialog>
  );
}

function Revoke({ share, title, onClose }: Props) {
  const revoke = useRevokeShare(share.id);
  return (
    <Confirm
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
