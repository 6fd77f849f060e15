/** The button that collapses the column of a wide window to its icons. A cookie stores the choice for the server. */
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useState } from 'react';
import { t } from '../messages/messages.ts';

const yearSeconds = 31_536_000;

export function CollapseButton() {
  const [isCollapsed, setCollapsed] = useState(readCollapsed);
  const Icon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  const text = t(isCollapsed ? 'navigationExpand' : 'navigationCollapse');
  const handleClick = () => {
    storeCollapsed(!isCollapsed);
    setCollapsed(!isCollapsed);
  };
  return (
    <button className="navigation-entry" type="button" aria-label={text} title={text} onClick={handleClick}>
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
  const maxAge = isCollapsed ? yearSeconds : 0;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser supports the Cookie Store API
  document.cookie = `lightwell_navigation=collapsed; Path=/; Max-Age=${maxAge}; SameSite=Lax`;
  if (isCollapsed) dataset.navigation = 'collapsed';
  else delete dataset.navigation;
}
