/** A text to take along: a field that holds it, and a button that copies it. */
import { Check, Copy as CopyIcon } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import styles from './copy.module.css';

interface Props {
  label: string;
  text: string;
  /** Without a click: one has just asked for it. */
  isCopiedAtOnce?: boolean;
}

export function CopyField({ label, text, isCopiedAtOnce = false }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState('');
  const isCopied = copied === text;
  const handleCopy = async () => {
    if (await copyToClipboard(text)) return setCopied(text);
    // The browser refuses: the text is there to be copied by hand.
    input.current?.focus();
    input.current?.select();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears
  useEffect(() => {
    if (isCopiedAtOnce) void handleCopy();
  }, []);
  return (
    <div className={styles.copy}>
      <label htmlFor={id}>{label}</label>
      <div>
        <input ref={input} id={id} readOnly value={text} onFocus={({ target }) => target.select()} />
        <button className="button" type="button" onClick={() => void handleCopy()}>
          {isCopied ? <Check size={18} aria-hidden="true" /> : <CopyIcon size={18} aria-hidden="true" />}
          {t(isCopied ? 'copied' : 'copy')}
        </button>
      </div>
      <p className="unseen" role="status">
        {isCopied && t('copied')}
      </p>
    </div>
  );
}

/** Whether it worked: browsers give the clipboard over https alone, and only while one acts. */
async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
