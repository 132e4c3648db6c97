// The output of a command that is too long for its result: the model reads it from the file that the result names.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { readEventLog } from '../../../src/adapters/log/eventLog';
import { eventsOfType } from '../../../src/core/log/projection';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';
import { ensureBuilt, onMachine } from '../support/commandLine';

const printed = Array.from({ length: 20_000 }, (_, at) => `${100_001 + at}\n`).join('');
const fileName = `${createHash('sha256').update(printed).digest('hex')}.txt`;

/** Runs a command with a long output, then these calls with the path of that output; returns all results. */
function resultsOf(
  calls: readonly [string, Record<string, unknown>][],
  options: readonly string[] = [],
  logIn = (home: string) => home,
): Promise<string[]> {
  return onMachine([], async ({ start, environment: { HOME }, workspace }) => {
    const log = `${logIn(HOME!)}/session.jsonl`;
    const path = `${log}.outputs/inside/${fileName}`;
    const lines = [
      { call: { tool: 'run_command', input: { command: 'seq 100001 120000' } } },
      ...calls.map(([tool, input]) => ({ call: { tool, input: { ...input, path } } })),
      { say: 'Done.' },
    ];
    workspace.place('script.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    const args = ['run', 'Count.', '--script', 'script.jsonl', '--log', log, '--confirm', 'never', ...options];
    const { code, stdout, stderr } = await start(args).ended;
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    const results = eventsOfType(readEventLog(log).events, 'observation').map(({ content }) => content);
    assert.match(results[0]!, new RegExp(`bytes\\): ${path}; read_file and search_text can open it\\.\\]$`));
    return results.slice(1);
  });
}

describe('a long output', function () {
  this.timeout(120_000);
  before(ensureBuilt);

  for (const sandbox of ['auto', 'off'])
    it(`is read and searched at the path in its result (sandbox ${sandbox})`, async () => {
      const [whole, part, found] = await resultsOf(
        [
          ['read_file', {}],
          ['read_file', { from: 15000, to: 15001 }],
          ['search_text', { pattern: '^111222$' }],
        ],
        ['--sandbox', sandbox],
      );
      assert.match(whole!, /^ *1\t100001\n/);
      assert.equal(part, '15000\t115000\n15001\t115001\n[Lines 15000-15001 of 20000.]');
      assert.match(found!, /11222\t111222$/);
    });

  it('is read if its folder is behind a link', async () => {
    const real = temporaryWorkspace();
    const results = resultsOf([['read_file', { from: 1, to: 1 }]], [], (home) => {
      fs.symlinkSync(real.root, `${home}/link`);
      return `${home}/link/new`;
    });
    assert.match((await results.finally(() => real.stop()))[0]!, /^ *1\t100001\n/);
  });
});
