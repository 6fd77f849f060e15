/** Whether a gallery holds what its ledger says: every row, and the bytes of some of the photos, or of all of them. */
import { AssertionError } from 'node:assert/strict';
import pino from 'pino';
import { readConfig } from '../../server/config.ts';
import { closeDeps, type Deps, openDeps } from '../../server/deps.ts';
import { checkGallery } from '../../server/tools/check/check.ts';
import { waitForSearchIndex } from '../../test/support/albums.ts';
import { assertTotalsMatchRows } from '../../test/support/assert-totals.ts';
import type { GalleryUrl } from '../../test/support/people.ts';
import { compareBytes, compareOffsets } from './compare-bytes.ts';
import { compareRows } from './compare-rows.ts';
import type { Faults } from './faults.ts';
import { isSure, type Ledger, type PhotoEntry } from './ledger.ts';

export interface CheckScene {
  ledger: Ledger;
  faults: Faults;
  /** A server that nobody asks anything else meanwhile. */
  place: GalleryUrl;
  /** What the server was started with. */
  settings: { dataDir: string; environment: Record<string, string> };
  /** Those whose bytes are looked at, beside all of which something is unsure. */
  isChosen(photo: PhotoEntry): boolean;
  check: 'none' | 'fast' | 'full';
}

/** Afterwards nothing is unsure: the ledger has what was found. */
export async function checkAgainstLedger({
  ledger,
  faults,
  place,
  settings,
  isChosen,
  check,
}: CheckScene): Promise<void> {
  const config = readConfig({ DATA_DIR: settings.dataDir, ...settings.environment });
  // As `lightwell check` is run beside a server.
  const deps = await openDeps(config, pino({ level: 'silent' }));
  try {
    const chosen = new Set(ledger.photos.filter((photo) => isUnsure(photo) || isChosen(photo)));
    const before = new Set(ledger.photos);
    await compareRows(deps, ledger, faults);
    await compareOffsets(ledger, faults, place);
    for (const photo of ledger.photos) {
      if (chosen.has(photo) || !before.has(photo)) await compareBytes({ deps, ledger, faults, place }, photo);
    }
    await recount(deps, faults);
    if (check !== 'none') await runCheck(deps, faults, check === 'fast');
  } finally {
    await closeDeps(deps);
  }
  ledger.photos = ledger.photos.filter(({ place }) => place.is !== 'gone');
  ledger.comments = ledger.comments.filter(({ photo, content }) => photo.place.is !== 'gone' && content.is);
}

function isUnsure({ place, steps, isPublic, title, tags, album, likes, favorites }: PhotoEntry): boolean {
  return ![place, steps, isPublic, title, tags, album, ...likes, ...favorites].every((told) => isSure(told));
}

async function recount(deps: Deps, faults: Faults): Promise<void> {
  try {
    await waitForSearchIndex({ deps });
    await assertTotalsMatchRows({ deps });
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    faults.counts.push(error.message);
  }
}

async function runCheck(deps: Deps, faults: Faults, isFast: boolean): Promise<void> {
  await checkGallery(deps, {
    isFast,
    isRepair: false,
    jobs: 2,
    progress: { begin: () => {}, step: () => {} },
    onFinding: ({ kind, subject, detail }) => faults.findings.push(`${kind}: ${subject} ${detail}`.trim()),
  });
}
