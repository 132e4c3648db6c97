import type { Image } from '../../protocol/events/event';
import type { ChatMessage } from '../ports/model';

export const dataUrl = ({ mediaType, data }: Image): string => `data:${mediaType};base64,${data}`;

/** Text in place of a message's images, for a model that does not accept them. */
export function imagesOmittedText(content: string, images: readonly Image[]): string {
  const words =
    images.length === 1
      ? `[An image (${images[0]!.mediaType}) was omitted: this model cannot read images.]`
      : `[${images.length} images were omitted: this model cannot read images.]`;
  return content ? `${content}\n\n${words}` : words;
}

export const hasImages = (messages: readonly ChatMessage[]): boolean =>
  messages.some((message) => message.role === 'user' && (message.images?.length ?? 0) > 0);

/**
 * Returns the chat for a model that does not accept images. The stand-in of a message is always the same object, so
 * that caches of converted messages stay valid.
 */
export const withoutImages = (messages: readonly ChatMessage[]): ChatMessage[] =>
  messages.map((message) => {
    if (message.role !== 'user' || !message.images?.length) return message;
    const content = imagesOmittedText(message.content, message.images);
    const known = imageReplacements.get(message);
    if (known?.content === content) return known;
    const standIn: ChatMessage = { role: 'user', content };
    imageReplacements.set(message, standIn);
    return standIn;
  });

const imageReplacements = new WeakMap<ChatMessage, ChatMessage>();
