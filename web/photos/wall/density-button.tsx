/** Button that changes the height of the rows: three densities in turn. */
import { Rows2, Rows3, Rows4 } from 'lucide-react';
import { densities } from '../../../server/gallery/pages/measure.ts';
import { t } from '../../messages/messages.ts';
import { setDensity, useDensity } from './density.ts';
import styles from './wall.module.css';

const looks = {
  comfortable: { Icon: Rows2, label: 'densityComfortable' },
  normal: { Icon: Rows3, label: 'densityNormal' },
  compact: { Icon: Rows4, label: 'densityCompact' },
} as const;

export function DensityButton() {
  const density = useDensity();
  const { Icon, label } = looks[density];
  const next = densities[(densities.indexOf(density) + 1) % densities.length]!;
  return (
    <button
      className={styles.density}
      type="button"
      aria-label={t(label)}
      title={t(label)}
      onClick={() => setDensity(next)}
    >
      <Icon size={18} aria-hidden="true" />
    </button>
  );
}
