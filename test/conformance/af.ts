import { strict as assert } from 'node:assert';
import { statusOf } from '../../src/core/log/status';
import { agentResults } from '../../src/core/log/agentResults';
import type { ModelRequest } from '../../src/core/ports/model';
import type { Event } from '../../src/protocol/events/event';
import { conforms, conformsWith } from './support/conforms';
import { call, plays, playsEach, says, type Line } from './support/script';
import { inXml, run, syntaxes, type Syntax } from './support/structured';
import { ending, observed, ofType, types } from './support/telling';

/** The first user message, which identifies a session and its subsessions. */
const taskIn = ({ messages }: ModelRequest): string => messages.find(({ role }) => role === 'user')!.content;
const isBranch = (request: ModelRequest): boolean => /one of several branches/.test(taskIn(request));

/** A model whose main session follows a script, and whose branches answer by a function. */
function branching(main: readonly Line[], branch: (request: ModelRequest) => Line) {
  const left = [...main];
  return playsEach((request) => (isBranch(request) ? branch(request) : left.shift()));
}

const append = (word: string) => run(`echo ${word} >> order.txt`);
const done = (syntax: Syntax = inXml) => syntax.write({ say: 'All done.' });
const commandsOf = (history: readonly Event[]): string[] => {
  const actions = new Map(
    ofType(history, 'agent_response').flatMap(({ actions: all }) => all.map((action) => [action.id, action])),
  );
  return ofType(history, 'action_started').map(({ actionId }) => actions.get(actionId)!.summary.replace(/^Run /, ''));
};

describe('as in AgentFoundation', () => {
  conformsWith(
    'AF-01',
    'replies with one action, one action and none take three calls, and the actions run in order',
    syntaxes,
    async (world, syntax) => {
      const model = plays(
        syntax.write({ groups: [[append('one')]] }),
        syntax.write({ groups: [[append('two')]] }),
        done(syntax),
      );
      const {
        conversation: { history },
        workspace,
      } = await (await world.begin({ profile: syntax.profile, model })).go();
      assert.deepEqual([model.requests.length, workspace.bytes('order.txt')?.toString()], [3, 'one\ntwo\n']);
      assert.deepEqual([ending(history).status, ending(history).summary], ['submitted', 'All done.']);
    },
  );

  conformsWith(
    'AF-01b',
    'two actions of one reply run one after the other, the second with the result of the first, and both results are read',
    syntaxes,
    async (world, syntax) => {
      const model = plays(
        syntax.write({ groups: [[run('echo 41 > number')], [run('echo $(($(cat number) + 1))')]] }),
        done(syntax),
      );
      const {
        conversation: { history },
      } = await (await world.begin({ profile: syntax.profile, model })).go();
      assert.deepEqual([model.requests.length, ending(history).status], [2, 'submitted']);
      assert.deepEqual(
        types(history).filter((type) => /action_started|observation/.test(type)),
        ['action_started', 'observation:ok', 'action_started', 'observation:ok'],
      );
      const read = model.requests[1]!.messages.at(-1)!;
      assert.equal(read.role, 'user');
      assert.match(read.content, /ActionResults[\s\S]*run_command[\s\S]*echo 41[\s\S]*ActionResults[\s\S]*42/);
    },
  );

  conforms(
    'AF-02',
    'three parallel actions take five calls: the main one, one for each branch, and the main one again',
    async (world) => {
      const model = branching(
        [inXml.write({ groups: [['a', 'b', 'c'].map((name) => run(`echo result of ${name}`))] }), done()],
        (request) => says(`Report on ${/result of \w/.exec(taskIn(request))![0]}`),
      );
      const begun = await (await world.begin({ profile: 'workgraph', model, task: 'Compare three.' })).go();
      const { history } = begun.conversation;
      assert.equal(model.requests.length, 5);
      assert.deepEqual(
        [begun.children().length, ofType(history, 'child_started').length, ending(history).status],
        [3, 3, 'submitted'],
      );
      for (const name of ['a', 'b', 'c'])
        assert.match(model.requests.at(-1)!.messages.at(-1)!.content, new RegExp(`Report on result of ${name}`));
    },
  );

  conforms(
    'AF-03',
    'with one action, two in parallel and one more, the last starts when both branches have ended and sees both results: four calls',
    async (world) => {
      const order: string[] = [];
      let answerThree = (): void => undefined;
      const threeAnswered = new Promise<void>((resolve) => {
        answerThree = resolve;
      });
      const model = branching(
        [
          inXml.write({
            groups: [[append('one')], [append('two'), append('three')], [run('cp order.txt seen.txt; cat seen.txt')]],
          }),
          (request) => {
            order.push('main');
            assert.match(
              request.messages.at(-1)!.content,
              /branch reports: Two is fine[\s\S]*branch reports: Three is fine/,
            );
            return done();
          },
        ],
        (request) => async () => {
          const name = /echo two/.test(taskIn(request)) ? 'Two' : 'Three';
          assert.equal(
            begun.workspace.bytes('seen.txt'),
            undefined,
            'the last action has started before a branch ended',
          );
          // The first branch ends only after the second: neither waits for the other's reasoning.
          if (name === 'Two') await threeAnswered;
          else answerThree();
          order.push(name);
          return says(`${name} is fine.`);
        },
      );
      const begun = await world.begin({ profile: 'workgraph', model, task: 'Count.' });
      const {
        conversation: { history },
        workspace,
      } = await begun.go();
      assert.equal(ending(history).status, 'submitted', ending(history).summary);
      assert.deepEqual([model.requests.length, order], [4, ['Three', 'Two', 'main']]);
      const seen = workspace.bytes('seen.txt')!.toString().trim().split('\n');
      assert.deepEqual([seen[0], seen.slice(1).sort()], ['one', ['three', 'two']]);
      const started = commandsOf(history);
      assert.deepEqual([started[0], started[3]], ['echo one >> order.txt', 'cp order.txt seen.txt; cat seen.txt']);
      const [, second, third, fourth] = ofType(history, 'agent_response')[0]!.actions;
      const place = (type: string, id: string): number =>
        history.findIndex((event) => event.type === type && 'actionId' in event && event.actionId === id);
      for (const { id } of [second!, third!]) assert.ok(place('observation', id) < place('action_started', fourth!.id));
    },
  );

  conformsWith(
    'AF-04',
    'a completed reply that still asks for actions runs none of them and says so',
    syntaxes,
    async (world, syntax) => {
      const model = plays(syntax.write({ say: 'Done already.', status: 'Completed', groups: [[append('never')]] }));
      const {
        conversation: { history },
        workspace,
      } = await (await world.begin({ profile: syntax.profile, model })).go();
      assert.deepEqual(
        [ending(history).status, ending(history).summary, workspace.names(), types(history).includes('action_started')],
        ['submitted', 'Done already.', [], false],
      );
      const [notice] = ofType(history, 'notice');
      assert.equal(notice?.level, 'warning');
      assert.match(notice?.text ?? '', /run_command/);
    },
  );

  conforms(
    'AF-05',
    'pause at either checkpoint, resume, step, leaving step mode and stop work however fast they follow each other',
    async (world) => {
      const script = () =>
        plays(inXml.write({ groups: [[append('one')]] }), inXml.write({ groups: [[append('two')]] }), done());
      const begin = () => world.begin({ profile: 'workgraph', model: script() });
      const pausedAt = (history: readonly Event[]) => ofType(history, 'paused').map(({ checkpoint }) => checkpoint);

      const paused = await begin();
      paused.conversation.pause();
      await paused.go();
      assert.deepEqual(
        [
          statusOf(paused.conversation.history),
          pausedAt(paused.conversation.history),
          types(paused.conversation.history).includes('agent_response'),
        ],
        ['paused', ['before_reasoning'], false],
      );
      paused.conversation.resume();
      await paused.conversation.rested();
      assert.equal(ending(paused.conversation.history).status, 'submitted');

      const model = plays(() => {
        between.conversation.pause();
        return inXml.write({ groups: [[append('one')]] });
      }, done());
      const between = await world.begin({ profile: 'workgraph', model });
      await between.go();
      assert.deepEqual([pausedAt(between.conversation.history), between.workspace.names()], [['before_acting'], []]);
      between.conversation.resume();
      await between.conversation.rested();
      assert.deepEqual(
        [ending(between.conversation.history).status, between.workspace.names()],
        ['submitted', ['order.txt']],
      );

      const stepped = await begin();
      for (const expected of ['before_acting', 'before_reasoning', 'before_acting']) {
        stepped.conversation.step();
        await stepped.conversation.rested();
        assert.equal(pausedAt(stepped.conversation.history).at(-1), expected);
      }
      stepped.conversation.resume();
      await stepped.conversation.rested();
      assert.deepEqual(
        [pausedAt(stepped.conversation.history).length, ending(stepped.conversation.history).status],
        [3, 'submitted'],
        'one resume leaves step mode',
      );

      const hurried = await begin();
      for (const control of ['pause', 'resume', 'pause', 'pause', 'step', 'resume', 'resume'] as const)
        hurried.conversation[control]();
      await hurried.conversation.rested();
      assert.deepEqual(
        [ending(hurried.conversation.history).status, hurried.workspace.bytes('order.txt')?.toString()],
        ['submitted', 'one\ntwo\n'],
      );

      const stopped = await begin();
      stopped.conversation.step();
      await stopped.conversation.rested();
      stopped.conversation.pause();
      await Promise.all([stopped.conversation.stop(), stopped.conversation.stop()]);
      assert.deepEqual(
        types(stopped.conversation.history).filter((type) => type.startsWith('finished')),
        ['finished:stopped'],
      );
      assert.deepEqual(stopped.workspace.names(), []);
    },
  );

  conformsWith(
    'AF-06',
    'a question inside a sequence ends it: later actions do not run, and the answer is read next',
    syntaxes,
    async (world, syntax) => {
      const model = plays(
        syntax.write({
          say: 'First a question.',
          groups: [
            [append('before')],
            [{ type: 'UserInputsRequired.choice', args: { question: 'Left or right?' } }],
            [append('after')],
          ],
        }),
        done(syntax),
      );
      const { conversation, workspace } = await (await world.begin({ profile: syntax.profile, model })).go();
      assert.equal(statusOf(conversation.history), 'waiting_for_answer');
      const [asked] = ofType(conversation.history, 'question_asked');
      assert.equal(asked!.question, 'Left or right?');
      assert.ok(conversation.answer(asked!.actionId, 'Left.'));
      await conversation.rested();
      assert.deepEqual(
        [ending(conversation.history).status, workspace.bytes('order.txt')?.toString()],
        ['submitted', 'before\n'],
      );
      assert.match(model.requests[1]!.messages.at(-1)!.content, /Left\./);
      assert.equal(ofType(conversation.history, 'observation').length, 3, 'what was not run has its observation too');
    },
  );

  conforms('AF-07', 'an attachment reaches the prompt of a branch with its content', async (world) => {
    const model = branching(
      [inXml.write({ groups: [[run('echo the content of a'), run('echo the content of b')]] }), done()],
      () => says('Read.'),
    );
    await (await world.begin({ profile: 'workgraph', model, task: 'Read both.' })).go();
    const prompts = model.requests.filter(isBranch).map(taskIn).sort();
    assert.equal(prompts.length, 2);
    for (const [index, name] of ['a', 'b'].entries())
      assert.match(
        prompts.find((prompt) => prompt.includes(`<attachment`) && prompt.includes(`the content of ${name}\n`)) ?? '',
        /Read both\.[\s\S]*<attachment id="[^"]+" description="[^"]+">/,
        `${index}`,
      );
  });

  conformsWith(
    'AF-08',
    'a failed or unknown action becomes a result, and the run continues',
    syntaxes,
    async (world, syntax) => {
      const model = plays(
        syntax.write({
          groups: [
            [{ type: 'read_file', args: { path: 'nowhere.txt' } }],
            [{ type: 'launch_rocket', args: {} }],
            [append('after')],
          ],
        }),
        done(syntax),
      );
      const {
        conversation: { history },
        workspace,
      } = await (await world.begin({ profile: syntax.profile, model })).go();
      assert.deepEqual(
        ofType(history, 'observation').map(({ outcome }) => outcome),
        ['error', 'error', 'ok'],
      );
      assert.deepEqual([ending(history).status, workspace.names()], ['submitted', ['order.txt']]);
      assert.match(model.requests[1]!.messages.at(-1)!.content, /nowhere\.txt[\s\S]*launch_rocket/);
      assert.deepEqual(
        agentResults(history).map(({ outcome, source }) => [outcome, source]),
        [
          ['error', 'read_file'],
          ['error', 'launch_rocket'],
          ['ok', 'run_command'],
        ],
        'people have their own view of the results',
      );
    },
  );

  conformsWith(
    'AF-09',
    'the instant response of a reply with two actions is delivered once, before the first of them',
    syntaxes,
    async (world, syntax) => {
      const words = 'Two things now.';
      const model = plays(syntax.write({ say: words, groups: [[append('one')], [append('two')]] }), done(syntax));
      const {
        conversation: { history },
      } = await (await world.begin({ profile: syntax.profile, model })).go();
      const told = history.flatMap(({ ...event }, index) => ('text' in event && event.text === words ? [index] : []));
      assert.deepEqual([told.length, told[0]! < types(history).indexOf('action_started')], [1, true]);
      assert.equal(ofType(history, 'action_started').length, 2);
    },
  );

  conforms('AF-10', 'a stop at either checkpoint ends the run with the results so far', async (world) => {
    for (const halves of [1, 2, 3]) {
      const run = await world.begin({
        profile: 'workgraph',
        model: plays(
          inXml.write({ say: 'Begin with one.', groups: [[append('one')]] }),
          inXml.write({ groups: [[append('two')]] }),
          done(),
        ),
      });
      for (let half = 0; half < halves; half++) {
        run.conversation.step();
        await run.conversation.rested();
      }
      await run.conversation.stop();
      const end = ending(run.conversation.history);
      assert.deepEqual([end.status, end.cause], ['stopped', 'person']);
      assert.match(end.summary, halves === 1 ? /Nothing has been done yet\..*Begin with one\./ : /1 action was done\./);
      assert.equal(run.workspace.bytes('order.txt')?.toString(), halves === 1 ? undefined : 'one\n');
      assert.equal(
        observed(run.conversation.history).length,
        ofType(run.conversation.history, 'agent_response').flatMap(({ actions }) => actions).length,
      );
    }
  });

  conformsWith(
    'AF-11',
    'every later prompt still contains the user’s task',
    [
      ...syntaxes,
      {
        name: 'tool calls',
        profile: 'waymark',
        write: ({ say = '', groups = [] }) => says(say, ...groups.flat().map(({ type, args }) => call(type, args))),
      } satisfies Syntax,
    ],
    async (world, syntax) => {
      const model = plays(
        syntax.write({ groups: [[append('one')]] }),
        syntax.write({ groups: [[append('two')]] }),
        done(syntax),
      );
      await (await world.begin({ profile: syntax.profile, model, task: 'Write two words into order.txt.' })).go();
      assert.equal(model.requests.length, 3);
      for (const request of model.requests) assert.match(taskIn(request), /Write two words into order\.txt\./);
    },
  );
});
