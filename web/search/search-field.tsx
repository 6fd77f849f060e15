/**
 * The search field in the bar of every page, usable at once. Suggestions and filters (search-box.tsx) are
 * loaded when the field gets the pointer or the focus.
 */
import { useRouter, useRouterState } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type FormEvent, type RefObject, useEffect, useRef } from 'react';
import { loadWithTexts, t } from '../messages/messages.ts';
import { isKeyForPage, readKey } from '../ui/keys.ts';
import { useKeydown } from '../ui/use-keydown.ts';
import { useLazyModule } from '../ui/use-loaded.ts';
import { searchHref } from './address.ts';

const loadSearchBox = loadWithTexts(() => import('./search-box.tsx'), 'search');

export function SearchField() {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const isComposing = useRef(false);
  const query = useRouterState({ select: ({ location }) => readQuery(location) });
  const [box, begin] = useLazyModule(loadSearchBox);
  useSearchShortcut(input);
  useEffect(() => {
    if (query !== '') begin();
  }, [query, begin]);

  const submit = async (event: FormEvent) => {
    // The loaded search box has handled the event already.
    if (event.defaultPrevented) return;
    event.preventDefault();
    const typed = input.current!.value.trim();
    if (typed === '') return;
    // On a search page, the typed text narrows the current search.
    const { narrowedHref } =
      query === '' ? {} : await loadSearchBox().catch(() => ({ narrowedHref: undefined }));
    router.history.push(narrowedHref?.(query, typed) ?? searchHref(typed));
  };

  return (
    <search className="bar-search" onPointerEnter={begin} onFocus={begin}>
      <form className="search-field" noValidate onSubmit={submit}>
        <Search size={18} aria-hidden="true" />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={t('search')}
          aria-autocomplete="list"
          aria-expanded={false}
          placeholder={t('searchPhotos')}
          maxLength={500}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          onCompositionStart={() => {
            isComposing.current = true;
          }}
          onCompositionEnd={() => {
            isComposing.current = false;
          }}
        />
      </form>
      {box && <box.SearchBox input={input.current!} query={query} isComposingAlready={isComposing.current} />}
    </search>
  );
}

function readQuery({ pathname, search }: { pathname: string; search: { q?: string } }): string {
  return pathname === '/search' || pathname.startsWith('/search/') ? (search.q ?? '') : '';
}

/** Focuses the search field on `/`, unless another field or an overlay has the focus. */
function useSearchShortcut(input: RefObject<HTMLInputElement | null>): void {
  useKeydown((event) => {
    if (readKey(event) !== '/' || event.metaKey || event.ctrlKey || event.altKey || !isKeyForPage(event))
      return;
    event.preventDefault();
    input.current?.focus();
    input.current?.select();
  });
}
