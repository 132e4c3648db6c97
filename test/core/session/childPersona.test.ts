import { strict as assert } from 'node:assert';
import { settingsOf } from '../../../src/core/log/runSettings';
import { readSkill } from '../../../src/core/skills/readSkill';
import { delegate } from '../../../src/core/tools/native/delegate';
import { answering, family, isParentTask, repliesIn } from './family';
import { call, says } from '../agent/story';

describe('delegation to a persona', () => {
  it('keeps the mode and confirmation of the persona if the parent’s become wider', async () => {
    const persona = readSkill({
      path: '.agent/agents/p.md',
      text: '---\nname: p\ndescription: d\npermissionMode: plan\nconfirmation: risky\n---\nYou plan.',
      hash: 'h',
    })!;
    const skills = { listUsed: async () => [persona], resources: async () => [], resource: async () => '' };
    let parent = (): void => undefined;
    const model = answering((task, request) => {
      if (isParentTask(task))
        return repliesIn(request) === 0
          ? says('', call('delegate', { tasks: [{ title: 'a', task: 'Task of a.', persona: 'p' }] }))
          : says('Done.');
      if (repliesIn(request) === 0) {
        parent();
        return says('', call('look', { name: 'x' }));
      }
      return says('Planned.');
    });
    const { root: above, sessions, go } = family(model, [delegate], { skills });
    parent = () => {
      above.setMode('auto');
      above.append({ type: 'settings_changed', confirmation: 'never' });
    };
    await go();
    const { mode, confirmation } = settingsOf(sessions.get('child-1')!.history)!;
    assert.deepEqual([settingsOf(above.history)!.mode, mode, confirmation], ['auto', 'plan', 'risky']);
  });
});
