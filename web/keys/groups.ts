/** All keyboard shortcuts, grouped by page. Shortcuts of actions come from the actions themselves. */
import { listReportActions } from '../admin/report-actions.ts';
import { type MessageKey, t } from '../messages/messages.ts';
import { photoActions } from '../photos/actions.ts';
import { bulkActions } from '../photos/bulk-actions.ts';
import { formatKey } from '../ui/keys.ts';

export interface ShortcutGroup {
  title: string;
  /** Rows of a group. The keys of a row are alternatives or pressed together. */
  rows: { keys: string[]; label: string }[];
}

const modifierLabel = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl';
const orderShortcut = 'Alt ⇧';

export function listShortcutGroups(isAdmin: boolean): ShortcutGroup[] {
  return [
    createGroup('keysEverywhere', [
      [['?'], 'keys'],
      [['Esc'], 'keysClose'],
      [[`${modifierLabel} Z`], 'keysUndoLast'],
    ]),
    createGroup('keysPhotoList', [
      [['←', '→', '↑', '↓'], 'keysMoveBetween'],
      [['Home', 'End'], 'keysFirstLast'],
      [['Enter'], 'keysOpen'],
      [['Space', 'X'], 'keysSelect'],
      [['⇧ Space', '⇧ X'], 'keysSelectTo'],
      [[`${modifierLabel} A`], 'keysSelectAll'],
    ]),
    createGroup('keysViewer', [
      [['←', '→'], 'keysPreviousNext'],
      [['+', '-'], 'keysZoom'],
      [['Z'], 'keysActualSize'],
      [['0', '…', '5'], 'keysRate'],
      [['⇧ 0', '…', '⇧ 5'], 'keysRateAndNext'],
      ...groupActions(photoActions),
    ]),
    createGroup('keysSelected', [
      ...groupActions(bulkActions),
      [['0', '…', '5'], 'keysRateSelected'],
      [['Esc'], 'selectionClear'],
    ]),
    createGroup('keysYourAlbums', [
      [[`${orderShortcut} ←`, `${orderShortcut} →`], 'keysMoveInOrder'],
      [[`${orderShortcut} Home`], 'orderToStart'],
      [[`${orderShortcut} End`], 'orderToEnd'],
      [['M'], 'keysMenu'],
    ]),
    createGroup('keysEditor', [
      [['R'], 'rotateRight'],
      [['⇧ R'], 'rotateLeft'],
      [['B'], 'compare'],
      [[`${modifierLabel} Z`], 'undo'],
      [[`${modifierLabel} ⇧ Z`], 'redo'],
      [[`${modifierLabel} S`], 'saveEdits'],
    ]),
    ...(isAdmin ? [createReportGroup()] : []),
  ];
}

type KeyRow = [keys: string[], label: MessageKey];

function createGroup(title: MessageKey, rows: KeyRow[]): ShortcutGroup {
  return { title: t(title), rows: rows.map(([keys, label]) => ({ keys, label: t(label) })) };
}

/** Lists a key once if it does one thing or its opposite. */
function groupActions(actions: { key?: string; label: MessageKey }[]): KeyRow[] {
  const rows = new Map<string, MessageKey>();
  for (const { key, label } of actions) if (key && !rows.has(key)) rows.set(key, label);
  return [...rows].map(([key, label]) => [[formatKey(key)], label]);
}

function createReportGroup(): ShortcutGroup {
  const acts = listReportActions().map(({ key, label }) => ({ keys: [formatKey(key)], label }));
  const move = { keys: ['J', 'K'], label: t('keysReports') };
  return { title: t('keysReportsTitle'), rows: [move, ...acts] };
}
