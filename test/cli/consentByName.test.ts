import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findSandbox } from '../../src/adapters/sandbox/findSandbox';
import { eventsOfType } from '../../src/core/log/projection';
import { reply, toolCall } from '../support/modelServer';
import { cliFile, ensureBuilt, onMachine, type Machine } from './support/commandLine';
import { sitDown } from './support/sitDown';

/** A folder that the sandbox cannot write to; it has its own temporary folders. */
const elsewhere = path.join(process.env['REPOSITORY']!, 'out', `consent-by-name-${process.pid}`);
const harm = path.join(elsewhere, 'harm');
const leaving = toolCall('run_command', { command: `echo out >> ${harm}` });
const lines = (): number => (fs.existsSync(harm) ? fs.readFileSync(harm, 'utf8').split('\n').length - 1 : 0);

const ranIn = ({ events }: Machine): unknown[] =>
  eventsOfType(events(), 'observation').map(({ details }) =>
    details?.kind === 'command' ? details.sandbox : undefined,
  );

/** Runs a line of the message in a shell, like a user who copies it. */
function copied(
  { environment, workspace }: Machine,
  line: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const waymark = `waymark() { '${process.execPath}' '${cliFile}' "$@"; }; ${line} < /dev/null`;
  return new Promise((resolve) => {
    execFile(
      '/bin/bash',
      ['-c', waymark],
      { cwd: workspace.root, env: environment, encoding: 'utf8' },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const lineAfter = (words: string, text: string): string =>
  text
    .split('\n')
    .find((line) => line.startsWith(words))!
    .slice(words.length);

describe('consent to one command of waymark run', function () {
  this.timeout(60_000);
  before(async function () {
    if ('none' in (await findSandbox([process.cwd()]))) this.skip(); // this machine does not support a sandbox
    ensureBuilt();
  });
  beforeEach(() => fs.mkdirSync(elsewhere, { recursive: true }));
  afterEach(() => fs.rmSync(elsewhere, { recursive: true, force: true }));

  it('is requested once, with the reason, the place and command lines that do what they say', () =>
    onMachine([leaving, leaving, reply('Done.')], async (machine) => {
      const { code, stderr } = await machine.run('Go.');
      assert.equal(code, 3);
      for (const words of [
        /An action needs approval, and nobody can be asked here\./,
        /Risk high: /,
        /Runs in the sandbox: writes only this workspace, no network\./,
      ]) {
        assert.equal(stderr.match(new RegExp(words, 'g'))?.length, 1, stderr);
      }
      const inside = await copied(machine, lineAfter('To run it in the sandbox: ', stderr));
      assert.equal(inside.code, 3, inside.stderr);
      assert.deepEqual([ranIn(machine), lines()], [['inside'], 0]);
      const outside = await copied(
        machine,
        lineAfter('To run it outside, with all rights of your account: ', inside.stderr),
      );
      assert.equal(outside.code, 0, outside.stderr);
      assert.deepEqual([ranIn(machine), lines()], [['inside', 'outside'], 1]);
    }));

  it('can be refused by name, with a reason for the agent', () =>
    onMachine([leaving, reply('Then not.')], async (machine) => {
      const { stderr } = await machine.run('Go.');
      const refused = await copied(machine, lineAfter('To refuse it, with a reason: ', stderr));
      assert.equal(refused.code, 0, refused.stderr);
      assert.deepEqual([ranIn(machine), lines()], [[undefined], 0]);
      const { messages } = machine.server.requests.at(-1)!.body;
      assert.equal(messages.at(-1)!.role, 'tool');
      assert.match(String(messages.at(-1)!.content), /refused this action: Do not do that\./);
    }));

  it('refuses what is named, even in a mode that asks nothing, and accepts no two decisions about one action', () =>
    onMachine([leaving, reply('Then not.')], async (machine) => {
      const { stderr } = await machine.run('Go.');
      const name = /--refuse (\w+)/.exec(stderr)![1]!;
      const twice = await machine.run('No.', '--refuse', name, '--approve', name);
      assert.match(twice.stderr, /An action is named twice/);
      const refused = await machine.run('No.', '--refuse', name, '--mode', 'auto');
      assert.equal(refused.code, 0, refused.stderr);
      assert.deepEqual([ranIn(machine), lines()], [[undefined], 0]);
    }));

  it('by --confirm never on a continued log keeps the command in the sandbox', () =>
    onMachine([leaving, reply('Done.')], async (machine) => {
      assert.equal((await machine.run('Go.')).code, 3);
      assert.equal((await machine.run('Go on.', '--confirm', 'never')).code, 0);
      assert.deepEqual([ranIn(machine), lines()], [['inside'], 0]);
    }));

  it('by --mode auto on a continued log keeps the command in the sandbox', () =>
    onMachine([leaving, reply('Done.')], async (machine) => {
      assert.equal((await machine.run('Go.')).code, 3);
      assert.equal((await machine.run('Go on.', '--mode', 'auto')).code, 0);
      assert.deepEqual([ranIn(machine), lines()], [['inside'], 0]);
    }));

  it('says so if the sandbox is off', () =>
    onMachine([leaving], async (machine) => {
      const { stderr } = await machine.run('Go.', '--sandbox', 'off');
      assert.match(stderr, /Runs with all rights of your account: the sandbox is turned off\./);
      assert.match(lineAfter('To allow it: ', stderr), /--sandbox off/);
      assert.doesNotMatch(stderr, /--approve-outside/);
    }));

  it('is tied to the place: after consent to the sandbox, the command is asked about again with the sandbox off', () =>
    onMachine([leaving], async (machine) => {
      const { stderr } = await machine.run('Go.');
      const again = await copied(machine, `${lineAfter('To run it in the sandbox: ', stderr)} --sandbox off`);
      assert.equal(again.code, 3, again.stderr);
      assert.match(again.stderr, /Runs with all rights of your account/);
      assert.match(again.stdout, /^\? .*echo out.* needs approval$/m);
      assert.equal(lines(), 0);
    }));

  it('is given at a terminal with y for the sandbox and with o for outside', () =>
    onMachine([leaving, leaving, reply('Done.')], async (machine) => {
      const person = sitDown(machine, 'Go.');
      await person.reads(/Runs in the sandbox[^]*  o   run it outside the sandbox[^]*Run once\? /);
      await person.types('y\r');
      await person.reads(/  o   run it outside the sandbox[^\n]*\n  y   run it in the sandbox again[^?]*Run once\? /);
      assert.equal(lines(), 0);
      await person.types('o\r');
      assert.equal(await person.leaves(), 0);
      assert.deepEqual([ranIn(machine), lines()], [['inside', 'outside'], 1]);
    }));

  it('applies to the edited command if the person edits it with e at a terminal', () =>
    onMachine([leaving, reply('Done.')], async (machine) => {
      const person = sitDown(machine, 'Go.');
      await person.reads(/  e   edit it first[^?]*Run once\? /);
      await person.types('e\r');
      await person.reads(/Command: [^]*echo out/);
      await person.types('\x15echo mine > mine.txt\r');
      await person.reads(/Run your command once\?/);
      await person.types('y\r');
      assert.equal(await person.leaves(), 0);
      assert.equal(machine.workspace.bytes('mine.txt')?.toString(), 'mine\n');
      assert.equal(lines(), 0);
      const messages = JSON.stringify(machine.server.requests.at(-1)!.body.messages);
      assert.match(
        messages,
        /The user edited this command[^]*The user ran this instead of your call: echo mine > mine\.txt/,
      );
    }));
});
