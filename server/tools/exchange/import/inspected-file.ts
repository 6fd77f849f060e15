/** A file of an import that was read, before it is saved. */
import type { FileFacts } from '../../../platform/imaging/metadata/fields.ts';
import type { PhotoFacts } from '../plan/facts.ts';
import type { PlannedPhoto } from '../plan/plan.ts';
import type { SourceFile } from '../plan/source-file.ts';
import type { PhotoJson } from '../schema.ts';
import type { ImportSourceFile } from './source.ts';

/** Everything that is known about a file before it is saved. */
export interface InspectedFile {
  planned: PlannedPhoto;
  source: ImportSourceFile;
  sha256: string;
  told: PhotoFacts;
  exported: PhotoJson | undefined;
  facts: FileFacts;
  sameAs: SourceFile | undefined;
}
