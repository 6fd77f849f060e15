/** All keys of the pages, by the place where they are heard: those of actions as the actions have them. */
import { reportActions } from '../admin/report-actions.ts';
import { type MessageKey, t } from '../messages/messages.ts';
import { manyActions, photoActions } from '../photos/actions.ts';
import { keyText } from '../ui/keys.ts';

export interface KeyGroup {
  title: string;
  /** Each with keys that are pressed together, or one instead of the other. */
  rows: { keys: string[]; label: string }[];
}

const chord = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl';
const order = 'Alt ⇧';

export function keyGroups(isAdmin: boolean): KeyGroup[] {
  return [
    group('keysEverywhere', [
      [['?'], 'keys'],
      [['Esc'], 'keysClose'],
      [[`${chord} Z`], 'keysUndoLast'],
    ]),
    group('keysWall', [
      [['←', '→', '↑', '↓'], 'keysArrows'],
      [['Home', 'End'], 'keysEnds'],
      [['Enter'], 'keysOpen'],
      [['Space', 'X'], 'keysSelect'],
      [['⇧ Space', '⇧ X'], 'keysSelectTo'],
      [[`${chord} A`], 'keysSelectAll'],
    ]),
    group('keysViewer', [
      [['←', '→'], 'keysTurn'],
      [['+', '-'], 'keysZoom'],
      [['Z'], 'keysWhole'],
      ...ofActions(photoActions),
    ]),
    group('keysSelected', [...ofActions(manyActions), [['Esc'], 'selectionEnd']]),
    group('keysAlbum', [
      [[`${order} ←`, `${order} →`], 'keysStep'],
      [[`${order} Home`], 'orderStart'],
      [[`${order} End`], 'orderEnd'],
      [['M'], 'keysMenu'],
    ]),
    group('keysEditor', [
      [['R'], 'turnRight'],
      [['⇧ R'], 'turnLeft'],
      [['B'], 'compare'],
      [[`${chord} Z`], 'undo'],
      [[`${chord} ⇧ Z`], 'redo'],
      [[`${chord} S`], 'saveEdits'],
    ]),
    ...(isAdmin ? [reports()] : []),
  ];
}

type Row = [keys: string[], label: MessageKey];

function group(title: MessageKey, rows: Row[]): KeyGroup {
  return { title: t(title), rows: rows.map(([keys, label]) => ({ keys, label: t(label) })) };
}

/** A key that does one thing or its opposite stands once. */
function ofActions(actions: { key: string; label: MessageKey }[]): Row[] {
  const firsts = actions.filter(({ key }, at) => actions.findIndex((one) => one.key === key) === at);
  return firsts.map(({ key, label }) => [[keyText(key)], label]);
}

function reports(): KeyGroup {
  const acts = reportActions().map(({ key, label }) => ({ keys: [keyText(key)], label }));
  const move = { keys: ['J', 'K'], label: t('keysReports') };
  return { title: t('keysReportsTitle'), rows: [move, ...acts] };
}
