import assert from 'node:assert/strict';
import { reply, toolCall } from '../../support/modelServer';
import { ensureBuilt, onMachine } from '../support/commandLine';

describe('the connection of the command line to the model server', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  it('is kept during a command that takes longer than Node keeps connections', () =>
    onMachine(
      [
        toolCall('run_command', { command: 'sleep 7' }),
        toolCall('run_command', { command: 'sleep 6' }),
        reply('Done.'),
      ],
      async ({ server, run }) => {
        const { code, stderr } = await run('Wait.');
        assert.equal(code, 0, stderr);
        assert.equal(server.requests.length, 3);
        assert.equal(new Set(server.requests.map(({ connection }) => connection)).size, 1);
      },
    ));
});
