/**
 * The thinking blocks of one reply in order, with notes where text or calls came between two of them: the API refuses
 * such blocks if they come back in another order.
 */
type Thought = { readonly type: 'thinking' | 'redacted_thinking' } | BlockPlace;

type BlockPlace =
  | { readonly type: 'place'; readonly of: 'text'; readonly length: number }
  | { readonly type: 'place'; readonly of: 'tool_use' };

/**
 * Returns the blocks of a reply to send back, each as JSON: thinking at its original position, text and calls around
 * it.
 */
export function orderedBlocks(thoughts: readonly object[], text: string, calls: readonly string[]): string[] {
  const blocks: string[] = [];
  const openCalls = [...calls];
  let rest = text;
  const addText = (words: string): void => {
    if (words.trim() !== '') blocks.push(JSON.stringify({ type: 'text', text: words }));
  };
  for (const thought of thoughts as readonly Thought[]) {
    if (thought.type !== 'place') {
      blocks.push(JSON.stringify(thought));
    } else if (thought.of === 'text') {
      addText(rest.slice(0, thought.length));
      rest = rest.slice(thought.length);
    } else {
      blocks.push(...openCalls.splice(0, 1));
    }
  }
  addText(rest);
  return [...blocks, ...openCalls];
}

interface Block {
  readonly type: string;
  readonly text?: string | undefined;
}

/** Returns what to remember of a reply's blocks in addition to its text and calls. */
export function rememberedBlocks<Given extends Block>(
  blocks: readonly Given[],
  whole: (block: Given) => object,
): object[] {
  const isThought = ({ type }: Block): boolean => type === 'thinking' || type === 'redacted_thinking';
  const lastThought = blocks.findLastIndex(isThought);
  return blocks.slice(0, lastThought + 1).flatMap((block): object[] => {
    if (isThought(block)) return [whole(block)];
    if (block.type === 'text')
      return [{ type: 'place', of: 'text', length: block.text?.length ?? 0 } satisfies BlockPlace];
    return block.type === 'tool_use' ? [{ type: 'place', of: 'tool_use' } satisfies BlockPlace] : [];
  });
}
