import type { ModelReply, ModelRequest } from '../../../src/core/ports/model';
import type { Event } from '../../../src/protocol/events/event';
import { call, plays, says } from '../../conformance/support/script';
import { World } from '../../conformance/support/world';

const fence = '```';
/** One or two steps in the format of each profile, and one unusable reply. */
const scripts: Readonly<Record<string, readonly ModelReply[]>> = {
  waymark: [
    says('I look.', call('run_command', { command: 'echo one' }), call('run_command', { command: 'echo two' })),
    says('', call('run_command', '{"command": "echo')),
    says('Again.', call('read_file', { path: 'none.txt' })),
    says('Done.'),
  ],
  mini: [
    says('I look.', call('bash', { command: 'echo one' })),
    says('No call.'),
    says('', call('bash', { command: 'echo two' })),
    says('', call('bash', { command: 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT' })),
  ],
  'mini-text': [
    says(`I look.\n\n${fence}mswea_bash_command\necho one\n${fence}`),
    says('No command.'),
    says(`Done.\n\n${fence}mswea_bash_command\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n${fence}`),
  ],
  hermes: [
    says('I look.', call('terminal', { command: 'echo one' })),
    says('', call('no_such_tool', {})),
    says('Done.'),
  ],
  openhands: [
    says('I look.', call('terminal', { command: 'echo one', security_risk: 'LOW', summary: 'say one' })),
    says('', call('finish', { message: 'Done.' })),
  ],
  workgraph: [
    says('No structure.'),
    says('None again.'),
    says(
      '<StructuredResponse><InstantResponse>Done.</InstantResponse><TaskStatus>Completed</TaskStatus></StructuredResponse>',
    ),
  ],
};

/** Returns what the loop sent to its model in a run of this profile, and the log of the run. */
export async function askedOf(
  profile: string,
): Promise<{ readonly sent: readonly ModelRequest[]; readonly history: readonly Event[] }> {
  const world = new World();
  try {
    const model = plays(...scripts[profile]!);
    const run = await world.begin({ profile, model, task: 'Look and say what there is.' });
    await run.go();
    return { sent: model.requests, history: run.conversation.history };
  } finally {
    await world.end();
  }
}
