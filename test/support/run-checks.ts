/** Runs single checks of `lightwell check` on a running gallery, and returns their findings. */
import type { CheckRound, Finding } from '../../server/tools/check/findings.ts';
import type { Gallery } from './harness.ts';

export async function runChecks(
  { deps }: Pick<Gallery, 'deps'>,
  ...checks: ((round: CheckRound) => Promise<void>)[]
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const round: CheckRound = {
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
