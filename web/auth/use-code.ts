/**
 * The code of a link, which stands after its `#`: browsers keep that to themselves. It leaves the address, and so the
 * history, as soon as it was read.
 */
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** '' without one. */
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
