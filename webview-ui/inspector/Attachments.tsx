import type { EventOf } from '../../src/protocol/events/event';
import { sourceOf } from '../parts/PictureStrip';
import { text } from '../base/text';
import { Long } from '../parts/LongText';

/** Content sent with a person's message: images and mentioned context, as the model read it. */
export function Attachments({
  event: { images = [], context = [] },
}: {
  event: EventOf<'task_started' | 'user_message'>;
}) {
  return (
    <>
      {images.length > 0 && (
        <ul class="pictures whole" data-testid="seen-pictures">
          {images.map((image, index) => (
            <li key={index}>
              <img src={sourceOf(image)} alt={text('composer.picture', { n: index + 1 })} />
            </li>
          ))}
        </ul>
      )}
      {context.map((part, index) => (
        <details key={index} class="block" data-testid="context">
          <summary class="name">
            {part.label} {text('feed.tokens', { n: part.tokens.toLocaleString() })}
          </summary>
          <Long label={part.label} words={part.text} />
        </details>
      ))}
    </>
  );
}
