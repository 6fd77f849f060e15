/** The admin page for invites: registration links, and how often each link was used. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Invite } from '../api/types.ts';
import { useSite } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { CopyField } from '../ui/copy.tsx';
import { describeError } from '../ui/error-notice.tsx';
import { createFieldErrorLookup, Field, Form } from '../ui/form.tsx';
import { useTitle } from '../ui/page.tsx';
import { isPast } from '../ui/time.ts';
import styles from './admin.module.css';
import invites from './invites.module.css';
import { PagedList } from './listing.tsx';
import { adminListQuery, useCreateInvite, useDeleteAdminItem } from './queries.ts';
import { AdminTable } from './table.tsx';
import { formatTime } from './texts.ts';
import { useAdminListFilter } from './use-filter.ts';

export function AdminInvitesPage() {
  useTitle(t('adminInvites'), 'inner');
  const { asked, setPage } = useAdminListFilter();
  const query = useQuery(adminListQuery('invites', asked));
  const revoke = useDeleteAdminItem('invites');
  return (
    <>
      <div className={styles.head}>
        <h1>{t('adminInvites')}</h1>
      </div>
      <NewInviteForm />
      {revoke.error && (
        <p className={invites.problem} role="alert">
          {describeError(revoke.error)}
        </p>
      )}
      <PagedList query={query} onPage={setPage} empty={t('adminNoInvites')}>
        {(list) => (
          <AdminTable
            columns={[
              t('adminInviteRecipient'),
              t('adminInviteUsed'),
              t('adminInviteExpires'),
              t('adminInviteCreatedBy'),
            ]}
            hasActs
          >
            {list.map((invite) => (
              <InviteRow key={invite.id} invite={invite} revoke={() => revoke.mutate(invite.id)} />
            ))}
          </AdminTable>
        )}
      </PagedList>
    </>
  );
}

/** The API uses the same values when a request leaves them out. */
const defaultInvite = { uses: 1, days: 7 };

function NewInviteForm() {
  const make = useCreateInvite();
  const [made, setMade] = useState(0);
  const findProblem = createFieldErrorLookup(make.error);
  const { registration } = useSite() ?? {};
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget);
    const email = String(form.get('email')).trim();
    make.mutate(
      {
        ...(email !== '' && { email }),
        uses: Number(form.get('uses')),
        expires: Number(form.get('expires')),
      },
      { onSuccess: () => setMade((count) => count + 1) },
    );
  };
  const numberField = (name: 'uses' | 'expires', label: string, value: number, max: number) => (
    <Field
      name={name}
      label={label}
      problem={findProblem(name)}
      type="number"
      inputMode="numeric"
      min={1}
      max={max}
      defaultValue={value}
    />
  );
  return (
    <section className={invites.make} aria-labelledby="new-invite">
      <h2 id="new-invite">{t('adminInviteNew')}</h2>
      {registration === 'open' && <p className={invites.text}>{t('adminInviteOptional')}</p>}
      {registration === 'closed' && <p className={invites.text}>{t('adminInviteUnusable')}</p>}
      {make.data && (
        <div className={invites.once} role="status">
          <p>{t('adminInviteCopyNow')}</p>
          <CopyField key={make.data.id} label={t('adminInviteLink')} text={make.data.url} />
        </div>
      )}
      <Form
        key={made}
        onSubmit={submit}
        error={make.error}
        isBusy={make.isPending}
        action={t('adminInviteCreate')}
      >
        <div className={invites.fields}>
          <Field
            name="email"
            label={t('adminInviteEmail')}
            hint={t('adminInviteEmailHint')}
            problem={findProblem('email')}
            type="email"
            autoComplete="off"
            required={false}
          />
          {numberField('uses', t('adminInviteUses'), defaultInvite.uses, 1000)}
          {numberField('expires', t('adminInviteDays'), defaultInvite.days, 365)}
        </div>
      </Form>
    </section>
  );
}

function InviteRow({ invite, revoke }: { invite: Invite; revoke(): void }) {
  const { email, uses, used, made_by, expire_time } = invite;
  const isOver = used >= uses || isPast(expire_time);
  return (
    <tr>
      <th scope="row">
        <bdi>{email || t('adminInviteAnyone')}</bdi>
        {isOver && <small>{t('adminInviteInvalid')}</small>}
      </th>
      <td data-label={t('adminInviteUsed')}>{t('adminInviteUsedOf', { used, uses })}</td>
      <td data-label={t('adminInviteExpires')}>{formatTime(expire_time)}</td>
      <td data-label={t('adminInviteCreatedBy')}>
        <bdi>{made_by}</bdi>
      </td>
      <td>
        <ConfirmButton
          label={t('adminInviteRevoke')}
          question={t('adminInviteRevokeQuestion')}
          onConfirm={revoke}
        />
      </td>
    </tr>
  );
}
