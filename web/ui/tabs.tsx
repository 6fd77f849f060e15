/** Links to pages that belong together. Where they do not fit beside each other, the one to this page is in view. */
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface Props {
  label: string;
  className: string | undefined;
  children: ReactNode;
}

export function Tabs({ label, className, children }: Props) {
  const tabs = useRef<HTMLElement>(null);
  const page = useLocation({ select: ({ pathname }) => pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: which link is the current one follows from the page.
  useLayoutEffect(() => {
    const current = tabs.current?.querySelector('[aria-current]');
    // Not scrollIntoView(), which moves the page as well.
    if (current) tabs.current!.scrollLeft += findMiddle(current) - findMiddle(tabs.current!);
  }, [page]);
  return (
    // Browsers leave a link that has the focus half outside; this moves nothing but the links.
    <nav
      className={className}
      aria-label={label}
      ref={tabs}
      onFocus={({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
    >
      {children}
    </nav>
  );
}

function findMiddle(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
