/** What every page but a wall begins with: its name in the tab, its top in the window. */
import { type ReactNode, useEffect, useLayoutEffect } from 'react';

interface Props {
  title: string;
  children: ReactNode;
}

export function Page({ title, children }: Props) {
  useTitle(title);
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  return <main id="content">{children}</main>;
}

/** `inner`: of a part of the page, or of what lies over it. It goes before the page's, whichever is there first. */
const titles = { page: '', inner: '' };

/** '' for the gallery's own name alone. */
export function useTitle(title: string, place: keyof typeof titles = 'page'): void {
  useEffect(() => {
    titles[place] = title;
    showTitle();
    return () => {
      titles[place] = '';
      showTitle();
    };
  }, [title, place]);
}

function showTitle(): void {
  const name =
    document.querySelector('meta[name="application-name"]')?.getAttribute('content') ?? 'Lightwell';
  const title = titles.inner || titles.page;
  document.title = title === '' ? name : `${title} · ${name}`;
}
