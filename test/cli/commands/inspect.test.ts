import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { reply, toolCall } from '../../support/modelServer';
import { ensureBuilt, onMachine } from '../support/commandLine';

describe('waymark inspect', () => {
  before(ensureBuilt);

  it('shows a run in any format: the task, its steps, and one full step', () =>
    onMachine([toolCall('run_command', { command: 'echo seen; false' }), reply('Done.')], async (machine) => {
      await machine.run('Look at it.', '--confirm', 'never', '--sandbox', 'off');
      const inspect = (...args: string[]) => machine.start(['inspect', ...args]).ended;
      const traj = machine.workspace.at('x.traj.json');
      assert.equal((await machine.start(['export', machine.log, '--to', 'mini', '--out', traj]).ended).code, 0);
      for (const file of [machine.log, traj]) {
        const { code, stdout, stderr } = await inspect(file);
        assert.deepEqual([code, stderr], [0, '']);
        assert.match(stdout, /^Look at it\.\n(?:Waymark log|mini-swe-agent) · \S+.*\n2 steps, /);
        assert.match(stdout, /\n {3}1 ✗ .*echo seen; false.*\(exit code 1\)\n/);
        assert.match(stdout, /\n {3}2 ✓ .*Done\.\n/);
        const step = await inspect(file, '--step', '1');
        assert.match(step.stdout, /^Step 1\n[\s\S]*\[run_command, [\s\S]*\n {2}echo seen; false\n\nResult\n {2}seen\n/);
      }
      const json = JSON.parse((await inspect(machine.log, '--json')).stdout);
      assert.deepEqual([json.format, json.steps.length, json.spent.steps, json.problems], ['waymark', 4, 2, []]);
      assert.equal(JSON.parse((await inspect(machine.log, '--json', '--step', '2')).stdout).reply.text, 'Done.');
      const none = await inspect(machine.log, '--step', '9');
      assert.deepEqual([none.code, none.stderr], [1, 'There is no step 9; the run has 2 steps.\n']);
    }));

  it('lists what it could not read, and escapes control characters in a file', () =>
    onMachine([], async (machine) => {
      fs.writeFileSync(
        machine.workspace.at('a.traj.json'),
        JSON.stringify([
          { role: 'user', content: 'Do\u001b[2J it.' },
          { role: 'ghost' },
          { role: 'assistant', content: 'Done.' },
        ]),
      );
      const { code, stdout } = await machine.start(['inspect', 'a.traj.json']).ended;
      assert.equal(code, 0);
      assert.match(stdout, /Do\\u\{1b\}\[2J it\./);
      assert.match(
        stdout,
        /Unreadable or uncertain\n {2}messages\[1\]: Its role "ghost" is unknown, so it is skipped\.\n$/,
      );
      assert.ok(!stdout.includes('\u001b'));
    }));

  it('shows and exports a request log of a proxy; for an unknown file, names its fields and the readable formats', () =>
    onMachine([], async (machine) => {
      const answer = { model: 'gpt-x', choices: [{ message: { role: 'assistant', content: 'It is done.' } }] };
      fs.writeFileSync(
        machine.workspace.at('proxy.jsonl'),
        `${JSON.stringify({ call_type: 'acompletion', messages: [{ role: 'user', content: 'Do it.' }], response: answer })}\n`,
      );
      const run = (...args: string[]) => machine.start(args).ended;
      const shown = await run('inspect', 'proxy.jsonl');
      assert.deepEqual([shown.code, shown.stderr], [0, '']);
      assert.match(shown.stdout, /^Do it\.\nRequest log \(LiteLLM, OpenAI batch\)[\s\S]* 1 ✓ .*It is done\.\n$/);
      const exported = await run('export', 'proxy.jsonl', '--to', 'openai', '--out', '-');
      assert.deepEqual(JSON.parse(exported.stdout), {
        messages: [
          { role: 'user', content: 'Do it.' },
          { role: 'assistant', content: 'It is done.' },
        ],
      });
      fs.writeFileSync(machine.workspace.at('other.jsonl'), '{"kind":"tree","leaves":3}\n{"kind":"bush"}\n');
      const refused = await run('inspect', 'other.jsonl');
      assert.deepEqual([refused.code, refused.stdout], [1, '']);
      assert.match(
        refused.stderr,
        /other\.jsonl is not a trajectory that Waymark can read\. Its first record has the fields kind, leaves\. Formats: Waymark log, .*OpenHands conversation.*\.\n$/,
      );
    }));
});
