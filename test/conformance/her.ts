import { strict as assert } from 'node:assert';
import { statusOf } from '../../src/core/log/status';
import { toMessages } from '../../src/core/model/messages';
import { hermesProfile } from '../../src/core/profiles/hermes';
import type { ModelReply, ModelRequest } from '../../src/core/ports/model';
import { conforms } from './support/conforms';
import { call, plays, says, terminal } from './support/script';
import { assertAccepted, ending, observed, ofType, replies, types } from './support/telling';

const cut = (text: string, ...calls: ReturnType<typeof call>[]): ModelReply => ({
  ...says(text, ...calls),
  finishReason: 'length',
});
const stoppedHere = { steps: 0, cost: 0, seconds: 0 };
const hints = (history: Parameters<typeof types>[0]): string[] => ofType(history, 'feedback').map(({ text }) => text);
/** The chat of a request in short form: "assistant", "tool call_1", … */
const shape = ({ messages }: ModelRequest): string[] =>
  messages.map((message) => (message.role === 'tool' ? `tool ${message.tool_call_id}` : message.role));

describe('as in Hermes Agent', () => {
  conforms('HER-01', 'a run whose first reply has no calls ends with its text as the answer', async (world) => {
    const {
      conversation: { history },
    } = await (await world.begin({ profile: 'hermes', model: plays(says('Forty-two.')) })).go();
    assert.deepEqual([statusOf(history), types(history)], ['idle', ['task_started', 'agent_response']]);
    assert.deepEqual(toMessages(history).at(-1), { role: 'assistant', content: 'Forty-two.' });
  });

  conforms(
    'HER-02',
    'a run executes the calls of a reply, returns the results and asks again; text beside calls is not an answer',
    async (world) => {
      const model = plays(says('I look.', terminal('echo seen', 'call_look')), says('It says seen.'));
      const {
        conversation: { history },
      } = await (await world.begin({ profile: 'hermes', model })).go();
      assert.deepEqual([statusOf(history), replies(history), model.requests.length], ['idle', 2, 2]);
      assert.deepEqual(shape(model.requests[1]!), ['system', 'user', 'assistant', 'tool call_look']);
      assert.match(model.requests[1]!.messages.at(-1)!.content, /seen/);
      assertAccepted(history);
    },
  );

  conforms('HER-03', 'a run executes the calls of one reply in parallel and reports them in order', async (world) => {
    const place = world.place();
    let release = (): void => undefined;
    const second = new Promise<void>((resolve) => {
      release = resolve;
    });
    const search = async ({ words }: { words: readonly string[] }) => {
      if (words[0] === 'first') await second;
      else release();
      return { sessions: [{ id: words[0]!, title: words[0]!, updatedAt: 0, snippets: [] }], truncated: false };
    };
    const model = plays(
      says(
        '',
        call('session_search', { query: 'first' }, 'call_1'),
        call('session_search', { query: 'second' }, 'call_2'),
      ),
      says('Done.'),
    );
    const {
      conversation: { history },
    } = await (
      await world.begin({
        profile: 'hermes',
        model,
        place: { ...place, environment: { ...place.environment, pastSessions: { search } } },
      })
    ).go();
    assert.equal(statusOf(history), 'idle', 'the first could only end after the second had begun');
    assert.deepEqual(shape(model.requests[1]!).slice(-2), ['tool call_1', 'tool call_2']);
    assert.match(model.requests[1]!.messages.at(-2)!.content, /first/);
    assert.match(model.requests[1]!.messages.at(-1)!.content, /second/);
  });

  conforms(
    'HER-04',
    'a run asks the questions of one reply one by one, and its calls wait for them in order',
    async (world) => {
      const model = plays(
        says(
          '',
          call('clarify', { question: 'Which?', choices: ['a', 'b'] }, 'call_1'),
          call('clarify', { question: 'Why?' }, 'call_2'),
          terminal('echo then', 'call_3'),
        ),
        says('Done.'),
      );
      const { conversation } = await (await world.begin({ profile: 'hermes', model })).go();
      const asked = () => ofType(conversation.history, 'question_asked').map(({ question }) => question);
      assert.deepEqual([statusOf(conversation.history), asked()], ['waiting_for_answer', ['Which?']]);
      conversation.answer('call_1', 'b');
      await conversation.rested();
      assert.deepEqual(
        [statusOf(conversation.history), asked(), observed(conversation.history).length],
        ['waiting_for_answer', ['Which?', 'Why?'], 1],
      );
      conversation.answer('call_2', 'Because.');
      await conversation.rested();
      assert.equal(statusOf(conversation.history), 'idle');
      assert.deepEqual(
        observed(conversation.history).map((text) => /b|Because|then/.exec(text)?.[0]),
        ['b', 'Because', 'then'],
      );
    },
  );

  conforms('HER-05', 'a run executes duplicate calls of one reply once', async (world) => {
    const model = plays(
      says(
        '',
        terminal('echo x >> count', 'call_1'),
        terminal('echo x >> count', 'call_2'),
        terminal('echo y >> count', 'call_3'),
      ),
      says('Done.'),
    );
    const {
      conversation: { history },
      workspace,
    } = await (await world.begin({ profile: 'hermes', model })).go();
    assert.equal(workspace.bytes('count')?.toString(), 'x\ny\n');
    assert.deepEqual(shape(model.requests[1]!).slice(2), ['assistant', 'tool call_1', 'tool call_3']);
    assertAccepted(history);
  });

  conforms('HER-06', 'a run accepts a near miss of a tool’s name', async (world) => {
    for (const name of ['Terminal', 'terminal_tool', 'termnal', 'functions.terminal']) {
      const model = plays(says('', call(name, { command: 'echo it ran' })), says('Done.'));
      const {
        conversation: { history },
      } = await (await world.begin({ profile: 'hermes', model })).go();
      assert.match(observed(history)[0]!, /it ran/, name);
      assert.equal(ofType(history, 'agent_response')[0]!.actions[0]!.tool, 'terminal');
    }
  });

  conforms(
    'HER-07',
    'a run answers a call of an unknown tool with the available names, and skips the other calls of that reply',
    async (world) => {
      const model = plays(says('', call('teleport', {}, 'call_1'), terminal('touch made', 'call_2')), says('Done.'));
      const {
        conversation: { history },
        workspace,
      } = await (await world.begin({ profile: 'hermes', model })).go();
      const [unknown, other] = observed(history);
      assert.match(
        unknown!,
        /no tool named teleport.*terminal, process, read_file, write_file, patch, search_files, todo, clarify, memory, session_search, delegate_task/s,
      );
      assert.match(other!, /^Skipped/);
      assert.deepEqual(workspace.names(), []);
      assert.equal(statusOf(history), 'idle');
      assertAccepted(history);
    },
  );

  conforms(
    'HER-08',
    'a run ends with the third reply in a row that calls unknown tools; a good one between them restarts the count',
    async (world) => {
      const wrong = (id: string) => says('', call('teleport', { id }));
      const run = await (
        await world.begin({
          profile: 'hermes',
          model: plays(
            wrong('a'),
            wrong('b'),
            says('', terminal('echo well')),
            wrong('c'),
            wrong('d'),
            wrong('e'),
            says('Never.'),
          ),
        })
      ).go();
      const { history } = run.conversation;
      assert.deepEqual(
        [ending(history).status, ending(history).cause, replies(history)],
        ['failed', 'unknown_tools', 6],
      );
      assertAccepted(history);
    },
  );

  conforms(
    'HER-09',
    'a run silently asks again for arguments that are not JSON, three times, and then tells the model',
    async (world) => {
      const broken = () => says('', call('terminal', '{"command": "touch made'));
      const once = plays(broken(), says('', terminal('echo well')), says('Done.'));
      const {
        conversation: { history },
      } = await (await world.begin({ profile: 'hermes', model: once })).go();
      assert.deepEqual(once.requests[1]!.messages, once.requests[0]!.messages, 'the bad reply leaves no trace');
      assert.deepEqual([statusOf(history), observed(history).length], ['idle', 1]);

      const often = plays(broken(), broken(), broken(), broken(), says('I give up.'));
      const stubborn = await (await world.begin({ profile: 'hermes', model: often })).go();
      const same = often.requests
        .slice(0, 4)
        .every(({ messages }) => JSON.stringify(messages) === JSON.stringify(often.requests[0]!.messages));
      assert.ok(same, 'the fourth request is still the first one');
      assert.match(observed(stubborn.conversation.history)[0]!, /not JSON/);
      assert.deepEqual(
        [often.requests.length, statusOf(stubborn.conversation.history), stubborn.workspace.names()],
        [5, 'idle', []],
      );
      assertAccepted(stubborn.conversation.history);
    },
  );

  conforms('HER-10', 'a run treats empty arguments as none', async (world) => {
    const model = plays(says('', call('todo', '')), says('', call('todo', '  ')), says('Done.'));
    const {
      conversation: { history },
    } = await (await world.begin({ profile: 'hermes', model })).go();
    assert.deepEqual(
      ofType(history, 'observation').map(({ outcome, content }) => [outcome, content]),
      [
        ['ok', 'The list is empty.'],
        ['ok', 'The list is empty.'],
      ],
    );
    assert.deepEqual(ofType(history, 'agent_response')[0]!.actions[0]!.input, {});
    assertAccepted(history);
  });

  conforms(
    'HER-11',
    'a run never executes a call cut off at the token limit, and says so; the original ends there, here the model can split the work',
    async (world) => {
      const partial = () => cut('', call('terminal', '{"command": "touch made"}'));
      const model = plays(
        partial(),
        partial(),
        partial(),
        partial(),
        says('', terminal('echo smaller')),
        says('Done.'),
      );
      const {
        conversation: { history },
        workspace,
      } = await (await world.begin({ profile: 'hermes', model })).go();
      assert.match(observed(history)[0]!, /cut off at the token limit/);
      assert.equal(ofType(history, 'observation')[0]!.outcome, 'error');
      assert.deepEqual([statusOf(history), workspace.names()], ['idle', []]);
      assertAccepted(history);
    },
  );

  conforms('HER-12', 'a run nudges the model after an empty reply, three times, and then ends', async (world) => {
    const nudged = plays(says(''), says(' \n'), says(''), says('Here I am.'));
    const recovered = (await (await world.begin({ profile: 'hermes', model: nudged })).go()).conversation.history;
    assert.deepEqual(
      [statusOf(recovered), types(recovered).filter((type) => type === 'feedback:empty_reply').length],
      ['idle', 3],
    );
    assert.ok(
      !nudged.requests[3]!.messages.some(({ role, content }) => role === 'assistant' && !content.trim()),
      'empty messages are not sent',
    );
    assertAccepted(recovered);

    const mute = (
      await (
        await world.begin({
          profile: 'hermes',
          model: plays(says(''), says(''), says(''), says(''), says('Too late.')),
        })
      ).go()
    ).conversation.history;
    assert.deepEqual([ending(mute).status, ending(mute).cause, replies(mute)], ['failed', 'empty_replies', 4]);
  });

  conforms('HER-13', 'a run has a reply cut off at the token limit continued, at most three times', async (world) => {
    const model = plays(cut('One, '), cut('two, '), says('three.'));
    const continued = (await (await world.begin({ profile: 'hermes', model })).go()).conversation.history;
    assert.equal(statusOf(continued), 'idle');
    assert.deepEqual(
      toMessages(continued)
        .filter(({ role }) => role === 'assistant')
        .map(({ content }) => content),
      ['One, ', 'two, ', 'three.'],
    );
    assert.match(model.requests[1]!.messages.at(-1)!.content, /cut off at the token limit/);
    assertAccepted(continued);

    const endless = (
      await (
        await world.begin({ profile: 'hermes', model: plays(cut('a'), cut('b'), cut('c'), cut('d'), says('Never.')) })
      ).go()
    ).conversation.history;
    assert.deepEqual([statusOf(endless), replies(endless)], ['idle', 4], 'what there is counts as the answer');
  });

  conforms(
    'HER-14',
    'a run without steps left makes one more call without tools, and its text is the answer',
    async (world) => {
      const model = plays(
        says('', terminal('echo one')),
        says('', terminal('echo two')),
        says('Two commands ran; nothing else is done.'),
      );
      const {
        conversation: { history },
      } = await (await world.begin({ profile: 'hermes', model, limits: { ...stoppedHere, steps: 2 } })).go();
      assert.deepEqual(
        [ending(history).status, ending(history).cause, ending(history).summary],
        ['limit_exceeded', 'steps', 'Two commands ran; nothing else is done.'],
      );
      assert.deepEqual(
        model.requests.map(({ tools }) => tools.length > 0),
        [true, true, false],
      );
      assert.match(
        model.requests[2]!.messages.at(-1)!.content,
        /^The limit of this task is reached.* Summarize what was done/,
      );
      assert.equal(hermesProfile.limits.steps, 90);
      assertAccepted(history);
    },
  );

  conforms(
    'HER-15',
    'a run interrupted while the model writes, or between two calls, says so and can continue',
    async (world) => {
      const model = plays(
        (_request, signal) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
        says('', call('clarify', { question: 'Go on?' }), terminal('touch made')),
        says('Done.'),
      );
      const { conversation, workspace } = await world.begin({ profile: 'hermes', model });
      conversation.wake();
      while (model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      await conversation.interrupt();
      assert.deepEqual([statusOf(conversation.history), replies(conversation.history)], ['paused', 0]);
      conversation.resume();
      await conversation.rested();
      assert.equal(statusOf(conversation.history), 'waiting_for_answer');
      await conversation.interrupt();
      assert.deepEqual(
        [statusOf(conversation.history), ofType(conversation.history, 'observation').map(({ outcome }) => outcome)],
        ['paused', ['skipped', 'skipped']],
      );
      conversation.resume();
      await conversation.rested();
      assert.deepEqual([statusOf(conversation.history), workspace.names()], ['idle', []]);
      assertAccepted(conversation.history);
    },
  );

  conforms(
    'HER-16',
    'a run interrupted during a command ends the command, keeps its output and skips the rest',
    async (world) => {
      const model = plays(says('', terminal('echo begun; sleep 60'), terminal('touch made')), says('Done.'));
      const run = await world.begin({ profile: 'hermes', model });
      const begun = new Promise<void>((resolve) =>
        run.onOutput((text) => {
          if (text.includes('begun')) resolve();
        }),
      );
      run.conversation.wake();
      await begun;
      await run.conversation.interrupt();
      const { history } = run.conversation;
      assert.equal(statusOf(history), 'paused');
      assert.ok(
        ofType(history, 'observation').every(({ outcome }) => outcome === 'interrupted' || outcome === 'skipped'),
        types(history).join(' '),
      );
      assert.match(observed(history)[0]!, /begun/);
      assert.deepEqual([observed(history).length, run.workspace.names()], [2, []]);
      assertAccepted(history);
    },
  );

  conforms('HER-17', 'a steered run reads the note with the next tool result', async (world) => {
    const model = plays(says('', terminal('echo begun; sleep 0.5')), says('Done.'));
    const run = await world.begin({ profile: 'hermes', model });
    run.onOutput(() => {
      if (!run.conversation.history.some(({ type }) => type === 'user_message'))
        run.conversation.say('Mind the tests.', { delivery: 'steer' });
    });
    await run.go();
    const last = model.requests[1]!.messages.at(-1)!;
    assert.equal(last.role, 'tool');
    assert.match(last.content, /begun[\s\S]*Mind the tests\./);
    assert.equal(statusOf(run.conversation.history), 'idle');
    assertAccepted(run.conversation.history);
  });

  conforms(
    'HER-18',
    'a run reads messages queued while it works before its next reply, even if that would have been the end',
    async (world) => {
      const model = plays(() => {
        conversation.say('And then?');
        return says('That was it.');
      }, says('Then nothing.'));
      const { conversation } = await world.begin({ profile: 'hermes', model });
      conversation.wake();
      await conversation.rested();
      assert.deepEqual(shape(model.requests[1]!), ['system', 'user', 'assistant', 'user']);
      assert.equal(model.requests[1]!.messages.at(-1)!.content, 'And then?');
      assert.deepEqual([statusOf(conversation.history), replies(conversation.history)], ['idle', 2]);
    },
  );

  conforms(
    'HER-19',
    'a run is warned of the second equal failing call, the third failure of one tool and the second result without news',
    async (world) => {
      const warned = async (...commands: string[]): Promise<string[]> => {
        const model = plays(...commands.map((command) => says('', terminal(command))), says('Done.'));
        return hints((await (await world.begin({ profile: 'hermes', model })).go()).conversation.history);
      };
      assert.deepEqual(
        [await warned('false'), (await warned('false', 'false')).map((text) => /\((.*?)\)/.exec(text)![1])],
        [[], ['same error']],
      );
      assert.deepEqual(
        [
          await warned('exit 3', 'ls none'),
          (await warned('test 1 = 2', 'ls none', 'false')).map((text) => /\((.*?)\)/.exec(text)![1]),
        ],
        [[], ['same tool']],
      );
      assert.deepEqual(
        [await warned('echo a'), (await warned('echo a', 'echo a')).map((text) => /\((.*?)\)/.exec(text)![1])],
        [[], ['same result']],
      );
    },
  );

  conforms(
    'HER-20',
    'a run whose profile demands hard stops ends at the fifth, the eighth and the fifth of these',
    async (world) => {
      const stuck = {
        ...hermesProfile.stuck!,
        sameResult: { hint: 2, stop: 5 },
        sameError: { hint: 2, stop: 5 },
        sameTool: { hint: 3, stop: 8 },
      };
      const stopped = async (command: (index: number) => string, changes = {}) => {
        const model = plays(
          ...Array.from({ length: 10 }, (_line, index) => says('', terminal(command(index)))),
          says('Done.'),
        );
        const { history } = (await (await world.begin({ profile: 'hermes', model, changes })).go()).conversation;
        return [statusOf(history), replies(history)];
      };
      assert.deepEqual(await stopped(() => 'false', { stuck }), ['finished', 5]);
      assert.deepEqual(await stopped((index) => `ls none${index}`, { stuck }), ['finished', 8]);
      assert.deepEqual(await stopped(() => 'echo a', { stuck }), ['finished', 5]);
      assert.deepEqual(await stopped(() => 'false'), ['idle', 11], 'they are off unless asked for');
    },
  );
});
