/** The import of the page, kept outside of React, so that it goes on while the user looks at other pages. */
import { type ImportPlan, planImport } from '../../server/tools/exchange/plan/plan.ts';
import type { Receipt } from '../../server/tools/exchange/plan/receipt.ts';
import { accountWatch } from '../api/account-watch.ts';
import type { PickedFile } from '../upload/files.ts';
import { createSpeedometer } from '../upload/speed.ts';
import { readImportChoice, writeImportChoice } from './choice.ts';
import { createKnownFiles } from './known-files.ts';
import type { ImportCalls } from './queries.ts';
import { createImportRun, type ImportProgress, type ImportRun } from './run.ts';
import { createScan, type Scan, type ScanCounts } from './scan.ts';
import type { ImportChoice } from './single-photo.ts';
import { type ImportSources, openSources } from './sources.ts';

const notifyDelayMs = 200;

/** The state that the page shows. */
export type ImportView =
  | { phase: 'choose'; interrupted: ImportChoice | undefined }
  | { phase: 'reading'; read: number }
  | {
      phase: 'found';
      plan: ImportPlan;
      scan: ScanCounts;
      sources: string[];
      interrupted: ImportChoice | undefined;
    }
  | {
      phase: 'running';
      plan: ImportPlan;
      progress: ImportProgress;
      totalBytes: number;
      secondsLeft: number | undefined;
    }
  | { phase: 'done'; plan: ImportPlan; receipt: Receipt; sources: string[]; isStopped: boolean };

export type ImportSession = ReturnType<typeof createImportSession>;

export function createImportSession(options: { user: number; maxBytes: number; calls: ImportCalls }) {
  const { user, maxBytes, calls } = options;
  const listeners = new Set<() => void>();
  const speed = createSpeedometer();
  let timer = 0;
  let [isReading, read] = [false, 0];
  let found: { plan: ImportPlan; sources: ImportSources; scan: Scan; totalBytes: number } | undefined;
  let run: ImportRun | undefined;
  let isEnded = false;
  let view = readView();

  function readView(): ImportView {
    if (isReading) return { phase: 'reading', read };
    if (!found) return { phase: 'choose', interrupted: readImportChoice(user) };
    const { plan, scan, sources, totalBytes } = found;
    const names = sources.names;
    if (!run) {
      const interrupted = readImportChoice(user);
      return { phase: 'found', plan, scan: { ...scan.counts() }, sources: names, interrupted };
    }
    const progress = run.progress();
    if (progress.state === 'done' || (progress.state === 'stopped' && isEnded)) {
      const isStopped = progress.state === 'stopped';
      return { phase: 'done', plan, receipt: run.receipt(), sources: names, isStopped };
    }
    if (progress.pause) speed.reset();
    else speed.note(progress.bytes);
    const secondsLeft = progress.pause ? undefined : speed.secondsFor(totalBytes - progress.bytes);
    return { phase: 'running', plan, progress, totalBytes, secondsLeft };
  }

  function notify(): void {
    clearTimeout(timer);
    timer = 0;
    view = readView();
    for (const listener of listeners) listener();
  }
  const notifySoon = () => {
    timer ||= window.setTimeout(notify, notifyDelayMs);
  };

  /** Ends the session's work when another import begins. */
  function clear(): void {
    found?.scan.stop();
    run?.stop();
    found = undefined;
    run = undefined;
    isEnded = false;
  }

  window.addEventListener('beforeunload', (event) => {
    if (!accountWatch.isReplaced() && view.phase === 'running') event.preventDefault();
  });

  return {
    user,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    view: () => view,
    /** Reads the names and the sidecars of chosen files, and makes the plan. */
    async choose(picked: PickedFile[]): Promise<void> {
      if (picked.length === 0 || isReading || view.phase === 'running') return;
      clear();
      [isReading, read] = [true, 0];
      notify();
      try {
        const sources = await openSources(picked);
        const plan = await planImport(sources.files, async (file) => {
          read++;
          notifySoon();
          return sources.read(file);
        });
        const findKnown = createKnownFiles(calls.findKnown);
        const scan = createScan({ plan, sources, findKnown, onChange: notifySoon });
        const totalBytes = plan.photos.reduce((sum, { file }) => sum + file.bytes, 0);
        found = { plan, sources, scan, totalBytes };
        scan.start();
      } finally {
        isReading = false;
        notify();
      }
    },
    start(choice: ImportChoice): void {
      if (!found || run) return;
      writeImportChoice(user, choice);
      speed.reset();
      run = createImportRun({ ...found, calls, choice, maxBytes, onChange: notifySoon, onEnd: handleEnd });
      run.start();
      notify();
    },
    hold: () => run?.hold(),
    resume: () => run?.resume(),
    stop: () => run?.stop(),
    /** Leaves the plan or the receipt, and offers to choose again. */
    reset(): void {
      clear();
      notify();
    },
    /** Forgets an import that a reload interrupted. */
    forget(): void {
      writeImportChoice(user, undefined);
      notify();
    },
  };

  function handleEnd(isComplete: boolean): void {
    isEnded = true;
    if (isComplete) writeImportChoice(user, undefined);
    notify();
  }
}
