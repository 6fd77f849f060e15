import type { Input, Source } from './open.ts';

export async function decodable(source: Source): Promise<Input> {
  return source.file;
}
