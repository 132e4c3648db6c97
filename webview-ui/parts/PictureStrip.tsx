import type { Image } from '../../src/protocol/events/event';
import { Icon } from './Icon';
import { pictures } from '../base/pictures';
import { facts } from '../state/store';
import { text } from '../base/text';

export const sourceOf = ({ mediaType, data }: Image): string => `data:${mediaType};base64,${data}`;

/** Images for the next message, and whether the model will see them. */
export function PictureStrip() {
  if (pictures.value.length === 0) return null;
  const blind = facts.value?.sees === false || facts.value?.model?.textOnly === true;
  return (
    <div data-testid="pictures">
      {blind && (
        <div class="banner warning" role="status">
          <Icon name="eye-closed" />
          <span>{text('composer.blind', { name: facts.value?.model?.name ?? '' })}</span>
        </div>
      )}
      <ul class="pictures">
        {pictures.value.map((picture, index) => (
          <li key={index}>
            <img src={sourceOf(picture)} alt={text('composer.picture', { n: index + 1 })} />
            <button
              type="button"
              class="icon-button codicon codicon-close"
              aria-label={text('composer.pictureRemove', { n: index + 1 })}
              onClick={() => {
                pictures.value = pictures.value.filter((_, at) => at !== index);
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
