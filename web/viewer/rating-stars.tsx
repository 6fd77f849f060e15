/** Five buttons that set the rating of the user's own photo. The button of the current rating removes it. */
import { Star } from 'lucide-react';
import { t } from '../messages/messages.ts';
import styles from './rating-stars.module.css';

interface Props {
  rating: number;
  onRate(rating: number): void;
}

export function RatingStars({ rating, onRate }: Props) {
  return (
    <fieldset className={styles.stars}>
      <legend className="unseen">{t('rating')}</legend>
      {[1, 2, 3, 4, 5].map((count) => (
        <button
          key={count}
          type="button"
          aria-label={t('stars', { count })}
          aria-pressed={rating === count}
          title={`${t('stars', { count })} (${count})`}
          onClick={() => onRate(rating === count ? 0 : count)}
        >
          <Star size={20} aria-hidden="true" fill={count <= rating ? 'currentColor' : 'none'} />
        </button>
      ))}
    </fieldset>
  );
}
