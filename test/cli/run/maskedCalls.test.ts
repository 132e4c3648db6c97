import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { eventsOfType } from '../../../src/core/log/projection';
import { reply, toolCall } from '../../support/modelServer';
import { ensureBuilt, onMachine } from '../support/commandLine';

describe('a call that contains a known secret', () => {
  before(ensureBuilt);

  it('does not become another command when the secret is masked', () =>
    onMachine(
      [
        toolCall('run_command', { command: "echo 'BANNERxx; rm -rf src; touch made #'" }),
        toolCall('run_command', { command: 'echo $DEMO_TOKEN && cat src/*.txt' }),
        reply('Done.'),
      ],
      async ({ run, workspace, events }) => {
        workspace.place('.env', `DEMO_TOKEN="'BANNERxx"\n`);
        workspace.place('src/a.txt', 'kept');
        const { code, stderr } = await run('Print the banner.', '--sandbox', 'off', '--yolo');
        assert.equal(code, 0, stderr);
        const [first, second] = eventsOfType(events(), 'observation');
        assert.match(first!.content, /stands for a known secret, so it was not run/);
        assert.match(second!.content, /kept/);
        assert.deepEqual(
          ['src/a.txt', 'made'].map((name) => fs.existsSync(workspace.at(name))),
          [true, false],
        );
      },
    ));

  it('reaches the file whose name contains it, by the name that the model sees', () =>
    onMachine(
      [
        toolCall('read_file', { path: '[masked secret].txt' }),
        toolCall('edit_file', { path: 'sub/hunter2secretvalue/a.txt', edits: [{ old_text: 'one', new_text: 'two' }] }),
        toolCall('write_file', { path: 'hunter2secretvalue.new', content: 'x' }),
        toolCall('move_file', { from: '[masked secret].txt', to: 'plain.txt' }),
        toolCall('read_file', { path: 'twice/[masked secret]' }),
        reply('Done.'),
      ],
      async ({ run, workspace, events, log }) => {
        workspace.place('.env', 'A_TOKEN=hunter2secretvalue\nB_TOKEN=hunter3secretvalue\n');
        workspace.place('hunter2secretvalue.txt', 'named');
        workspace.place('sub/hunter2secretvalue/a.txt', 'one');
        for (const name of ['hunter2secretvalue', 'hunter3secretvalue']) workspace.place(`twice/${name}`, 'x');
        const { code, stdout, stderr } = await run('Go.', '--yolo');
        assert.equal(code, 0, stderr);
        const [read, edited, written, moved, both] = eventsOfType(events(), 'observation');
        assert.match(read!.content, /named/);
        assert.deepEqual([edited!.outcome, moved!.outcome], ['ok', 'ok']);
        assert.match(written!.content, /no file has this name\. Choose another name/);
        assert.match(both!.content, /2 names look like \[masked secret\]/);
        assert.deepEqual(
          ['sub/hunter2secretvalue/a.txt', 'plain.txt'].map((name) => fs.readFileSync(workspace.at(name), 'utf8')),
          ['two', 'named'],
        );
        for (const text of [stdout, stderr, fs.readFileSync(log, 'utf8')]) assert.ok(!text.includes('secretvalue'));
      },
    ));

  for (const [name, from] of [
    ['AGENTS.md', 'X_TOKEN=AGENTS.md'],
    ['.npmrc.json', 'X_TOKEN=.npmrc.json'],
    ['id_rsa_key', 'X_TOKEN=id_rsa_key'],
  ] as const)
    it(`does not make a protected file look like another one: ${name}`, () =>
      onMachine(
        [toolCall('write_file', { path: name, content: 'evil' }), reply('Done.')],
        async ({ run, workspace }) => {
          workspace.place('.env', `${from}\n`);
          workspace.place(name, 'good');
          await run('Go.', '--mode', 'auto');
          assert.equal(fs.readFileSync(path.join(workspace.root, name), 'utf8'), 'good');
        },
      ));
});
