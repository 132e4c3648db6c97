import { strict as assert } from 'node:assert';
import { Command } from 'commander';
import { addDesignOptions } from '../../../src/cli/run/designOptions';
import { optionsAgain } from '../../../src/cli/run/continueCommand';

describe('the command that continues a run', () => {
  it('names the container again, because approved commands would otherwise run on this machine', () => {
    const command = addDesignOptions(new Command('run'));
    const container = [
      ...['--environment', 'docker', '--image', 'python:3.12', '--container-run-args', '--rm --network none'],
      ...['--container-env=A=b', '--forward-env', 'TERM', '--container-shell', 'sh', '--container-cwd', '/testbed'],
      ...['--container-timeout', '1h', '--pull-timeout', '5', '--container-executable', '/usr/bin/docker'],
    ];
    const typed = ['Do it.', '--yolo', ...container, '--input', 'a=b'];
    assert.deepEqual(optionsAgain(typed, command), container);
    assert.deepEqual(optionsAgain(['--environment-class', 'podman'], command), ['--environment-class', 'podman']);
  });
});
