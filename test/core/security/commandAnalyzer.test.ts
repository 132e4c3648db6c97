import { strict as assert } from 'node:assert';
import { commandAnalyzer } from '../../../src/core/security/commandAnalyzer';
import type { Event } from '../../../src/protocol/events/event';
import { runCommand } from '../../../src/core/tools/native/runCommand';
import { task } from '../agent/story';
import { untouched } from '../../support/toolContext';

const after = (cwd: string): Event[] => [
  { ...task, seq: 0, at: 0, cwd: '/home/dev/project' } as Event,
  {
    seq: 1,
    at: 0,
    type: 'observation',
    actionId: 'a',
    outcome: 'ok',
    content: '',
    details: { kind: 'command', end: 'exited', exitCode: 0, durationMs: 1, cwd, tty: false, outputBytes: 0 },
  },
];
const level = async (command: string, history: readonly Event[]) => {
  const environment = { ...untouched, root: '/home/dev/project' };
  return (await commandAnalyzer.assess({ tool: runCommand, call: runCommand.bind({ command }), environment, history }))!
    .level;
};

describe('a command in the persistent shell', () => {
  it('is judged in the current folder of the shell', async () => {
    assert.equal(await level('cat notes.txt', after('/home/dev/project')), 'low');
    assert.equal(await level('cat notes.txt', after('/home/dev/project/src')), 'low');
    assert.equal(await level('cat ../notes.txt', after('/home/dev/project/src')), 'low');
    assert.equal(await level('echo x > notes.txt', after('/home/dev/project')), 'medium');
    assert.equal(await level('echo x > notes.txt', after('/home/dev')), 'high');
    assert.equal(await level('rm -rf dist', after('/')), 'high');
    assert.equal(await level('cat ../../secret', after('/home/dev/project/src')), 'high');
  });

  it('is low risk with an absolute path in the workspace, but not in a sibling folder', async () => {
    assert.equal(await level('cat /home/dev/project/notes.txt', after('/home/dev/project')), 'low');
    assert.equal(await level('cat /home/dev/project-evil/notes.txt', after('/home/dev/project')), 'high');
  });
});
