import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { eventsOfType } from '../../src/core/agent/history';
import { reply, toolCall } from '../support/modelServer';
import { ensureBuilt, onMachine } from './support/commandLine';
import { sitDown } from './support/sitDown';

const write = toolCall('write_file', { path: 'made.txt', content: 'made\n' });

(process.platform === 'win32' ? describe.skip : describe)('the hooks of waymark run', function () {
  this.timeout(60_000);
  before(ensureBuilt);
  const file = (command: string): string => JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Write', hooks: [{ command }] }] } });
  const place = (workspace: { place(name: string, text: string): void }, script = 'echo "Nothing is written here." >&2; exit 2\n'): void => {
    workspace.place('guard.sh', script);
    workspace.place('.agent/hooks.json', file('sh guard.sh'));
  };

  it('do not run where nobody agreed to them, and it says so', () => onMachine([write, reply('Done.')], async ({ run, workspace, events }) => {
    place(workspace);
    const { code, stderr } = await run('Write it.');
    assert.equal(code, 0);
    assert.match(stderr, /^\.agent\/hooks\.json names 1 hook, which does not run, because nobody agreed to it\. Look at the file; --agree hooks agrees to what it names now\.\n/);
    assert.deepEqual([eventsOfType(events(), 'hook_ran').length, fs.existsSync(workspace.at('made.txt'))], [0, true]);
  }));

  it('run with --agree hooks and from then on, refuse, and are told of', () => onMachine([write, reply('I may not.'), write, reply('Still not.')], async ({ run, workspace, events, server }) => {
    place(workspace);
    const { code, stdout } = await run('Write it.', '--agree', 'hooks');
    assert.equal(code, 0);
    assert.match(stdout, /! PreToolUse hook “sh guard\.sh” refused: Nothing is written here\./);
    assert.match(server.requests[1]!.body.messages.at(-1)!.content, /^A hook of this folder does not allow this action: Nothing is written here\.$/);
    await run('And again.');
    assert.deepEqual([eventsOfType(events(), 'hook_ran').length, fs.existsSync(workspace.at('made.txt'))], [2, false]);
  }));

  it('hold the run when they are not what was agreed to any more, until it is said how to go on', () => onMachine([write, reply('I may not.'), write, reply('Done.')], async ({ run, workspace, events }) => {
    place(workspace);
    await run('Write it.', '--agree', 'hooks');
    workspace.place('guard.sh', 'exit 0\n');
    const { code, stderr } = await run('And again.');
    assert.equal(code, 3);
    assert.match(stderr, /Hooks of this folder hold the run\. .+--agree hooks agrees to them as they are now, --no-hooks runs none\./);
    assert.equal((await run('Go on.', '--no-hooks')).code, 0);
    assert.deepEqual([eventsOfType(events(), 'hook_ran').length, fs.existsSync(workspace.at('made.txt'))], [1, true]);
  }));

  it('are shown to the person at the terminal, who agrees with a written y', () => onMachine([write, reply('I may not.')], async machine => {
    place(machine.workspace);
    const person = sitDown(machine, 'Write it.');
    await person.reads(/PreToolUse \(Write\): sh guard\.sh/);
    await person.reads(/Let them run, as they are now\?/);
    await person.types('y\r');
    assert.equal(await person.leaves(), 0);
    assert.equal(eventsOfType(machine.events(), 'hook_ran')[0]!.decision, 'block');
  }));

  it('begin and end with the session', () => onMachine([reply('Done.')], async ({ run, workspace }) => {
    workspace.place('.agent/hooks.json', JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ command: 'echo start >> told' }] }], SessionEnd: [{ hooks: [{ command: 'echo end >> told' }] }] } }));
    await run('Do it.', '--agree', 'hooks');
    assert.equal(fs.readFileSync(workspace.at('told'), 'utf8'), 'start\nend\n');
  }));

  it('that cannot be read are told of with line and column, and stop nothing', () => onMachine([reply('Done.')], async ({ run, workspace }) => {
    workspace.place('.agent/hooks.json', '{"hooks": {\n  "PreToolUse": {}\n}}');
    const { code, stderr } = await run('Do it.');
    assert.deepEqual([code, stderr], [0, '.agent/hooks.json:2:17: error: PreToolUse is not a list. Its hooks are not run.\n']);
  }));
});
