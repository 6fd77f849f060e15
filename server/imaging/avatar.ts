/** A square of 256 pixels out of the middle of a picture of any accepted format: WebP, one frame, no metadata. */
export async function renderAvatar(_file: string): Promise<Buffer> {
  throw new Error('not yet');
}
