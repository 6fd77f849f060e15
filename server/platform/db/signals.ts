/** Kysely whose transactions can wake a background job after they have ended. */
import { EventEmitter } from 'node:events';
import { Kysely, type Transaction, type TransactionBuilder } from 'kysely';

export class SignalingKysely<Tables> extends Kysely<Tables> {
  readonly events = new EventEmitter();
  readonly #signals = new WeakMap<Transaction<Tables>, Set<string>>();

  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    const execute = builder.execute.bind(builder) as typeof builder.execute;
    builder.execute = async (work) => {
      const signals = new Set<string>();
      try {
        return await execute((transaction) => {
          this.#signals.set(transaction, signals);
          return work(transaction);
        });
      } finally {
        // Events wake background jobs. They are emitted after an error too, because the database may have committed
        // the transaction. Waking a job that then finds no work costs little.
        for (const event of signals) this.events.emit(event);
      }
    };
    return builder;
  }

  /** Emits the event after the transaction has ended. */
  signal(transaction: Transaction<Tables>, event: string): void {
    this.#signals.get(transaction)?.add(event);
  }
}
