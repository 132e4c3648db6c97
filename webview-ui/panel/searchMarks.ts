import { useEffect } from 'preact/hooks';
import { search } from '../state/store';

/** Name of the marks in the style sheet: `::highlight(search)`. */
const name = 'search';
/** More matches than anyone looks at; each is a range that the browser keeps up to date. */
const maxMarks = 1000;

/** Marks each match of the search in what is drawn of the feed, with the CSS Custom Highlight API. */
export function useSearchMarks(feed: () => HTMLElement | null): void {
  const words = search.value?.toLowerCase();
  useEffect(() => {
    const element = feed();
    if (!words || !element || !('highlights' in CSS)) return undefined;
    let frame = 0;
    const mark = () => {
      frame = 0;
      CSS.highlights.set(name, new Highlight(...matchesIn(element, words)));
    };
    const markSoon = () => {
      frame ||= requestAnimationFrame(mark);
    };
    const watcher = new MutationObserver(markSoon);
    watcher.observe(element, { subtree: true, childList: true, characterData: true });
    markSoon();
    return () => {
      watcher.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(name);
    };
  }, [words]);
}

/** Returns the matches in the text below an element. A match does not extend over several text nodes. */
function matchesIn(element: HTMLElement, words: string): Range[] {
  const found: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && found.length < maxMarks; node = texts.nextNode()) {
    const text = inLowerCase(node.nodeValue!);
    for (
      let at = text.indexOf(words);
      at >= 0 && found.length < maxMarks;
      at = text.indexOf(words, at + words.length)
    ) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      found.push(range);
    }
  }
  return found;
}

/** Like `toLowerCase`, but leaves letters that become longer, such as \u0130, so that all places stay the same. */
function inLowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replace(/./gsu, (letter) =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
  );
}
