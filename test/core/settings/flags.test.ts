import assert from 'node:assert/strict';
import { flagOf, settingFlags, settingsFromFlagValues } from '../../../src/core/settings/flags';
import { settings } from '../../../src/core/settings/table';

const read = (name: string, text: string, before?: unknown): unknown =>
  settingFlags.find((flag) => flag.name === name)!.read(text, before);

describe('the flags of the command line', () => {
  it('are there for every setting, but where the table says why not', () => {
    const without = Object.keys(settings).filter((key) => !settingFlags.some((flag) => flag.key === key));
    assert.deepEqual(without, [
      'edits.saveActions',
      'followAgent',
      'notifications.approval',
      'notifications.question',
      'notifications.end',
      'provenance',
    ]);
    const all = settingFlags.flatMap(({ name, also }) => [name, ...also]);
    assert.deepEqual(all.length, new Set(all).size, 'each name once');
    for (const name of all) assert.match(name, /^--?[a-z][a-z-]*$/);
  });

  it('are named after the setting where the table says nothing else', () => {
    assert.equal(flagOf('verifier.historySteps'), '--verifier-history-steps');
    assert.equal(flagOf('limits.steps'), '--max-steps');
    assert.equal(flagOf('provenance'), 'waymark.provenance');
  });

  it('read numbers, lists, objects, headers and limits, and say what is wrong', () => {
    assert.equal(read('--max-cost', '0.5'), 0.5);
    assert.throws(() => read('--max-cost', '-1'), /It must be a number of 0 or more\./);
    assert.throws(() => read('--stuck-window', 'ten'), /It must be a whole number of 0 or more\./);
    assert.throws(() => read('--candidates', '0'), /a whole number from 1 to 99/);
    assert.deepEqual(read('--toolsets', 'file, todo,'), ['file', 'todo']);
    assert.throws(() => read('--ask-about', 'network,money'), /one or more of network, deletes/);
    assert.deepEqual(read('--prices', '{"m":{"input":1,"output":2}}'), { m: { input: 1, output: 2 } });
    assert.throws(() => read('--extra-body', '[1]'), /It must be a JSON object/);
    assert.deepEqual(read('--header', 'X-Team:  agents', { A: '1' }), { A: '1', 'X-Team': 'agents' });
    assert.throws(() => read('--header', 'nonsense'), /a name, a colon and a value/);
    assert.deepEqual(read('--sandbox-limits', 'processes=500, memory=2000'), { processes: 500, memory: 2000 });
    assert.throws(() => read('--sandbox-limits', 'disk=many'), /“disk=many” is not a limit/);
    assert.throws(() => read('--sandbox-limits', 'memory=1'), /at least 16 processes and 64 megabytes/);
    assert.deepEqual(read('--allow', 'npm test', ['ls']), ['ls', 'npm test']);
    assert.throws(() => read('--allow', '['), /^Error: “\[” is not a regular expression/);
    assert.throws(() => read('--verifier-reward-regex', '('), /“\(” is not a regular expression/);
    assert.deepEqual(read('--fallback', 'https://other.example/v1 name', ['first']), [
      'first',
      'https://other.example/v1 name',
    ]);
  });

  it('set only what was given; a flag of a part adds to its whole', () => {
    const typed: Record<string, unknown> = {
      '--max-steps': 5,
      '--sampling-parameters': { top_p: 0.9 },
      '--sampling-temperature': 1,
    };
    assert.deepEqual(
      settingsFromFlagValues((name) => typed[name]),
      { 'limits.steps': 5, 'sampling.parameters': { top_p: 0.9, temperature: 1 } },
    );
    assert.deepEqual(
      settingsFromFlagValues(() => undefined),
      {},
    );
  });
});
