/** Named things of one's own that end when one says so: keys, passkeys. */
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { t } from '../messages/messages.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Trouble, textOf } from '../ui/trouble.tsx';
import styles from './settings.module.css';
import { Item, List } from './settings.tsx';

interface Named {
  id: number;
  name: string;
}

interface Props<Thing extends Named> {
  query: UseQueryResult<Thing[]>;
  remove: UseMutationResult<unknown, Error, number>;
  /** Where there are none. */
  none: string;
  question(thing: Thing): string;
  markOf(thing: Thing): string | false;
  factsOf(thing: Thing): string[];
}

export function Endable<Thing extends Named>(props: Props<Thing>) {
  const { query, remove, none, question, markOf, factsOf } = props;
  const { data: things, error, refetch } = query;
  if (error) return <Trouble error={error} retry={() => void refetch()} />;
  if (!things) return <p className={styles.text}>{t('loading')}</p>;
  if (things.length === 0) return <p className={styles.text}>{none}</p>;
  return (
    <>
      <List>
        {things.map((thing) => (
          <Item key={thing.id} title={thing.name} mark={markOf(thing)} facts={factsOf(thing)}>
            <ConfirmButton
              label={t('delete')}
              question={question(thing)}
              isBusy={remove.variables === thing.id && remove.isPending}
              onConfirm={() => remove.mutate(thing.id)}
            />
          </Item>
        ))}
      </List>
      {remove.error && (
        <p className={styles.problem} role="alert">
          {textOf(remove.error)}
        </p>
      )}
    </>
  );
}
