/** Runs single checks of `lightwell check` on a running gallery, and returns their findings. */
import type { CheckContext, CheckFinding } from '../../server/tools/check/findings.ts';
import type { Gallery } from './harness.ts';

export async function runChecks(
  { deps }: Pick<Gallery, 'deps'>,
  ...checks: ((round: CheckContext) => Promise<void>)[]
): Promise<CheckFinding[]> {
  const findings: CheckFinding[] = [];
  const round: CheckContext = {
    deps,
    isFast: true,
    jobs: 1,
    progress: { begin() {}, step() {} },
    report: async (finding) => {
      findings.push(finding);
    },
  };
  for (const check of checks) await check(round);
  return findings;
}
