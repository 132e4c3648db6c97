import type { EventOf } from '../../src/protocol/events/event';
import { counted, text } from '../base/text';
import { LongText } from './LongText';

/**
 * Everything in a reply besides its text and actions: the task state, calls that could not be parsed, and the full raw
 * reply.
 */
export function ReplyDetails({ reply }: { reply: EventOf<'agent_response'> }) {
  const { taskState, unreadCalls = [], written } = reply;
  const words =
    taskState &&
    [text(`step.taskState.${taskState.status}`), taskState.description, taskState.newTask && text('step.newTask')]
      .filter(Boolean)
      .join(' · ');
  return (
    <>
      {taskState && (
        <dl class="facts" data-testid="task-state">
          <div>
            <dt>{text('step.taskState')}</dt>
            <dd>{words}</dd>
          </div>
          {(taskState.learnings?.length ?? 0) > 0 && (
            <div>
              <dt>{text('step.learnings')}</dt>
              <dd>{taskState.learnings!.join(' · ')}</dd>
            </div>
          )}
        </dl>
      )}
      {unreadCalls.length > 0 && (
        <Exact
          name={text('step.unreadCalls')}
          words={unreadCalls.map((call) => JSON.stringify(call, null, 2)).join('\n')}
        />
      )}
      {written !== undefined && <Exact name={text('step.written')} words={written} />}
    </>
  );
}

const Exact = ({ name, words }: { name: string; words: string }) => (
  <div class="block">
    <div class="name">{name}</div>
    <LongText label={name} lines={words.split('\n').length} more={(n) => counted('approval.below', n)}>
      <pre class="exact">{words}</pre>
    </LongText>
  </div>
);
