import type { Sampling, Candidate } from '../../src/protocol/events/event';
import type { RowOf } from '../state/rows';
import { isOpen, setOpen, postOnce, sent } from '../state/store';
import { counted, text } from '../base/text';
import { Card } from '../parts/Card';
import { StepLine } from '../steps/StepLine';
import { formatMoney, formatTokens } from '../base/format';
import { Markdown } from '../markdown/Markdown';
import { commandOfInput } from '../../src/protocol/plain/commandOfInput';
import { Icon } from '../parts/Icon';
import { InputView } from '../parts/InputView';
import { LongText } from '../parts/LongText';

/** The candidates of one step: one line that names the chosen one, and all of them side by side when expanded. */
export function CandidatesCard({ row }: { row: RowOf<'candidates'> }) {
  const { sampling, seq } = row;
  const open = isOpen(row.key);
  const count = counted('candidates.count', sampling.candidates.length);
  const which = text(`candidates.${sampling.fallback === undefined ? sampling.by : 'fallback'}`, {
    n: sampling.chosen + 1,
  });
  return (
    <Card row={row} class="step candidates" label={`${count}: ${which}`}>
      <StepLine
        line={{ verb: count, target: which, tone: sampling.fallback === undefined ? 'plain' : 'warn' }}
        open={open}
        onToggle={() => setOpen(row.key, !open)}
      />
      {open && (
        <div class="step-body">
          <CandidateList sampling={sampling} seq={seq} choosable />
        </div>
      )}
    </Card>
  );
}

/**
 * All candidates side by side, with the reason for the choice. `choosable`: the session can continue from another one.
 */
export function CandidateList({
  sampling,
  seq,
  choosable = false,
}: {
  sampling: Sampling;
  seq: number;
  choosable?: boolean;
}) {
  const others =
    choosable && sampling.candidates.some(({ problem }, index) => index !== sampling.chosen && problem === undefined);
  return (
    <>
      <dl class="facts">
        <div>
          <dt>{text('candidates.why')}</dt>
          <dd>{sampling.reason}</dd>
        </div>
      </dl>
      {commonOutput(sampling) !== undefined && <Judgement words={commonOutput(sampling)!} />}
      <ul class="candidate-list">
        {sampling.candidates.map((candidate, index) => (
          <CandidateView
            key={index}
            candidate={candidate}
            seq={seq}
            index={index}
            chosen={index === sampling.chosen}
            judgement={outputFor(sampling, index)}
            choosable={choosable}
          />
        ))}
      </ul>
      {others && <p class="dim">{text('candidates.continueHelp')}</p>}
    </>
  );
}

/** A judge compares all candidates in one text; a reward model writes one text for each. */
const isForEach = ({ outputs, candidates }: Sampling): boolean =>
  outputs.length === candidates.length && candidates.some(({ score }) => score !== undefined);
const commonOutput = (sampling: Sampling): string | undefined =>
  isForEach(sampling) ? undefined : sampling.outputs[0];
const outputFor = (sampling: Sampling, index: number): string | undefined =>
  isForEach(sampling) ? sampling.outputs[index] : undefined;

interface Props {
  readonly candidate: Candidate;
  readonly seq: number;
  readonly index: number;
  readonly chosen: boolean;
  readonly judgement: string | undefined;
  readonly choosable: boolean;
}

/** One candidate: its text and actions, score and problems, and a button to continue from it. */
function CandidateView({ candidate, seq, index, chosen, judgement, choosable }: Props) {
  const n = index + 1;
  const { score, problem, usage } = candidate;
  const key = `candidate-${seq}-${index}`;
  const done = sent.value.has(key);
  const words = candidate.text.trim();
  return (
    <li class={chosen ? 'candidate chosen' : 'candidate'} data-testid="candidate" aria-labelledby={key}>
      <div class="candidate-head">
        <strong id={key}>{text('candidates.number', { n })}</strong>
        {chosen && (
          <span class="chosen-mark">
            <Icon name="check" />
            {text('candidates.chosen')}
          </span>
        )}
        {score !== undefined && (
          <span class="meta">
            {score === null ? text('candidates.noScore') : text('candidates.score', { n: score })}
          </span>
        )}
      </div>
      {problem !== undefined && (
        <p class="warn-text">
          <Icon name="warning" /> {problem}
        </p>
      )}
      {words && (
        <LongText
          label={text('candidates.words', { n })}
          lines={words.split('\n').length}
          more={(rest) => counted('approval.below', rest)}
        >
          <Markdown source={words} />
        </LongText>
      )}
      {!words && candidate.calls.length === 0 && <p class="dim">{text('candidates.empty')}</p>}
      <Actions candidate={candidate} />
      {judgement !== undefined && <Judgement words={judgement} />}
      <p class="dim used">
        {[
          usage.outputTokens !== null && text('usage.out', { n: formatTokens(usage.outputTokens) }),
          usage.cost !== null && formatMoney(usage.cost),
          candidate.model,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {choosable && !chosen && problem === undefined && (
        <div class="buttons">
          <button
            type="button"
            class="secondary"
            data-testid="choose-candidate"
            aria-disabled={done}
            aria-label={text('candidates.continueLabel', { n })}
            onClick={() => postOnce(key, { type: 'choose_candidate', seq, index })}
          >
            {done ? text('approval.sent') : text('candidates.continue')}
          </button>
        </div>
      )}
    </li>
  );
}

/** Shows each call with its summary and full input. Formats that parse actions from text only have summaries. */
function Actions({ candidate: { calls, summary } }: { candidate: Candidate }) {
  const lines = summary.split('\n').filter(Boolean);
  if (lines.length === 0 && calls.length === 0) return null;
  if (calls.length === 0)
    return (
      <ul class="plain-lines" aria-label={text('candidates.actions')}>
        {lines.map((line, index) => (
          <li key={index} class="code-font">
            {line}
          </li>
        ))}
      </ul>
    );
  return (
    <>
      {calls.map((call, index) => {
        const input = inputOf(call);
        const line = lines.length === calls.length ? lines[index]! : calledTool(call);
        return (
          <div key={index} class="candidate-call">
            {!line.endsWith(commandOfInput(input)?.trim() ?? '\n') && <div>{line}</div>}
            <InputView input={input} />
          </div>
        );
      })}
    </>
  );
}

const functionOf = (call: unknown): { name?: unknown; arguments?: unknown } =>
  (call as { function?: object } | null)?.function ?? {};
const calledTool = (call: unknown): string => String(functionOf(call).name ?? '');

/** Returns the arguments of a call, or the raw text if they are not valid JSON. */
function inputOf(call: unknown): unknown {
  const words = functionOf(call).arguments;
  if (typeof words !== 'string') return words;
  try {
    return JSON.parse(words) as unknown;
  } catch {
    return words;
  }
}

/** Text of a judge, without markup. */
function Judgement({ words }: { words: string }) {
  return (
    <div class="block">
      <div class="name">{text('candidates.judge')}</div>
      <LongText
        label={text('candidates.judge')}
        lines={words.split('\n').length}
        more={(n) => counted('approval.below', n)}
      >
        <div class="plain dim">{words.trim()}</div>
      </LongText>
    </div>
  );
}
