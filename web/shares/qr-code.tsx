/** A text as a QR code, drawn as one path: dark on white in every look, as cameras want it. Loaded when one is shown. */
import { encodeQR } from 'qr';
import { useMemo } from 'react';
import styles from './shares.module.css';

/** Modules of white around it: as many as the standard asks for. */
const border = 4;

export default function QrCode({ text, label }: { text: string; label: string }) {
  const modules = useMemo(() => encodeQR(text, 'raw', { ecc: 'medium', border }), [text]);
  const side = modules.length;
  const dark = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg className={styles.code} role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`}>
      <path fill="#fff" d={`M0 0h${side}v${side}H0z`} />
      <path d={dark.join('')} shapeRendering="crispEdges" />
    </svg>
  );
}
