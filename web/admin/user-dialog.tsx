/** Asks before an account is changed: names it, and what becomes of it. */
import type { FormEvent } from 'react';
import type { AdminUser } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Copy } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form, fieldErrorOf } from '../ui/form.tsx';
import { showToast } from '../ui/toast.tsx';
import { type UserChange, useChangeUser, useDelete, useEndSessions, useResetLink } from './queries.ts';

export interface UserAct {
  kind: 'quota' | 'promote' | 'demote' | 'disable' | 'enable' | 'delete' | 'signOut' | 'link';
  user: AdminUser;
}

const changes: Record<Exclude<UserAct['kind'], 'quota' | 'delete' | 'signOut' | 'link'>, UserChange> = {
  promote: { is_admin: true },
  demote: { is_admin: false },
  disable: { status: 0 },
  enable: { status: 1 },
};

export function UserDialog({ kind, user, onClose }: UserAct & { onClose(): void }) {
  const changing = useChangeUser();
  const deleting = useDelete('users');
  const ending = useEndSessions();
  const name = user.username;
  const done = () => {
    onClose();
    showToast({ text: t('adminDone', { name }) });
  };
  if (kind === 'quota') return <QuotaDialog user={user} onClose={onClose} onDone={done} />;
  if (kind === 'link') return <LinkDialog user={user} onClose={onClose} />;
  const confirm = () => {
    if (kind === 'delete') deleting.mutate(user.id, { onSuccess: done });
    else if (kind === 'signOut') ending.mutate(user.id, { onSuccess: done });
    else changing.mutate({ id: user.id, change: changes[kind] }, { onSuccess: done });
  };
  return (
    <Confirm
      {...textsOf(kind, user)}
      onConfirm={confirm}
      onClose={onClose}
      isBusy={changing.isPending || deleting.isPending || ending.isPending}
      error={changing.error ?? deleting.error ?? ending.error}
      isHarmless={kind === 'enable' || kind === 'promote'}
    />
  );
}

function textsOf(kind: Exclude<UserAct['kind'], 'quota' | 'link'>, user: AdminUser) {
  const values = { name: user.username, count: user.photo_count };
  return {
    promote: {
      title: t('adminPromoteTitle', values),
      text: t('adminPromoteText'),
      action: t('adminPromote'),
    },
    demote: { title: t('adminDemoteTitle', values), text: t('adminDemoteText'), action: t('adminDemote') },
    disable: {
      title: t('adminDisableTitle', values),
      text: t('adminDisableText', values),
      action: t('adminDisable'),
    },
    enable: {
      title: t('adminEnableTitle', values),
      text: t('adminEnableText', values),
      action: t('adminEnable'),
    },
    signOut: {
      title: t('adminSignOutTitle', values),
      text: t('adminSignOutText'),
      action: t('adminSignOut'),
    },
    delete: {
      title: t('adminDeleteTitle', values),
      text: t('adminDeleteText', values),
      action: t('adminDelete'),
    },
  }[kind];
}

/** Told here alone: an admin hands it on. */
function LinkDialog({ user, onClose }: { user: AdminUser; onClose(): void }) {
  const make = useResetLink();
  return (
    <Dialog title={t('adminLinkTitle', { name: user.username })} onClose={onClose}>
      <p>{t('adminLinkText')}</p>
      {make.data ? (
        <Copy label={t('adminLinkUrl')} text={make.data.url} />
      ) : (
        <Form
          onSubmit={() => make.mutate(user.id)}
          error={make.error}
          isBusy={make.isPending}
          action={t('adminLinkMake')}
        >
          {null}
        </Form>
      )}
    </Dialog>
  );
}

function QuotaDialog({ user, onClose, onDone }: { user: AdminUser; onClose(): void; onDone(): void }) {
  const changing = useChangeUser();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const text = String(new FormData(event.currentTarget).get('quota_mb')).trim();
    const change = { quota_mb: text === '' ? null : Number(text) };
    changing.mutate({ id: user.id, change }, { onSuccess: onDone });
  };
  return (
    <Dialog title={t('adminQuotaTitle', { name: user.username })} onClose={onClose}>
      <Form onSubmit={submit} error={changing.error} isBusy={changing.isPending} action={t('adminSetQuota')}>
        <Field
          name="quota_mb"
          label={t('adminQuota')}
          hint={t('adminQuotaHint')}
          problem={fieldErrorOf(changing.error)('quota_mb')}
          type="number"
          min={0}
          step={1}
          required={false}
          defaultValue={user.quota_mb ?? ''}
        />
      </Form>
    </Dialog>
  );
}
