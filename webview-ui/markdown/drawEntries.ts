import type { HtmlEntries } from './blocks';
import { sanitizeHtml } from './clean';

/**
 * Draws a list or table into an element that shows `before`, if given. Only entries that differ are drawn again, so a
 * long one costs no more than a short one.
 */
export function drawEntries(element: Element, block: HtmlEntries, before: HtmlEntries | undefined): void {
  const isSameFrame = before?.start === block.start && before.end === block.end;
  if (!isSameFrame) element.innerHTML = sanitizeHtml(block.start + block.end);
  const drawn = isSameFrame ? before.entries : [];
  const holder = holderIn(element);
  for (const [index, html] of block.entries.entries()) {
    if (html === drawn[index]) continue;
    const entry = entryElement(block, html);
    const old = holder.children[index];
    if (old) old.replaceWith(entry);
    else holder.append(entry);
  }
  while (holder.children.length > block.entries.length) holder.lastElementChild!.remove();
}

/** The element around the entries: the outermost list, or the body of the table. */
const holderIn = (element: Element): Element => element.querySelector('ul, ol, tbody')!;

/** An entry alone would lose its tags: a row is only one inside a table. */
function entryElement({ start, end }: HtmlEntries, html: string): Element {
  const frame = document.createElement('div');
  frame.innerHTML = sanitizeHtml(start + html + end);
  return holderIn(frame).firstElementChild!;
}
