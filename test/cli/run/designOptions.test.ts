import { strict as assert } from 'node:assert';
import { withHyphens } from '../../../src/cli/run/designOptions';

describe('flags with underscores', () => {
  it('are read as flags with hyphens, and values stay unchanged even if they look like flags', () => {
    const typed = ['run', '--max_turns=3', '--num_workers', '2', '--container-run-args'];
    const value = '--rm --volume /srv/my_data:/my_data';
    assert.deepEqual(withHyphens([...typed, value, '--', '--not_ours']), [
      ...['run', '--max-turns=3', '--num-workers', '2', '--container-run-args', value, '--', '--not_ours'],
    ]);
  });
});
