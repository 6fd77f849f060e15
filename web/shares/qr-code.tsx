/**
 * Draws a text as a QR code, dark on white in every color scheme for cameras. The script is loaded on demand.
 */
import { encodeQR } from 'qr';
import { useMemo } from 'react';
import styles from './shares.module.css';

/** White border in modules, as the standard requires. */
const quietBorder = 4;

export default function QrCode({ text, label }: { text: string; label: string }) {
  const modules = useMemo(() => encodeQR(text, 'raw', { ecc: 'medium', border: quietBorder }), [text]);
  const side = modules.length;
  const dark = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg className={styles.code} role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`}>
      <path fill="#fff" d={`M0 0h${side}v${side}H0z`} />
      <path d={dark.join('')} shapeRendering="crispEdges" />
    </svg>
  );
}
