/** Lists the API keys of an account, and sets how many calls a minute each key may make. */
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { AdminApiKey, AdminUser } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { Dialog } from '../ui/dialog.tsx';
import { createFieldErrorLookup, Field, Form } from '../ui/form.tsx';
import { adminKeysQuery, useUpdateApiKey } from './queries.ts';
import { formatTime } from './texts.ts';

export function ApiKeysDialog({ user, onClose }: { user: AdminUser; onClose(): void }) {
  const { data } = useQuery(adminKeysQuery(user.id));
  return (
    <Dialog title={t('adminKeysTitle', { name: user.username })} onClose={onClose}>
      <p>{data?.list.length === 0 ? t('adminKeysNone') : t('adminKeysText')}</p>
      {data?.list.map((key) => (
        <KeyForm key={key.id} apiKey={key} />
      ))}
    </Dialog>
  );
}

function KeyForm({ apiKey }: { apiKey: AdminApiKey }) {
  const { id, name, last_used_time, rate_limit } = apiKey;
  const changing = useUpdateApiKey();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const text = String(new FormData(event.currentTarget).get('rate_limit')).trim();
    changing.mutate({ id, rate_limit: text === '' ? null : Number(text) });
  };
  const used = formatTime(last_used_time);
  return (
    <Form
      onSubmit={submit}
      error={changing.error}
      isBusy={changing.isPending}
      action={t('adminKeysSave')}
      done={changing.isSuccess && t('adminKeysSaved')}
    >
      <Field
        name="rate_limit"
        label={t('adminKeysLimit', { name })}
        hint={used ? t('adminKeysUsed', { time: used }) : t('adminKeysUnused')}
        problem={createFieldErrorLookup(changing.error)('rate_limit')}
        type="number"
        min={0}
        step={1}
        required={false}
        defaultValue={rate_limit ?? ''}
      />
    </Form>
  );
}
