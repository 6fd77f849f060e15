/**
 * A button that creates an album. The dialog's script is loaded when the button gets the pointer or the
 * focus.
 */
import { type ReactNode, useState } from 'react';
import { loadWithTexts } from '../messages/messages.ts';
import { useLazyModule } from '../ui/use-loaded.ts';

const loadNewAlbumDialog = loadWithTexts(() => import('./new-album.tsx'), 'albums', 'visibility');

interface Props {
  user: number;
  rule?: string;
  className?: string;
  children: ReactNode;
}

export function NewAlbumButton({ user, rule, className = 'button', children }: Props) {
  const [dialog, begin] = useLazyModule(loadNewAlbumDialog);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        className={className}
        type="button"
        onPointerEnter={begin}
        onFocus={begin}
        onClick={() => {
          begin();
          setOpen(true);
        }}
      >
        {children}
      </button>
      {isOpen && dialog && (
        <dialog.NewAlbumDialog
          user={user}
          {...(rule !== undefined && { rule })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
