import type { ReplyFormat } from '../../ports/replyFormat';
import { oneCommand, type Found } from './oneCommand';

/** Expects exactly one fenced block with this label, which contains a command. */
export function fencedFormat(label: string, tool: string): ReplyFormat {
  const place = { one: `fenced block labelled ${label}`, several: `fenced blocks labelled ${label}` };
  return {
    name: 'fenced',
    sendsTools: false,
    read: (reply) => oneCommand(reply, blocksIn(reply.text, label), tool, place),
  };
}

/**
 * Finds the blocks with a label by the rules of Markdown: a block ends at a line with at least as many backticks as it
 * began with. Deviates from Markdown in one case: a labelled fence inside a block opens a nested block, as in a command
 * that writes a Markdown file.
 */
function blocksIn(text: string, label: string): Found[] {
  const found: Found[] = [];
  let open: { ticks: number; label: string; from: number; inside: number; depth: number } | undefined;
  for (const { 0: line, 1: ticks, 2: written, index } of text.matchAll(/^ {0,3}(`{3,})([^`\n]*)$/gm)) {
    const info = written!.trim();
    const behind = Math.min(index + line.length + 1, text.length);
    if (!open) open = { ticks: ticks!.length, label: info, from: index, inside: behind, depth: 0 };
    else if (info !== '') open.depth += ticks!.length === open.ticks ? 1 : 0;
    else if (ticks!.length >= open.ticks && open.depth > 0) open.depth--;
    else if (ticks!.length >= open.ticks) {
      if (open.label === label)
        found.push({
          command: text.slice(open.inside, Math.max(index, open.inside)).trim(),
          from: open.from,
          to: behind,
        });
      open = undefined;
    }
  }
  if (open?.label === label)
    found.push({ command: text.slice(open.inside).trim(), from: open.from, to: text.length, open: true });
  return found;
}
