/** The editor's main view: the preview, the tools, the list of steps and the save button. */
import { useBlocker } from '@tanstack/react-router';
import { Crop, Palette, RotateCwSquare, Scaling } from 'lucide-react';
import { useMemo, useReducer, useState } from 'react';
import type { EditHistory, EditStep, PhotoItem } from '../api/types.ts';
import { type MessageKey, t } from '../messages/messages.ts';
import { describeError } from '../ui/error-notice.tsx';
import { EditorBar } from './bar.tsx';
import { CropArea } from './crop-area.tsx';
import styles from './editor.module.css';
import { applyEditorChange, areSameEditSteps } from './history.ts';
import { LeaveEditorDialog } from './leave-question.tsx';
import { EditorPicture } from './picture.tsx';
import { useSaveEdits } from './queries.ts';
import { EditStepStrip } from './step-strip.tsx';
import { addTurnStep, computeSizeAfterSteps } from './steps.ts';
import { ColorTool, CropTool, ResizeTool, RotateTool } from './tools.tsx';
import { useAvailableSize } from './use-available-size.ts';
import { useCropArea } from './use-crop.ts';
import { useEditorKeys } from './use-keys.ts';

interface Props {
  photo: PhotoItem;
  history: EditHistory;
  close(): void;
  onSaved(): void;
}

const editorTools = [
  { name: 'crop', label: 'toolCrop', icon: Crop },
  { name: 'turn', label: 'toolRotate', icon: RotateCwSquare },
  { name: 'size', label: 'toolResize', icon: Scaling },
  { name: 'colour', label: 'toolAdjust', icon: Palette },
] as const satisfies { name: string; label: MessageKey; icon: typeof Crop }[];
type Tool = (typeof editorTools)[number]['name'];

export function EditorView({ photo, history: { list, original }, close, onSaved }: Props) {
  const saved = useMemo(() => list as unknown as EditStep[], [list]);
  const [history, change] = useReducer(applyEditorChange, { steps: readSteps(saved), past: [], future: [] });
  const [tool, setTool] = useState<Tool>('crop');
  const [isComparing, setComparing] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [room, measure] = useAvailableSize();
  const save = useSaveEdits(photo.id);
  const size = computeSizeAfterSteps(original, history.steps);
  const crop = useCropArea(size);
  const pending = tool === 'crop' ? crop.step() : undefined;
  const steps = pending ? [...history.steps, pending] : history.steps;
  const isChanged = !areSameEditSteps(steps, readSteps(saved));
  const isBusy = save.isPending;

  // Every step resets the crop frame to the whole picture.
  const setSteps = (next: EditStep[], held?: string) => {
    crop.reset();
    change({ to: next, ...(held && { held }) });
  };
  const chooseTool = (next: Tool) => {
    if (pending) setSteps(steps);
    setTool(next);
  };
  const undoOrRedo = (way: 'undo' | 'redo') => {
    // An unfinished crop frame is the latest change, so undo resets the frame first.
    if (way === 'undo' && pending) return crop.reset();
    crop.reset();
    change({ go: way });
  };
  const requestClose = () => (isChanged ? setLeaving(true) : close());
  const saveSteps = () => {
    if (isBusy) return;
    if (!isChanged) return close();
    save.mutate(steps, { onSuccess: onSaved });
  };
  useEditorKeys({
    leave: isLeaving ? () => setLeaving(false) : requestClose,
    undo: () => undoOrRedo('undo'),
    redo: () => undoOrRedo('redo'),
    turnLeft: () => setSteps(addTurnStep(steps, 270)),
    turnRight: () => setSteps(addTurnStep(steps, 90)),
    save: saveSteps,
    compare: setComparing,
  });
  // The Back button and closing the tab ask before unsaved edits are lost.
  useBlocker({
    shouldBlockFn: () => {
      if (!save.isSuccess) requestClose();
      return !save.isSuccess;
    },
    enableBeforeUnload: () => isChanged && !save.isSuccess,
  });

  const alt = photo.title || t('editPhoto');
  const shared = { original, room, alt };
  const toolProps = { original, steps: history.steps, set: setSteps };
  return (
    <>
      <div className={styles.desk} inert={isLeaving || isBusy}>
        <EditorBar
          size={computeSizeAfterSteps(original, steps)}
          canUndo={history.past.length > 0 || pending !== undefined}
          canRedo={history.future.length > 0}
          canSave={isChanged}
          {...{ leave: requestClose, go: undoOrRedo, compare: setComparing, save: saveSteps }}
        />
        <div className={styles.room} ref={measure}>
          {isComparing ? (
            <EditorPicture {...shared} steps={[]} />
          ) : tool === 'crop' ? (
            <CropArea {...shared} {...crop} steps={history.steps} onChange={crop.setCrop} />
          ) : (
            <EditorPicture {...shared} steps={history.steps} />
          )}
        </div>
        <aside className={styles.side} aria-label={t('tools')}>
          <nav className={styles.tools} aria-label={t('tools')}>
            {editorTools.map(({ name, label, icon: Icon }) => (
              <button key={name} type="button" aria-pressed={tool === name} onClick={() => chooseTool(name)}>
                <Icon size={20} aria-hidden="true" />
                {t(label)}
              </button>
            ))}
          </nav>
          <div className={styles.tool}>
            {tool === 'crop' && <CropTool crop={crop} apply={() => pending && setSteps(steps)} />}
            {tool === 'turn' && <RotateTool {...toolProps} />}
            {tool === 'size' && <ResizeTool {...toolProps} />}
            {tool === 'colour' && <ColorTool {...toolProps} />}
          </div>
        </aside>
        <div className={styles.foot}>
          <EditStepStrip original={original} steps={history.steps} set={setSteps} />
        </div>
      </div>
      {isBusy && (
        <p className={styles.busy} role="status">
          {t('saving')}
        </p>
      )}
      {save.error && !isBusy && (
        <p className={styles.fault} role="alert">
          <span>
            {t('saveFailed')} {describeError(save.error)}
          </span>
          <button className="button quiet" type="button" onClick={saveSteps}>
            {t('retry')}
          </button>
        </p>
      )}
      {isLeaving && <LeaveEditorDialog stay={() => setLeaving(false)} leave={close} />}
    </>
  );
}

/** Returns only the action and parameters of each step, because the API accepts no other fields. */
function readSteps(list: EditStep[]): EditStep[] {
  return list.map(({ action, params }) => ({ action, params }) as EditStep);
}
