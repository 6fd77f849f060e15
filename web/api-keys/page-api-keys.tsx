/** Keys for programs: made with a name and what they may, shown once, ended. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ApiKey } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { Endable } from '../settings/endable.tsx';
import styles from '../settings/settings.module.css';
import { Section, Settings } from '../settings/settings.tsx';
import { Copy } from '../ui/copy.tsx';
import { Choice } from '../ui/fields.tsx';
import { Field, Form, fieldErrorOf } from '../ui/form.tsx';
import { agoText, dateText, isPast } from '../ui/time.ts';
import { keysQuery, useDeleteKey, useMakeKey } from './queries.ts';

export function ApiKeysPage() {
  return (
    <Settings at="/settings/keys">
      {() => (
        <>
          <Section title={t('apiKeyNew')} text={t('apiKeysText')}>
            <NewKey />
          </Section>
          <Section title={t('apiKeysYours')}>
            <Keys />
          </Section>
        </>
      )}
    </Settings>
  );
}

/** Days; '' for never. */
const lifetimes = ['30', '90', '365', ''];

function NewKey() {
  const make = useMakeKey();
  const [made, setMade] = useState(0);
  const problemOf = fieldErrorOf(make.error);
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
          <p>{t('apiKeyOnce', { name: make.data.name })}</p>
          <Copy key={make.data.id} label={t('apiKey')} text={make.data.token} />
        </div>
      )}
      <Form key={made} onSubmit={submit} error={make.error} isBusy={make.isPending} action={t('apiKeyMake')}>
        <Field
          name="name"
          label={t('apiKeyName')}
          hint={t('apiKeyNameHint')}
          problem={problemOf('name')}
          maxLength={50}
          autoComplete="off"
        />
        <Choice name="scopes" label={t('apiKeyMay')} problem={problemOf('scopes')}>
          <option value="read">{t('apiKeyRead')}</option>
          <option value="write">{t('apiKeyWrite')}</option>
        </Choice>
        <Choice
          name="expires"
          label={t('apiKeyLasts')}
          problem={problemOf('expires')}
          defaultValue={lifetimes[2]}
        >
          {lifetimes.map((days) => (
            <option key={days} value={days}>
              {days === '' ? t('apiKeyForever') : t('apiKeyDays', { count: Number(days) })}
            </option>
          ))}
        </Choice>
      </Form>
    </>
  );
}

function Keys() {
  return (
    <Endable
      query={useQuery(keysQuery)}
      remove={useDeleteKey()}
      none={t('apiKeysNone')}
      question={({ name }) => t('apiKeyEnd', { name })}
      markOf={(key) => isOver(key) && t('apiKeyOver')}
      factsOf={factsOf}
    />
  );
}

function isOver({ expire_time }: ApiKey): boolean {
  return expire_time !== '' && isPast(expire_time);
}

function factsOf(key: ApiKey): string[] {
  const { scopes, last_used_time, expire_time } = key;
  return [
    t(scopes.includes('write') ? 'apiKeyWrite' : 'apiKeyRead'),
    last_used_time === '' ? t('notUsed') : t('used', { time: agoText(last_used_time) }),
    expire_time === '' ? t('apiKeyForever') : t('apiKeyUntil', { time: dateText(expire_time) }),
  ];
}
