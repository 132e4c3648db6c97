import type { Image } from '../../protocol/events/event';
import type { ChatMessage } from '../ports/model';

type UserMessage = Extract<ChatMessage, { role: 'user' }>;

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

/** Maximum number of images in a chat for a server that refused more, and how many of the older ones go at a time. */
const maxRecentImages = 6;
const omittedAtOnce = 3;

export const hasOlderImages = (messages: readonly ChatMessage[]): boolean =>
  imagesOf(messages).length > maxRecentImages;

/** Total length of the images of a chat in a request, in characters of base64. */
export const imageLength = (messages: readonly ChatMessage[]): number =>
  imagesOf(messages).reduce((sum, { data }) => sum + data.length, 0);

const imagesOf = (messages: readonly ChatMessage[]): Image[] =>
  messages.flatMap((message) => (message.role === 'user' ? (message.images ?? []) : []));

/**
 * Returns the chat with only the latest images. Several older ones are omitted at a time, so that requests begin alike
 * while a few more images come; as above, stand-ins are the same objects.
 */
export function withRecentImages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const excess = imagesOf(messages).length - maxRecentImages;
  let toOmit = Math.ceil(excess / omittedAtOnce) * omittedAtOnce;
  if (toOmit <= 0) return messages;
  return messages.map((message) => {
    if (message.role !== 'user' || !message.images?.length || toOmit <= 0) return message;
    const omitted = Math.min(message.images.length, toOmit);
    toOmit -= omitted;
    const images = message.images.slice(omitted);
    const known = olderImageReplacements.get(message);
    if (known && (known.images?.length ?? 0) === images.length) return known;
    const content = `${message.content}\n\n${omittedWords(omitted)}`.trim();
    const standIn = { role: 'user' as const, content, ...(images.length > 0 && { images }) };
    olderImageReplacements.set(message, standIn);
    return standIn;
  });
}

const omittedWords = (count: number): string =>
  count === 1
    ? '[An older image was omitted: the server accepts only so many. Open it again to see it.]'
    : `[${count} older images were omitted: the server accepts only so many. Open them again to see them.]`;

const olderImageReplacements = new WeakMap<ChatMessage, UserMessage>();
const imageReplacements = new WeakMap<ChatMessage, ChatMessage>();
