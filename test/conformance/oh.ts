import { strict as assert } from 'node:assert';
import { systemPromptOf } from '../../src/protocol/plain/systemPrompt';
import { statusOf } from '../../src/core/log/status';
import { pendingActions } from '../../src/core/log/openActions';
import { SkillFiles } from '../../src/adapters/skills/skillFiles';
import { readHookFiles } from '../../src/adapters/hooks/hookFiles';
import { SessionHooks } from '../../src/adapters/hooks/sessionHooks';
import { openhandsProfile } from '../../src/core/profiles/openhands';
import type { ModelReply } from '../../src/core/ports/model';
import { conforms, notApplicable } from './support/conforms';
import { call, plays, says, type Line, terminal, finish } from './support/script';
import { assertAccepted, ending, observed, ofType, replies, types, outcomes } from './support/telling';

const asking = { mode: 'confirm', confirmation: 'always' } as const;

describe('as in the OpenHands SDK', () => {
  conforms(
    'OH-02',
    'an action is pending until a result, a refusal or an error answers it, in the order of the calls',
    async (world) => {
      const model = plays(
        says(
          '',
          terminal('true', 'call_1'),
          call('nonesuch', {}, 'call_2'),
          terminal('true', 'call_3'),
          terminal('true', 'call_4'),
        ),
        says('Done.'),
      );
      const { conversation } = await (await world.begin({ profile: 'openhands', model, ...asking })).go();
      const pending = (upTo = conversation.history.length) =>
        pendingActions(conversation.history.slice(0, upTo)).map(({ id }) => id);
      assert.deepEqual(pending(), ['call_1', 'call_2', 'call_3', 'call_4']);
      for (const decide of [() => conversation.approve('call_1'), () => conversation.refuse('call_3')]) {
        decide();
        await conversation.rested();
        assert.equal(pending().length, 4, 'one of the reply still waits, so nothing of it is done');
      }
      conversation.approve('call_4');
      await conversation.rested();
      assert.deepEqual([pending(), outcomes(conversation.history)], [[], ['ok', 'error', 'rejected', 'ok']]);
      const answered = conversation.history.filter(({ type }) => type === 'observation');
      assert.deepEqual(
        answered.map(({ seq }) => pending(seq + 1).length),
        [3, 2, 1, 0],
        'a result, an error and a refusal each answer one, in the order of the calls',
      );
      assert.deepEqual(
        pending(2),
        ['call_1', 'call_2', 'call_3', 'call_4'],
        'every beginning of the log says so by itself',
      );
    },
  );

  conforms(
    'OH-03',
    'a run that goes in circles is nudged once per streak of errors; a user message or another result starts a new one',
    async (world) => {
      const fails = () => says('', terminal('false'));
      const nudges = (history: Parameters<typeof types>[0]) =>
        ofType(history, 'feedback').filter(({ cause }) => cause === 'going_in_circles').length;
      const streaks = (
        await (
          await world.begin({
            profile: 'openhands',
            model: plays(
              fails(),
              fails(),
              fails(),
              says('', terminal('true')),
              fails(),
              fails(),
              fails(),
              says('', finish()),
            ),
          })
        ).go()
      ).conversation.history;
      assert.deepEqual([nudges(streaks), ending(streaks).status], [2, 'submitted']);
      const stuck = (
        await (
          await world.begin({ profile: 'openhands', model: plays(fails(), fails(), fails(), fails(), says('Never.')) })
        ).go()
      ).conversation.history;
      assert.deepEqual([nudges(stuck), replies(stuck), ending(stuck).cause], [1, 4, 'going_in_circles']);
      assert.match(ending(stuck).problem!.why, /same error/, 'which pattern it was is said');
      const spoken: { say?: () => void } = {};
      const model = plays(
        fails(),
        fails(),
        fails(),
        () => {
          spoken.say!();
          return fails();
        },
        fails(),
        fails(),
        says('', finish()),
      );
      const { conversation } = await world.begin({ profile: 'openhands', model });
      spoken.say = () => conversation.say('Go on trying.');
      conversation.wake();
      await conversation.rested();
      assert.equal(ending(conversation.history).status, 'submitted', types(conversation.history).join(' '));
    },
  );

  conforms(
    'OH-04',
    'a reply with calls is executed whatever its text, one with only text ends the turn, one with only reasoning or nothing is nudged',
    async (world) => {
      const model = plays(
        says('I act.', terminal('echo acted')),
        { ...says(''), reasoning: { text: 'Let me think.', field: 'reasoning_content' } },
        says('', terminal('echo again')),
        says(''),
        says('The answer.'),
      );
      const {
        conversation: { history },
      } = await (await world.begin({ profile: 'openhands', model })).go();
      assert.deepEqual(
        types(history).filter((type) => /response|observation|feedback/.test(type)),
        [
          'agent_response',
          'observation:ok',
          'agent_response',
          'feedback:empty_reply',
          'agent_response',
          'observation:ok',
          'agent_response',
          'feedback:empty_reply',
          'agent_response',
        ],
      );
      assert.equal(statusOf(history), 'idle');
      assertAccepted(history);
    },
  );

  conforms(
    'OH-05',
    'calls after finish do not run but are answered; a refused call stops no other; results keep their order',
    async (world) => {
      const model = plays(
        says('', terminal('echo one', 'call_1'), finish('All of it.'), terminal('touch late', 'call_3')),
      );
      const {
        conversation: { history },
        workspace,
      } = await (await world.begin({ profile: 'openhands', model })).go();
      assert.deepEqual(
        [outcomes(history), workspace.names(), ending(history).status, ending(history).summary],
        [['ok', 'ok', 'skipped'], [], 'submitted', 'All of it.'],
      );
      assertAccepted(history);

      const blocking = plays(
        says('', terminal('touch a', 'call_a'), terminal('touch b', 'call_b'), terminal('touch c', 'call_c')),
        says('Done.'),
      );
      const run = await (await world.begin({ profile: 'openhands', model: blocking, ...asking })).go();
      for (const id of ['call_a', 'call_b', 'call_c']) {
        if (id === 'call_b') run.conversation.refuse(id);
        else run.conversation.approve(id);
        await run.conversation.rested();
      }
      assert.deepEqual(
        [outcomes(run.conversation.history), run.workspace.names()],
        [
          ['ok', 'rejected', 'ok'],
          ['a', 'c'],
        ],
      );
      assert.deepEqual(
        ofType(run.conversation.history, 'observation').map(({ actionId }) => actionId),
        ['call_a', 'call_b', 'call_c'],
      );
    },
  );

  conforms(
    'OH-06',
    'a call of an unknown tool or with wrong arguments is an error that names the valid ones; the others run and the run continues',
    async (world) => {
      const model = plays(
        says('', call('teleport', {}), call('file_editor', { command: 'fly', path: 'x' }), terminal('echo ran')),
        says('', finish()),
      );
      const {
        conversation: { history },
      } = await (await world.begin({ profile: 'openhands', model })).go();
      assert.deepEqual([outcomes(history), ending(history).status], [['error', 'error', 'ok', 'ok'], 'submitted']);
      assert.match(
        observed(history)[0]!,
        /no tool named teleport\. Tools: terminal, file_editor, task_tracker, think, finish/,
      );
      assert.match(observed(history)[1]!, /view.*create.*str_replace.*insert.*undo_edit/);
      assertAccepted(history);
    },
  );

  conforms(
    'OH-08',
    'calls run one by one unless the profile allows parallel calls; then results keep call order and writes to one file wait for each other',
    async (world) => {
      const edits = Array.from({ length: 6 }, (_, index) =>
        call(
          'file_editor',
          { command: 'insert', path: 'list.txt', insert_line: 0, new_str: `line ${index}` },
          `call_${index}`,
        ),
      );
      for (const changes of [{}, { parallel: 'all' as const }]) {
        const place = world.place();
        place.workspace.place('list.txt', 'end\n');
        const model = plays(
          says('', call('file_editor', { command: 'view', path: 'list.txt' }, 'call_view')),
          says('', ...edits),
          says('', finish()),
        );
        const {
          conversation: { history },
        } = await (await world.begin({ profile: 'openhands', model, place, changes })).go();
        assert.deepEqual(outcomes(history), Array<string>(8).fill('ok'), JSON.stringify(changes));
        assert.equal(
          place.workspace.bytes('list.txt')?.toString(),
          [5, 4, 3, 2, 1, 0].map((index) => `line ${index}\n`).join('') + 'end\n',
        );
        assert.deepEqual(
          model.requests[2]!.messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : [])),
          ['call_view', ...edits.map(({ id }) => id)],
        );
        const groups = new Set(ofType(history, 'agent_response')[1]!.actions.map(({ group }) => group));
        assert.equal(groups.size, changes.parallel ? 1 : 6);
      }
    },
  );

  conforms(
    'OH-10',
    'the critic of the profile sends an insufficient run back, at most three times; the run ends as soon as it is sufficient',
    async (world) => {
      const ended = async (critic: typeof openhandsProfile.critic, ...lines: readonly Line[]) => {
        const { history } = (
          await (
            await world.begin({ profile: 'openhands', model: plays(...lines), changes: critic ? { critic } : {} })
          ).go()
        ).conversation;
        assertAccepted(history);
        return [
          statusOf(history),
          replies(history),
          ofType(history, 'feedback').filter(({ cause }) => cause === 'not_enough').length,
        ];
      };
      const [nothing, change, words] = [
        () => says('', finish('All done.')),
        () => says('', terminal('touch made')),
        () => says('Look at this.'),
      ];
      const patch = { name: 'empty_patch', rounds: 3 } as const;
      assert.deepEqual(await ended(patch, nothing(), change(), nothing()), ['finished', 3, 1]);
      assert.deepEqual(await ended(patch, nothing(), nothing(), nothing(), nothing()), ['finished', 4, 3]);
      assert.deepEqual(await ended(patch, says('', terminal('ls')), words(), change(), words()), ['idle', 4, 1]);
      assert.deepEqual(await ended({ name: 'agent_finished', rounds: 3 }, change(), words(), nothing()), [
        'finished',
        3,
        1,
      ]);
      assert.deepEqual(await ended(undefined, nothing()), ['finished', 1, 0], 'without one the run simply ends');
    },
  );

  conforms(
    'OH-11',
    'a run asked to pause halts between two steps, loses nothing and continues there',
    async (world) => {
      const paused: { run?: () => void } = {};
      const model = plays(
        () => {
          paused.run!();
          return says('', terminal('touch one'));
        },
        says('', terminal('touch two')),
        says('', finish()),
      );
      const { conversation, workspace } = await world.begin({ profile: 'openhands', model });
      paused.run = () => conversation.pause();
      conversation.wake();
      await conversation.rested();
      assert.deepEqual(
        [statusOf(conversation.history), workspace.names(), replies(conversation.history)],
        ['paused', [], 1],
      );
      conversation.say('And be quick.');
      await conversation.rested();
      assert.deepEqual([ending(conversation.history).status, workspace.names()], ['submitted', ['one', 'two']]);
      assert.match(JSON.stringify(model.requests[1]!.messages), /And be quick\./);
      assertAccepted(conversation.history);
    },
  );

  conforms(
    'OH-12',
    'an interruption ends the model call or the running tools at once and leaves no action without a result',
    async (world) => {
      const hanging = plays(
        (_request, signal) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
        says('', terminal('echo begun; sleep 60'), terminal('touch never')),
        says('', finish()),
      );
      const run = await world.begin({ profile: 'openhands', model: hanging });
      const { conversation } = run;
      conversation.wake();
      while (hanging.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      await conversation.interrupt();
      assert.deepEqual([statusOf(conversation.history), replies(conversation.history)], ['paused', 0]);
      const begun = new Promise<void>((resolve) =>
        run.onOutput((text) => {
          if (text.includes('begun')) resolve();
        }),
      );
      conversation.resume();
      await begun;
      await conversation.interrupt();
      assert.deepEqual(
        [statusOf(conversation.history), outcomes(conversation.history), pendingActions(conversation.history)],
        ['paused', ['interrupted', 'skipped'], []],
      );
      assertAccepted(conversation.history);
      conversation.resume();
      await conversation.rested();
      assert.deepEqual([ending(conversation.history).status, run.workspace.names()], ['submitted', []]);
    },
  );

  notApplicable(
    'OH-13',
    'Event files, the tree of events, forks and rerunning actions are not compared; the log here is one sequence of events.',
  );

  conforms(
    'OH-18',
    'files that always apply are in the prompt, SKILL.md with name and description until it is loaded; a keyword activates once, a path rule after a file was touched, and the first place of a name wins',
    async (world) => {
      const bare = world.place();
      const put = (name: string, text: string): void => bare.workspace.place(name, text);
      put('AGENTS.md', 'Write tests first.');
      put('CLAUDE.md', 'For another family.');
      put('.openhands/microagents/npm.md', '---\nname: npm\ntriggers: [npm]\n---\nUse ci.');
      put('.openhands/microagents/style.md', '---\nname: style\npaths: ["src/**"]\n---\nTabs.');
      put('.agents/skills/pdf/SKILL.md', '---\nname: pdf\ndescription: Reads PDF files.\n---\nThe first.');
      put('.openhands/skills/pdf/SKILL.md', '---\nname: pdf\ndescription: Never used.\n---\nThe second.');
      put('src/a.txt', 'a\n');
      const skills = new SkillFiles({ folders: [bare.workspace.root], home: bare.workspace.at('nobody') });
      const place = { ...bare, environment: { ...bare.environment, skills } };
      const view = call('file_editor', { command: 'view', path: bare.workspace.at('src/a.txt') });
      const model = plays(
        says('', call('use_skill', { name: 'pdf' })),
        says('', view),
        says('', { ...view, id: 'again' }),
        says('', finish()),
      );
      const {
        conversation: { history },
      } = await (
        await world.begin({ profile: 'openhands', model, place, mode: 'auto', task: 'Run NPM, then npm again.' })
      ).go();
      const systemPrompt = systemPromptOf(ofType(history, 'task_started')[0]!);
      assert.match(systemPrompt, /Write tests first\.[^]*- pdf: Reads PDF files\.$/m);
      assert.doesNotMatch(systemPrompt, /The first|Never used|another family|Use ci/);
      assert.match(observed(history)[0]!, /The first\./);
      assert.deepEqual(
        ofType(history, 'skill_woken').map(({ name, by }) => [name, by]),
        [
          ['npm', 'keyword'],
          ['style', 'path'],
        ],
      );
      assertAccepted(history);
    },
  );

  conforms(
    'OH-19',
    'hooks of .openhands/hooks.json run at their events with JSON on standard input; 2 refuses, JSON can say more, any other exit code is only logged',
    async (world) => {
      const place = world.place();
      const refusing = (command: string, matcher?: string) => ({
        ...(matcher && { matcher }),
        hooks: [{ type: 'command', command, timeout: 10 }],
      });
      place.workspace.place(
        '.openhands/hooks.json',
        JSON.stringify({
          hooks: {
            SessionStart: [refusing('echo \'{"additionalContext":"It is Monday."}\'')],
            PreToolUse: [
              refusing('exit 1', '*'),
              refusing('grep -q \'"command":"touch no"\' && { echo "Not no." >&2; exit 2; }; exit 0', 'term.*'),
            ],
            Stop: [refusing('test -f done || echo \'{"decision":"deny","reason":"Make done."}\'')],
          },
        }),
      );
      const hooks = new SessionHooks({
        root: place.workspace.root,
        session: 's',
        sandbox: 'off',
        isAgreed: () => true,
        isChanged: () => false,
        files: () => readHookFiles(place.workspace.root, place.workspace.at('nobody')),
      });
      try {
        const model = plays(
          says('', terminal('touch no', 'call_1'), terminal('touch yes', 'call_2')),
          says('', finish()),
          says('', terminal('touch done')),
          says('', finish('Made.')),
        );
        const {
          conversation: { history },
        } = await (await world.begin({ profile: 'openhands', model, place, mode: 'auto', parts: { hooks } })).go();
        assert.deepEqual(
          place.workspace.names().filter((name) => !name.startsWith('.')),
          ['done', 'yes'],
        );
        assert.deepEqual(
          [outcomes(history).slice(0, 2), observed(history)[0]],
          [['rejected', 'ok'], 'A hook of this folder blocked this action: Not no.'],
        );
        assert.match(JSON.stringify(model.requests[0]), /It is Monday\./);
        assert.deepEqual(
          [ofType(history, 'feedback').map(({ text }) => text), ending(history).status],
          [['A hook of this folder does not let you finish: Make done.'], 'submitted'],
        );
        assert.deepEqual([...new Set(ofType(history, 'hook_ran').map(({ decision }) => decision))].sort(), [
          'block',
          'failed',
          'none',
        ]);
        assertAccepted(history);
      } finally {
        await hooks.dispose();
      }
    },
  );

  conforms(
    'OH-22',
    'a run is stuck after four equal results, four equal errors with a nudge at three, three text replies or six alternating steps, among the last twenty',
    async (world) => {
      const ended = async (...lines: readonly Line[]) => {
        const { history } = (
          await (await world.begin({ profile: 'openhands', model: plays(...lines, says('', finish())) })).go()
        ).conversation;
        return [
          ending(history).status === 'submitted'
            ? 'not stuck'
            : /\(([^()]*)\)\.$/.exec(ending(history).problem!.why)![1],
          replies(history),
          ofType(history, 'feedback').filter(({ cause }) => cause === 'going_in_circles').length,
        ];
      };
      const times = (count: number, ...commands: string[]): ModelReply[] =>
        Array.from({ length: count }, (_, index) => says('', terminal(commands[index % commands.length]!)));
      assert.deepEqual(
        [await ended(...times(3, 'echo a')), await ended(...times(4, 'echo a'))],
        [
          ['not stuck', 4, 0],
          ['same result', 4, 0],
        ],
      );
      assert.deepEqual(
        [await ended(...times(2, 'false')), await ended(...times(3, 'false')), await ended(...times(4, 'false'))],
        [
          ['not stuck', 3, 0],
          ['not stuck', 4, 1],
          ['same error', 4, 1],
        ],
      );
      assert.deepEqual(
        [await ended(...times(5, 'echo a', 'echo b')), await ended(...times(6, 'echo a', 'echo b'))],
        [
          ['not stuck', 6, 0],
          ['alternating', 6, 0],
        ],
      );
      assert.deepEqual(
        [await ended(says(''), says('')), await ended(says(''), says(''), says(''))],
        [
          ['not stuck', 3, 0],
          ['monologue', 3, 0],
        ],
      );
      assert.deepEqual(openhandsProfile.stuck!.window, 20);
      // A command with changing output counts as polling, however often it runs.
      assert.deepEqual(await ended(...times(12, 'date +%N')), ['not stuck', 13, 0]);
    },
  );
});
