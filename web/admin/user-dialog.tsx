/** Asks an admin to confirm a change of an account; the dialog names the account and the consequence. */
import type { FormEvent } from 'react';
import type { AdminUser } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { CopyField } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { createFieldErrorLookup, Field, Form } from '../ui/form.tsx';
import { showToast } from '../ui/toast.tsx';
import { ApiKeysDialog } from './keys-dialog.tsx';
import {
  type UserChange,
  useCreateResetLink,
  useDeleteAdminItem,
  useEndUserSessions,
  useUpdateUser,
} from './queries.ts';

export interface AdminUserAction {
  kind: 'quota' | 'promote' | 'demote' | 'disable' | 'enable' | 'delete' | 'signOut' | 'link' | 'keys';
  user: AdminUser;
}

const changesByAction: Record<
  Exclude<AdminUserAction['kind'], 'quota' | 'delete' | 'signOut' | 'link' | 'keys'>,
  UserChange
> = {
  promote: { is_admin: true },
  demote: { is_admin: false },
  disable: { status: 0 },
  enable: { status: 1 },
};

export function AdminUserDialog({ kind, user, onClose }: AdminUserAction & { onClose(): void }) {
  const changing = useUpdateUser();
  const deleting = useDeleteAdminItem('users');
  const ending = useEndUserSessions();
  const name = user.username;
  const closeWithToast = () => {
    onClose();
    showToast({ text: t('adminDone', { name }) });
  };
  if (kind === 'quota') return <QuotaDialog user={user} onClose={onClose} onDone={closeWithToast} />;
  if (kind === 'keys') return <ApiKeysDialog user={user} onClose={onClose} />;
  if (kind === 'link') return <ResetLinkDialog user={user} onClose={onClose} />;
  const confirmAction = () => {
    if (kind === 'delete') deleting.mutate(user.id, { onSuccess: closeWithToast });
    else if (kind === 'signOut') ending.mutate(user.id, { onSuccess: closeWithToast });
    else changing.mutate({ id: user.id, change: changesByAction[kind] }, { onSuccess: closeWithToast });
  };
  return (
    <ConfirmDialog
      {...getConfirmTexts(kind, user)}
      onConfirm={confirmAction}
      onClose={onClose}
      isBusy={changing.isPending || deleting.isPending || ending.isPending}
      error={changing.error ?? deleting.error ?? ending.error}
      isHarmless={kind === 'enable' || kind === 'promote'}
    />
  );
}

function getConfirmTexts(kind: Exclude<AdminUserAction['kind'], 'quota' | 'link' | 'keys'>, user: AdminUser) {
  const values = { name: user.username, count: user.photo_count };
  return {
    promote: {
      title: t('adminGrantRightsTitle', values),
      text: t('adminGrantRightsText'),
      action: t('adminGrantRights'),
    },
    demote: {
      title: t('adminRemoveRightsTitle', values),
      text: t('adminRemoveRightsText'),
      action: t('adminRemoveRights'),
    },
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
      title: t('adminSignOutUserTitle', values),
      text: t('adminSignOutUserText'),
      action: t('adminSignOutUser'),
    },
    delete: {
      title: t('adminDeleteTitle', values),
      text: t('adminDeleteText', values),
      action: t('adminDelete'),
    },
  }[kind];
}

/** Shows the link only in this dialog; the admin passes the link on to the user. */
function ResetLinkDialog({ user, onClose }: { user: AdminUser; onClose(): void }) {
  const make = useCreateResetLink();
  return (
    <Dialog title={t('adminResetLinkTitle', { name: user.username })} onClose={onClose}>
      <p>{t('adminResetLinkText')}</p>
      {make.data ? (
        <CopyField label={t('adminResetLinkUrl')} text={make.data.url} />
      ) : (
        <Form
          onSubmit={() => make.mutate(user.id)}
          error={make.error}
          isBusy={make.isPending}
          action={t('adminResetLinkCreate')}
        >
          {null}
        </Form>
      )}
    </Dialog>
  );
}

function QuotaDialog({ user, onClose, onDone }: { user: AdminUser; onClose(): void; onDone(): void }) {
  const changing = useUpdateUser();
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
          label={t('adminQuotaMb')}
          hint={t('adminQuotaHint')}
          problem={createFieldErrorLookup(changing.error)('quota_mb')}
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
