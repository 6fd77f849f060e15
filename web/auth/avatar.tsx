/** A person's avatar, or the first letter of the person's name. */
import type { User } from '../api/types.ts';
import styles from './avatar.module.css';

interface Props {
  user: Pick<User, 'avatar' | 'nickname' | 'username'>;
  size?: number;
}

export function Avatar({ user, size = 34 }: Props) {
  const name = user.nickname || user.username;
  if (user.avatar) return <img className={styles.face} src={user.avatar} width={size} height={size} alt="" />;
  return (
    <span
      className={styles.face}
      style={{ width: size, height: size, fontSize: size * 0.44 }}
      aria-hidden="true"
    >
      {[...new Intl.Segmenter().segment(name)][0]?.segment.toUpperCase()}
    </span>
  );
}
