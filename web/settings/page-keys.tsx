/** Keys for programs: made with a name and what they may, shown once, ended. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ApiKey } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { Copy } from '../ui/copy.tsx';
import { Choice } from '../ui/fields.tsx';
import { Field, Form, fieldErrorOf } from '../ui/form.tsx';
import { agoText, dateText, isPast } from '../ui/time.ts';
import { Endable } from './endable.tsx';
import { keysQuery, useDeleteKey, useMakeKey } from './queries.ts';
import styles from './settings.module.css';
import { Section, Settings } from './settings.tsx';

export function KeysPage() {
  return (
    <Settings title={t('settingsKeys')}>
      {() => (
        <>
          <Section title={t('settingsKeyNew')} text={t('settingsKeysText')}>
            <NewKey />
          </Section>
          <Section title={t('settingsKeysYours')}>
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
          <p>{t('settingsKeyOnce', { name: make.data.name })}</p>
          <Copy key={make.data.id} label={t('settingsKey')} text={make.data.token} />
        </div>
      )}
      <Form
        key={made}
        onSubmit={submit}
        error={make.error}
        isBusy={make.isPending}
        action={t('settingsKeyMake')}
      >
        <Field
          name="name"
          label={t('settingsKeyName')}
          hint={t('settingsKeyNameHint')}
          problem={problemOf('name')}
          maxLength={50}
          autoComplete="off"
        />
        <Choice name="scopes" label={t('settingsKeyMay')} problem={problemOf('scopes')}>
          <option value="read">{t('settingsKeyRead')}</option>
          <option value="write">{t('settingsKeyWrite')}</option>
        </Choice>
        <Choice
          name="expires"
          label={t('settingsKeyLasts')}
          problem={problemOf('expires')}
          defaultValue={lifetimes[2]}
        >
          {lifetimes.map((days) => (
            <option key={days} value={days}>
              {days === '' ? t('settingsForever') : t('settingsDays', { count: Number(days) })}
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
      none={t('settingsKeysNone')}
      question={({ name }) => t('settingsKeyEnd', { name })}
      markOf={(key) => isOver(key) && t('settingsKeyOver')}
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
    t(scopes.includes('write') ? 'settingsKeyWrite' : 'settingsKeyRead'),
    last_used_time === '' ? t('settingsKeyUnused') : t('settingsUsed', { time: agoText(last_used_time) }),
    expire_time === '' ? t('settingsForever') : t('settingsUntil', { time: dateText(expire_time) }),
  ];
}
