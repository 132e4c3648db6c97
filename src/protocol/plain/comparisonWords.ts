import type { CheckOutcome, Comparison } from '../events/event';
import { dollars } from './amounts';

type Compared = Comparison['candidates'][number];

/** Formats the result of a candidate: "done, 2 files +10 −3, check passed, $0.12". */
export function outcomeWords(candidate: Compared): string {
  const { status, reason, files, added, removed, check, cost, score } = candidate;
  const changed = files === 0 ? 'no changes' : `${files === 1 ? '1 file' : `${files} files`} +${added} −${removed}`;
  const parts = [
    `${statusWords[status]}${reason === '' ? '' : ` (${reason})`}`,
    changed,
    check === undefined ? '' : checkWords(check),
    score === undefined || score === null ? '' : `score ${score}`,
    cost === null || cost === 0 ? '' : dollars(cost),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const statusWords: Readonly<Record<Compared['status'], string>> = {
  done: 'done',
  consent: 'needs approval',
  limit: 'limit reached',
  failed: 'failed',
  stopped: 'stopped',
  crashed: 'crashed',
  timeout: 'timed out',
  invalid: 'could not start',
};

function checkWords({ passed, exitCode, problem }: CheckOutcome): string {
  if (passed) return 'check passed';
  if (problem !== undefined) return `check did not finish (${problem})`;
  return exitCode === null ? 'check timed out' : `check failed with exit code ${exitCode}`;
}
