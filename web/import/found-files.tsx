/** The second step of an import: what was found, and who can see it. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ImportPlan } from '../../server/tools/exchange/plan/plan.ts';
import { t } from '../messages/messages.ts';
import { formatBytes } from '../ui/bytes.ts';
import { CheckedForm } from '../ui/checked-form.tsx';
import { SelectField } from '../ui/fields.tsx';
import { fillableAlbumsQuery } from '../upload/queries.ts';
import { VisibilityField } from '../visibility/visibility-field.tsx';
import styles from './import.module.css';
import { localizeReason } from './reasons.ts';
import type { ImportSession, ImportView } from './session.ts';

interface Props {
  session: ImportSession;
  view: Extract<ImportView, { phase: 'found' }>;
}

/** Maximum number of albums that are listed by name. */
const maxNames = 200;

export function FoundFiles({ session, view }: Props) {
  const { plan, interrupted } = view;
  const { data: albums = [] } = useQuery(fillableAlbumsQuery(session.user));
  const [level, setLevel] = useState(interrupted?.level ?? 'private');
  const [album, setAlbum] = useState(interrupted?.album ?? 0);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  const base = albums.find(({ id }) => id === album);
  const submit = () => session.start({ level, album: base ? album : 0 });
  return (
    <>
      <section className={styles.panel}>
        <h2 ref={head} tabIndex={-1}>
          {t('importFound')}
        </h2>
        <Findings view={view} />
      </section>
      <CheckedForm className={styles.panel} onSubmit={submit}>
        {plan.photos.length > 0 && (
          <>
            <VisibilityField value={level} onChange={setLevel} album={base} />
            {albums.length > 0 && (
              <SelectField
                label={t('importInto')}
                value={album}
                onChange={({ target }) => setAlbum(Number(target.value))}
              >
                <option value={0}>{t('importNoAlbum')}</option>
                {albums.map(({ id, path }) => (
                  <option key={id} value={id}>
                    {path}
                  </option>
                ))}
              </SelectField>
            )}
          </>
        )}
        <div className={styles.actions}>
          {plan.photos.length > 0 && (
            <button className="button" type="submit">
              {t('importStart', { count: plan.photos.length })}
            </button>
          )}
          <button className="button quiet" type="button" onClick={session.reset}>
            {t('importChooseOthers')}
          </button>
        </div>
      </CheckedForm>
    </>
  );
}

function Findings({ view: { plan, scan } }: Pick<Props, 'view'>) {
  const { photos, albums } = plan;
  const { bytes, sidecars, ignored, refused } = useMemo(() => summarizePlan(plan), [plan]);
  if (photos.length === 0 && refused.length + ignored.length + sidecars === 0)
    return <p>{t('importNothing')}</p>;
  return (
    <ul className={styles.findings}>
      {photos.length === 0 && <li>{t('importNothing')}</li>}
      {photos.length > 0 && (
        <li>
          {t('importPhotos', { count: photos.length })}{' '}
          <span className={styles.text}>
            {formatBytes(bytes)}
            {scan.scanned < photos.length &&
              ` · ${t('importChecked', { done: scan.scanned, total: photos.length })}`}
          </span>
        </li>
      )}
      {scan.known > 0 && <li>{t('importDuplicates', { count: scan.known })}</li>}
      {scan.trashed > 0 && <li>{t('importTrashed', { count: scan.trashed })}</li>}
      {scan.archived > 0 && <li>{t('importArchived', { count: scan.archived })}</li>}
      {albums.length > 0 && (
        <Details title={t('importAlbums', { count: albums.length })} lines={listAlbumLines(plan)} />
      )}
      {sidecars > 0 && <li>{t('importSidecars', { count: sidecars })}</li>}
      {ignored.length > 0 && <Reasons title="importIgnored" reasons={ignored} />}
      {refused.length > 0 && <Reasons title="importRefused" reasons={refused} />}
    </ul>
  );
}

type ReasonCount = [reason: string, count: number];

function Reasons({ title, reasons }: { title: 'importIgnored' | 'importRefused'; reasons: ReasonCount[] }) {
  const count = reasons.reduce((sum, [, each]) => sum + each, 0);
  const lines = reasons.map(([reason, each]) => t('importReasonCount', { reason, count: each }));
  return <Details title={t(title, { count })} lines={lines} />;
}

function Details({ title, lines }: { title: string; lines: string[] }) {
  return (
    <li>
      <details>
        <summary>{title}</summary>
        <ul>
          {lines.slice(0, maxNames).map((line) => (
            <li key={line} dir="auto">
              {line}
            </li>
          ))}
          {lines.length > maxNames && <li>…</li>}
        </ul>
      </details>
    </li>
  );
}

function listAlbumLines({ albums }: ImportPlan): string[] {
  const paths: string[] = [];
  for (const { name, parent } of albums) {
    paths.push(parent === undefined ? name : `${paths[parent]} / ${name}`);
  }
  return paths.map((album, index) => t('importAlbumPhotos', { album, count: albums[index]!.photos }));
}

function summarizePlan({ photos, others }: ImportPlan) {
  const bytes = photos.reduce((sum, { file }) => sum + file.bytes, 0);
  const reasons = { ignored: new Map<string, number>(), refused: new Map<string, number>() };
  let sidecars = 0;
  for (const { outcome, reason } of others) {
    if (outcome === 'sidecar' || outcome === 'album') sidecars++;
    else {
      const told = localizeReason(reason);
      reasons[outcome].set(told, (reasons[outcome].get(told) ?? 0) + 1);
    }
  }
  return { bytes, sidecars, ignored: [...reasons.ignored], refused: [...reasons.refused] };
}
