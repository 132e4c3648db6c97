import { hasImages, withoutImages } from '../images';
import type { Model } from '../../ports/model';

/**
 * Sends chats with images to `seeing`, the model that accepts them. If there is none, replaces images with text and
 * sends a notice.
 */
export function imageRouter(model: Model, seeing?: Model): Model {
  let hasWarned = false;
  return {
    info: model.info,
    complete(request, signal) {
      if (!hasImages(request.messages)) return model.complete(request, signal);
      if (seeing) return seeing.complete(request, signal);
      if (!hasWarned)
        request.onNotice?.(
          `${model.info.name} cannot read images, so Waymark omits them. Name a model that can in the setting waymark.model.vision.`,
        );
      hasWarned = true;
      return model.complete({ ...request, messages: withoutImages(request.messages) }, signal);
    },
  };
}
