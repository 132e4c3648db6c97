import type { RowOf } from '../state/rows';
import { Markdown } from '../markdown/Markdown';
import { isReadOnly, postOnce, sent } from '../state/store';
import { text } from '../base/text';
import { Card } from '../parts/Card';
import { Icon } from '../parts/Icon';

/** A question and its answer. It is answered with a choice here or in the composer. */
export function QuestionCard({ row }: { row: RowOf<'question'> }) {
  const { action, question, observation } = row.step;
  const choices = question?.choices ?? [];
  const answered = observation?.details?.kind === 'answer' ? observation.details.text : observation?.content;
  const off = sent.value.has(action.id) || isReadOnly.value;
  return (
    <Card
      row={row}
      class={observation ? 'question' : 'question waiting'}
      label={`${text('question.label')}: ${question?.question ?? ''}`}
    >
      <div data-testid="question">
        <div class="approval-head">
          <Icon name="question" />
          <span>{text(observation ? 'question.answered' : 'question.label')}</span>
        </div>
        <Markdown source={question?.question ?? action.summary} />
        {observation ? (
          <div class="answer plain">{answered}</div>
        ) : (
          <>
            <div class="choices">
              {choices.map((choice) => (
                <button
                  key={choice}
                  type="button"
                  class="secondary choice"
                  data-testid="question-choice"
                  aria-disabled={off}
                  onClick={() => {
                    if (!off) postOnce(action.id, { type: 'answer', actionId: action.id, text: choice });
                  }}
                >
                  {choice}
                </button>
              ))}
            </div>
            <p class="dim">{text(choices.length > 0 ? 'question.below' : 'question.writeBelow')}</p>
          </>
        )}
      </div>
    </Card>
  );
}
