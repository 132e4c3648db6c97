import type { Assessment } from '../../src/protocol/events/event';
import { counted, text, type TextKey } from '../base/text';
import { bytes } from '../base/format';
import type { Step } from '../state/rows';
import { sourceOf } from '../parts/PictureStrip';
import { usePost } from '../base/posting';
import { DiffView } from '../parts/DiffView';
import { InputView } from '../parts/InputView';
import { FurtherReasons, RiskMark } from '../parts/Reasons';
import { LongText } from '../parts/LongText';
import { TodoList } from '../parts/TodoList';
import { ReplyDetails } from '../parts/ReplyDetails';
import { editedCommand } from './stepWords';
import { Visible, VisibleText } from '../parts/VisibleText';

/**
 * A step in full: arguments, result, risk and approval. `whole`: includes the arguments of an edit, which are otherwise
 * shown as its diff; the rest of the reply is then shown elsewhere.
 */
export function StepBody({ step, whole = false }: { step: Step; whole?: boolean }) {
  const post = usePost();
  const { action, observation, decision } = step;
  const details = observation?.details;
  // A diff and a list of steps already contain everything in the arguments.
  const isShownByResult = details?.kind === 'edit' || details?.kind === 'todo';
  return (
    <div class="step-body">
      {action.problem && <p class="bad-text">{`${text('step.problem')}: ${action.problem}`}</p>}
      {!isShownByResult && (
        <InputView
          input={action.input}
          effect={action.effect}
          from={action.from}
          culprit={whole ? action.risk.culprit : undefined}
        />
      )}
      {isShownByResult && whole && (
        <details>
          <summary class="name">{text('step.arguments')}</summary>
          <InputView input={action.input} effect={action.effect} from={action.from} culprit={action.risk.culprit} />
        </details>
      )}
      {details?.kind === 'edit' &&
        details.changes.map((change) => (
          <DiffView
            key={change.path}
            change={change}
            onOpenDiff={() => post({ type: 'open_diff', actionId: action.id, path: change.path })}
          />
        ))}
      {details?.kind === 'read' && (
        <p>
          <button
            type="button"
            class="link"
            onClick={() => post({ type: 'open_file', path: details.path, line: Math.max(1, details.fromLine) })}
          >
            {text('step.openFile')}
          </button>
        </p>
      )}
      {details?.kind === 'todo' ? (
        <TodoList items={details.items} />
      ) : (
        observation &&
        details?.kind !== 'edit' && <Result content={observation.content} isCommand={details?.kind === 'command'} />
      )}
      {observation?.images && (
        <ul class="pictures whole" data-testid="result-pictures">
          {observation.images.map((image, index) => (
            <li key={index}>
              <img src={sourceOf(image)} alt={text('composer.picture', { n: index + 1 })} />
            </li>
          ))}
        </ul>
      )}
      {observation && details?.kind === 'edit' && observation.outcome !== 'ok' && (
        <Result content={observation.content} isCommand={false} />
      )}
      {details?.kind === 'command' && details.fullOutput && (
        <p class="dim">
          <button type="button" class="link" onClick={() => post({ type: 'open_file', path: details.fullOutput! })}>
            {text('step.fullOutput', { shown: bytes(observation!.content.length), total: bytes(details.outputBytes) })}
          </button>
        </p>
      )}
      <dl class="facts">
        {details?.kind === 'command' && details.cwd && (
          <div>
            <dt>{text('step.cwd')}</dt>
            <dd class="code-font">
              <Visible words={details.cwd} />
            </dd>
          </div>
        )}
        {(action.risk.level !== 'low' || action.risk.reasons.length > 0) && (
          <div>
            <dt>{text('step.risk')}</dt>
            <dd>
              <RiskLine risk={action.risk} />
            </dd>
          </div>
        )}
        {details?.kind === 'command' && details.sandbox && (
          <div>
            <dt>{text('step.place')}</dt>
            <dd>{text(`step.place.${details.sandbox}`)}</dd>
          </div>
        )}
        {decision && (
          <div>
            <dt>{text('step.decision')}</dt>
            <dd>
              <DecisionWords step={step} decision={decision} />
            </dd>
          </div>
        )}
      </dl>
      {!whole && <ReplyDetails reply={step.reply} />}
    </div>
  );
}

/** The decision: approved, and where it runs; refused, and why; or replaced by another command. */
function DecisionWords({ step, decision }: { step: Step; decision: NonNullable<Step['decision']> }) {
  const edited = editedCommand(step);
  if (edited !== undefined)
    return (
      <>
        {text('step.editedTo')}{' '}
        <span class="code-font">
          <VisibleText words={edited} />
        </span>
      </>
    );
  const isOutside = decision.approved && decision.outside?.includes(step.action.id);
  const key = isOutside ? 'step.approvedOutside' : `step.${decision.approved ? 'approved' : 'refused'}.${decision.by}`;
  return (
    <>
      {text(key as TextKey)}
      {decision.comment && `: ${decision.comment}`}
    </>
  );
}

function Result({ content, isCommand }: { content: string; isCommand: boolean }) {
  const shown = content.replace(/\n$/, '');
  if (!shown) return <p class="dim">{text('step.noOutput')}</p>;
  return (
    <LongText
      label={text(isCommand ? 'step.output' : 'step.result')}
      lines={shown.split('\n').length}
      more={(n) => counted('approval.below', n)}
    >
      <pre class="output">{shown}</pre>
    </LongText>
  );
}

/** Risk of a completed step: its mark, the headline, then the further reasons. */
function RiskLine({ risk }: { risk: Assessment }) {
  const [headline, ...further] = risk.reasons;
  return (
    <>
      <RiskMark risk={risk} leads={headline !== undefined} />
      {headline !== undefined && (
        <span class="reason">
          {' '}
          <Visible words={headline} />
        </span>
      )}
      <FurtherReasons reasons={further} />
    </>
  );
}
