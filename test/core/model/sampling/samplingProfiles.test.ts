import assert from 'node:assert/strict';
import { assembleAgent } from '../../../../src/core/session/assembleAgent';
import { Conversation } from '../../../../src/core/session/conversation';
import { eventsOfType } from '../../../../src/core/log/projection';
import { statusOf } from '../../../../src/core/log/status';
import { toMessages } from '../../../../src/core/model/messages';
import { continueFromCandidate } from '../../../../src/core/agent/thinking/continueFromCandidate';
import { samplingDefaults } from '../../../../src/core/model/sampling/samplingSettings';
import { profileNamed } from '../../../../src/core/profiles/profiles';
import { toolsFor } from '../../../../src/core/tools/toolsFor';
import type { Event, NewEvent } from '../../../../src/protocol/events/event';
import { plays, revived, says, task } from '../../agent/story';
import { untouched } from '../../../support/toolContext';
import { logInMemory } from '../../../support/eventLogs';

const command = (words: string) => `I act.\n\n\`\`\`mswea_bash_command\n${words}\n\`\`\`\n`;

/** A session, up to its first approval, of the profile that reads commands from fenced blocks. */
function session(...replies: ReturnType<typeof says>[]) {
  const profile = profileNamed('mini-text');
  const agent = assembleAgent({
    profile,
    model: plays(...replies),
    tools: toolsFor({ toolsets: profile.toolsets }),
    attended: true,
    environment: { ...untouched, root: '/' },
    surroundings: { root: '/', otherFolders: [], platform: 'test', shell: 'sh', mayAct: true },
    sampling: { settings: { ...samplingDefaults, candidates: replies.length } },
  });
  const begin = (saved: readonly Event[]) => new Conversation(agent, logInMemory(saved));
  return { agent, begin };
}

describe('candidates in a profile that finds its actions in the text', () => {
  it('are judged by that format, and another one is read by it again', async () => {
    const { agent, begin } = session(says('Let me think.'), says(command('ls -a')), says(command('rm -rf dist')));
    const first = begin([]);
    first.append({ ...task, profile: 'mini-text', confirmation: 'always' } as NewEvent);
    first.wake();
    await first.rested();
    const [response] = eventsOfType(first.history, 'agent_response');
    assert.deepEqual(
      [
        response!.sampling!.chosen,
        response!.sampling!.candidates.map(({ problem }) => problem === undefined),
        response!.actions.map(({ input }) => input),
      ],
      [1, [false, true, true], [{ command: 'ls -a' }]],
    );

    const events = revived(
      await continueFromCandidate(
        first.history,
        { seq: response!.seq, index: 2 },
        (reply, before) => agent.readAgain(reply, before),
        5,
      ),
    );
    const picked = eventsOfType(events, 'agent_response')[0]!;
    assert.deepEqual(
      [picked.written, picked.actions.map(({ input }) => input), picked.actions[0]!.risk.level],
      [command('rm -rf dist'), [{ command: 'rm -rf dist' }], 'medium'],
    );
    assert.deepEqual(
      toMessages(events).find(({ role }) => role === 'assistant'),
      { role: 'assistant', content: command('rm -rf dist') },
    );

    const second = begin(events);
    second.wake();
    await second.rested();
    assert.equal(statusOf(second.history), 'waiting_for_confirmation');
  });
});
