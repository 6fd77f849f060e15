/** A button for what cannot be taken back: it asks once more, in its own place. */
import { useEffect, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import styles from './ask-twice.module.css';

interface Props {
  /** What the button says, and what it says when it asks: "Delete the key “frame”". */
  label: string;
  question: string;
  isBusy?: boolean;
  onConfirm(): void;
}

export function AskTwice({ label, question, isBusy = false, onConfirm }: Props) {
  const [asks, setAsks] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (asks) keep.current?.focus();
    else if (wasAsking.current) opener.current?.focus();
    wasAsking.current = asks;
  }, [asks]);
  if (!asks) {
    return (
      <button
        ref={opener}
        className="button quiet"
        type="button"
        aria-busy={isBusy}
        onClick={() => setAsks(true)}
      >
        {label}
      </button>
    );
  }
  const go = () => {
    setAsks(false);
    onConfirm();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons that belong together, not a form's fields
    <span
      className={styles.confirm}
      role="group"
      aria-label={question}
      onKeyDown={({ key }) => key === 'Escape' && setAsks(false)}
    >
      <span>{question}</span>
      <button ref={keep} className="button quiet" type="button" onClick={() => setAsks(false)}>
        {t('cancel')}
      </button>
      <button className={`button ${styles.go}`} type="button" onClick={go}>
        {label}
      </button>
    </span>
  );
}
