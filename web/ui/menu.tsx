/**
 * A button with a menu in a browser popover, which Esc or a click outside closes. Arrow keys move between
 * items.
 */
import type { LucideIcon } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import styles from './menu.module.css';

export interface MenuItem {
  name: string;
  label: string;
  icon?: LucideIcon;
  /** Keyboard shortcut of the item. */
  keyText?: string;
  /** True if the item deletes or removes something. */
  isDestructive?: boolean;
  perform(): void;
}

interface Props {
  /** Accessible name of the button, whose children are its visible content. */
  label: string;
  className?: string;
  items: MenuItem[];
  children: ReactNode;
}

const marginPx = 8;

export function MenuButton({ label, className, items, children }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const findItems = () => [...menu.current!.querySelectorAll<HTMLElement>('[role=menuitem]')];

  const positionMenu = () => {
    const { left, right, bottom, top } = button.current!.getBoundingClientRect();
    const { style, offsetWidth, offsetHeight } = menu.current!;
    const wanted = left + offsetWidth + marginPx > window.innerWidth ? right - offsetWidth : left;
    style.left = `${Math.max(marginPx, wanted)}px`;
    const isBelow = bottom + offsetHeight + marginPx <= window.innerHeight;
    style.top = `${isBelow ? bottom + 4 : Math.max(marginPx, top - offsetHeight - 4)}px`;
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const all = findItems();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === 'Tab') menu.current!.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  };

  return (
    <>
      <button
        ref={button}
        className={className}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-label={label}
        title={label}
      >
        {children}
      </button>
      <div
        ref={menu}
        id={id}
        className={styles.menu}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={handleKeyDown}
        onToggle={({ newState }) => {
          if (newState !== 'open') return;
          positionMenu();
          findItems()[0]?.focus();
        }}
      >
        {items.map(({ name, label, icon: Icon, keyText, isDestructive, perform }) => (
          <button
            key={name}
            className={styles.item}
            type="button"
            role="menuitem"
            tabIndex={-1}
            data-action={name}
            data-alarm={isDestructive || undefined}
            onClick={() => {
              menu.current!.hidePopover();
              perform();
            }}
          >
            {Icon && <Icon size={18} aria-hidden="true" />}
            <span>{label}</span>
            {keyText && <small aria-hidden="true">{keyText}</small>}
          </button>
        ))}
      </div>
    </>
  );
}
