/**
 * A button for an action that cannot be undone; it asks for confirmation. The dialog (confirm.tsx) is loaded
 * on hover or focus.
 */
import { useState } from 'react';
import { useLazyModule } from './use-loaded.ts';

interface Props {
  /** `label` is the text of the button; `question` is the text of the dialog: "Delete the key “frame”". */
  label: string;
  question: string;
  className?: string | undefined;
  isBusy?: boolean;
  onConfirm(): void;
}

const loadConfirmDialog = () => import('./confirm.tsx');

export function ConfirmButton({ label, question, className, isBusy = false, onConfirm }: Props) {
  const [dialog, begin] = useLazyModule(loadConfirmDialog);
  const [isAsked, setAsked] = useState(false);
  const closeDialog = () => setAsked(false);
  return (
    <>
      <button
        className={className ?? 'button quiet'}
        type="button"
        aria-busy={isBusy}
        onFocus={begin}
        onPointerEnter={begin}
        onClick={() => {
          begin();
          setAsked(true);
        }}
      >
        {label}
      </button>
      {isAsked && dialog && (
        <dialog.ConfirmDialog
          title={question}
          action={label}
          onClose={closeDialog}
          onConfirm={() => {
            closeDialog();
            onConfirm();
          }}
        />
      )}
    </>
  );
}
