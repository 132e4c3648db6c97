import type { ModelReply } from '../../ports/model';
import type { Proposal } from '../../ports/replyFormat';

/** A command found in a text. `from` and `to` are its offsets. `open`: its start or end is missing. */
export interface Found {
  readonly command: string;
  readonly from: number;
  readonly to: number;
  readonly open?: boolean;
}

/**
 * Reads a reply that must contain exactly one command. `place`: what contains a command, in words, singular and plural.
 */
export function oneCommand(
  reply: ModelReply,
  found: readonly Found[],
  tool: string,
  place: { readonly one: string; readonly several: string },
): Proposal {
  const { text, finishReason } = reply;
  const refused = (problem: string): Proposal => ({
    text,
    written: text,
    groups: [],
    problem,
    unreadCalls: found.map(({ command }) => ({ tool, input: { command } })),
  });
  const held =
    found.length > 1 ? `${found.length} ${place.several}` : `${found.length === 0 ? 'no' : 'one'} ${place.one}`;
  if (finishReason === 'length')
    return refused(`The reply was cut off at the token limit, so none of it was run. It contains ${held}.`);
  const [only] = found;
  if (found.length !== 1 || !only)
    return refused(`The reply contains ${held}; exactly one is needed. Nothing was run.`);
  if (only.open) return refused(`The ${place.one} is incomplete. Nothing was run.`);
  if (only.command === '') return refused(`The ${place.one} is empty. Nothing was run.`);
  const prose = [text.slice(0, only.from), text.slice(only.to)]
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n\n');
  return { text: prose, written: text, groups: [[{ id: '', tool, input: { command: only.command } }]] };
}
