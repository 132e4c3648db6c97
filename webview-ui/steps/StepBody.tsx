import type { ComponentChildren } from 'preact';
import type { Assessment } from '../../src/protocol/events/event';
import { counted, text, type TextKey } from '../base/text';
import { formatBytes } from '../base/format';
import type { Step } from '../state/rows';
import { sourceOf } from '../parts/PictureStrip';
import { usePost } from '../base/host';
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
export function StepBody({ step, whole: complete = false }: { step: Step; whole?: boolean }) {
  const { problem } = step.action;
  return (
    <div class="step-body">
      {problem && <p class="bad-text">{`${text('step.problem')}: ${problem}`}</p>}
      <Arguments step={step} whole={complete} />
      <StepResult step={step} />
      <Facts step={step} />
      {!complete && <ReplyDetails reply={step.reply} />}
    </div>
  );
}

/** The arguments. A diff and a list of steps already contain everything in them, so they are then folded or left out. */
function Arguments({ step: { action, observation }, whole }: { step: Step; whole: boolean }) {
  const kind = observation?.details?.kind;
  const isShownByResult = kind === 'edit' || kind === 'todo';
  if (isShownByResult && !whole) return null;
  const view = (
    <InputView
      input={action.input}
      effect={action.effect}
      from={action.from}
      culprit={whole ? action.risk.culprit : undefined}
    />
  );
  if (!isShownByResult) return view;
  return (
    <details>
      <summary class="name">{text('step.arguments')}</summary>
      {view}
    </details>
  );
}

/** The result, in the form of its kind: diffs, a file to open, a list, output, pictures. */
function StepResult({ step: { action, observation } }: { step: Step }) {
  const post = usePost();
  if (!observation) return null;
  const { details, content, images } = observation;
  return (
    <>
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
      {details?.kind === 'todo' && <TodoList items={details.items} />}
      {details?.kind !== 'todo' && details?.kind !== 'edit' && (
        <Result content={content} isCommand={details?.kind === 'command'} />
      )}
      {images && (
        <ul class="pictures whole" data-testid="result-pictures">
          {images.map((image, index) => (
            <li key={index}>
              <img src={sourceOf(image)} alt={text('composer.picture', { n: index + 1 })} />
            </li>
          ))}
        </ul>
      )}
      {details?.kind === 'edit' && observation.outcome !== 'ok' && <Result content={content} isCommand={false} />}
      {details?.kind === 'command' && details.fullOutput && (
        <p class="dim">
          <button type="button" class="link" onClick={() => post({ type: 'open_file', path: details.fullOutput! })}>
            {text('step.fullOutput', { shown: formatBytes(content.length), total: formatBytes(details.outputBytes) })}
          </button>
        </p>
      )}
    </>
  );
}

/** Where it ran, its risk, and who decided. */
function Facts({ step }: { step: Step }) {
  const { action, observation, decision } = step;
  const details = observation?.details;
  const command = details?.kind === 'command' ? details : undefined;
  return (
    <dl class="facts">
      {command?.cwd && (
        <Fact name={text('step.cwd')} isCode>
          <Visible words={command.cwd} />
        </Fact>
      )}
      {(action.risk.level !== 'low' || action.risk.reasons.length > 0) && (
        <Fact name={text('step.risk')}>
          <RiskLine risk={action.risk} />
        </Fact>
      )}
      {command?.sandbox && <Fact name={text('step.place')}>{text(`step.place.${command.sandbox}`)}</Fact>}
      {decision && (
        <Fact name={text('step.decision')}>
          <DecisionWords step={step} decision={decision} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, isCode = false, children }: { name: string; isCode?: boolean; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={isCode ? 'code-font' : undefined}>{children}</dd>
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
