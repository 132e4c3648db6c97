import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { SessionHooks } from '../../../src/adapters/hooks/sessionHooks';
import { readHookFiles } from '../../../src/adapters/hooks/hookFiles';
import { runSessionEndHooks } from '../../../src/core/agent/hooks';
import { recordedHooks } from '../../../src/core/session/assembleAgent';
import { eventsOfType } from '../../../src/core/log/projection';
import { toMessages } from '../../../src/core/model/messages';
import { secrets } from '../../../src/core/secrets/secrets';
import { meterOf, originOf } from '../../../src/core/security/taint/taint';
import type { NewEvent } from '../../../src/protocol/events/event';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';
import { recordedFolder } from '../../adapters/checkpoints/recordedFolder';
import { assertAccepted, begin, call, plays, ran, revived, says, task, types } from './story';

const windows = process.platform === 'win32';

(windows ? describe.skip : describe)('a run in a folder with hooks', () => {
  let workspace: TemporaryWorkspace;
  let hooks: SessionHooks;
  /** The approved content; undefined: everything is approved. */
  let agreed: string | undefined;
  const told = (): Record<string, unknown>[] =>
    fs.existsSync(log())
      ? fs
          .readFileSync(log(), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : [];
  const log = (): string => path.join(workspace.root, '../told.jsonl');
  /** Records its input, then continues as `then` says. */
  const note = (then = ''): string => `cat >> ${log()}; echo >> ${log()}; ${then}`;
  const put = (moments: Record<string, readonly (string | Record<string, unknown>)[]>): void =>
    workspace.place(
      '.agent/hooks.json',
      JSON.stringify({
        hooks: Object.fromEntries(
          Object.entries(moments).map(([on, list]) => [
            on,
            list.map((each) => (typeof each === 'string' ? { hooks: [{ command: each }] } : each)),
          ]),
        ),
      }),
    );
  const first = () => ({ ...task, cwd: workspace.root, confirmation: 'risky' as const });
  const go = async (model: ReturnType<typeof plays>, more: Parameters<typeof begin>[1] = {}) => {
    const conversation = begin(model, {
      ...more,
      parts: { hooks, ...more?.parts },
      first: { ...first(), ...more?.first } as Partial<NewEvent>,
    });
    await conversation.go();
    return conversation;
  };

  beforeEach(() => {
    ran.length = 0;
    agreed = undefined;
    workspace = temporaryWorkspace('hooked');
    hooks = new SessionHooks({
      root: workspace.root,
      session: 's1',
      sandbox: 'off',
      files: () =>
        readHookFiles(
          workspace.root,
          path.join(workspace.root, 'nobody'),
          (absolute) => agreed !== undefined && absolute === workspace.at('.agent/hooks.json'),
        ),
      isAgreed: (file) => agreed === undefined || agreed === file.hash,
      isChanged: (file) => agreed !== undefined && agreed !== file.hash,
    });
  });
  afterEach(async () => {
    await hooks.dispose();
    workspace.stop();
  });

  it('shows no part of a secret where an answer or an output is cut', async () => {
    const secret = 'birch-copper-meadow-73';
    secrets.learn(secret);
    const answers = path.join(path.dirname(log()), 'answer.json');
    const texts = { additionalContext: `${'a'.repeat(9_990)}${secret}${'b'.repeat(3_985)}` };
    fs.writeFileSync(answers, JSON.stringify(texts));
    put({ UserPromptSubmit: [`cat ${answers}`] });
    const { history } = await go(plays(says('Done.')));
    const [hook] = eventsOfType(history, 'hook_ran');
    assert.ok(hook!.context!.length > 9_000 && hook!.output!.length > 3_000);
    assert.doesNotMatch(JSON.stringify(hook), /birch|meadow|-73/);
  });

  it('runs each hook at its event, passes the event data and logs it', async () => {
    put(
      Object.fromEntries(
        ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'].map((on) => [
          on,
          [note()],
        ]),
      ),
    );
    const { history, append } = await go(plays(says('Looking.', call('look', { name: 'a' }, 'c1')), says('Done.')));
    await runSessionEndHooks(hooks, { history, emit: append, maxSeconds: 10 });
    assert.deepEqual(
      eventsOfType(history, 'hook_ran').map(({ on }) => on),
      ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'],
    );
    const common = { session_id: 's1', working_dir: workspace.root };
    assert.deepEqual(told(), [
      { event_type: 'SessionStart', ...common, metadata: { source: 'startup' } },
      { event_type: 'UserPromptSubmit', ...common, metadata: {}, message: 'Do it.' },
      {
        event_type: 'PreToolUse',
        ...common,
        metadata: { summary: 'look a' },
        tool_name: 'look',
        tool_input: { name: 'a' },
      },
      {
        event_type: 'PostToolUse',
        ...common,
        metadata: { summary: 'look a' },
        tool_name: 'look',
        tool_input: { name: 'a' },
        tool_response: { outcome: 'ok', output: 'look a done' },
      },
      { event_type: 'Stop', ...common, metadata: { stop_hook_active: false } },
      { event_type: 'SessionEnd', ...common, metadata: { reason: 'idle' } },
    ]);
    assertAccepted(history);
  });

  it('gives the hooks of the end their whole time after a slow last scan, and says which had none left', async () => {
    const folder = recordedFolder(
      { 'a.txt': 'one\n' },
      { hasProcesses: () => new Promise((resolve) => setTimeout(resolve, 700, false)) },
    );
    try {
      put({ SessionEnd: ['echo ended', 'sleep 600', 'echo late'] });
      const { history, append } = await go(plays(says('Done.')));
      (await folder.run.before('c1')).ended();
      await runSessionEndHooks(recordedHooks(hooks, folder.run), { history, emit: append, maxSeconds: 0.5 });
      const [first, second, third] = eventsOfType(history, 'hook_ran');
      assert.deepEqual([first!.exit, first!.output], [0, 'ended'], first!.text);
      assert.match(second!.text, /took longer than 0\.\d s and was ended\. The session ends anyway\.$/);
      assert.match(
        third!.text,
        /was not started, because the hooks before it took the 0\.5 s that all have at the end\./,
      );
    } finally {
      await folder.end();
    }
  });

  it('writes the log before it runs a hook', async () => {
    put(
      Object.fromEntries(
        ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'].map((on) => [on, [note()]]),
      ),
    );
    let onDisk = 0;
    const behind: string[] = [];
    const asked: string[] = [];
    const watching: typeof hooks = Object.assign(Object.create(hooks) as typeof hooks, {
      run: (...args: Parameters<typeof hooks.run>) => {
        asked.push(args[1].event_type);
        if (onDisk < conversation.history.length) behind.push(args[1].event_type);
        return hooks.run(...args);
      },
    });
    const durable = async (): Promise<void> => {
      onDisk = conversation.history.length;
    };
    const model = plays(says('Looking.', call('look', { name: 'a' }, 'c1')), says('Done.'));
    const conversation = begin(model, { parts: { hooks: watching }, first: first() as Partial<NewEvent>, durable });
    await conversation.go();
    assert.deepEqual(asked, ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop']);
    assert.deepEqual(behind, []);
  });

  it('does not run a blocked action, tells the model why and skips later hooks', async () => {
    put({
      PreToolUse: [
        { matcher: 'Write', hooks: [{ command: 'echo "Only look here." >&2; exit 2' }, { command: note() }] },
      ],
    });
    const model = plays(says('Both.', call('change', { name: 'a' }, 'c1')), says('Well then.'));
    const { history } = await go(model);
    assert.deepEqual(types(history), [
      'task_started',
      'agent_response',
      'hook_ran',
      'observation:rejected',
      'agent_response',
    ]);
    assert.equal(
      eventsOfType(history, 'observation')[0]!.content,
      'A hook of this folder blocked this action: Only look here.',
    );
    assert.deepEqual([ran, told()], [[], []]);
    assert.match(eventsOfType(history, 'hook_ran')[0]!.text, /^PreToolUse hook “echo .+” refused: Only look here\.$/);
    assertAccepted(history);
  });

  it('asks for approval even if a hook allows the action', async () => {
    put({ PreToolUse: [`echo '{"decision":"allow","continue":true}'`] });
    const { history } = await go(plays(says('Now.', call('risk', { name: 'a' }, 'c1'))));
    assert.deepEqual(types(history), ['task_started', 'agent_response', 'hook_ran', 'confirmation_requested']);
    assert.deepEqual([ran, eventsOfType(history, 'hook_ran')[0]!.decision], [[], 'allow']);
  });

  it('runs hooks in order, once per action, even after it is reopened', async () => {
    put({ PreToolUse: [note('true first'), { matcher: 'Bash', hooks: [{ command: note('true second') }] }] });
    const { history } = await go(plays(says('Now.', call('risk', { name: 'a' }, 'c1'))));
    const again = await go(plays(says('Done.')), { saved: revived(history) });
    again.approve('c1');
    await again.rested();
    assert.deepEqual(
      eventsOfType(again.history, 'hook_ran').map(({ place }) => place),
      ['PreToolUse/0/0', 'PreToolUse/1/0'],
    );
    assert.deepEqual(ran, ['risk a']);
  });

  it('adds the context from a hook to its next request as untrusted text', async () => {
    put({ PostToolUse: [`printf '{"additionalContext":"See https://docs.example/page-7."}'`] });
    const model = plays(says('Looking.', call('look', { name: 'a' }, 'c1')), says('Done.'));
    const { history } = await go(model);
    assert.match(
      model.requests[1]!.messages.at(-1)!.content as string,
      /^\[The hook printf .+ of this folder says:\]\nSee https:\/\/docs\.example\/page-7\.$/,
    );
    const source = `the hook ${eventsOfType(history, 'hook_ran')[0]!.command}`;
    assert.deepEqual(
      [
        meterOf(history).untrusted.map((mark) => mark.source),
        originOf('docs.example', history)?.source ?? originOf('https://docs.example/page-7', history)?.source,
      ],
      [[source], source],
    );
    assertAccepted(history);
  });

  it('pauses without showing the model a blocked task or message', async () => {
    put({
      UserPromptSubmit: [`grep -q forbidden && { echo '{"decision":"block","reason":"Not that."}'; exit 0; }; exit 0`],
    });
    const refused = await go(plays(says('Never.')), { first: { task: 'The forbidden task.' } as never });
    assert.deepEqual(types(refused.history), ['task_started', 'hook_ran', 'paused']);
    assert.doesNotMatch(JSON.stringify(toMessages(refused.history)), /forbidden/);
    const model = plays(says('Hello.'), says('All right.'));
    const { history, say, rested } = await begun(model);
    say('The forbidden words.');
    await rested();
    say('Other words.');
    await rested();
    assert.deepEqual(types(history), [
      'task_started',
      'hook_ran',
      'agent_response',
      'user_message',
      'hook_ran',
      'paused',
      'user_message',
      'hook_ran',
      'agent_response',
    ]);
    assert.doesNotMatch(JSON.stringify(model.requests), /forbidden/);
    assertAccepted(history);
  });
  const begun = async (model: ReturnType<typeof plays>) => {
    const conversation = await go(model);
    return {
      history: conversation.history,
      say: (text: string) => conversation.say(text),
      rested: () => conversation.rested(),
    };
  };

  it('continues if a Stop hook blocks its end, at most five times', async () => {
    put({ Stop: ['test -f done || { echo "There is no file done." >&2; exit 2; }'] });
    const model = plays(says('Done.'), () => {
      workspace.place('done', '');
      return says('', call('finish', { summary: 'Really.' }, 'c1'));
    });
    const { history } = await go(model);
    assert.deepEqual(types(history), [
      'task_started',
      'agent_response',
      'hook_ran',
      'feedback',
      'agent_response',
      'action_started',
      'observation:ok',
      'hook_ran',
      'finished:submitted',
    ]);
    assert.match(
      JSON.stringify(model.requests[1]),
      /A hook of this folder does not let you finish: There is no file done\./,
    );
    put({ Stop: ['exit 2'] });
    const stubborn = await go(
      plays(
        ...Array.from({ length: 20 }, (_each, at) => [
          says('', call('look', { name: `a${at}` })),
          says(`Done ${at}.`),
        ]).flat(),
      ),
      { first: { limits: { steps: 0, cost: 0, seconds: 0 } } as never },
    );
    assert.equal(eventsOfType(stubborn.history, 'agent_response').length, 12, 'six tries of two replies');
    assert.match(eventsOfType(stubborn.history, 'notice').at(-1)!.text, /made the agent continue 5 times/);
  });

  it('continues if hooks crash, are missing, hang, flood or print nonsense', async () => {
    put({
      PreToolUse: [
        'exit 3',
        'kill -9 $$',
        'no-such-program-anywhere',
        { hooks: [{ command: 'sleep 600 & sleep 600', timeout: 0.3 }] },
        'yes flood | head -c 3000000',
        'echo "decision: {"',
      ],
    });
    const { history } = await go(plays(says('Now.', call('change', { name: 'a' }, 'c1')), says('Done.')));
    assert.deepEqual(
      eventsOfType(history, 'hook_ran').map(({ decision }) => decision),
      ['failed', 'failed', 'failed', 'failed', 'none', 'none'],
    );
    assert.match(
      eventsOfType(history, 'hook_ran')[3]!.text,
      /took longer than 0\.3 s and was ended\. It decides nothing; the run continues\.$/,
    );
    assert.ok(Math.max(...eventsOfType(history, 'hook_ran').map(({ output = '' }) => output.length)) < 5_000);
    assert.deepEqual([ran, types(history).at(-1), hooks.processes()], [['change a'], 'agent_response', 0]);
  });

  it('treats a truncated JSON answer as a block', async () => {
    put({ PreToolUse: [`echo '{"decision":'`] });
    const { history } = await go(plays(says('Now.', call('change', { name: 'a' }, 'c1')), says('Done.')));
    assert.deepEqual(
      [ran, types(history).filter((type) => type.startsWith('observation'))],
      [[], ['observation:rejected']],
    );
    assert.match(eventsOfType(history, 'hook_ran')[0]!.text, /refused: Its output begins with "\{" but cannot be read/);
  });

  it('ends a running hook when it is stopped', async () => {
    put({ PreToolUse: [note('sleep 600')] });
    const conversation = begin(plays(says('Now.', call('change', { name: 'a' }, 'c1'))), {
      parts: { hooks },
      first: first(),
    });
    conversation.wake();
    while (!fs.existsSync(log())) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok(hooks.processes() > 0);
    await conversation.stop();
    assert.deepEqual(
      [hooks.processes(), ran, types(conversation.history).slice(-3)],
      [0, [], ['hook_ran', 'observation:skipped', 'finished:stopped']],
    );
  });

  it('does not wait for async hooks, and ends them with the session', async () => {
    put({ PreToolUse: [{ hooks: [{ command: note('sleep 600; exit 2'), async: true }] }] });
    await go(plays(says('Now.', call('change', { name: 'a' }, 'c1')), says('Done.')));
    assert.deepEqual(ran, ['change a']);
    while (!fs.existsSync(log())) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok(hooks.processes() > 0);
    await hooks.dispose();
    assert.equal(hooks.processes(), 0);
  });

  it('hides secret environment variables from hooks', async () => {
    process.env['HOOK_TEST_TOKEN'] = 'not for hooks';
    try {
      put({ SessionStart: [`env > ${log()}.env`] });
      await go(plays(says('Done.')));
      const environment = fs.readFileSync(`${log()}.env`, 'utf8');
      assert.doesNotMatch(environment, /not for hooks/);
      assert.match(environment, new RegExp(`OPENHANDS_PROJECT_DIR=${workspace.root}\n`));
    } finally {
      delete process.env['HOOK_TEST_TOKEN'];
    }
  });

  it('pauses if a script of a hook changed, and continues without hooks when resumed', async () => {
    workspace.place('guard.sh', 'exit 0\n');
    put({ PreToolUse: ['sh ./guard.sh'] });
    agreed = (await readHookFiles(workspace.root, path.join(workspace.root, 'nobody')))[0]!.hash;
    const model = plays(
      says('One.', call('change', { name: 'a' }, 'c1')),
      () => {
        workspace.place('guard.sh', 'exit 0 # changed\n');
        return says('Two.', call('change', { name: 'b' }, 'c2'));
      },
      says('Done.'),
    );
    const conversation = await go(model);
    assert.deepEqual([types(conversation.history).slice(-2), ran], [['notice', 'paused'], ['change a']]);
    assert.match(
      eventsOfType(conversation.history, 'notice')[0]!.text,
      /^\.agent\/hooks\.json, or a program that it runs, changed since a person approved its hooks\. None of them runs until someone decides\.$/,
    );
    conversation.resume();
    await conversation.rested();
    assert.deepEqual(
      [ran, eventsOfType(conversation.history, 'hook_ran').length, types(conversation.history).at(-1)],
      [['change a', 'change b'], 1, 'agent_response'],
    );
  });

  it('reports hook problems once, with file, line and column', async () => {
    put({
      PreToolUse: [
        { matcher: 'Wriet', hooks: [{ command: 'exit 2' }] },
        { hooks: [{ type: 'prompt', prompt: 'Is it safe?' }] },
      ],
    });
    const conversation = await go(
      plays(
        says('One.', call('change', { name: 'a' }, 'c1')),
        says('Two.', call('change', { name: 'b' }, 'c2')),
        says('Done.'),
      ),
    );
    const told = eventsOfType(conversation.history, 'notice')
      .filter(({ about }) => about === 'hook_problems')
      .map(({ text }) => text);
    assert.deepEqual([told.length, ran], [1, ['change a', 'change b']]);
    assert.match(
      told[0]!,
      /^Some hooks of this folder do not fully work\. \.agent\/hooks\.json:1:36: No tool is called "Wriet".+ \.agent\/hooks\.json:1:\d+: This hook does not run.+"prompt"/,
    );
    assert.equal(
      eventsOfType(
        (await go(plays(says('Done.')), { first: { parent: { session: 'p', actionId: 'x' } } as never })).history,
        'notice',
      ).length,
      0,
      'who works for it is not told again',
    );
  });

  for (const [how, lose, why] of [
    ['is deleted', () => fs.rmSync(workspace.at('.agent/hooks.json')), 'it is gone'],
    [
      'is too large',
      () => workspace.place('.agent/hooks.json', ' '.repeat(128 * 1024 + 1)),
      'it has 131,073 bytes, and files over 128 KB are not read',
    ],
    [
      'becomes a link out of the folder',
      () => {
        fs.renameSync(workspace.at('.agent/hooks.json'), path.join(workspace.root, '../moved.json'));
        fs.symlinkSync('../../moved.json', workspace.at('.agent/hooks.json'));
      },
      'it is a link to a place outside its folder',
    ],
    ['has no more hooks', () => workspace.place('.agent/hooks.json', '{}'), undefined],
  ] as const) {
    it(`pauses if an approved hooks file ${how}`, async () => {
      put({ PreToolUse: ['exit 0'] });
      agreed = (await readHookFiles(workspace.root, path.join(workspace.root, 'nobody')))[0]!.hash;
      const model = plays(
        says('One.', call('change', { name: 'a' }, 'c1')),
        () => {
          lose();
          return says('Two.', call('change', { name: 'b' }, 'c2'));
        },
        says('Done.'),
      );
      const conversation = await go(model);
      assert.deepEqual([types(conversation.history).slice(-2), ran], [['notice', 'paused'], ['change a']]);
      assert.equal(
        eventsOfType(conversation.history, 'notice')[0]!.text,
        `${why === undefined ? '.agent/hooks.json, or a program that it runs, changed since a person approved its hooks.' : `The approved hooks of .agent/hooks.json cannot run: ${why}.`} None of them runs until someone decides.`,
      );
      conversation.resume();
      await conversation.rested();
      assert.deepEqual([ran, types(conversation.history).at(-1)], [['change a', 'change b'], 'agent_response']);
    });
  }

  it('runs PreToolUse hooks in subsessions, but no session, message or Stop hooks', async () => {
    put({ SessionStart: [note()], UserPromptSubmit: [note()], Stop: [note()], PreToolUse: ['exit 2'] });
    const { history } = await go(plays(says('Now.', call('change', { name: 'a' }, 'c1')), says('Done.')), {
      first: { parent: { session: 'p', actionId: 'x' } } as never,
    });
    assert.deepEqual(
      [ran, told(), types(history)],
      [[], [], ['task_started', 'agent_response', 'hook_ran', 'observation:rejected', 'agent_response']],
    );
  });
});
