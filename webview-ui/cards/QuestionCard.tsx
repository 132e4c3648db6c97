import { useState } from 'preact/hooks';
import type { RowOf } from '../rows';
import { Markdown } from '../markdown/Markdown';
import { postOnce, sent } from '../store';
import { text } from '../text';
import { Card } from './Card';
import { Icon } from './Icon';

export function QuestionCard({ row }: { row: RowOf<'question'> }) {
  const { action, question, observation } = row.step;
  const [words, setWords] = useState('');
  const answered = observation?.details?.kind === 'answer' ? observation.details.text : observation?.content;
  const off = sent.value.has(action.id);
  const answer = (reply: string): void => { if (reply.trim()) postOnce(action.id, { type: 'answer', actionId: action.id, text: reply }); };
  return (
    <Card row={row} class={observation ? 'question' : 'question waiting'} label={`${text('question.label')}: ${question?.question ?? ''}`}>
      <div data-testid="question">
        <div class="approval-head"><Icon name="question" /><span>{text(observation ? 'question.answered' : 'question.label')}</span></div>
        <Markdown source={question?.question ?? action.summary} />
        {observation
          ? <div class="answer plain">{answered}</div>
          : (
            <>
              <div class="choices">{question?.choices.map(choice => <button key={choice} type="button" class="secondary choice" data-testid="question-choice" aria-disabled={off} onClick={() => answer(choice)}>{choice}</button>)}</div>
              <div class="answer-form">
                <textarea class="grow" rows={1} data-testid="question-text" aria-label={text('question.answer')} placeholder={text('question.placeholder')} value={words} onInput={event => setWords(event.currentTarget.value)}
                  onKeyDown={event => { if (event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.isComposing) { event.preventDefault(); answer(words); } }} />
                <button type="button" class="secondary" data-testid="question-send" aria-disabled={off || !words.trim()} onClick={() => answer(words)}>{text('question.send')}</button>
              </div>
            </>
          )}
      </div>
    </Card>
  );
}
