import { lineAt } from '../../text/numberedLines';
import { unified, type Replaced, type Replacement } from '../files/replacements';
import { strategies } from './strategies';

/**
 * Makes one replacement where the quoted text is, or where the first strategy that finds anything finds it. A text that fits several
 * places is refused. `differs` says how what was replaced is not what was quoted.
 */
export async function replaceMatching(
  text: string,
  { old_text, new_text, all = false }: Replacement,
): Promise<Replaced & { readonly differs?: string }> {
  const part = unified(old_text);
  const replacement = unified(new_text);
  if (part === '')
    return text === ''
      ? { text: replacement }
      : { refused: 'The text to replace is empty. Quote it, or the line beside which new text goes.' };
  if (part === replacement) return { refused: 'The old and the new text are the same.' };
  for (const { places: find, differs, approximate, adapt } of strategies) {
    const places = await find(text, part);
    if (places.length === 0) continue;
    if (places.length > 1 && (!all || approximate)) {
      const lines =
        places
          .slice(0, 10)
          .map(({ start }) => lineAt(text, start))
          .join(', ') + (places.length > 10 ? ', …' : '');
      return {
        refused: `The text ${differs === undefined ? 'is there' : 'is not there exactly, and fits'} ${places.length} times, at lines ${lines}. Quote more of the lines around the one that is meant${approximate ? '' : ', or replace all'}.`,
      };
    }
    const pieces: string[] = [];
    let copied = 0;
    for (const { start, end } of places) {
      pieces.push(text.slice(copied, start), adapt?.(replacement, text.slice(start, end), part) ?? replacement);
      copied = end;
    }
    return { text: pieces.join('') + text.slice(copied), ...(differs !== undefined && { differs }) };
  }
  return { missed: part };
}
