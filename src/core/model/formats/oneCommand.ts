import type { ReplyFormat, Proposal } from '../../ports/replyFormat';
import type { ModelReply } from '../../ports/model';

/** Expects exactly one fenced block with this label, which contains a command. */
export function fencedFormat(label: string, tool: string): ReplyFormat {
  const container = { one: `fenced block labelled ${label}`, several: `fenced blocks labelled ${label}` };
  return {
    name: 'fenced',
    sendsTools: false,
    read: (reply) => oneCommand(reply, blocksIn(reply.text, label), tool, container),
  };
}

/**
 * Finds the blocks with a label by the rules of Markdown: a block ends at a line with at least as many backticks as it
 * began with. Deviates from Markdown in one case: a labelled fence inside a block opens a nested block, as in a command
 * that writes a Markdown file.
 */
function blocksIn(text: string, label: string): Found[] {
  const found: Found[] = [];
  let open: { ticks: number; label: string; from: number; textFrom: number; depth: number } | undefined;
  for (const { 0: line, 1: ticks, 2: written, index } of text.matchAll(/^ {0,3}(`{3,})([^`\n]*)$/gm)) {
    const info = written!.trim();
    const after = Math.min(index + line.length + 1, text.length);
    if (!open) open = { ticks: ticks!.length, label: info, from: index, textFrom: after, depth: 0 };
    else if (info !== '') open.depth += ticks!.length === open.ticks ? 1 : 0;
    else if (ticks!.length >= open.ticks && open.depth > 0) open.depth--;
    else if (ticks!.length >= open.ticks) {
      if (open.label === label)
        found.push({
          command: text.slice(open.textFrom, Math.max(index, open.textFrom)).trim(),
          from: open.from,
          to: after,
        });
      open = undefined;
    }
  }
  if (open?.label === label)
    found.push({ command: text.slice(open.textFrom).trim(), from: open.from, to: text.length, open: true });
  return found;
}

/** Expects exactly one element with this tag, which contains a command, literally and without escapes. */
export function taggedFormat(tag: string, tool: string): ReplyFormat {
  const container = { one: `<${tag}> element`, several: `<${tag}> elements` };
  return {
    name: 'tagged',
    sendsTools: false,
    read: (reply) => oneCommand(reply, elementsIn(reply.text, tag), tool, container),
  };
}

function elementsIn(text: string, tag: string): Found[] {
  const found: Found[] = [];
  const opening = `<${tag}>`;
  const closing = `</${tag}>`;
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

/** A command found in a text. `from` and `to` are its offsets. `open`: its start or end is missing. */
interface Found {
  readonly command: string;
  readonly from: number;
  readonly to: number;
  readonly open?: boolean;
}

/**
 * Reads a reply that must contain exactly one command. `container`: words for what contains a command, singular and
 * plural.
 */
function oneCommand(
  reply: ModelReply,
  found: readonly Found[],
  tool: string,
  container: { readonly one: string; readonly several: string },
): Proposal {
  const { text, finishReason } = reply;
  const refusal = (problem: string): Proposal => ({
    text,
    written: text,
    groups: [],
    problem,
    unreadCalls: found.map(({ command }) => ({ tool, input: { command } })),
  });
  const counted =
    found.length > 1 ? `${found.length} ${container.several}` : `${found.length === 0 ? 'no' : 'one'} ${container.one}`;
  if (finishReason === 'length')
    return refusal(`The reply was cut off at the token limit, so none of it was run. It contains ${counted}.`);
  const [only] = found;
  if (found.length !== 1 || !only)
    return refusal(`The reply contains ${counted}; exactly one is needed. Nothing was run.`);
  if (only.open) return refusal(`The ${container.one} is incomplete. Nothing was run.`);
  if (only.command === '') return refusal(`The ${container.one} is empty. Nothing was run.`);
  const prose = [text.slice(0, only.from), text.slice(only.to)]
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n\n');
  return { text: prose, written: text, groups: [[{ id: '', tool, input: { command: only.command } }]] };
}
