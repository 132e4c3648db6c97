import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { reply, toolCall, type Answering } from '../support/modelServer';
import { ensureBuilt, onMachine } from './support/commandLine';

describe('waymark run --apply-edits afterReview', function () {
  this.timeout(120_000);
  before(ensureBuilt);

  const answers = [
    toolCall('write_file', { path: 'made.txt', content: 'one\ntwo\n' }),
    toolCall('read_file', { path: 'made.txt' }),
    toolCall('run_command', { command: 'echo commanded > by-command.txt; ls made.txt' }),
    reply('Done.'),
    reply('Understood.'),
  ];

  it('holds edits back until waymark apply writes them, and tells the model that commands do not see them', () =>
    onMachine(answers, async (machine) => {
      const { workspace, log } = machine;
      const ran = await machine.run('Make a file.', '--confirm', 'never', '--apply-edits', 'afterReview');
      assert.equal(ran.code, 0, ran.stderr);
      assert.match(ran.stderr, /Held back for review, not applied yet: 1 edit to 1 file\.\n/);
      assert.match(ran.stderr, /^1 changed file\. /m, 'the one of the command');
      for (const way of [`changes ${log} --diff`, `apply ${log}`, `apply ${log} --discard`])
        assert.ok(ran.stderr.includes(`: waymark ${way}\n`), ran.stderr);
      assert.equal(workspace.bytes('made.txt'), undefined);
      assert.equal(workspace.bytes('by-command.txt')?.toString(), 'commanded\n');
      const told = JSON.stringify(machine.server.requests.at(-1)!.body);
      assert.match(told, /Held back for review: made\.txt\. The file itself is unchanged until the user applies/);
      assert.match(told, /1\D*one\D*2\D*two/, 'the agent reads its own edit');
      assert.match(told, /No such file or directory/);
      assert.match(told, /so this ran on the files without these edits/);

      const shown = await machine.start(['changes', log]).ended;
      assert.match(
        shown.stdout,
        /Held back, not applied yet[\s\S]*A {2}made\.txt {2}\+2 −0[\s\S]*A {2}by-command\.txt/,
      );
      const listed = JSON.parse((await machine.start(['changes', log, '--json']).ended).stdout);
      assert.deepEqual(
        [listed.held_back.length, listed.held_back[0].path, listed.held_back[0].steps[0].step],
        [1, 'made.txt', 1],
      );
      const applied = await machine.start(['apply', log, '--file', 'made.txt']).ended;
      assert.deepEqual([applied.code, applied.stdout], [0, 'Applied: made.txt\n'], applied.stderr);
      assert.equal(workspace.bytes('made.txt')?.toString(), 'one\ntwo\n');
      const after = JSON.parse((await machine.start(['changes', log, '--json']).ended).stdout);
      assert.deepEqual(
        [after.held_back, after.files.map((file: { path: string }) => file.path)],
        [[], ['by-command.txt']],
      );
      fs.rmSync(workspace.at('by-command.txt'));
      const undoneAll = await machine.start(['undo', log]).ended;
      assert.match(undoneAll.stdout, /nothing to undo: .* --to-step 0 undoes these, too\.$/m, undoneAll.stderr);
      const again = await machine.start(['apply', log, '--json']).ended;
      assert.deepEqual([again.code, JSON.parse(again.stdout).status], [1, 'refused']);
      await machine.run('Go on.', '--confirm', 'never');
      assert.match(
        JSON.stringify(machine.server.requests.at(-1)!.body),
        /The user applied your held edits: made\.txt\./,
      );
      const undone = await machine.start(['undo', log, '--to-step', '0', '--agree']).ended;
      assert.equal(undone.code, 0, undone.stderr);
      assert.equal(workspace.bytes('made.txt'), undefined, 'what was applied can be restored like other changes');
    }));

  it('holds edits of subagents in the same place', () => {
    const isChild = (body: object): boolean => JSON.stringify(body).includes('Task of the worker.');
    const turnOf = (messages: readonly { role?: unknown }[]): number =>
      messages.filter(({ role }) => role === 'assistant').length;
    const answer: Answering = ({ body }) => {
      const turn = turnOf(body.messages);
      const isWorker = body.messages.some(({ role, content }) => role === 'user' && isChild({ content }));
      if (isWorker)
        return turn === 0 ? toolCall('write_file', { path: 'by-worker.txt', content: 'x\n' }) : reply('Made.');
      if (turn === 0) return toolCall('delegate', { tasks: [{ title: 'worker', task: 'Task of the worker.' }] });
      return turn === 1 ? toolCall('read_file', { path: 'by-worker.txt' }) : reply('Done.');
    };
    return onMachine(
      Array.from({ length: 8 }, () => answer),
      async (machine) => {
        const ran = await machine.run('Share it.', '--confirm', 'never', '--apply-edits', 'afterReview');
        assert.equal(ran.code, 0, ran.stderr);
        assert.match(ran.stderr, /not applied yet: 1 edit to 1 file/);
        const told = JSON.stringify(machine.server.requests.at(-1)!.body);
        assert.match(told, /Held back for review: by-worker\.txt/, 'the run that delegated is told');
        assert.match(told, /1\D*x/, 'it reads what its worker wrote');
        const listed = await machine.start(['changes', machine.log]).ended;
        assert.match(listed.stdout, /A {2}by-worker\.txt {2}\+1 −0 {2}\(1 hunk, step 1\)/, 'the step that delegated');
        assert.doesNotMatch(listed.stdout, /Nothing to review/);
        const applied = await machine.start(['apply', machine.log]).ended;
        assert.deepEqual([applied.code, applied.stdout], [0, 'Applied: by-worker.txt\n'], applied.stderr);
        assert.equal(machine.workspace.bytes('by-worker.txt')?.toString(), 'x\n');
        const kept = await machine.start(['changes', machine.log]).ended;
        assert.match(kept.stdout, /^Nothing to review: the remaining changes of this run were kept\.$/m);
        const undone = await machine.start(['undo', machine.log, '--to-step', '1', '--agree', '--json']).ended;
        assert.equal(machine.workspace.bytes('by-worker.txt')?.toString(), 'x\n', undone.stdout);
        await machine.start(['undo', machine.log, '--to-step', '0', '--agree']).ended;
        assert.equal(machine.workspace.bytes('by-worker.txt'), undefined);
      },
    );
  });

  it('reports damaged held edits and applies none of them', () =>
    onMachine(answers, async (machine) => {
      await machine.run('Make a file.', '--confirm', 'never', '--apply-edits', 'afterReview');
      const file = `${machine.log}.held.json`;
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('one', 'two'));
      for (const command of ['apply', 'changes']) {
        const { stderr, code } = await machine.start([command, machine.log]).ended;
        assert.match(stderr, /The held edits cannot be read: the file [\w.]+ beside the log is damaged/);
        assert.equal(code, command === 'apply' ? 1 : 0);
      }
      assert.equal(machine.workspace.bytes('made.txt'), undefined);
    }));

  it('discards them with waymark apply --discard', () =>
    onMachine(answers, async (machine) => {
      await machine.run('Make a file.', '--confirm', 'never', '--apply-edits', 'afterReview');
      const discarded = await machine.start(['apply', machine.log, '--discard', '--json']).ended;
      assert.deepEqual(JSON.parse(discarded.stdout), {
        status: 'done',
        words: 'Discarded: made.txt',
        files: ['made.txt'],
      });
      assert.equal(machine.workspace.bytes('made.txt'), undefined);
      assert.equal((await machine.start(['apply', machine.log]).ended).code, 1);
    }));
});
