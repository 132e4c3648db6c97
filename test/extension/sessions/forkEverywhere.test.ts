import assert from 'node:assert/strict';
import fs from 'node:fs';
import { AgentTerminal } from '../../../src/adapters/terminal/agentTerminal';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { openEventLog, readEventLog } from '../../../src/adapters/log/eventLog';
import { ripgrepSearch } from '../../../src/adapters/search/ripgrep';
import { Sessions } from '../../../src/adapters/sessions/sessions';
import { eventsOfType } from '../../../src/core/log/projection';
import { openQuestions, startedActions, undecidedActions } from '../../../src/core/log/openActions';
import { statusOf } from '../../../src/core/log/status';
import { profileNamed } from '../../../src/core/profiles/profiles';
import { LiveSession } from '../../../src/extension/sessions/liveSession';
import { forkedSession } from '../../../src/extension/sessions/sessionFrom';
import { assertAccepted, call, plays, says } from '../../core/agent/story';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('every prefix of a real log', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let sessions: {
    readonly stored: Sessions;
    openSession(id: string): LiveSession;
    openStored(id: string): Promise<LiveSession>;
  };
  let first: LiveSession;
  const opened: LiveSession[] = [];

  before(async () => {
    workspace = temporaryWorkspace();
    workspace.place('a.txt', 'the first\n');
    const stored = new Sessions(workspace.at('.sessions'));
    const nothing = () => undefined;
    const openSession = (id: string): LiveSession => {
      const terminal = new AgentTerminal({
        cwd: workspace.root,
        folders: [workspace.root],
        wanted: 'off',
        outputFolder: stored.outputsOf(id),
        onNotice: nothing,
      });
      const environment = {
        root: workspace.root,
        files: diskFiles({ folders: [workspace.root] }),
        search: ripgrepSearch({ folders: [workspace.root] }),
        terminal,
        dispose: () => terminal.dispose(),
      };
      const session = new LiveSession({
        id,
        log: openEventLog(stored.logOf(id)),
        environment,
        trusted: true,
        customToolsets: {},
        profileOf: async (name) => profileNamed(name),
        samplingOf: async () => undefined,
        listener: { onEvent: nothing, onDelta: nothing, onRunning: nothing, onUnkept: nothing, onFailure: nothing },
        surroundings: { root: workspace.root, otherFolders: [], platform: 'test', shell: 'bash', mayAct: true },
      });
      opened.push(session);
      return session;
    };
    sessions = { stored, openSession, openStored: async (id) => openSession(id) };
    first = openSession(stored.newId());
    await first.start(
      'Work.',
      plays(
        says('I read.', call('read_file', { path: 'a.txt' }), call('list_files', { path: '.' })),
        says('I count.', call('run_command', { command: 'echo once >> counted.txt' })),
        says('I remove.', call('run_command', { command: 'rm -rf old' })),
        says('I ask.', call('ask_user', { question: 'Red or green?', choices: ['red', 'green'] })),
        says('I write.', call('write_file', { path: 'b.txt', content: 'green\n' })),
        says('All steps are done.'),
      ),
      {
        profile: 'waymark',
        mode: 'confirm',
        confirmation: 'risky',
        limits: { steps: 0, cost: 0, seconds: 0 },
        allowPatterns: [],
      },
    );
    await first.conversation.rested();
    for (const { id } of undecidedActions(first.conversation.history)) first.conversation.approve(id);
    await first.conversation.rested();
    for (const { actionId } of openQuestions(first.conversation.history)) first.conversation.answer(actionId, 'green');
    await first.conversation.rested();
    assert.equal(statusOf(first.conversation.history), 'idle');
  });
  after(async () => {
    for (const session of opened.splice(0)) await session.close();
    workspace.stop();
  });

  const observedOnce = (session: LiveSession): void => {
    const ids = eventsOfType(session.conversation.history, 'agent_response').flatMap(({ actions }) =>
      actions.map(({ id }) => id),
    );
    assert.deepEqual(
      eventsOfType(session.conversation.history, 'observation')
        .map(({ actionId }) => actionId)
        .sort(),
      ids.sort(),
    );
  };
  const counted = (): number => fs.readFileSync(workspace.at('counted.txt'), 'utf8').split('\n').length;
  const goOn = async (seq: number, instruction?: string): Promise<LiveSession> => {
    const fork = await forkedSession(first, sessions, { seq, instruction });
    fork.useModel(plays(says('Understood.'), says('Still.')));
    fork.conversation.wake();
    await fork.conversation.rested();
    return fork;
  };
  const close = async (session: LiveSession): Promise<void> => {
    assert.deepEqual(readEventLog(sessions.stored.logOf(session.id)).events, session.conversation.history);
    await session.close();
    opened.splice(opened.indexOf(session), 1);
  };

  it('can be continued with another instruction; nothing runs twice, and every call has a result', async () => {
    const { history } = first.conversation;
    assert.equal(history.length > 20, true);
    const times = counted();
    for (let seq = 0; seq < history.length; seq++) {
      const fork = await goOn(seq, 'Do nothing more.');
      const where = `after event ${seq}, ${history[seq]!.type}`;
      assert.deepEqual(fork.conversation.history.slice(0, seq + 1), history.slice(0, seq + 1), where);
      assert.equal(statusOf(fork.conversation.history), 'idle', where);
      assert.equal(eventsOfType(fork.conversation.history, 'agent_response').at(-1)!.text, 'Understood.', where);
      assertAccepted(fork.conversation.history);
      observedOnce(fork);
      await close(fork);
    }
    assert.equal(counted(), times);
    assert.equal(sessions.stored.forksOf(first.id).length, history.length);
  });

  it('can be resumed; started actions do not run again, and consent is asked for again', async () => {
    const { history } = first.conversation;
    for (let seq = 0; seq < history.length; seq++) {
      const prefix = history.slice(0, seq + 1);
      const began = startedActions(prefix).length;
      const times = counted();
      const fork = await goOn(seq);
      const where = `after event ${seq}, ${history[seq]!.type}`;
      const status = statusOf(fork.conversation.history);
      assert.equal(
        ['idle', 'waiting_for_confirmation', 'waiting_for_answer'].includes(status),
        true,
        `${status} ${where}`,
      );
      if (began > 0) assert.equal(counted(), times, where);
      if (
        /rm -rf/.test(JSON.stringify(prefix)) &&
        began === 0 &&
        statusOf(prefix) !== 'idle' &&
        /"confirmation_(?:requested|resolved)"/.test(JSON.stringify(history[seq]))
      )
        assert.equal(status, 'waiting_for_confirmation', where);
      if (status === 'idle') observedOnce(fork);
      await close(fork);
    }
  });
});
