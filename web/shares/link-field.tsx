/** A link with a button that copies the link, and a button that opens the share sheet of phones. */
import { Share } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { CopyField } from '../ui/copy.tsx';

interface Props {
  label: string;
  url: string;
  /** Name of what the link opens, for the app that the user chooses. */
  name: string;
  isCopiedAtOnce?: boolean;
}

export function LinkField({ label, url, name, isCopiedAtOnce = false }: Props) {
  // Closing the share sheet without a choice rejects the promise.
  const openShareSheet = () => void navigator.share({ url, title: name }).catch(() => {});
  return (
    <>
      <CopyField label={label} text={url} isCopiedAtOnce={isCopiedAtOnce} />
      {'share' in navigator && (
        <button className="button quiet" type="button" onClick={openShareSheet}>
          <Share size={18} aria-hidden="true" />
          {t('shareByApp')}
        </button>
      )}
    </>
  );
}
