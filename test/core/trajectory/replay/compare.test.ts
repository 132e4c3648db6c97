import { strict as assert } from 'node:assert';
import type { EventOf } from '../../../../src/protocol/events/event';
import { differences, withPlaceholders, replaceFolder } from '../../../../src/core/trajectory/replay/compare';

const result = (content: string, exitCode?: number): EventOf<'observation'> => ({
  type: 'observation',
  seq: 1,
  at: 1,
  actionId: 'a',
  outcome: exitCode ? 'error' : 'ok',
  content,
  ...(exitCode !== undefined && {
    details: {
      kind: 'command' as const,
      end: 'exited' as const,
      exitCode,
      durationMs: 1,
      cwd: '/w',
      tty: false,
      outputBytes: content.length,
      outputCharacters: content.length,
    },
  }),
});
const own = { folders: ['/srv/a', '/tmp/copy/a'], foreign: false };

describe('what a replay compares', () => {
  for (const [what, before, now] of [
    ['times', 'at 2026-11-21 10:02:03.123 and 09:08:07', 'at 2025-01-01T00:00:00Z and 23:59:59'],
    [
      'dates as programs print them',
      'Sat Nov 21 10:07:47 UTC 2026\n-rw-r--r-- 1 u u 4 Nov 21 10:02 a',
      'Fri Jan  2 01:02:03 UTC 2026\n-rw-r--r-- 1 u u 4 Mar  3 12:02 a',
    ],
    ['durations', '3 passing (15s)\nreal 1m11.774s, took 12 ms', '3 passing (8 ms)\nreal 0m2.001s, took 0.5 s'],
    [
      'durations that are named, as the test runner of Node prints them',
      '  duration_ms: 1.26\n# duration_ms 40.5\n{"elapsed_s":3}',
      '  duration_ms: 0.96\n# duration_ms 38\n{"elapsed_s":0.25}',
    ],
    ['numbers of processes and ports', '[1] 4711\npid 4711 at localhost:41234', '[1] 99\npid 100 at localhost:5'],
    ['temporary places and where the workspace lies', '/srv/a/src in /tmp/npm-x1/y', '/tmp/copy/a/src in /tmp/other'],
    [
      'hashes of commits',
      '[main 1a2b3c4] Add\ncommit 0123456789012345678901234567890123456789',
      '[main f0f0f0f0] Add\ncommit abcdefabcdabcdefabcdabcdefabcdabcdefabcd',
    ],
    ['ends of lines', 'a  \r\nb\n', 'a\nb'],
  ] as const)
    it(`does not count ${what}`, () => assert.deepEqual(differences(result(before, 0), result(now, 0), own), []));

  for (const [what, before, now] of [
    ['a number', '41 passing', '40 passing'],
    ['a word', 'ok', 'not ok'],
    ['a line more', 'a', 'a\nb'],
    ['nothing where something was', 'a', ''],
    ['a version', 'v1.2.3', 'v1.2.4'],
    ['another folder with a like name', '/srv/abc', '/tmp/copy/abd'],
  ] as const)
    it(`counts ${what}`, () => assert.equal(differences(result(before, 0), result(now, 0), own).length, 1));

  it('counts another end of a command once, and tells both', () => {
    assert.deepEqual(differences(result('a', 1), result('a', 0), own), [
      { what: 'exit_code', recorded: 'exit code 1', replayed: 'exit code 0' },
    ]);
  });

  it('finds the output in the words that another program put around it', () => {
    const foreign = { ...own, foreign: true };
    assert.deepEqual(
      differences(result('<returncode>0</returncode>\n<output>\nhello\n</output>'), result('hello\n', 0), foreign),
      [],
    );
    assert.equal(
      differences(result('<returncode>0</returncode>\n<output>\nhello\n</output>'), result('bye\n', 0), foreign).length,
      1,
    );
  });

  it('reads results that another program wrote as JSON, and the end of a command in them', () => {
    const foreign = { ...own, foreign: true };
    const recorded = result('{"returncode": 3, "output": "it\\u0027s\\nhere\\n"}');
    assert.deepEqual(differences(recorded, result("it's\nhere\n", 3), foreign), []);
    assert.deepEqual(differences(recorded, result("it's\nhere\n", 0), foreign), [
      { what: 'exit_code', recorded: 'exit code 3', replayed: 'exit code 0' },
    ]);
    assert.equal(
      differences(result('<returncode>0</returncode>\n<output>\nhello\n</output>'), result('hello\n', 2), foreign)[0]
        ?.what,
      'exit_code',
    );
    assert.equal(differences(recorded, result("it's\ngone\n", 3), foreign)[0]?.what, 'output');
  });

  it('takes a folder for itself only', () => {
    assert.equal(
      replaceFolder('/srv/a /srv/ab /srv/a/b x/srv/a "/srv/a" /srv/a.', '/srv/a', 'W'),
      'W /srv/ab W/b x/srv/a "W" W.',
    );
    assert.equal(withPlaceholders('cd /', ['/']), 'cd /');
  });
});
