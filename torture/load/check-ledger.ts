/** Compares a gallery with its ledger: every row, and the bytes of some or all photos. */
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
  /** A server that gets no other requests meanwhile. */
  place: GalleryUrl;
  /** Settings with which the server was started. */
  settings: { dataDir: string; environment: Record<string, string> };
  /** Chooses photos whose bytes are compared; photos with an unanswered change are always compared. */
  isChosen(photo: PhotoEntry): boolean;
  check: 'none' | 'fast' | 'full';
}

/**
 * Compares the gallery with the ledger. Afterwards the ledger holds the actual values, and nothing is unsure.
 */
export async function checkAgainstLedger({
  ledger,
  faults,
  place,
  settings,
  isChosen,
  check,
}: CheckScene): Promise<void> {
  const config = readConfig({ DATA_DIR: settings.dataDir, ...settings.environment });
  // Opens the gallery beside the running server, like `lightwell check`.
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

function isUnsure({ place, steps, level, title, tags, album, likes, favorites }: PhotoEntry): boolean {
  return ![place, steps, level, title, tags, album, ...likes, ...favorites].every((told) => isSure(told));
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
