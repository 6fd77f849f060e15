/** A read-only text field with a button that copies its text. */
import { Check, Copy as CopyIcon } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import styles from './copy.module.css';

interface Props {
  label: string;
  text: string;
  /** Copies the text without a click, because the user has just requested the text. */
  isCopiedAtOnce?: boolean;
  /** The text is a secret whose characters a person may compare, and not a link. */
  isSecret?: boolean;
}

export function CopyField({ label, text, isCopiedAtOnce = false, isSecret = false }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState('');
  const isCopied = copied === text;
  const handleCopy = async () => {
    if (await copyToClipboard(text)) return setCopied(text);
    // The browser refused access to the clipboard, so the text is selected for manual copying.
    input.current?.focus();
    input.current?.select();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: copy once, when the field appears
  useEffect(() => {
    if (isCopiedAtOnce) void handleCopy();
  }, []);
  return (
    <div className={styles.copy}>
      <label htmlFor={id}>{label}</label>
      <div>
        <input
          ref={input}
          id={id}
          readOnly
          value={text}
          data-secret={isSecret || undefined}
          onFocus={({ target }) => target.select()}
        />
        <button
          className={isSecret ? 'button quiet' : 'button'}
          type="button"
          onClick={() => void handleCopy()}
        >
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

/** Returns whether copying worked. Browsers allow it only over HTTPS and after a user action. */
async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
