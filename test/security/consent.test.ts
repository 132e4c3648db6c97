import assert from 'node:assert/strict';
import fs from 'node:fs';
import { diskFiles } from '../../src/adapters/files/diskFiles';
import { diskScripts } from '../../src/adapters/scripts/diskScripts';
import { createTerminal } from '../../src/adapters/terminal/ptyTerminal';
import { ripgrepSearch } from '../../src/adapters/search/ripgrep';
import { openQuestionHash, undecidedActions } from '../../src/core/log/openActions';
import { statusOf } from '../../src/core/log/status';
import { toolCallFormat } from '../../src/core/model/formats/toolCalls';
import { editFile } from '../../src/core/tools/native/editFile';
import { readFile } from '../../src/core/tools/native/readFile';
import { runCommand } from '../../src/core/tools/native/runCommand';
import { writeFile } from '../../src/core/tools/native/writeFile';
import { finish } from '../../src/core/tools/native/finish';
import type { Event } from '../../src/protocol/events/event';
import { begin, call, plays, revived, says, types } from '../core/agent/story';
import { temporaryWorkspace } from '../support/temporaryWorkspace';
import { untouched } from '../support/toolContext';

const scripted = (command: string) =>
  plays(
    says('', call('run_command', { command }, 'first')),
    says('', call('run_command', { command }, 'second')),
    says('bye'),
  );

/** A session with a real folder, shell and scripts that asks before each command. */
async function inFolder(
  command: string,
  use: (world: {
    at(name: string): string;
    write(name: string, text: string): void;
    text(name: string): string | undefined;
    open(
      saved?: readonly Event[],
      story?: Parameters<typeof begin>[1] & { model?: Parameters<typeof begin>[0]; together?: boolean },
    ): ReturnType<typeof begin>;
  }) => Promise<void>,
): Promise<void> {
  const workspace = temporaryWorkspace();
  const terminals: { dispose(): Promise<void> }[] = [];
  try {
    await use({
      at: workspace.at,
      write: (name, text) => fs.writeFileSync(workspace.at(name), text, { mode: 0o755 }),
      text: (name) => workspace.bytes(name)?.toString(),
      open(saved = [], { model = scripted(command), together = false, ...story } = {}) {
        const terminal = createTerminal({ cwd: workspace.root, outputFolder: `${workspace.root}-outputs`, pty: false });
        terminals.push(terminal);
        const environment = {
          root: workspace.root,
          files: diskFiles({ folders: [workspace.root] }),
          search: ripgrepSearch({ folders: [workspace.root] }),
          scripts: diskScripts(workspace.root),
          terminal,
        };
        const parts = {
          tools: [runCommand, writeFile, finish],
          environment,
          ...(together && { format: toolCallFormat(() => true) }),
        };
        return begin(model, {
          saved,
          ...story,
          parts,
          first: { cwd: workspace.root, confirmation: 'always', ...story.first },
        });
      },
    });
  } finally {
    for (const terminal of terminals) await terminal.dispose();
    workspace.stop();
  }
}

describe('consent', function () {
  this.timeout(30_000);

  it('counts for one question: another hash, another action’s hash or a used one decides nothing', () =>
    inFolder('echo once >> ran.txt', async ({ open, text }) => {
      const conversation = await open().go();
      const first = openQuestionHash('first', conversation.history)!;
      assert.match(first, /^[0-9a-f]{64}$/);
      assert.equal(conversation.approve('first', { hash: 'f'.repeat(64) }), false);
      assert.equal(conversation.approve('first', { hash: '' }), false);
      assert.equal(statusOf(conversation.history), 'waiting_for_confirmation');
      assert.equal(conversation.approve('first', { hash: first }), true);
      await conversation.rested();
      assert.equal(text('ran.txt'), 'once\n');
      const second = openQuestionHash('second', conversation.history)!;
      assert.notEqual(second, first, 'the same command asked again is another question');
      assert.equal(conversation.approve('second', { hash: first }), false);
      assert.equal(conversation.approve('first', { hash: first }), false);
      assert.equal(conversation.approve('second', { hash: second }), true);
      await conversation.rested();
      assert.equal(text('ran.txt'), 'once\nonce\n');
    }));

  it('is lost if the approved script changes before it runs, and the new script is asked about', () =>
    inFolder('./go.sh', async ({ open, write, text }) => {
      write('go.sh', '#!/bin/sh\necho good >> ran.txt\n');
      const conversation = await open().go();
      const before = openQuestionHash('first', conversation.history)!;
      write('go.sh', '#!/bin/sh\necho evil >> ran.txt\n');
      conversation.approve('first', { hash: before });
      await conversation.rested();
      assert.equal(text('ran.txt'), undefined, 'what was not consented to ran');
      assert.deepEqual(
        undecidedActions(conversation.history).map(({ id }) => id),
        ['first'],
      );
      const asked = conversation.history.findLast((event) => event.type === 'confirmation_requested');
      assert.deepEqual(asked?.again, ['first']);
      assert.notEqual(openQuestionHash('first', conversation.history), before);
      assert.equal(conversation.approve('first', { hash: before }), false, 'the old answer is good for nothing');
      write('go.sh', '#!/bin/sh\necho good >> ran.txt\n');
      conversation.refuse('first');
      await conversation.rested();
      assert.equal(text('ran.txt'), undefined);
    }));

  it('can be given after a reload, because the question and its hash stay the same', () =>
    inFolder('echo once >> ran.txt', async ({ open, text }) => {
      const before = await open().go();
      const hash = openQuestionHash('first', before.history)!;
      const after = open(revived(before.history));
      assert.equal(openQuestionHash('first', after.history), hash);
      assert.equal(after.approve('first', { hash }), true);
      await after.rested();
      assert.equal(text('ran.txt'), 'once\n');
    }));

  it('is not reused if a run is resumed that ended during the action', () =>
    inFolder('echo once >> ran.txt', async ({ open, text }) => {
      const before = await open().go();
      before.approve('first');
      await before.rested();
      const begun = before.history.findIndex((event) => event.type === 'action_started');
      const after = open(revived(before.history.slice(0, begun + 1)));
      after.resume();
      await after.rested();
      assert.equal(text('ran.txt'), 'once\n', 'it ran a second time');
      assert.ok(types(after.history).includes('observation:unknown'));
      assert.equal(statusOf(after.history), 'waiting_for_confirmation', 'the next action is asked about anew');
    }));

  it('is asked for again if the log has no hashes', () =>
    inFolder('echo once >> ran.txt', async ({ open, text }) => {
      const before = await open().go();
      before.approve('first');
      await before.rested();
      const resolved = before.history.findIndex((event) => event.type === 'confirmation_resolved');
      const old = revived(before.history.slice(0, resolved + 1)).map((event) =>
        'hashes' in event ? { ...event, hashes: undefined } : event,
      ) as Event[];
      const ran = text('ran.txt');
      const after = open(revived(old));
      after.resume();
      await after.rested();
      assert.equal(text('ran.txt'), ran);
      assert.equal(statusOf(after.history), 'waiting_for_confirmation');
    }));

  it('covers npm scripts', () =>
    inFolder('npm run release', async ({ open, write }) => {
      write('package.json', '{"scripts":{"release":"echo one"}}');
      const one = openQuestionHash('first', (await open().go()).history);
      write('package.json', '{"scripts":{"release":"echo two"}}');
      const two = openQuestionHash('first', (await open().go()).history);
      assert.notEqual(one, two);
    }));

  it('is checked again right before the action starts: a last-minute change is asked about, even after a reload', () =>
    inFolder('./go.sh', async ({ open, write, text }) => {
      write('go.sh', '#!/bin/sh\necho good >> ran.txt\n');
      const conversation = await open([], {
        durable: async () => write('go.sh', '#!/bin/sh\necho evil >> ran.txt\n'),
      }).go();
      conversation.approve('first');
      await conversation.rested();
      assert.equal(text('ran.txt'), undefined);
      assert.deepEqual(
        undecidedActions(conversation.history).map(({ id }) => id),
        ['first'],
      );
      const after = open(revived(conversation.history));
      after.resume();
      await after.rested();
      assert.deepEqual([text('ran.txt'), undecidedActions(after.history).map(({ id }) => id)], [undefined, ['first']]);
      assert.ok(!types(after.history).includes('observation:unknown'), 'it never began');
      write('go.sh', '#!/bin/sh\necho seen >> ran.txt\n');
      after.approve('first');
      await after.rested();
      assert.deepEqual(
        [text('ran.txt'), undecidedActions(after.history).map(({ id }) => id)],
        [undefined, ['first']],
        'the answer was to the script before',
      );
      after.approve('first');
      await after.rested();
      assert.equal(text('ran.txt'), 'seen\n');
    }));

  it('does not cover a script that another call of the same reply rewrote, in one group or in two', async () => {
    for (const together of [true, false]) {
      await inFolder('', async ({ open, write, text }) => {
        write('go.sh', '#!/bin/sh\necho good >> ran.txt\n');
        const calls = [
          call('write_file', { path: 'go2.sh', content: 'x' }, 'other'),
          call('run_command', { command: 'printf "#!/bin/sh\\necho evil >> ran.txt\\n" > go.sh' }, 'edit'),
          call('run_command', { command: './go.sh' }, 'run'),
        ];
        const conversation = await open([], { model: plays(says('', ...calls), says('bye')), together }).go();
        for (
          let rounds = 0;
          rounds < 3 && undecidedActions(conversation.history).some(({ id }) => id !== 'run');
          rounds++
        ) {
          for (const { id } of undecidedActions(conversation.history)) conversation.approve(id);
          await conversation.rested();
        }
        assert.match(text('go.sh')!, /evil/);
        assert.equal(text('ran.txt'), undefined);
        assert.equal(undecidedActions(conversation.history)[0]?.id, 'run');
        conversation.approve('run');
        await conversation.rested();
        assert.equal(text('ran.txt'), 'evil\n', 'a person saw it and said yes');
      });
    }
  });

  it('is required for a command that runs a script changed by the same reply, even if it normally asks nothing', () =>
    inFolder('', async ({ open, write, text }) => {
      write('go.sh', '#!/bin/sh\necho good >> ran.txt\n');
      const calls = [
        call('run_command', { command: './go.sh' }, 'before'),
        call('run_command', { command: 'printf "#!/bin/sh\\necho evil >> ran.txt\\n" > go.sh' }, 'edit'),
        call('run_command', { command: './go.sh' }, 'run'),
      ];
      const conversation = await open([], {
        model: plays(says('', ...calls), says('bye')),
        first: { confirmation: 'risky' },
      }).go();
      assert.equal(text('ran.txt'), 'good\n');
      const [waiting] = undecidedActions(conversation.history);
      assert.equal(waiting?.id, 'run');
      assert.equal(waiting.risk.level, 'high', 'it is shown as it is judged now');
      assert.match(waiting.risk.reasons.join(' '), /changed/);
    }));
});

describe('consent to an edit', function () {
  this.timeout(30_000);
  const addsKey = { path: 'settings.txt', edits: [{ old_text: 'keys:\n', new_text: 'keys:\n  deploy\n' }] };
  const inEdits = async (
    use: (world: {
      begun: ReturnType<typeof begin>;
      write(text: string): void;
      text(): string | undefined;
    }) => Promise<void>,
    before: Parameters<typeof plays> = [],
  ): Promise<void> => {
    const workspace = temporaryWorkspace();
    try {
      const environment = {
        root: workspace.root,
        files: diskFiles({ folders: [workspace.root] }),
        search: untouched.search,
        terminal: untouched.terminal,
      };
      const write = (text: string): void => fs.writeFileSync(workspace.at('settings.txt'), text);
      write('keys:\n  read\n');
      const model = plays(...before, says('', call('edit_file', addsKey, 'edit')), says('bye'));
      const begun = begin(model, {
        parts: { tools: [readFile, editFile, finish], environment },
        first: { cwd: workspace.root, confirmation: 'always' },
      });
      await use({ begun, write, text: () => workspace.bytes('settings.txt')?.toString() });
    } finally {
      workspace.stop();
    }
  };

  for (const [what, before] of [
    ['never read', []],
    ['read', [says('', call('read_file', { path: 'settings.txt' }, 'read'))]],
  ] as const)
    it(`to a file that the model ${what} covers only the bytes that the person saw; other bytes are asked about`, () =>
      inEdits(
        async ({ begun, write, text }) => {
          const conversation = await begun.go();
          if (conversation.approve('read')) await conversation.rested();
          const shown = openQuestionHash('edit', conversation.history)!;
          write('who may publish: everybody\nkeys:\n  read\n');
          assert.equal(conversation.approve('edit', { hash: shown }), true);
          await conversation.rested();
          assert.equal(text(), 'who may publish: everybody\nkeys:\n  read\n', 'nothing was written');
          const asked = conversation.history.filter((event) => event.type === 'confirmation_requested');
          assert.deepEqual([asked.length, asked.at(-1)?.again], [before.length + 2, ['edit']]);
          conversation.approve('edit');
          await conversation.rested();
          assert.equal(text(), 'who may publish: everybody\nkeys:\n  deploy\n  read\n');
        },
        [...before],
      ));

  it('counts if the file is unchanged', () =>
    inEdits(async ({ begun, write, text }) => {
      const conversation = await begun.go();
      write('other\n');
      write('keys:\n  read\n');
      conversation.approve('edit');
      await conversation.rested();
      assert.equal(text(), 'keys:\n  deploy\n  read\n');
      assert.equal(conversation.history.filter((event) => event.type === 'confirmation_requested').length, 1);
    }));
});
