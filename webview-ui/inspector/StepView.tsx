import { useMemo } from 'preact/hooks';
import type { Comparison, Event, EventOf } from '../../src/protocol/events/event';
import type { StepDetails, StepRow } from '../../src/protocol/inspector/inspector';
import { outcomeWords } from '../../src/protocol/plain/comparisonWords';
import { CandidateList } from '../cards/CandidatesCard';
import { ForkButton, RestoreButton } from '../parts/StepButtons';
import { Icon } from '../parts/Icon';
import { Long, LongText } from '../parts/LongText';
import { ReplyDetails } from '../parts/ReplyDetails';
import { ResultList } from '../parts/ResultList';
import { post, Posting } from '../base/host';
import { Markdown } from '../markdown/Markdown';
import { stepsById, type Step } from '../state/rows';
import { counted } from '../base/text';
import { Attachments } from './Attachments';
import { CallView } from '../calls/CallView';
import { details, callKey } from '../state/calls';
import { callText } from '../base/callWords';
import { Condensed } from './Condensed';
import { ForeignFacts } from './ForeignFacts';
import { reasoningShown, runs } from './state/store';
import { TaskView } from './TaskView';
import { say } from './state/words';
import { delegationOf } from '../state/children';
import { ChildrenView } from '../steps/ChildrenView';
import { StepBody } from '../steps/StepBody';
import { lineOf } from '../steps/stepWords';
import { formatDuration, formatTime } from '../base/format';

/** A step expanded in place, with everything in the log about it. */
export function StepView({ run, row }: { run: number; row: StepRow }) {
  const known = details.value.get(callKey(run, row.seq));
  if (!known)
    return (
      <div class="step-view dim" role="status">
        {callText('call.loading')}
      </div>
    );
  return (
    <Posting.Provider value={(message) => post({ ...message, run } as Parameters<typeof post>[0])}>
      <div class="step-view" data-testid="step-view">
        <Body run={run} known={known} />
      </div>
    </Posting.Provider>
  );
}

function Body({ run, known: stepDetails }: { run: number; known: StepDetails }) {
  const first = stepDetails.events.find(({ seq }) => seq === stepDetails.seq);
  if (!first) return null;
  switch (first.type) {
    case 'agent_response':
      return <ReplyView run={run} reply={first} known={stepDetails} />;
    case 'task_started':
      return <TaskView event={first} />;
    case 'condensation':
      return <Condensed event={first} forgotten={stepDetails.forgotten ?? []} />;
    case 'user_message':
    case 'feedback':
    case 'notice':
      return (
        <>
          <Words label={say('event.raw')} words={first.text} />
          {first.type === 'user_message' && <Attachments event={first} />}
          {first.type === 'notice' && first.compared && <ComparedCandidates comparison={first.compared} />}
          <ForeignFacts events={stepDetails.events} />
        </>
      );
    case 'finished':
      return (
        <>
          <Words label={say('row.finished')} words={first.summary} />
          {first.problem && <p>{[first.problem.what, first.problem.why, first.problem.next].join(' ')}</p>}
          <ResultList results={first.results ?? []} detailed />
          <ForeignFacts events={stepDetails.events} />
        </>
      );
    case 'hook_ran':
      return (
        <>
          <p>{first.text}</p>
          <Words label={say('hook.command')} words={first.command} />
          {first.reason && <Words label={say('hook.reason')} words={first.reason} />}
          {first.context && <Words label={say('hook.context')} words={first.context} />}
          {first.output && <Words label={say('hook.output')} words={first.output} />}
        </>
      );
    default:
      return <Raw event={first} />;
  }
}

/** Sessions that worked on one task, with their results and the judge's text. */
function ComparedCandidates({ comparison }: { comparison: Comparison }) {
  const { candidates, chosen, check, outputs = [] } = comparison;
  return (
    <div data-testid="compared">
      {check !== undefined && (
        <p>
          {say('compared.check')}: <code>{check}</code>
        </p>
      )}
      <ol>
        {candidates.map((candidate, index) => (
          <li key={candidate.session}>
            {index === chosen && <Icon name="check" />} {outcomeWords(candidate)}
            <span class="dim"> {candidate.session}</span>
            {candidate.check && !candidate.check.passed && candidate.check.output !== '' && (
              <pre aria-label={say('compared.checkSaid')}>{candidate.check.output}</pre>
            )}
          </li>
        ))}
      </ol>
      {outputs.map((words, index) => (
        <pre key={index} aria-label={say('compared.judge')}>
          {words}
        </pre>
      ))}
    </div>
  );
}

function ReplyView({
  run,
  reply,
  known: stepDetails,
}: {
  run: number;
  reply: EventOf<'agent_response'>;
  known: StepDetails;
}) {
  const steps = useMemo(() => stepsById(stepDetails.events), [stepDetails]);
  const groups = [...new Set(reply.actions.map(({ group }) => group))];
  const thought = reply.reasoning?.text.trim();
  const { foreign, session } = runs.value[run]?.facts ?? {};
  return (
    <>
      {stepDetails.events.map(
        (event) =>
          event.type === 'retry_scheduled' && (
            <p key={event.seq} class="warn-text">
              <Icon name="warning" /> {say('retry', { n: event.attempt, why: event.why })}
            </p>
          ),
      )}
      {stepDetails.events.map(
        (event) =>
          event.type === 'skill_woken' && (
            <details key={event.seq} class="block" data-testid="skill">
              <summary class="name">
                <Icon name="lightbulb" /> {say('skill.woken', { name: event.name })} ·{' '}
                {say(`skill.${event.by}`, { what: event.what })} · <span class="code-font">{event.path}</span>
              </summary>
              <Long label={say('skill.woken', { name: event.name })} words={event.text} />
            </details>
          ),
      )}
      {thought && reasoningShown.value && (
        <section class="block">
          <h2 class="name">{say('reasoning.label')}</h2>
          <Long label={say('reasoning.label')} words={thought} class="dim" />
        </section>
      )}
      {thought && !reasoningShown.value && (
        <button
          type="button"
          class="link reasoning-line"
          data-testid="reasoning"
          onClick={() => {
            reasoningShown.value = true;
          }}
        >
          {say('reasoning.label')} <span class="dim">{thought.replace(/\s+/g, ' ').slice(0, 200)}</span>
        </button>
      )}
      {reply.text.trim() && <Markdown source={reply.text} />}
      {reply.sampling && <CandidateList sampling={reply.sampling} seq={reply.seq} />}
      {groups.map((group, index) => {
        const actions = reply.actions.filter((action) => action.group === group);
        return (
          <div key={group} class="group">
            {(groups.length > 1 || actions.length > 1) && (
              <h2 class="name group-name">
                {[
                  groups.length > 1 && say('group', { n: index + 1, count: groups.length }),
                  actions.length > 1 && say('together'),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </h2>
            )}
            {actions.map((action) => (
              <ActionView
                key={action.id}
                step={{ ...steps.get(action.id)!, ...(stepDetails.cwd !== undefined && { cwd: stepDetails.cwd }) }}
                events={stepDetails.events}
              />
            ))}
          </div>
        );
      })}
      <ReplyDetails reply={reply} />
      <CallView run={run} reply={reply} stepDetails={stepDetails} foreign={foreign === true} />
      <ForeignFacts events={stepDetails.events} />
      {session && (
        <p>
          <ForkButton seq={reply.seq} /> <RestoreButton seq={reply.seq} />
        </p>
      )}
    </>
  );
}

const Words = ({ label, words }: { label: string; words: string }) => <Long label={label} words={words.trim()} />;

function Raw({ event: { seq: _seq, at: _at, ...rest } }: { event: Event }) {
  const words = JSON.stringify(rest, null, 2);
  return (
    <LongText label={say('event.raw')} lines={words.split('\n').length} more={(n) => counted('approval.below', n)}>
      <pre class="exact">{words}</pre>
    </LongText>
  );
}

/** One action of a step: its input, its result, and who approved it. */
function ActionView({ step, events }: { step: Step; events: readonly Event[] }) {
  const line = lineOf(step, { running: false });
  const consent = consentOf(step, events);
  return (
    <div class="action" data-testid="action">
      <h2 class={`action-line ${line.tone}`}>
        <span class="verb">{line.verb}</span>
        {!line.code && (
          <>
            {' '}
            <span class="target">{line.target}</span>
          </>
        )}
        {line.added !== undefined && (
          <span class="meta counts">
            <span class="added">+{line.added}</span> <span class="removed">−{line.removed}</span>
          </span>
        )}
        {line.meta && <span class="meta">{line.meta}</span>}
      </h2>
      {step.action.purpose && <p class="dim">{step.action.purpose}</p>}
      {(step.action.effect === 'delegates' || step.children) && (
        <ChildrenView delegation={delegationOf(step, new Map(), { running: false })} />
      )}
      <StepBody step={withoutUnknownRisk(step)} whole />
      {consent && (
        <dl class="facts">
          <div>
            <dt>{say('asked.label')}</dt>
            <dd>{consent}</dd>
          </div>
        </dl>
      )}
    </div>
  );
}

/** Describes when approval was requested and how long the answer took. */
function consentOf({ action, question, observation }: Step, events: readonly Event[]): string | undefined {
  const asked =
    events.find((event) => event.type === 'confirmation_requested' && event.actionIds.includes(action.id)) ?? question;
  if (!asked) return undefined;
  const answered = question
    ? observation
    : events.find((event) => event.type === 'confirmation_resolved' && event.actionIds.includes(action.id));
  return answered
    ? say('asked.answered', { asked: formatTime(asked.at), n: formatDuration(Math.max(0, answered.at - asked.at)) })
    : say('asked.open', { asked: formatTime(asked.at) });
}

/** Other programs do not assess risk, so none is shown. */
const withoutUnknownRisk = (step: Step): Step =>
  step.action.risk.level === 'unknown' && step.action.risk.reasons.length === 0
    ? { ...step, action: { ...step.action, risk: { level: 'low', reasons: [] } } }
    : step;
