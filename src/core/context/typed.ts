import { mayPrecede } from './mentions';

/**
 * What is being typed at the end of a text that completion can help with. `length`: characters
 * from the sign on, which a choice replaces.
 */
export interface Typed {
  readonly sign: '/' | '@';
  readonly query: string;
  readonly length: number;
}

const typedMention = new RegExp(String.raw`${mayPrecede}@((?:[a-z]+:)?(?:"[^"\n]*|[^\s"]*))$`, 'u');

/** Of the text before the cursor. A command stands at the very beginning of a message. */
export function typedAt(before: string): Typed | undefined {
  const command = /^\s*\/(\S*)$/.exec(before);
  if (command) return { sign: '/', query: command[1]!, length: command[1]!.length + 1 };
  const mention = typedMention.exec(before);
  if (!mention) return undefined;
  return { sign: '@', query: mention[1]!.replace('"', ''), length: mention[1]!.length + 1 };
}
