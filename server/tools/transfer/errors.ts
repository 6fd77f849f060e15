/** A reason why a gallery cannot be moved, backed up or restored that a person can mend. */
export class MoveError extends Error {
  override readonly name = 'MoveError';
}
