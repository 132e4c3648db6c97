import type { EventOf } from '../../src/protocol/events/event';
import { formatDuration, formatMoney } from '../base/format';
import { counted, text } from '../base/text';
import { Long } from '../parts/LongText';
import { systemPromptOf } from '../../src/protocol/plain/systemPrompt';
import { Attachments } from './Attachments';
import { ForeignFacts } from './ForeignFacts';
import { say } from './state/words';

/**
 * The start of a run: the task, the prompt, and the permissions. For a run of another program, only what its file
 * contains.
 */
export function TaskView({ event }: { event: EventOf<'task_started'> }) {
  const { task, prompt, tools, cwd, container, profile, limits, mode, confirmation, model } = event;
  const { skills = [], origin } = event;
  const foreign = origin !== undefined;
  const systemPrompt = systemPromptOf(event);
  const most = [
    limits.steps > 0 && counted('header.steps', limits.steps),
    limits.cost > 0 && formatMoney(limits.cost),
    limits.seconds > 0 && formatDuration(limits.seconds * 1000),
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <>
      {task && <Long label={say('row.task')} words={task} />}
      <Attachments event={event} />
      <dl class="facts">
        {cwd && (
          <div>
            <dt>{say('task.folder')}</dt>
            <dd class="code-font">{cwd}</dd>
          </div>
        )}
        {container && (
          <div>
            <dt>{say('task.container')}</dt>
            <dd class="code-font">{`${container.image} (${container.engine})`}</dd>
          </div>
        )}
        {(model.name || model.provider) && (
          <div>
            <dt>{say('task.model')}</dt>
            <dd>{[model.name, model.provider].filter(Boolean).join(' · ')}</dd>
          </div>
        )}
        {profile && (
          <div>
            <dt>{say('task.profile')}</dt>
            <dd>{profile}</dd>
          </div>
        )}
        {!foreign && (
          <div>
            <dt>{say('task.mode')}</dt>
            <dd>{text(`header.mode.${mode === undefined || mode === 'confirm' ? confirmation : mode}`)}</dd>
          </div>
        )}
        {most && (
          <div>
            <dt>{say('task.limits')}</dt>
            <dd>{most}</dd>
          </div>
        )}
        {skills.length > 0 && (
          <div>
            <dt>{say('skill.known')}</dt>
            <dd>{skills.map(({ name, kind }) => `${name} (${kind})`).join(', ')}</dd>
          </div>
        )}
        {tools.length > 0 && (
          <div>
            <dt>{say('task.tools')}</dt>
            <dd class="code-font">{tools.join(' ')}</dd>
          </div>
        )}
      </dl>
      {systemPrompt && (
        <details class="block">
          <summary class="name">{say('task.system')}</summary>
          <Long label={say('task.system')} words={systemPrompt} />
        </details>
      )}
      {prompt !== undefined && (
        <details class="block">
          <summary class="name">{say('task.prompt')}</summary>
          <Long label={say('task.prompt')} words={prompt} />
        </details>
      )}
      <ForeignFacts events={[event]} />
    </>
  );
}
