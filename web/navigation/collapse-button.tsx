/** The button that collapses the column of a wide window to its icons. The browser remembers the choice. */
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useState } from 'react';
import { t } from '../messages/messages.ts';

/** The server's document reads the same key before the first paint (server/gallery/pages/navigation.ts). */
const storageKey = 'lightwell-navigation';

export function CollapseButton() {
  const [isCollapsed, setCollapsed] = useState(readCollapsed);
  const Icon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  const text = t(isCollapsed ? 'navigationExpand' : 'navigationCollapse');
  const handleClick = () => {
    storeCollapsed(!isCollapsed);
    setCollapsed(!isCollapsed);
  };
  return (
    <button className="navigation-entry" type="button" title={text} onClick={handleClick}>
      <span className="navigation-icon">
        <Icon size={22} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <span>{text}</span>
    </button>
  );
}

const readCollapsed = (): boolean => document.documentElement.dataset.navigation === 'collapsed';

function storeCollapsed(isCollapsed: boolean): void {
  const { dataset } = document.documentElement;
  if (isCollapsed) dataset.navigation = 'collapsed';
  else delete dataset.navigation;
  try {
    if (isCollapsed) localStorage.setItem(storageKey, 'collapsed');
    else localStorage.removeItem(storageKey);
  } catch {
    // A browser that stores nothing for this site forgets the choice with the page.
  }
}
