/**
 * Reads the code after the `#` of a link, which browsers never send to a server. The code is removed from the
 * URL and the history at once.
 */
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** Returns the code, or '' if the link has none. */
export function useLinkCode(): string {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [code, setCode] = useState(hash);
  useEffect(() => {
    if (hash === '') return;
    setCode(hash);
    void navigate({ to: pathname, search: true, hash: '', replace: true });
  }, [hash, pathname, navigate]);
  return code;
}
