/** The form for an album's name and description, and for the rule of a smart album. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/client.ts';
import type { VisibilityLevel } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { TextAreaField } from '../ui/fields.tsx';
import { createFieldErrorLookup, Field, Form } from '../ui/form.tsx';
import type { NarrowingAlbum } from '../visibility/levels.ts';
import { VisibilityField } from '../visibility/visibility-field.tsx';
import { ruleCountQuery } from './queries.ts';

export interface AlbumDraft {
  name: string;
  description: string;
  visibility: VisibilityLevel;
  rule: string;
}

interface Props {
  title: string;
  action: string;
  /** Id of the album's owner. A rule finds photos of the owner only. */
  user: number;
  /** Initial values. `rule` is undefined for an ordinary album. */
  first: { name: string; description: string; rule?: string | undefined; visibility: VisibilityLevel };
  /** The album above, if any. */
  above: NarrowingAlbum | undefined;
  error: Error | null;
  isBusy: boolean;
  onSubmit(written: AlbumDraft): void;
  onClose(): void;
}

export function AlbumForm({ title, action, user, first, above, error, isBusy, onSubmit, onClose }: Props) {
  const [written, setWritten] = useState(() => toDraft(first));
  const changeDraft = (change: Partial<AlbumDraft>) => setWritten((last) => ({ ...last, ...change }));
  const findProblem = createFieldErrorLookup(error);
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        onSubmit={() => onSubmit(written)}
        error={error}
        isBusy={isBusy}
        end={
          <DialogButtons>
            <button className="button quiet" type="button" onClick={onClose}>
              {t('cancel')}
            </button>
            <button className="button" type="submit" aria-busy={isBusy}>
              {action}
            </button>
          </DialogButtons>
        }
      >
        <Field
          name="name"
          label={t('albumName')}
          problem={findProblem('name')}
          maxLength={100}
          pattern=".*\S.*"
          value={written.name}
          onChange={({ target }) => changeDraft({ name: target.value })}
        />
        {first.rule !== undefined && (
          <RuleField
            user={user}
            rule={written.rule}
            problem={findProblem('rule')}
            onChange={(rule) => changeDraft({ rule })}
          />
        )}
        <TextAreaField
          label={t('albumDescription')}
          problem={findProblem('description')}
          maxLength={2000}
          value={written.description}
          onChange={({ target }) => changeDraft({ description: target.value })}
        />
        <VisibilityField
          value={written.visibility}
          album={above}
          isOfAlbum={first.rule === undefined}
          hint={first.rule === undefined ? undefined : t('smartShowsAccessible')}
          problem={findProblem('visibility')}
          onChange={(visibility) => changeDraft({ visibility })}
        />
      </Form>
    </Dialog>
  );
}

function toDraft({ name, description, rule = '', visibility }: Props['first']): AlbumDraft {
  return { name, description, rule, visibility };
}

/** Milliseconds after the last key press until the form counts the photos that match the rule. */
const countDelayMs = 500;

interface RuleProps {
  user: number;
  rule: string;
  problem: string | undefined;
  onChange(rule: string): void;
}

function RuleField({ user, rule, problem, onChange }: RuleProps) {
  const [rested, setRested] = useState(rule.trim());
  useEffect(() => {
    const timer = setTimeout(() => setRested(rule.trim()), countDelayMs);
    return () => clearTimeout(timer);
  }, [rule]);
  const { data: count, error } = useQuery({ ...ruleCountQuery(user, rested), enabled: rested !== '' });
  return (
    <Field
      name="rule"
      label={t('albumRuleField')}
      hint={count === undefined ? t('albumRuleHint') : t('albumRuleMatches', { count })}
      problem={problem ?? (error instanceof ApiError ? error.fields.q?.[0] : undefined)}
      pattern=".*\S.*"
      value={rule}
      spellCheck={false}
      autoCapitalize="none"
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
