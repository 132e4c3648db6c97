import { strict as assert } from 'node:assert';
import { AgentTerminal } from '../../../src/adapters/terminal/agentTerminal';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import type { Conversation } from '../../../src/core/session/conversation';
import { openQuestionPlace, undecidedActions } from '../../../src/core/log/openActions';
import { eventsOfType } from '../../../src/core/log/projection';
import { temporaryFolder } from '../../contracts/terminal.contract';
import { call, plays, says } from '../../core/agent/story';
import type { HostileWorld } from './hostileWorld';
import { section } from './incident';

/** Nothing can be checked on a machine that does not support a sandbox. */
const needs = async (): Promise<boolean> => 'sandbox' in (await findSandbox([temporaryFolder()]));

/** The ways to approve, and whether each lets the command leave the sandbox. */
const yeses: Readonly<Record<string, { give(conversation: Conversation): void; leaves: boolean }>> = {
  'a command that a person approved': { give: (conversation) => conversation.approve('leaving-0'), leaves: false },
  'a command in the mode that asks nothing': { give: (conversation) => conversation.setMode('auto'), leaves: false },
  'a command that a rule allowed': {
    give(conversation) {
      conversation.append({ type: 'settings_changed', confirmation: 'never' });
      conversation.append({ type: 'confirmation_resolved', actionIds: ['leaving-0'], approved: true, by: 'rule' });
      conversation.wake();
    },
    leaves: false,
  },
  'a command that a person released by name': {
    give: (conversation) => conversation.approve('leaving-0', { outside: true }),
    leaves: true,
  },
};

/**
 * A run in a real sandbox that waits for approval of the first of two equal commands. Each creates a file beside the
 * workspace.
 */
async function waits(world: HostileWorld) {
  const { workspace, environment } = world.repository();
  const terminal = new AgentTerminal({
    cwd: workspace.root,
    folders: [workspace.root],
    wanted: 'on',
    outputFolder: temporaryFolder(),
    shell: '/bin/bash',
  });
  world.after(() => terminal.dispose());
  const place = { workspace, environment: { ...environment, terminal } };
  const calls = [0, 1].map((index) =>
    says('', call('run_command', { command: 'echo harm > ../pwned' }, `leaving-${index}`)),
  );
  const run = await world.begin({
    profile: 'waymark',
    model: plays(...calls, says('Done.')),
    place,
    mode: 'confirm',
    task: 'Try.',
  });
  await run.go();
  return { place, run };
}

// Found by attacking Waymark itself.
section('The two approvals', 'twoYeses.ts', (declare) => {
  declare(
    {
      row: 77,
      id: 'Waymark: an approval that left the sandbox',
      needs,
      happened:
        'An approved high-risk command ran outside the sandbox at once, and so did one that a resumed log with `--confirm never` approved.',
      protects:
        'An approval runs a command in the sandbox. Only a separate answer about that very command, bound to its bytes, lets it out, once.',
    },
    Object.fromEntries(
      Object.entries(yeses).map(([what, { give, leaves }]) => [
        `${what} ${leaves ? 'runs outside, once' : 'stays inside'}`,
        async (world) => {
          const { place, run } = await waits(world);
          assert.match(openQuestionPlace('leaving-0', run.conversation.history)!.words, /^Runs in the sandbox/);
          give(run.conversation);
          await run.conversation.rested();
          assert.equal(world.harmed(place), leaves);
          if (undecidedActions(run.conversation.history)[0]?.id === 'leaving-1') run.conversation.approve('leaving-1');
          await run.conversation.rested();
          const sides = eventsOfType(run.conversation.history, 'observation').map(({ details }) =>
            details?.kind === 'command' ? details.sandbox : undefined,
          );
          assert.deepEqual(sides.slice(0, 2), [leaves ? 'outside' : 'inside', 'inside']);
        },
      ]),
    ),
  );
});
