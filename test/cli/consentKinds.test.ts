import { strict as assert } from 'node:assert';
import { eventsOfType } from '../../src/core/log/projection';
import { reply, toolCall } from '../support/modelServer';
import { ensureBuilt, onMachine, type Machine } from './support/commandLine';

const code = toolCall('run_command', { command: `node -e 'let x = 20; x += 22; console.log(x)'` });
const starts = toolCall('run_command', { command: `node -e 'require("child_process").execSync("echo started")'` });

const printed = ({ events }: Machine): string[] => eventsOfType(events(), 'observation').map(({ content }) => content);

describe('waymark run --consent', function () {
  this.timeout(120_000);
  before(() => ensureBuilt());

  it('runs actions of that kind, records the rule in the log, and still asks about anything beyond it', () =>
    onMachine([code, starts], async (machine) => {
      const ended = await machine.run('Go.', '--sandbox', 'off', '--consent', 'inline-code');
      assert.equal(ended.code, 3, ended.stderr);
      assert.match(printed(machine).join(), /42/);
      assert.doesNotMatch(printed(machine).join(), /started/);
      const [resolved, ...more] = eventsOfType(machine.events(), 'confirmation_resolved');
      assert.deepEqual([resolved?.approved, resolved?.by, more], [true, 'rule', []]);
      assert.match(ended.stderr, /child_process/);
      assert.doesNotMatch(ended.stderr, /To allow actions of this kind/);
    }));

  it('names at exit code 3 the kind that would let the run continue, and continues with it', () =>
    onMachine([code, reply('Done.')], async (machine) => {
      const first = await machine.run('Go.', '--sandbox', 'off');
      assert.equal(first.code, 3);
      assert.match(first.stderr, /To allow actions of this kind: .*--consent inline-code/);
      const other = await machine.run('Go on.', '--sandbox', 'off', '--consent', 'packages');
      assert.equal(other.code, 3, 'another kind is no consent');
      const second = await machine.run('Go on.', '--sandbox', 'off', '--consent', 'inline-code');
      assert.equal(second.code, 0, second.stderr);
      assert.match(printed(machine).join(), /42/);
    }));

  it('refuses an unknown kind and lists the known ones', () =>
    onMachine([], async (machine) => {
      const { code: exit, stderr } = await machine.run('Go.', '--consent', 'inline-code,everything');
      assert.equal(exit, 1);
      assert.match(stderr, /inline-code.*unknown-programs.*packages.*deletions/);
      assert.deepEqual(machine.server.requests, []);
    }));
});
