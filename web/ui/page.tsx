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

/** '' for the gallery's own name alone. */
export function useTitle(title: string): void {
  useEffect(() => {
    const name =
      document.querySelector('meta[name="application-name"]')?.getAttribute('content') ?? 'Lightwell';
    document.title = title === '' ? name : `${title} · ${name}`;
  }, [title]);
}
