/** The one field that searches, in the bar of every page: words, filters, and suggestions while one types. */
import { useRouter, useRouterState } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import { partsOf, queryOf, searchHref, withTyped } from './parts.ts';
import styles from './search-box.module.css';
import { optionId, SuggestionList } from './suggestion-list.tsx';
import { groupsOf, type Option } from './suggestions.ts';
import { useSuggestions } from './use-suggestions.ts';

const listId = 'suggestions';
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

export function SearchBox() {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const query = useRouterState({ select: ({ location }) => queryAt(location) });
  const { filters, words } = useMemo(() => partsOf(query), [query]);
  const [draft, setDraft] = useState(words);
  const [isComposing, setComposing] = useState(false);
  const [isOpen, setOpen] = useState(false);
  /** Of the options; -1: none, Enter searches for what is typed. */
  const [active, setActive] = useState(-1);
  const shown = isOpen && !isComposing && draft.trim() !== '';
  const found = useSuggestions(shown ? draft : undefined);
  const groups = useMemo(() => groupsOf(filters, draft, found), [filters, draft, found]);
  const options = groups.flatMap((group) => group.options);

  useEffect(() => setDraft(words), [words]);
  useShortcut(input);

  const goTo = (href: string) => {
    setOpen(false);
    setActive(-1);
    input.current?.blur();
    router.history.push(href);
  };
  const pick = (option: Option) => {
    if (option.kind !== 'words') setDraft(words);
    goTo(option.href);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const chosen = shown ? options[active] : undefined;
    if (chosen) return pick(chosen);
    const wanted = withTyped(filters, draft);
    if (wanted !== query) goTo(searchHref(wanted));
    setDraft(partsOf(wanted).words);
    setOpen(false);
  };
  const press = (event: KeyboardEvent) => {
    // Keys belong to the input method while it composes.
    if (event.nativeEvent.isComposing) return;
    const step = steps[event.key];
    if (step && draft.trim() !== '') {
      event.preventDefault();
      setOpen(true);
      const from = shown ? active : -1;
      setActive(((from + step + 1 + options.length + 1) % (options.length + 1)) - 1);
    } else if (event.key === 'Escape') {
      if (!shown) input.current?.blur();
      setOpen(false);
    } else if (event.key === 'Backspace' && draft === '' && filters.length > 0) {
      router.history.push(searchHref(queryOf({ filters: filters.slice(0, -1), words })));
    }
  };

  return (
    <search className={`bar-search ${styles.search}`}>
      <form className="search-field" onSubmit={submit}>
        <Search size={18} aria-hidden="true" />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={t('search')}
          aria-autocomplete="list"
          aria-expanded={shown}
          aria-controls={listId}
          aria-activedescendant={shown && active >= 0 ? optionId(active) : undefined}
          placeholder={filters.length > 0 ? t('searchMore') : t('searchHint')}
          value={draft}
          maxLength={500}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          onChange={(event) => {
            setDraft(event.target.value);
            setActive(-1);
            setOpen(true);
          }}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={() => setComposing(false)}
          onBlur={() => setOpen(false)}
          onKeyDown={press}
        />
      </form>
      {shown && <SuggestionList {...{ id: listId, groups, active, pick }} />}
    </search>
  );
}

function queryAt({ pathname, search }: { pathname: string; search: { q?: string } }): string {
  return pathname === '/search' || pathname.startsWith('/search/') ? (search.q ?? '') : '';
}

/** `/` leads to the field from everywhere but another field, or what lies over the page. */
function useShortcut(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.metaKey || event.ctrlKey || event.altKey) return;
      const at = event.target as HTMLElement;
      if (at.closest('input, textarea, select, [contenteditable], [role=dialog]')) return;
      if (document.querySelector('[role=dialog]')) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [input]);
}
