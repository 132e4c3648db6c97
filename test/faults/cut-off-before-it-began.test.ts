import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { journalOf } from '../../src/adapters/checkpoints/journal';
import { ensureBuilt, onMachine, type Machine } from '../cli/support/commandLine';
import { reply, toolCall } from '../support/modelServer';

/**
 * Slows writes to the log, and kills the program as soon as the journal records the start of an action. A real disk
 * also leaves the order of two such system calls undefined.
 */
const hook = `
const fs = require('node:fs');
const { write, writeSync } = fs;
fs.write = (descriptor, bytes, ...more) =>
  String(bytes).includes('"type":"action_started"') ? undefined : write(descriptor, bytes, ...more);
fs.writeSync = (descriptor, bytes, ...more) => {
  const written = writeSync(descriptor, bytes, ...more);
  if (String(bytes).includes('"type":"began"')) process.kill(process.pid, 'SIGKILL');
  return written;
};
`;

/** Parses the lines of a journal with `JSON.parse` only. */
const linesOf = (file: string): any[] =>
  fs
    .readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

async function isKilledBeforeItBegins(machine: Machine): Promise<void> {
  const file = path.join(path.dirname(machine.log), 'hook.cjs');
  fs.writeFileSync(file, hook);
  const started = machine.start(machine.args('Work.', '--confirm', 'never'), { NODE_OPTIONS: `--require=${file}` });
  await started.ended;
  assert.equal(started.child.signalCode, 'SIGKILL');
  const log = fs.existsSync(machine.log) ? fs.readFileSync(machine.log, 'utf8') : '';
  assert.ok(!log.includes('"type":"action_started"'), 'the log knows of it');
  assert.equal(linesOf(journalOf(machine.log)).filter(({ type }) => type === 'began').length, 1);
}

describe('a run killed after its journal recorded an action and before its log did', function () {
  this.timeout(180_000);
  before(ensureBuilt);

  for (const [what, call] of [
    ['a command', () => toolCall('run_command', { command: 'echo made >> made.txt' })],
    ['an edit', () => toolCall('write_file', { path: 'made.txt', content: 'made\n' })],
  ] as const)
    it(`runs ${what} once when it resumes, and does not claim the user’s changes in between`, () =>
      onMachine([call(), call(), reply('Done.'), reply('Done.')], async (machine) => {
        const { workspace, log } = machine;
        workspace.place('notes.txt', 'one\n');
        await isKilledBeforeItBegins(machine);
        assert.equal(workspace.bytes('made.txt'), undefined);
        workspace.place('notes.txt', 'one\nby the person\n');

        const again = await machine.run('Go on.', '--confirm', 'never');
        assert.equal(again.code, 0, again.stderr);
        assert.equal(workspace.bytes('made.txt')?.toString(), 'made\n');
        const changed = linesOf(journalOf(log)).flatMap(({ type, files }) => (type === 'changed' ? files : []));
        assert.deepEqual([...new Set(changed.map((file: { path: string }) => path.basename(file.path)))], ['made.txt']);

        const told = await machine.start(['changes', log]).ended;
        assert.match(told.stdout, /made\.txt/);
        assert.doesNotMatch(told.stdout, /notes\.txt|not recorded/);
        assert.equal((await machine.start(['undo', log]).ended).code, 0);
        assert.deepEqual(workspace.names(), ['notes.txt']);
        assert.equal(workspace.bytes('notes.txt')?.toString(), 'one\nby the person\n');
      }));
});
