/** Between those who write deliveries, the dispatcher that sends them, and the figures about both. */

/** How attempts ended: delivered, to be tried again, or given up; dropped: the webhook is no longer active. */
export type Outcome = 'delivered' | 'retried' | 'failed' | 'dropped';

export interface WebhookSignals {
  /** Called inside the transaction that writes a delivery: what is told has not been committed yet. */
  wake(): void;
  /** The listener is the dispatcher's; undefined: none. */
  onWake(listener: (() => void) | undefined): void;
  /** Since the start of this process. */
  outcomes: Record<Outcome, number>;
}

export function createWebhookSignals(): WebhookSignals {
  let wake: (() => void) | undefined;
  return {
    wake: () => wake?.(),
    onWake(listener) {
      wake = listener;
    },
    outcomes: { delivered: 0, retried: 0, failed: 0, dropped: 0 },
  };
}
