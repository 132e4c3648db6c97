import type { Candidate } from '../../src/protocol/events/event';
import { money, tokens } from '../base/format';
import { Markdown } from '../markdown/Markdown';
import { postOnce, sent } from '../state/store';
import { commandOf } from '../base/summary';
import { counted, text } from '../base/text';
import { Icon } from '../parts/Icon';
import { InputView } from '../parts/InputView';
import { Judgement } from './Judgement';
import { LongText } from '../parts/LongText';

interface Props {
  readonly candidate: Candidate;
  readonly seq: number;
  readonly index: number;
  readonly chosen: boolean;
  readonly judgement: string | undefined;
  readonly choosable: boolean;
}

/** One candidate: its text and actions, score and problems, and a button to continue from it. */
export function CandidateView({ candidate, seq, index, chosen, judgement, choosable }: Props) {
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
          usage.outputTokens !== null && text('usage.out', { n: tokens(usage.outputTokens) }),
          usage.cost !== null && money(usage.cost),
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
            {!line.endsWith(commandOf(input)?.trim() ?? '\n') && <div>{line}</div>}
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
