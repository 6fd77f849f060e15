/**
 * The command `lightwell check` checks the whole gallery. Exit code 0 means no findings, 1 means findings, and 2 means
 * that the check failed.
 */
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { ConfigError } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import type { CheckOutcome } from '../check/check.ts';
import { type CheckFinding, type FindingKind, findingTexts } from '../check/findings.ts';
import { describeError, escapeForTerminal, parseJobCount } from './failure.ts';
import { createProgressLine } from './progress.ts';
import { withDeps } from './run.ts';

/** Maximum number of findings of a kind that are printed in text output. */
const maxLines = 50;

interface CheckFlags {
  fast?: boolean;
  repair?: boolean;
  json?: boolean;
  jobs: number;
}

export function checkCommand(): Command {
  return new Command('check')
    .description('find missing, damaged and superfluous data, also while the server runs')
    .option('--fast', 'compare file sizes only, without reading the contents')
    .option('--repair', 'repair what can be repaired; without this option, nothing is changed')
    .option('--json', 'print a JSON object per line: each finding, then a summary')
    .option('--jobs <n>', 'number of objects to read at the same time', parseJobCount, availableParallelism())
    .action(async (flags: CheckFlags) => {
      try {
        await withDeps((deps) => runCheck(deps, flags));
      } catch (error) {
        console.error(error instanceof ConfigError ? error.message : describeError(error));
        process.exitCode = 2;
      }
    });
}

async function runCheck(deps: Deps, { fast, repair, json, jobs }: CheckFlags): Promise<void> {
  // The module is imported only here, because other commands do not need imaging.
  const { checkGallery } = await import('../check/check.ts');
  const progress = createProgressLine();
  const show = json ? showJson : createShow();
  const outcome = await checkGallery(deps, {
    isFast: fast === true,
    isRepair: repair === true,
    jobs,
    progress,
    onFinding: (finding, isRepaired) => show(finding, isRepaired, progress.printLine),
  }).finally(progress.end);
  console.log(json ? JSON.stringify(outcome) : summarizeCheck(outcome, repair === true));
  process.exitCode = outcome.left > 0 ? 1 : 0;
}

type PrintLine = (line: string) => void;

function showJson({ kind, subject, detail, repair }: CheckFinding, repaired: boolean, say: PrintLine): void {
  say(JSON.stringify({ kind, subject, detail, repairable: repair !== undefined, repaired }));
}

function createShow() {
  const shown = new Map<FindingKind, number>();
  return ({ kind, subject, detail }: CheckFinding, isRepaired: boolean, say: PrintLine) => {
    const count = (shown.get(kind) ?? 0) + 1;
    shown.set(kind, count);
    if (count === maxLines + 1)
      say(`${findingTexts[kind]}: more than ${maxLines} of these; --json lists all`);
    if (count > maxLines) return;
    const line = `${findingTexts[kind]}: ${subject}${detail && ` (${detail})`}${isRepaired ? ': repaired' : ''}`;
    say(escapeForTerminal(line));
  };
}

function summarizeCheck({ found, repaired, left }: CheckOutcome, isRepair: boolean): string {
  const kinds = Object.entries(found) as [FindingKind, number][];
  if (kinds.length === 0) return 'No problems found.';
  const lines = kinds.map(([kind, n]) => `${String(n).padStart(8)}  ${findingTexts[kind]}`);
  const end = isRepair
    ? `${repaired} repaired, ${left} not repaired.`
    : 'Nothing was changed. Repair what can be repaired with: lightwell check --repair';
  return ['', ...lines, end].join('\n');
}
