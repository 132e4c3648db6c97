import { strict as assert } from 'node:assert';
import { toMessages } from '../../src/core/model/messages';
import { miniProfile } from '../../src/core/profiles/mini';
import { conforms, conformsWith } from './support/conforms';
import { dialects, inText, inToolCalls, type Said } from './support/dialects';
import { assertAccepted, ending, observed, ofType, replies, submitting, submitMarker, types } from './support/telling';

const bad: Said = { text: 'What now?' };
const done: Said = { commands: [submitting('done')] };
const failureLimits = (formatErrors: number) => ({ failureLimits: { ...miniProfile.failureLimits, formatErrors } });

describe('as in mini-swe-agent', () => {
  conformsWith(
    'MSA-01',
    'a run whose second command prints the marker is submitted with the text after it',
    dialects,
    async (world, dialect) => {
      const model = await dialect.model(world, [
        { commands: ['echo first'] },
        { commands: [submitting('the answer')] },
      ]);
      const {
        conversation: { history },
      } = await (await world.begin({ profile: dialect.profile, model })).go();
      assert.deepEqual(
        [ending(history).status, ending(history).summary, replies(history)],
        ['submitted', 'the answer\n', 2],
      );
      assertAccepted(history);
    },
  );

  conformsWith('MSA-02', 'a step limit of one ends the run after one call', dialects, async (world, dialect) => {
    const model = await dialect.model(world, [{ commands: ['echo first'] }, done]);
    const {
      conversation: { history },
    } = await (await world.begin({ profile: dialect.profile, model, limits: { steps: 1, cost: 0, seconds: 0 } })).go();
    assert.deepEqual([ending(history).status, ending(history).cause, replies(history)], ['limit_exceeded', 'steps', 1]);
    assert.match(observed(history)[0]!, /first/);
  });

  conformsWith(
    'MSA-03',
    'a cost limit below the cost of one call ends the run after one call',
    dialects,
    async (world, dialect) => {
      const model = await dialect.model(world, [{ commands: ['echo first'], cost: 1 }, done]);
      const {
        conversation: { history },
      } = await (
        await world.begin({ profile: dialect.profile, model, limits: { steps: 0, cost: 0.5, seconds: 0 } })
      ).go();
      assert.deepEqual(
        [ending(history).status, ending(history).cause, replies(history)],
        ['limit_exceeded', 'cost', 1],
      );
    },
  );

  conformsWith(
    'MSA-04',
    'an unusable reply is answered with the format error and not sent again, and the run recovers',
    dialects,
    async (world, dialect) => {
      const model = await dialect.model(world, [bad, { commands: ['echo works'] }, done]);
      const {
        conversation: { history },
      } = await (await world.begin({ profile: dialect.profile, model })).go();
      assert.equal(ending(history).status, 'submitted');
      assert.deepEqual(
        types(history).filter((type) => type.startsWith('feedback')),
        ['feedback:format_error'],
      );
      const chat = toMessages(history);
      assert.ok(!chat.some(({ content }) => content.includes(bad.text!)), 'the bad reply is still read');
      const [error] = ofType(history, 'feedback');
      assert.equal(chat.filter(({ role, content }) => role === 'user' && content.includes(error!.text)).length, 1);
      assertAccepted(history);
    },
  );

  conformsWith(
    'MSA-05',
    'a command that times out gives an observation that says so, and the run continues',
    dialects,
    async (world, dialect) => {
      const model = await dialect.model(world, [{ commands: ['sleep 60'] }, done]);
      const {
        conversation: { history },
      } = await (await world.begin({ profile: dialect.profile, model, commandSeconds: 0.5 })).go();
      assert.deepEqual([ending(history).status, ofType(history, 'observation')[0]!.outcome], ['submitted', 'timeout']);
      assert.match(observed(history)[0]!, /timed out|time-?out|ran out of time/i);
      assert.match(observed(history)[0]!, /-1/);
    },
  );

  conformsWith(
    'MSA-06',
    'the output of a command before its timeout is in the observation',
    dialects,
    async (world, dialect) => {
      const model = await dialect.model(world, [{ commands: ['echo so far; sleep 60'] }, done]);
      const {
        conversation: { history },
      } = await (await world.begin({ profile: dialect.profile, model, commandSeconds: 1 })).go();
      assert.match(observed(history)[0]!, /so far/);
      assert.equal(ofType(history, 'observation')[0]!.outcome, 'timeout');
    },
  );

  conformsWith(
    'MSA-07',
    'several steps before the end keep all outputs, in order',
    dialects,
    async (world, dialect) => {
      const model = await dialect.model(world, [
        { commands: ['echo one'] },
        { commands: ['echo two'] },
        { commands: ['echo three'] },
        done,
      ]);
      const {
        conversation: { history },
      } = await (await world.begin({ profile: dialect.profile, model })).go();
      assert.deepEqual(
        observed(history).map((text) => /one|two|three|done/.exec(text)?.[0]),
        ['one', 'two', 'three', 'done'],
      );
      const outputs = toMessages(history).filter(({ role }, index) => role === dialect.resultRole && index > 1);
      assert.equal(outputs.length, 4);
    },
  );

  conformsWith('MSA-08', 'a user’s own templates are rendered unchanged', dialects, async (world, dialect) => {
    const model = await dialect.model(world, [bad, { commands: ['echo hello'] }, done]);
    const run = await world.begin({
      profile: dialect.profile,
      model,
      task: 'Count.',
      templates: {
        system: 'Be brief in {{ cwd }}.',
        instance: 'Task: {{ task }} Steps: {{ step_limit }}',
        observation: 'code {{ output.returncode }} said {{ output.output }}',
        formatError: 'Wrong: {{ error }} ({{ finish_reason }})',
      },
      limits: { steps: 7, cost: 0, seconds: 0 },
    });
    const {
      conversation: { history },
      workspace,
    } = await run.go();
    assert.deepEqual(
      toMessages(history)
        .slice(0, 1)
        .map(({ content }) => content),
      [`Be brief in ${workspace.root}.`],
    );
    assert.equal(toMessages(history)[1]!.content, 'Task: Count. Steps: 7');
    assert.match(toMessages(history)[2]!.content, /^Wrong: .+ \(\w+\)$/);
    assert.equal(observed(history)[0], 'code 0 said hello\n');
  });

  conformsWith('MSA-09', 'templates can use the number and cost of calls', dialects, async (world, dialect) => {
    const model = await dialect.model(world, [
      { commands: ['echo a'], cost: 1 },
      { commands: ['echo b'], cost: 1 },
      done,
    ]);
    const {
      conversation: { history },
    } = await (
      await world.begin({
        profile: dialect.profile,
        model,
        templates: { observation: 'Calls: {{ n_model_calls }}, Cost: {{ model_cost }}' },
      })
    ).go();
    assert.deepEqual(observed(history).slice(0, 2), ['Calls: 1, Cost: 1.0', 'Calls: 2, Cost: 2.0']);
  });

  conformsWith('MSA-10', 'every event has its time', dialects, async (world, dialect) => {
    const began = Date.now();
    const run = await (
      await world.begin({
        profile: dialect.profile,
        model: await dialect.model(world, [bad, { commands: ['echo a'] }, done]),
      })
    ).go();
    await run.conversation.rested();
    const times = run.saved().map(({ at }) => at);
    assert.ok(
      times.length > 6 && times.every((at) => Number.isFinite(at) && at >= began && at <= Date.now()),
      String(times),
    );
  });

  conformsWith(
    'MSA-11',
    'a run of two calls is a chat of system, user, two replies with their observations, and an end',
    dialects,
    async (world, dialect) => {
      const model = await dialect.model(world, [{ commands: ['echo a'] }, done]);
      const {
        conversation: { history },
      } = await (await world.begin({ profile: dialect.profile, model })).go();
      // The original leaves the submitting call without an observation, which providers refuse if the chat continues.
      assert.deepEqual(
        toMessages(history).map(({ role }) => role),
        ['system', 'user', 'assistant', dialect.resultRole, 'assistant', dialect.resultRole],
      );
      assert.equal(types(history).at(-1), 'finished:submitted');
    },
  );

  conformsWith('MSA-12', 'one step adds exactly two messages', dialects, async (world, dialect) => {
    const { conversation } = await world.begin({
      profile: dialect.profile,
      model: await dialect.model(world, [{ commands: ['echo a'] }, done]),
    });
    const before = toMessages(conversation.history).length;
    for (const checkpoint of ['before_acting', 'before_reasoning']) {
      conversation.step();
      await conversation.rested();
      assert.equal(ofType(conversation.history, 'paused').at(-1)?.checkpoint, checkpoint);
    }
    const added = toMessages(conversation.history).slice(before);
    assert.deepEqual(
      added.map(({ role }) => role),
      ['assistant', dialect.resultRole],
    );
    assert.match(added[1]!.content, /a/);
  });

  conformsWith(
    'MSA-13',
    'a time limit ends the run after the call that exceeded it',
    dialects,
    async (world, dialect) => {
      const model = await dialect.model(world, [{ commands: ['sleep 60'] }, done]);
      const {
        conversation: { history },
      } = await (
        await world.begin({ profile: dialect.profile, model, limits: { steps: 0, cost: 0, seconds: 2 } })
      ).go();
      assert.deepEqual(
        [ending(history).status, ending(history).cause, replies(history)],
        ['limit_exceeded', 'seconds', 1],
      );
      assertAccepted(history);
    },
  );

  conformsWith('MSA-14', 'templates can use the elapsed seconds', dialects, async (world, dialect) => {
    const model = await dialect.model(world, [{ commands: ['sleep 0.2'] }, { commands: ['echo b'] }, done]);
    const {
      conversation: { history },
    } = await (
      await world.begin({ profile: dialect.profile, model, templates: { observation: '{{ elapsed_seconds }}' } })
    ).go();
    const [first, second] = observed(history).map(Number);
    assert.ok(first! > 0 && second! >= first! + 0.2, observed(history).join(', '));
  });

  conformsWith(
    'MSA-15',
    'replies without an action do not end a run that tolerates them',
    dialects,
    async (world, dialect) => {
      const model = await dialect.model(world, [bad, bad, bad, bad, done]);
      const {
        conversation: { history },
      } = await (await world.begin({ profile: dialect.profile, model, changes: failureLimits(0) })).go();
      assert.deepEqual([ending(history).status, replies(history)], ['submitted', 5]);
    },
  );

  conformsWith(
    'MSA-16',
    'two bad replies in a row end the run if the limit is two',
    dialects,
    async (world, dialect) => {
      const {
        conversation: { history },
      } = await (
        await world.begin({
          profile: dialect.profile,
          model: await dialect.model(world, [bad, bad, done]),
          changes: failureLimits(2),
        })
      ).go();
      assert.deepEqual(
        [ending(history).status, ending(history).cause, replies(history)],
        ['failed', 'format_errors', 2],
      );
      assert.equal(ofType(history, 'feedback').length, 2, 'the last error is told too');
    },
  );

  conformsWith('MSA-17', 'a good step between two bad replies restarts the count', dialects, async (world, dialect) => {
    const {
      conversation: { history },
    } = await (
      await world.begin({
        profile: dialect.profile,
        model: await dialect.model(world, [bad, { commands: ['echo a'] }, bad, done]),
        changes: failureLimits(2),
      })
    ).go();
    assert.deepEqual([ending(history).status, replies(history)], ['submitted', 4]);
  });

  conformsWith(
    'MSA-18',
    'bad replies count as cost: three at a dollar exceed a limit of 2.50',
    dialects,
    async (world, dialect) => {
      const model = await dialect.model(world, [{ ...bad, cost: 1 }, { ...bad, cost: 1 }, { ...bad, cost: 1 }, done]);
      const {
        conversation: { history },
      } = await (
        await world.begin({
          profile: dialect.profile,
          model,
          changes: failureLimits(0),
          limits: { steps: 0, cost: 2.5, seconds: 0 },
        })
      ).go();
      assert.deepEqual(
        [
          ending(history).cause,
          replies(history),
          ofType(history, 'agent_response').reduce((sum, { usage }) => sum + usage.cost!, 0),
        ],
        ['cost', 3, 3],
      );
    },
  );

  const letters = (count: number): string =>
    Array.from({ length: count }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');

  conformsWith(
    'MSA-19',
    'an output of 9,999 characters is complete; one of 10,000 is head and tail with 0 omitted, one of 10,001 with 1',
    [inText, inToolCalls],
    async (world, dialect) => {
      const place = world.place();
      const sizes = [9_999, 10_000, 10_001];
      for (const size of sizes) place.workspace.place(`${size}.txt`, letters(size));
      const model = await dialect.model(world, [...sizes.map((size) => ({ commands: [`cat ${size}.txt`] })), done]);
      const {
        conversation: { history },
      } = await (await world.begin({ profile: dialect.profile, model, place })).go();
      const texts = observed(history);
      for (const [index, size] of sizes.entries()) {
        const text = letters(size);
        const [head, tail, elided] = [text.slice(0, 5_000), text.slice(-5_000), size - 10_000];
        if (dialect === inToolCalls) {
          const read = JSON.parse(texts[index]!) as Record<string, unknown>;
          if (elided < 0) assert.deepEqual(read, { returncode: 0, output: text });
          else {
            assert.deepEqual(
              [read['returncode'], read['output_head'], read['output_tail'], read['elided_chars'], read['output']],
              [0, head, tail, elided, undefined],
            );
            assert.ok(read['warning']);
          }
        } else if (elided < 0) {
          assert.match(texts[index]!, new RegExp(`<returncode>0</returncode>\\s*<output>\\s*${text}\\s*</output>`));
        } else {
          assert.match(
            texts[index]!,
            new RegExp(
              `<returncode>0</returncode>\\s*<warning>[^<]+</warning>\\s*<output_head>\\s*${head}\\s*</output_head>\\s*<elided_chars>\\s*${elided}\\b[^<]*</elided_chars>\\s*<output_tail>\\s*${tail}\\s*</output_tail>`,
            ),
          );
        }
      }
    },
  );

  conformsWith(
    'MSA-20',
    'the marker submits nothing if the command fails or prints something before it',
    dialects,
    async (world, dialect) => {
      const model = await dialect.model(world, [
        { commands: [`echo ${submitMarker}; echo early; exit 1`] },
        { commands: [`echo first; echo ${submitMarker}; echo early`] },
        { commands: [`printf '\\n  ${submitMarker}  \\nright\\nlines\\n'`] },
      ]);
      const {
        conversation: { history },
      } = await (await world.begin({ profile: dialect.profile, model })).go();
      assert.deepEqual(
        [ending(history).status, ending(history).summary, replies(history)],
        ['submitted', 'right\nlines\n', 3],
      );
      assert.match(observed(history)[0]!, /returncode.*1[\s\S]*early|early[\s\S]*returncode.*1/);
    },
  );

  conforms(
    'MSA-21',
    'if the first of two calls submits, the second does not run and says so, and the conversation can continue',
    async (world) => {
      const model = await inToolCalls.model(world, [
        { commands: [submitting('first'), 'touch second'] },
        { commands: [submitting('again')] },
      ]);
      const run = await (await world.begin({ profile: 'mini', model })).go();
      const { conversation, workspace } = run;
      assert.deepEqual(types(conversation.history).slice(-4), [
        'action_started',
        'observation:ok',
        'observation:skipped',
        'finished:submitted',
      ]);
      assert.deepEqual(JSON.parse(observed(conversation.history)[1]!), {
        returncode: -1,
        output: '',
        exception_info: 'This action was not run.',
      });
      assert.deepEqual(workspace.names(), []);
      assertAccepted(conversation.history);
      conversation.say('Do it again.');
      await conversation.rested();
      assert.equal(ending(conversation.history).summary, 'again\n');
    },
  );
});
