import { strict as assert } from 'node:assert';
import { statusOf } from '../../src/core/log/status';
import { undecidedActions } from '../../src/core/log/openActions';
import { sessionSpending } from '../../src/core/log/spending';
import { toMessages } from '../../src/core/model/messages';
import { Mode } from '../../src/protocol/events/event';
import { conforms, conformsWith } from './support/conforms';
import { inText, inToolCalls } from './support/dialects';
import { assertAccepted, ending, observed, ofType, replies, submitting, types } from './support/telling';
import type { Run } from './support/world';

const dialects = [inText, inToolCalls];
const done = { commands: [submitting('done')] };
const asking = { mode: 'confirm', confirmation: 'always' } as const;

/** Approves everything pending until the run stops for another reason. Returns the number of approvals. */
async function consenting({ conversation }: Run): Promise<number> {
  for (let asked = 0; ; asked++) {
    const [waiting] = undecidedActions(conversation.history);
    if (!waiting) return asked;
    conversation.approve(waiting.id);
    await conversation.rested();
  }
}

describe('as in mini-swe-agent with a person beside it', () => {
  conformsWith(
    'MSA-22',
    'in confirm mode nothing runs before approval, and everything does after it',
    dialects,
    async (world, dialect) => {
      const run = await (
        await world.begin({
          profile: dialect.profile,
          model: await dialect.model(world, [{ commands: ['touch made'] }, done]),
          ...asking,
        })
      ).go();
      assert.deepEqual([statusOf(run.conversation.history), run.workspace.names()], ['waiting_for_confirmation', []]);
      assert.equal(await consenting(run), 2, 'the submitting command is asked for too');
      assert.deepEqual([ending(run.conversation.history).status, run.workspace.names()], ['submitted', ['made']]);
    },
  );

  conformsWith(
    'MSA-23',
    'a refusal reaches the model with its reason, and the run recovers',
    dialects,
    async (world, dialect) => {
      const run = await (
        await world.begin({
          profile: dialect.profile,
          model: await dialect.model(world, [{ commands: ['touch wrong'] }, { commands: ['touch right'] }, done]),
          ...asking,
        })
      ).go();
      const { conversation, workspace } = run;
      conversation.refuse(undecidedActions(conversation.history)[0]!.id, { comment: 'Call it right instead.' });
      await conversation.rested();
      assert.match(
        toMessages(conversation.history).at(-2)!.content + toMessages(conversation.history).at(-3)!.content,
        /Call it right instead\./,
      );
      await consenting(run);
      assert.deepEqual(
        [
          ending(conversation.history).status,
          workspace.names(),
          types(conversation.history).filter((type) => type === 'observation:rejected').length,
        ],
        ['submitted', ['right'], 1],
      );
      assertAccepted(conversation.history);
    },
  );

  conformsWith(
    'MSA-24',
    'auto mode never asks, even if every action would need approval',
    dialects,
    async (world, dialect) => {
      const run = await (
        await world.begin({
          profile: dialect.profile,
          model: await dialect.model(world, [{ commands: ['touch made && rm -rf made'] }, done]),
          ...asking,
          mode: 'auto',
        })
      ).go();
      assert.equal(ending(run.conversation.history).status, 'submitted');
      assert.deepEqual(
        types(run.conversation.history).filter((type) => type.startsWith('confirmation')),
        [],
      );
    },
  );

  conforms('MSA-25', 'allowed command prefixes cover all of a reply or nothing', async (world) => {
    const model = await inToolCalls.model(world, [
      { commands: ['echo a', 'echo b'] },
      { commands: ['echo c', 'touch d'] },
      { commands: ['true && echo e'] },
      done,
    ]);
    const run = await world.begin({ profile: 'mini', model, ...asking });
    const { conversation, workspace } = run;
    for (const key of ['echo', 'ls .*'])
      conversation.append({ type: 'allow_rule_added', rule: { tool: 'bash', key, pattern: true } });
    await run.go();
    assert.deepEqual(
      ofType(conversation.history, 'confirmation_resolved').map(({ by }) => by),
      ['rule', 'rule'],
    );
    assert.deepEqual(
      [observed(conversation.history).length, statusOf(conversation.history)],
      [2, 'waiting_for_confirmation'],
      'echo c is asked for, because touch d is not allowed',
    );
    await consenting(run);
    assert.deepEqual([ending(conversation.history).status, workspace.names()], ['submitted', ['d']]);
    const asked = ofType(conversation.history, 'confirmation_requested').flatMap(({ actionIds }) => actionIds);
    assert.equal(
      asked.length,
      3,
      'echo c, touch d, and the command that only ends with echo; the last one begins with echo',
    );
  });

  conformsWith(
    'MSA-26',
    'an interruption ends the command at once and keeps its results, and its note is read next',
    dialects,
    async (world, dialect) => {
      const commands = dialect.several
        ? ['echo before', 'echo started; sleep 60', 'touch after']
        : ['echo started; sleep 60'];
      const run = await world.begin({
        profile: dialect.profile,
        model: await dialect.model(world, [{ commands }, done]),
      });
      const { conversation, workspace } = run;
      const printed = new Promise<void>((resolve) => {
        run.onOutput((text) => {
          if (text.includes('started')) resolve();
        });
      });
      conversation.wake();
      await printed;
      await conversation.interrupt();
      assert.equal(statusOf(conversation.history), 'paused');
      const outcomes = ofType(conversation.history, 'observation').map(({ outcome }) => outcome);
      assert.deepEqual(outcomes, dialect.several ? ['ok', 'interrupted', 'skipped'] : ['interrupted']);
      assert.match(observed(conversation.history).join('\n'), dialect.several ? /before[\s\S]*started/ : /started/);
      assert.deepEqual(workspace.names(), []);
      conversation.say('Do not wait so long.');
      await conversation.rested();
      assert.ok(
        toMessages(conversation.history).some(
          ({ role, content }) => role === 'user' && content.includes('Do not wait so long.'),
        ),
      );
      assert.equal(ending(conversation.history).status, 'submitted');
      assertAccepted(conversation.history);
    },
  );

  conformsWith(
    'MSA-27',
    'in human mode a typed command runs without a model call and without cost, and the model reads it later',
    dialects,
    async (world, dialect) => {
      const run = await (
        await world.begin({
          profile: dialect.profile,
          model: await dialect.model(world, [{ ...done, cost: 0.5 }]),
          ...asking,
          mode: 'human',
        })
      ).go();
      const { conversation, workspace } = run;
      assert.equal(replies(conversation.history), 0, 'nobody is hurried');
      for (const command of ['touch typed', 'ls']) {
        conversation.say(command);
        await conversation.rested();
      }
      const typed = ofType(conversation.history, 'agent_response');
      assert.deepEqual(
        typed.map(({ by, usage }) => [by, usage.cost]),
        [
          ['person', 0],
          ['person', 0],
        ],
      );
      assert.deepEqual([workspace.names(), /typed/.test(observed(conversation.history)[1]!)], [['typed'], true]);
      assert.equal(sessionSpending(conversation.history).steps, 0);
      conversation.setMode('auto');
      conversation.resume();
      await conversation.rested();
      assert.equal(ending(conversation.history).status, 'submitted');
      const read = toMessages(conversation.history)
        .slice(0, -2)
        .filter(({ role }) => role === 'user')
        .map(({ content }) => content)
        .join('\n');
      assert.match(read, /touch typed[\s\S]*ls[\s\S]*typed/);
      assertAccepted(conversation.history);
    },
  );

  conforms(
    'MSA-28',
    'every mode can change to every other; changing to the current mode is not an event',
    async (world) => {
      for (const from of Mode.options) {
        for (const to of Mode.options) {
          const { conversation } = await world.begin({
            profile: 'mini',
            model: await inToolCalls.model(world, []),
            mode: from,
          });
          const before = conversation.history.length;
          conversation.append({ type: 'paused', reason: 'The case looks.' });
          conversation.setMode(to);
          const changes = conversation.history.slice(before).filter(({ type }) => type === 'settings_changed');
          assert.equal(changes.length, from === to ? 0 : 1, `${from} to ${to}`);
          if (from === to) assert.equal(conversation.history.length, before + 1);
        }
      }
      const run = await (
        await world.begin({
          profile: 'mini',
          model: await inToolCalls.model(world, [{ commands: ['touch a'] }, { commands: ['touch b'] }, done]),
          ...asking,
        })
      ).go();
      run.conversation.setMode('auto');
      await run.conversation.rested();
      assert.deepEqual(
        [ending(run.conversation.history).status, run.workspace.names()],
        ['submitted', ['a', 'b']],
        'what waited for consent runs, as does the rest',
      );

      const taken = await (
        await world.begin({
          profile: 'mini',
          model: await inToolCalls.model(world, [{ commands: ['touch a'] }]),
          ...asking,
        })
      ).go();
      taken.conversation.setMode('human');
      taken.conversation.refuse(undecidedActions(taken.conversation.history)[0]!.id);
      await taken.conversation.rested();
      assert.deepEqual(
        [statusOf(taken.conversation.history), replies(taken.conversation.history)],
        ['idle', 1],
        'who refuses and takes over is not followed by another reply of the model',
      );
      taken.conversation.say('touch c');
      await taken.conversation.rested();
      assert.deepEqual([taken.workspace.names(), statusOf(taken.conversation.history)], [['c'], 'idle']);
    },
  );

  conformsWith(
    'MSA-29',
    'reaching a limit ends the run; a new limit lets it continue, except for the time limit',
    dialects,
    async (world, dialect) => {
      const steps = [
        { commands: ['echo a'], cost: 1 },
        { commands: ['echo b'], cost: 1 },
        { commands: ['echo c'], cost: 1 },
        done,
      ];
      const run = await (
        await world.begin({
          profile: dialect.profile,
          model: await dialect.model(world, steps),
          limits: { steps: 1, cost: 0, seconds: 0 },
          attended: false,
        })
      ).go();
      const { conversation } = run;
      assert.deepEqual(
        [statusOf(conversation.history), ending(conversation.history).cause],
        ['finished', 'steps'],
        'it stops cleanly where nobody can be asked',
      );
      conversation.setLimits({ steps: 1, cost: 0, seconds: 0 });
      await conversation.rested();
      assert.deepEqual(
        [ending(conversation.history).cause, replies(conversation.history)],
        ['steps', 1],
        'the same limit is reached still',
      );
      conversation.setLimits({ steps: 0, cost: 2, seconds: 0 });
      await conversation.rested();
      assert.deepEqual(
        [ending(conversation.history).cause, replies(conversation.history)],
        ['cost', 2],
        'what was used counts',
      );
      conversation.setLimits({ steps: 0, cost: 10, seconds: 0 });
      await conversation.rested();
      assert.deepEqual([ending(conversation.history).status, replies(conversation.history)], ['submitted', 4]);
      const late = await (
        await world.begin({
          profile: dialect.profile,
          model: await dialect.model(world, [{ commands: ['sleep 60'] }]),
          ...asking,
          mode: 'auto',
          limits: { steps: 0, cost: 0, seconds: 2 },
        })
      ).go();
      assert.deepEqual(
        [
          ending(late.conversation.history).cause,
          types(late.conversation.history).filter((type) => /asked|requested/.test(type)),
        ],
        ['seconds', []],
      );
    },
  );

  conformsWith(
    'MSA-30',
    'every new task after the submission continues the same conversation',
    dialects,
    async (world, dialect) => {
      const run = await (
        await world.begin({
          profile: dialect.profile,
          model: await dialect.model(
            world,
            ['first', 'second', 'third'].map((text) => ({ commands: [submitting(text)] })),
          ),
        })
      ).go();
      const { conversation } = run;
      for (const text of ['second', 'third']) {
        conversation.say(`Now the ${text}.`);
        await conversation.rested();
      }
      assert.deepEqual(
        ofType(conversation.history, 'finished').map(({ summary }) => summary),
        ['first\n', 'second\n', 'third\n'],
      );
      assert.ok(toMessages(conversation.history).some(({ content }) => content.includes('Now the third.')));
      assertAccepted(conversation.history);
    },
  );
});
