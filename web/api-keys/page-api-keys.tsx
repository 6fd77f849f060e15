/** The page for API keys: create a key with a name and permissions, see the key once, revoke keys. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ApiKey } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { RevocableItemList } from '../settings/revocable-item.tsx';
import styles from '../settings/settings.module.css';
import { SettingsPage, SettingsSection } from '../settings/settings.tsx';
import { CopyField } from '../ui/copy.tsx';
import { SelectField } from '../ui/fields.tsx';
import { createFieldErrorLookup, Field, Form } from '../ui/form.tsx';
import { formatAgo, formatDate, isPast } from '../ui/time.ts';
import { apiKeysQuery, useCreateApiKey, useDeleteApiKey } from './queries.ts';

export function ApiKeysPage() {
  return (
    <SettingsPage at="/settings/keys">
      {() => (
        <>
          <SettingsSection title={t('apiKeyNew')} text={t('apiKeysText')}>
            <NewKeyForm />
          </SettingsSection>
          <SettingsSection title={t('yourApiKeys')}>
            <KeyList />
          </SettingsSection>
        </>
      )}
    </SettingsPage>
  );
}

/** Choices for the lifetime in days; '' means that the key never expires. */
const lifetimeDays = ['30', '90', '365', ''];

function NewKeyForm() {
  const make = useCreateApiKey();
  const [made, setMade] = useState(0);
  const findProblem = createFieldErrorLookup(make.error);
  const submit = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget);
    const days = Number(form.get('expires'));
    make.mutate(
      {
        name: String(form.get('name')).trim(),
        scopes: form.get('scopes') === 'write' ? ['read', 'write'] : ['read'],
        ...(days > 0 && { expires: days }),
      },
      { onSuccess: () => setMade((count) => count + 1) },
    );
  };
  return (
    <>
      {make.data && (
        <div className={styles.once} role="status">
          <p>{t('apiKeyCopyNow', { name: make.data.name })}</p>
          <CopyField key={make.data.id} label={t('apiKey')} text={make.data.token} isSecret />
        </div>
      )}
      <Form
        key={made}
        onSubmit={submit}
        error={make.error}
        isBusy={make.isPending}
        action={t('apiKeyCreate')}
      >
        <Field
          name="name"
          label={t('apiKeyName')}
          hint={t('apiKeyNameHint')}
          problem={findProblem('name')}
          maxLength={50}
          autoComplete="off"
        />
        <SelectField name="scopes" label={t('apiKeyPermission')} problem={findProblem('scopes')}>
          <option value="read">{t('apiKeyRead')}</option>
          <option value="write">{t('apiKeyWrite')}</option>
        </SelectField>
        <SelectField
          name="expires"
          label={t('apiKeyExpires')}
          problem={findProblem('expires')}
          defaultValue={lifetimeDays[2]}
        >
          {lifetimeDays.map((days) => (
            <option key={days} value={days}>
              {days === '' ? t('apiKeyNeverExpires') : t('apiKeyExpiresIn', { count: Number(days) })}
            </option>
          ))}
        </SelectField>
      </Form>
    </>
  );
}

function KeyList() {
  return (
    <RevocableItemList
      query={useQuery(apiKeysQuery)}
      remove={useDeleteApiKey()}
      none={t('noApiKeys')}
      question={({ name }) => t('apiKeyDeleteQuestion', { name })}
      getMark={(key) => isExpired(key) && t('apiKeyExpired')}
      listFacts={describeKey}
    />
  );
}

function isExpired({ expire_time }: ApiKey): boolean {
  return expire_time !== '' && isPast(expire_time);
}

function describeKey(key: ApiKey): string[] {
  const { scopes, last_used_time, expire_time } = key;
  return [
    t(scopes.includes('write') ? 'apiKeyWrite' : 'apiKeyRead'),
    last_used_time === '' ? t('notUsedYet') : t('lastUsed', { time: formatAgo(last_used_time) }),
    expire_time === '' ? t('apiKeyNeverExpires') : t('apiKeyExpiresAt', { time: formatDate(expire_time) }),
  ];
}
