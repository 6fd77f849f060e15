/** A reason why a move, backup or restore fails, which the operator can fix. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
}
