/** Adds filters and suggestions to the search field in the bar. */
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import { searchHref } from './address.ts';
import { addTypedFilters, formatSearchQuery, parseSearchQuery } from './parts.ts';
import { groupSearchStarts } from './starts.ts';
import { getSuggestionOptionId, SuggestionList } from './suggestion-list.tsx';
import { groupSuggestions, type SuggestionOption } from './suggestions.ts';
import { useSearchStarts } from './use-starts.ts';
import { useSuggestions } from './use-suggestions.ts';

interface Props {
  /** The existing input element, which must not be replaced while the user types. */
  input: HTMLInputElement;
  query: string;
  /** Whether an input method was composing when this component was loaded. */
  isComposingAlready: boolean;
}

const listId = 'suggestions';
const keySteps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

export function SearchBox({ input, query, isComposingAlready }: Props) {
  const router = useRouter();
  const { filters, words } = useMemo(() => parseSearchQuery(query), [query]);
  const [draft, setDraft] = useState('');
  const [isComposing, setComposing] = useState(isComposingAlready);
  const [isOpen, setOpen] = useState(false);
  /** Index of the active option. With -1, Enter searches for the typed text. */
  const [active, setActive] = useState(-1);
  const isReady = isOpen && !isComposing;
  const isBlank = draft.trim() === '';
  const found = useSuggestions(isReady && !isBlank ? draft : undefined);
  const starts = useSearchStarts(formatSearchQuery({ filters, words: '' }), isReady && isBlank);
  const groups = isBlank ? groupSearchStarts(filters, starts) : groupSuggestions(filters, draft, found);
  const options = groups.flatMap((group) => group.options);
  const shown = isReady && options.length > 0;

  const writeDraft = (text: string) => {
    setDraft(text);
    // Set the value only if it differs, because setting it moves the caret.
    if (input.value !== text) input.value = text;
  };
  const writeWords = useEffectEvent(writeDraft);
  // Text that the user typed before this component loaded stays.
  const hasTakenOver = useRef(false);
  useLayoutEffect(() => {
    if (hasTakenOver.current || input.value === '') writeWords(words);
    hasTakenOver.current = true;
  }, [input, words]);

  const openAddress = (href: string) => {
    setOpen(false);
    setActive(-1);
    input.blur();
    router.history.push(href);
  };
  const pickOption = (option: SuggestionOption) => {
    if (option.kind === 'clear') {
      setActive(-1);
      return starts.clearRecent();
    }
    if (option.kind !== 'words') writeDraft(words);
    openAddress(option.href);
  };
  const submit = useEffectEvent((event: Event) => {
    event.preventDefault();
    const chosen = shown ? options[active] : undefined;
    if (chosen) return pickOption(chosen);
    const wanted = addTypedFilters(filters, draft);
    if (wanted !== query) openAddress(searchHref(wanted));
    writeDraft(parseSearchQuery(wanted).words);
    setOpen(false);
  });
  const type = useEffectEvent((event: Event) => {
    setComposing((event as InputEvent).isComposing);
    setDraft(input.value);
    setActive(-1);
    setOpen(true);
  });
  const press = useEffectEvent((event: KeyboardEvent) => {
    // The input method needs the keys while it composes.
    if (event.isComposing) return;
    const step = keySteps[event.key];
    if (step) {
      event.preventDefault();
      setOpen(true);
      const from = shown ? active : -1;
      setActive(((from + step + 1 + options.length + 1) % (options.length + 1)) - 1);
    } else if (event.key === 'Escape') {
      if (!shown) input.blur();
      setOpen(false);
    } else if (event.key === 'Backspace' && draft === '' && filters.length > 0) {
      router.history.push(searchHref(formatSearchQuery({ filters: filters.slice(0, -1), words })));
    }
  });

  const openIfBlank = useEffectEvent(() => {
    if (input.value.trim() === '') setOpen(true);
  });

  // A layout effect reads letters typed so far and adds the listeners at once, so that no letter is missed.
  useLayoutEffect(() => {
    setDraft(input.value);
    setOpen(document.activeElement === input);
    const ending = new AbortController();
    const { signal } = ending;
    input.form!.addEventListener('submit', submit, { signal });
    input.addEventListener('input', type, { signal });
    input.addEventListener('keydown', press, { signal });
    input.addEventListener('compositionstart', () => setComposing(true), { signal });
    input.addEventListener('compositionend', () => setComposing(false), { signal });
    input.addEventListener('focus', openIfBlank, { signal });
    input.addEventListener('click', openIfBlank, { signal });
    input.addEventListener('blur', () => setOpen(false), { signal });
    return () => ending.abort();
  }, [input]);

  useEffect(() => {
    input.placeholder = t(filters.length > 0 ? 'searchRefine' : 'searchPhotos');
  }, [input, filters]);
  useEffect(() => {
    input.setAttribute('aria-expanded', String(shown));
    input.setAttribute('aria-controls', listId);
    if (shown && active >= 0) input.setAttribute('aria-activedescendant', getSuggestionOptionId(active));
    else input.removeAttribute('aria-activedescendant');
  }, [input, shown, active]);

  return shown && <SuggestionList {...{ id: listId, groups, active, pick: pickOption }} />;
}

/** Returns the URL of a search for `query` narrowed by the typed text. */
export function narrowedHref(query: string, typed: string): string {
  return searchHref(addTypedFilters(parseSearchQuery(query).filters, typed));
}
