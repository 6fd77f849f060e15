/** A page other than a wall: sets the tab's title, and scrolls to the top or to the position before the user left. */
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useLayoutEffect } from 'react';

interface Props {
  title: string;
  children: ReactNode;
}

/** Last scroll position of each history entry, in pixels. */
const positions = new Map<string, number>();

export function Page({ title, children }: Props) {
  useTitle(title);
  const { history } = useRouter();
  useLayoutEffect(() => {
    const entry = history.location.state.__TSR_key ?? '';
    window.scrollTo(0, positions.get(entry) ?? 0);
    const storePosition = () => positions.set(entry, window.scrollY);
    window.addEventListener('scroll', storePosition, { passive: true });
    return () => window.removeEventListener('scroll', storePosition);
  }, [history]);
  return <main id="content">{children}</main>;
}

/**
 * Titles of the page and of a part or overlay (`inner`). An `inner` title wins, in either order of rendering.
 */
const currentTitles = { page: '', inner: '' };

/** Sets the document's title; '' leaves only the gallery's name. */
export function useTitle(title: string, place: keyof typeof currentTitles = 'page'): void {
  useEffect(() => {
    currentTitles[place] = title;
    showTitle();
    return () => {
      currentTitles[place] = '';
      showTitle();
    };
  }, [title, place]);
}

function showTitle(): void {
  const name =
    document.querySelector('meta[name="application-name"]')?.getAttribute('content') ?? 'Lightwell';
  const title = currentTitles.inner || currentTitles.page;
  document.title = title === '' ? name : `${title} · ${name}`;
}
