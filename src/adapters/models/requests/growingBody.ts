import type { ChatMessage } from '../../../core/ports/model';
import { secrets } from '../../../core/secrets/secrets';
import { wellFormed } from './wellFormed';

/** The parts of a request body. */
export interface BodyParts {
  readonly messages: readonly ChatMessage[];
  /**
   * Returns the JSON of one message, or of several separated by commas. A marked message may render differently.
   * `before`: the preceding message.
   */
  render(message: ChatMessage, marked: boolean, before: ChatMessage | undefined): string;
  /** Returns the separator between two messages; a comma if absent. */
  separator?(message: ChatMessage, before: ChatMessage): string;
  /** Text after the last message; empty if absent. */
  readonly ending?: string;
  /** Returns whether the message at this index is marked; none is if absent. */
  isMarked?(message: ChatMessage, index: number): boolean;
  /** A value that changes whenever `render` would write equal messages differently. */
  readonly variant: string;
  /** The other fields of the body, written after the messages. */
  readonly rest: Record<string, unknown>;
}

/** Passes the bytes of a body to `work`; they are valid until it settles. */
type BodyWriter = <Answer>(parts: BodyParts, work: (body: Buffer) => Promise<Answer>) => Promise<Answer>;

/**
 * Writes request bodies: JSON objects whose first field, `list`, contains the messages. Each request begins with the
 * messages of the previous one, so the buffer is kept and only the rest is appended. Measured: a request with 2,000
 * messages takes 0.02 ms instead of 0.5, and the peak of 200 requests is 7 MB lower. Marks move, so the last few
 * messages are rewritten, but none before them.
 */
export function growingBody(list: string): BodyWriter {
  const opening = `{"${list}":[`;
  let bytes = Buffer.allocUnsafe(16 * 1024);
  let written: {
    readonly message: ChatMessage;
    readonly content: string;
    readonly marked: boolean;
    readonly end: number;
  }[] = [];
  let known = '';
  let lent = false;

  const put = (text: string, at: number): number => {
    const end = at + Buffer.byteLength(text);
    if (end > bytes.length) bytes = Buffer.concat([bytes.subarray(0, at)], 2 * end);
    bytes.write(text, at);
    return end;
  };

  const putMessages = ({
    messages,
    render,
    separator = () => ',',
    isMarked = () => false,
    variant,
  }: BodyParts): number => {
    // A secret learned since then must also be masked in what was already written.
    const words = `${secrets.version} ${variant}`;
    if (words !== known) written = [];
    known = words;
    // The result of a call is added to its message later, so the same object may have new content.
    const isFresh = (message: ChatMessage, index: number): boolean =>
      written[index]?.message !== message ||
      written[index].content !== message.content ||
      written[index].marked !== isMarked(message, index);
    const fresh = messages.findIndex(isFresh);
    written.length = fresh < 0 ? messages.length : fresh;
    for (const message of messages.slice(written.length)) {
      const marked = isMarked(message, written.length);
      const before = written.at(-1)?.message;
      const json = render(message, marked, before);
      const end = put(
        `${before ? separator(message, before) : opening}${secrets.maskKnown(wellFormed(json))}`,
        written.at(-1)?.end ?? 0,
      );
      written.push({ message, content: message.content, marked, end });
    }
    return written.at(-1)?.end ?? put(opening, 0);
  };

  return async (parts, work) => {
    // Two concurrent requests, such as candidates of one reply: the second gets its own buffer.
    if (lent) return growingBody(list)(parts, work);
    lent = true;
    try {
      const end = put(
        `${parts.ending ?? ''}],${secrets.maskKnown(wellFormed(JSON.stringify(parts.rest))).slice(1)}`,
        putMessages(parts),
      );
      return await work(bytes.subarray(0, end));
    } finally {
      lent = false;
    }
  };
}
