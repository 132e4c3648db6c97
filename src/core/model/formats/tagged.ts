import type { ReplyFormat } from '../../ports/replyFormat';
import { oneCommand, type Found } from './oneCommand';

/** Expects exactly one element with this tag, which contains a command, literally and without escapes. */
export function taggedFormat(tag: string, tool: string): ReplyFormat {
  const place = { one: `<${tag}> element`, several: `<${tag}> elements` };
  return {
    name: 'tagged',
    sendsTools: false,
    read: (reply) => oneCommand(reply, elementsIn(reply.text, tag), tool, place),
  };
}

function elementsIn(text: string, tag: string): Found[] {
  const found: Found[] = [];
  const opening = `<${tag}>`,
    closing = `</${tag}>`;
  let from: number | undefined;
  for (const { 0: part, index } of text.matchAll(new RegExp(`</?${tag.replace(/[.\\-]/g, '\\$&')}>`, 'g'))) {
    if (part === opening && from === undefined) from = index;
    else {
      // Two opening or two closing tags in a row: it is unclear which was meant, so neither is run.
      const open = part === opening || from === undefined;
      const inside = from === undefined ? '' : text.slice(from + opening.length, index);
      found.push({
        command: inside.trim(),
        from: from ?? index,
        to: open ? index : index + closing.length,
        ...(open && { open }),
      });
      from = part === opening ? index : undefined;
    }
  }
  if (from !== undefined)
    found.push({ command: text.slice(from + opening.length).trim(), from, to: text.length, open: true });
  return found;
}
