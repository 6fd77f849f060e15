/** A list of the user's API keys or passkeys, each with a button that revokes or removes the item. */
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { t } from '../messages/messages.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { describeError, ErrorNotice } from '../ui/error-notice.tsx';
import styles from './settings.module.css';
import { SettingsItem, SettingsList } from './settings.tsx';

interface NamedItem {
  id: number;
  name: string;
}

interface Props<Thing extends NamedItem> {
  query: UseQueryResult<Thing[]>;
  remove: UseMutationResult<unknown, Error, number>;
  /** Text that is shown if the list is empty. */
  none: string;
  question(thing: Thing): string;
  getMark(thing: Thing): string | false;
  listFacts(thing: Thing): string[];
}

export function RevocableItemList<Thing extends NamedItem>(props: Props<Thing>) {
  const { query, remove, none, question, getMark, listFacts } = props;
  const { data: things, error, refetch } = query;
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!things) return <p className={styles.text}>{t('loading')}</p>;
  if (things.length === 0) return <p className={styles.text}>{none}</p>;
  return (
    <>
      <SettingsList>
        {things.map((thing) => (
          <SettingsItem key={thing.id} title={thing.name} mark={getMark(thing)} facts={listFacts(thing)}>
            <ConfirmButton
              label={t('delete')}
              question={question(thing)}
              isBusy={remove.variables === thing.id && remove.isPending}
              onConfirm={() => remove.mutate(thing.id)}
            />
          </SettingsItem>
        ))}
      </SettingsList>
      {remove.error && (
        <p className={styles.problem} role="alert">
          {describeError(remove.error)}
        </p>
      )}
    </>
  );
}
