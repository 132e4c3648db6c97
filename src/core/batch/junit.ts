import type { TaskResult } from './taskResult';

/** A test case of a JUnit report. */
interface JunitCase {
  readonly name: string;
  readonly seconds: number;
  /** Why it failed. Absent if it passed. */
  readonly failure?: string | undefined;
  /** Short name for the kind of failure. */
  readonly kind?: string | undefined;
  /** Reason, if the result is inconclusive. */
  readonly skipped?: string | undefined;
  /** Additional text for people. */
  readonly output?: string | undefined;
}

/** Formats a report for CI systems, as XML in the format of JUnit's Ant task. */
export function junitText(suite: string, cases: readonly JunitCase[], at: number): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const skipped = cases.filter((each) => each.failure === undefined && each.skipped !== undefined).length;
  const seconds = cases.reduce((sum, each) => sum + each.seconds, 0);
  const counts = `tests="${cases.length}" failures="${failures}" errors="0"`;
  const time = `time="${seconds.toFixed(3)}"`;
  const when = new Date(at).toISOString().slice(0, 19);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    // Jenkins' schema allows a count of skipped tests on a suite, but not on all suites.
    `<testsuites ${counts} ${time}>`,
    `  <testsuite name="${xml(suite)}" ${counts} skipped="${skipped}" ${time} timestamp="${when}">`,
    ...cases.map((each) => caseText(suite, each)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseText(suite: string, { name, seconds, failure, kind = 'failed', skipped, output }: JunitCase): string {
  const start = `    <testcase classname="${xml(suite)}" name="${xml(name)}" time="${seconds.toFixed(3)}"`;
  const inside = [
    ...(failure === undefined
      ? []
      : [`      <failure message="${xml(failure.split('\n', 1)[0]!)}" type="${xml(kind)}">${xml(failure)}</failure>`]),
    ...(failure === undefined && skipped !== undefined ? [`      <skipped message="${xml(skipped)}"/>`] : []),
    ...(output ? [`      <system-out>${xml(output)}</system-out>`] : []),
  ];
  return inside.length === 0 ? `${start}/>` : [`${start}>`, ...inside, '    </testcase>'].join('\n');
}

/** Removes characters that XML does not allow. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * Converts the results of a batch to a report for CI systems. A task passes if it was solved, or if it is done and has
 * no checks.
 */
export function junitOf(suite: string, results: Iterable<TaskResult>): string {
  const cases = [...results].map(({ id, seconds, status, resolved, reason, checks, log }) => {
    const passes = resolved ?? status === 'done';
    const isUntold = resolved === undefined && checks !== undefined;
    return {
      name: id,
      seconds,
      kind: status === 'done' ? 'not_resolved' : status,
      failure: passes || isUntold ? undefined : reason || `The task ended with the status ${status}.`,
      skipped: isUntold ? reason : undefined,
      output: log,
    };
  });
  return junitText(suite, cases, Date.now());
}
