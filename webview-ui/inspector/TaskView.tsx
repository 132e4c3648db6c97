import type { EventOf } from '../../src/protocol/event';
import { say } from './words';
import { Long } from './StepView';

/** How a run began: the task, the words the model was given, and what it was allowed. */
export function TaskView({ event }: { event: EventOf<'task_started'> }) {
  const { task, systemPrompt, prompt, tools, cwd, profile, limits, mode, confirmation, model, skills = [] } = event;
  const most = [limits.steps && `${limits.steps}`, limits.cost && `$${limits.cost}`, limits.seconds && `${limits.seconds} s`].filter(Boolean).join(' · ');
  return (
    <>
      <Long label={say('row.task')} words={task} />
      <dl class="facts">
        {cwd && <div><dt>{say('task.folder')}</dt><dd class="code-font">{cwd}</dd></div>}
        <div><dt>{say('task.profile')}</dt><dd>{[profile, model.name, model.provider].filter(Boolean).join(' · ')}</dd></div>
        <div><dt>{say('task.mode')}</dt><dd>{[mode, confirmation].filter(Boolean).join(' · ')}</dd></div>
        {most && <div><dt>{say('task.limits')}</dt><dd>{most}</dd></div>}
        {skills.length > 0 && <div><dt>{say('skill.known')}</dt><dd>{skills.map(({ name, kind }) => `${name} (${kind})`).join(', ')}</dd></div>}
        {tools.length > 0 && <div><dt>{say('task.tools')}</dt><dd class="code-font">{tools.join(' ')}</dd></div>}
      </dl>
      {systemPrompt && <details class="block"><summary class="name">{say('task.system')}</summary><Long label={say('task.system')} words={systemPrompt} /></details>}
      {prompt !== undefined && <details class="block"><summary class="name">{say('task.prompt')}</summary><Long label={say('task.prompt')} words={prompt} /></details>}
    </>
  );
}
