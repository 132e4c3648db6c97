import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { eventsOfType } from '../../../src/core/log/projection';
import { reply, toolCall } from '../../support/modelServer';
import { ensureBuilt, onMachine } from '../support/commandLine';

const command = (text: string) => toolCall('run_command', { command: text });

describe('the shell of a continued run', () => {
  before(ensureBuilt);

  it('is in the folder for which its first command is judged', () =>
    onMachine(
      [
        command('cd sub && export KEPT=yes'),
        reply('There.'),
        command('rm -r build'),
        command('echo "${KEPT-lost}"'),
        reply('Gone.'),
      ],
      async ({ run, workspace: { root }, events }) => {
        for (const folder of ['build', 'sub/build']) fs.mkdirSync(path.join(root, folder), { recursive: true });
        await run('Go to sub.', '--yolo');
        await run('Delete its build.', '--yolo');
        const [, removal] = eventsOfType(events(), 'agent_response').flatMap(({ actions }) => actions);
        assert.match(removal!.risk.reasons[0]!, /sub\/build/);
        assert.deepEqual(
          ['build', 'sub/build'].map((folder) => fs.existsSync(path.join(root, folder))),
          [true, false],
        );
        const [, removed, echoed] = eventsOfType(events(), 'observation');
        assert.match(removed!.content, /This is a new shell: variables and functions of earlier commands are lost/);
        assert.equal(echoed!.content, `lost\n[exit code 0 (folder: ${path.join(root, 'sub')})]`);
      },
    ));

  it('runs nothing if that folder is gone', () =>
    onMachine(
      [command('mkdir sub && cd sub'), reply('There.'), command('touch made'), command('touch made'), reply('Done.')],
      async ({ run, workspace: { root }, events }) => {
        await run('Go to sub.', '--yolo');
        fs.rmdirSync(path.join(root, 'sub'));
        await run('Make a file.', '--yolo');
        const [, first, second] = eventsOfType(events(), 'observation');
        assert.match(first!.content, /^\[not run\n.*The command was not run: it was checked for the folder .*sub/);
        assert.equal(second!.outcome, 'ok');
        assert.ok(fs.existsSync(path.join(root, 'made')));
      },
    ));
});
