import { counted, text } from '../base/text';
import { LongText } from '../parts/LongText';

/** Text of a judge, without markup. */
export function Judgement({ words }: { words: string }) {
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
