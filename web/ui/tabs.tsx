/** Links to related pages. If they do not fit, the row scrolls to the link of the current page. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page decides which link is the current one
  useLayoutEffect(() => {
    const current = tabs.current?.querySelector('[aria-current]');
    // `scrollIntoView()` would also scroll the page.
    if (current) tabs.current!.scrollLeft += findMiddle(current) - findMiddle(tabs.current!);
  }, [page]);
  return (
    // Scrolls a focused link fully into the row, which browsers do not do. The page does not scroll.
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
