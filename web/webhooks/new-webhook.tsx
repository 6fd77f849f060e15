/** The form for a new webhook. After creation, the secret is shown once above the form. */
import { type FormEvent, useState } from 'react';
import type { NewWebhook as Wanted } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { CopyField } from '../ui/copy.tsx';
import { Switch } from '../ui/fields.tsx';
import { createFieldErrorLookup, Field, Form } from '../ui/form.tsx';
import { webhookEvents } from './events.ts';
import { useCreateWebhook } from './queries.ts';
import styles from './webhooks.module.css';

export function NewWebhookForm() {
  const make = useCreateWebhook();
  const [made, setMade] = useState(0);
  const findProblem = createFieldErrorLookup(make.error);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget);
    const wanted = {
      url: String(form.get('url')).trim(),
      description: String(form.get('description')).trim(),
      events: form.getAll('events') as Wanted['events'],
    };
    make.mutate(wanted, { onSuccess: () => setMade((count) => count + 1) });
  };
  return (
    <>
      {make.data && <WebhookSecret key={make.data.id} secret={make.data.secret} />}
      <Form
        key={made}
        onSubmit={submit}
        error={make.error}
        isBusy={make.isPending}
        action={t('webhookCreate')}
      >
        <Field
          name="url"
          label={t('webhookUrl')}
          hint={t('webhookUrlHint')}
          problem={findProblem('url')}
          type="url"
          inputMode="url"
          autoComplete="off"
        />
        <Field
          name="description"
          label={t('webhookDescription')}
          problem={findProblem('description')}
          maxLength={200}
          required={false}
          autoComplete="off"
        />
        <fieldset className={styles.events}>
          <legend>{t('webhookEvents')}</legend>
          {webhookEvents.map(({ name, label }) => (
            <Switch key={name} name="events" value={name} label={t(label)} hint={name} defaultChecked />
          ))}
          {findProblem('events') && (
            <p className={styles.problem} role="alert">
              {findProblem('events')}
            </p>
          )}
        </fieldset>
      </Form>
    </>
  );
}

export function WebhookSecret({ secret }: { secret: string }) {
  return (
    <div className={styles.once} role="status">
      <p>{t('webhookCopySecret')}</p>
      <CopyField label={t('webhookSecret')} text={secret} isSecret />
    </div>
  );
}
