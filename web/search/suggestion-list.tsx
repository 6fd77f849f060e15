/** Suggestions below the search box, grouped by kind. */
import { Calendar, Camera, Hash, History, Images, Search, X } from 'lucide-react';
import { Fragment } from 'react';
import { Avatar } from '../auth/avatar.tsx';
import { getLanguage, t } from '../messages/messages.ts';
import styles from './search-box.module.css';
import type { SuggestionGroup, SuggestionOption } from './suggestions.ts';

interface Props {
  id: string;
  groups: SuggestionGroup[];
  active: number;
  pick(option: SuggestionOption): void;
}

const iconByKind = {
  ...{ words: Search, tag: Hash, camera: Camera, user: Search, album: Images, year: Calendar },
  ...{ recent: History, clear: X },
};

export const getSuggestionOptionId = (index: number) => `suggestion-${index}`;

export function SuggestionList({ id, groups, active, pick }: Props) {
  let index = 0;
  return (
    <div className={styles.list} id={id} role="listbox" aria-label={t('suggestions')} tabIndex={-1}>
      {groups.map((group) => {
        const options = group.options.map((option) => {
          const at = index++;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the search field has the focus and handles keys
            <div
              key={option.kind + option.text + option.href}
              className={styles.option}
              id={getSuggestionOptionId(at)}
              role="option"
              aria-selected={at === active}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => pick(option)}
            >
              <OptionIcon option={option} />
              <span className={styles.text} dir="auto">
                {option.kind === 'words' ? t('searchFor', { words: option.text }) : option.text}
              </span>
              {option.count !== undefined && (
                <span className={styles.count}>{option.count.toLocaleString(getLanguage())}</span>
              )}
            </div>
          );
        });
        if (!group.label) return <Fragment key="self">{options}</Fragment>;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a listbox holds groups by role
          <div key={group.label} role="group" aria-label={t(group.label)}>
            <p className={styles.kind} aria-hidden="true">
              {t(group.label)}
            </p>
            {options}
          </div>
        );
      })}
    </div>
  );
}

function OptionIcon({ option: { kind, user } }: { option: SuggestionOption }) {
  if (user) return <Avatar user={user} size={24} />;
  const Icon = iconByKind[kind];
  return <Icon className={styles.sign} size={18} strokeWidth={1.75} aria-hidden="true" />;
}
