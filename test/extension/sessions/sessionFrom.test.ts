import assert from 'node:assert/strict';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { openEventLog, readEventLog } from '../../../src/adapters/log/eventLog';
import { ripgrepSearch } from '../../../src/adapters/search/ripgrep';
import { Sessions } from '../../../src/adapters/sessions/sessions';
import { eventsOfType } from '../../../src/core/log/projection';
import { statusOf } from '../../../src/core/log/status';
import { sampling } from '../../../src/core/model/sampling/sampling';
import { profileNamed } from '../../../src/core/profiles/profiles';
import { LiveSession } from '../../../src/extension/sessions/liveSession';
import { sessionFrom } from '../../../src/extension/sessions/sessionFrom';
import { call, plays, says } from '../../core/agent/story';
import { format, settings } from '../../core/model/sampling/samplingStory';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';
import { untouched } from '../../support/toolContext';

const reads = (path: string) => says(`I read ${path}.`, call('read_file', { path }));
const sampled = (...replies: Parameters<typeof plays>) =>
  sampling(plays(...replies), {
    settings: settings({ candidates: 2 }),
    reader: { read: format.read, textIsAnswer: true },
    render: (source) => source,
  });

describe('a session that continues from another candidate', () => {
  let workspace: TemporaryWorkspace;
  let sessions: {
    readonly stored: Sessions;
    openSession(id: string): LiveSession;
    openStored(id: string): Promise<LiveSession>;
  };
  const opened: LiveSession[] = [];

  beforeEach(() => {
    workspace = temporaryWorkspace();
    workspace.place('a.txt', 'the first\n');
    workspace.place('b.txt', 'the second\n');
    const environment = {
      root: workspace.root,
      files: diskFiles({ folders: [workspace.root] }),
      search: ripgrepSearch({ folders: [workspace.root] }),
      terminal: untouched.terminal,
      dispose: async () => {},
    };
    const nothing = () => undefined;
    const stored = new Sessions(workspace.at('.sessions'));
    const openSession = (id: string): LiveSession => {
      const session = new LiveSession({
        id,
        log: openEventLog(stored.logOf(id)),
        environment,
        trusted: true,
        customToolsets: {},
        profileOf: async (name) => profileNamed(name),
        samplingOf: async () => undefined,
        listener: { onEvent: nothing, onDelta: nothing, onRunning: nothing, onUnkept: nothing, onFailure: nothing },
        surroundings: { root: workspace.root, otherFolders: [], platform: 'test', shell: 'sh', mayAct: true },
      });
      opened.push(session);
      return session;
    };
    sessions = { stored, openSession, openStored: async (id) => openSession(id) };
  });
  afterEach(async () => {
    for (const session of opened.splice(0)) await session.close();
    workspace.stop();
  });

  const begun = async (...replies: Parameters<typeof sampled>): Promise<LiveSession> => {
    const session = sessions.openSession(sessions.stored.newId());
    await session.start('Read a file.', sampled(...replies), {
      profile: 'waymark',
      mode: 'confirm',
      confirmation: 'risky',
      limits: { steps: 0, cost: 0, seconds: 0 },
      allowPatterns: [],
    });
    return session;
  };

  it('is on disk, in the list, and runs what the candidate asked for', async () => {
    const first = await begun(reads('a.txt'), reads('b.txt'), says('It is read.'), says('Done.'));
    await first.conversation.rested();
    const before = first.conversation.history.length;
    const [step] = eventsOfType(first.conversation.history, 'agent_response');

    const second = await sessionFrom(first, { seq: step!.seq, index: 1 }, sessions);
    assert.equal(first.conversation.history.length, before);
    assert.deepEqual(readEventLog(sessions.stored.logOf(second.id)).events, second.conversation.history);
    assert.deepEqual(
      sessions.stored
        .list()
        .map(({ id, title }) => [id, title])
        .find(([id]) => id === second.id),
      [second.id, 'Read a file. · candidate 2'],
    );
    assert.equal(statusOf(second.conversation.history), 'ready');

    second.useModel(plays(says('The second is read.')));
    second.conversation.wake();
    await second.conversation.rested();
    assert.match(eventsOfType(second.conversation.history, 'observation')[0]!.content, /the second/);
    assert.equal(eventsOfType(second.conversation.history, 'agent_response').at(-1)!.text, 'The second is read.');
  });

  it('interrupts the original session, so that both do not change the same files', async () => {
    const never = (_request: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const first = await begun(reads('a.txt'), reads('b.txt'), never, never);
    while (eventsOfType(first.conversation.history, 'observation').length === 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
    const [step] = eventsOfType(first.conversation.history, 'agent_response');
    await sessionFrom(first, { seq: step!.seq, index: 1 }, sessions);
    assert.deepEqual([first.conversation.running, statusOf(first.conversation.history)], [false, 'paused']);
  });

  it('does not start if the candidate does not exist, and leaves nothing on disk', async () => {
    const first = await begun(reads('a.txt'), reads('b.txt'), says('Done.'), says('Done.'));
    await first.conversation.rested();
    await assert.rejects(sessionFrom(first, { seq: 0, index: 1 }, sessions), /does not have that candidate/);
    assert.equal(sessions.stored.list().length, 1);
  });
});
