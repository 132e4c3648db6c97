import { effect } from '@preact/signals';
import { laterScript } from '../layout/laterScript';
import type { Colours } from '../layout/colours';
import { sanitizeHtml } from './clean';

const colours = laterScript<Colours>('colours.js', 'waymarkColours');
const maxLinesAtOnce = 150;

const shortBlock = /<code data-language="([^"]+)">([^<]*)<\/code>/g;
const signs: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/**
 * Returns the HTML of a block with its code in colours, except long code. It still has to pass through `sanitizeHtml`. Returns
 * undefined if a language was not used before, so that the block is shown sooner than its colours.
 */
export function withHighlighting(html: string): string | undefined {
  const loaded = colours.loaded.peek();
  for (const [, language] of html.matchAll(shortBlock)) if (!loaded?.isReady(language!)) return undefined;
  return html.replace(shortBlock, (written, language: string, escaped: string) => {
    const code = escaped.replace(/&(?:amp|lt|gt|quot);/g, (sign) => signs[sign]!);
    if (code.split('\n', maxLinesAtOnce + 1).length > maxLinesAtOnce) return written;
    return `<code data-language="${language}" class="hljs">${loaded?.highlighted(code, language) ?? escaped}</code>`;
  });
}

/** Colours the code below an element that has no colours yet, when the browser is idle. */
export function highlightLater(element: HTMLElement): void {
  const codes = [...element.querySelectorAll<HTMLElement>('code[data-language]:not(.hljs)')].filter(
    ({ dataset }) => dataset.language,
  );
  if (codes.length === 0) return;
  colours.load();
  const stop = effect(() => {
    const loaded = colours.loaded.value;
    if (!loaded) return;
    // `stop` is not assigned yet if the script was loaded before.
    queueMicrotask(() => stop());
    for (const code of codes) colourWhenIdle(code, loaded);
  });
}

function colourWhenIdle(code: HTMLElement, { isReady, makeReady, highlighted }: Colours): void {
  const name = code.dataset.language!;
  const colour = (): void => {
    const html = highlighted(code.textContent, name);
    code.classList.add('hljs');
    if (html !== undefined) code.innerHTML = sanitizeHtml(html);
  };
  requestIdleCallback(() => {
    if (isReady(name)) return colour();
    makeReady(name);
    requestIdleCallback(colour);
  });
}
