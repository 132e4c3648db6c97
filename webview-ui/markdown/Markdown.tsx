import { effect } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { memo } from 'preact/compat';
import { post } from '../base/host';
import { text } from '../base/text';
import { layoutScript, loadLayout } from '../layout/loadLayout';
import { growBlocks, noBlocks, type Blocks, type HtmlEntries } from './blocks';
import { sanitizeHtml } from './clean';
import { drawEntries } from './drawEntries';
import { withHighlighting, highlightLater } from './highlight';

/** Last streamed blocks. The card of the complete reply replaces the stream and reuses them. */
let streamed = noBlocks;

/** Text of a model. While it streams, closed blocks are kept and only the last one is rendered again. */
export function Markdown({ source, streaming = false }: { source: string; streaming?: boolean }) {
  const before = useRef<Blocks>(undefined);
  const blocks = useMemo(
    () => (before.current = growBlocks(before.current ?? streamed, source, { goesOn: streaming })),
    [source, streaming],
  );
  if (streaming) streamed = blocks;
  return (
    <div
      class="markdown"
      onClick={onActivate}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onActivate(event);
      }}
    >
      {blocks.closed.map((html, index) => (
        <Block key={index} html={html} closed />
      ))}
      {streaming && blocks.openEntries ? (
        <GrowingBlock key={blocks.closed.length} block={blocks.openEntries} />
      ) : (
        <Block key={blocks.closed.length} html={blocks.open} closed={!streaming} />
      )}
    </div>
  );
}

const Block = memo(function Block({ html, closed }: { html: string; closed: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  const safe = useMemo(() => ({ __html: closed ? finalHtml(html) : sanitizeHtml(html) }), [html, closed]);
  useLayoutEffect(() => {
    if (!closed || !element.current) return undefined;
    highlightLater(element.current);
    return drawDiagrams(element.current);
  }, [html, closed]);
  return <div ref={element} dir="auto" dangerouslySetInnerHTML={safe} />;
});

/** A list or table that goes on. Its finished entries are not drawn again. */
const GrowingBlock = memo(function GrowingBlock({ block }: { block: HtmlEntries }) {
  const element = useRef<HTMLDivElement>(null);
  const drawn = useRef<HtmlEntries>(undefined);
  useLayoutEffect(() => {
    drawEntries(element.current!, block, drawn.current);
    drawn.current = block;
  }, [block]);
  return <div ref={element} dir="auto" />;
});

/** Draws the Mermaid blocks of an element once their script is loaded. Returns a function that stops waiting for it. */
function drawDiagrams(element: HTMLElement): (() => void) | undefined {
  const codes = [...element.querySelectorAll<HTMLElement>('code[data-language="mermaid"]')];
  const blocks = codes.flatMap((code) => code.closest<HTMLElement>('.code') ?? []);
  if (blocks.length === 0) return undefined;
  loadLayout();
  return effect(() => {
    for (const block of blocks) layoutScript.value?.showDiagram(block, text);
  });
}

const drawn = new Map<string, string>();
const maxDrawnBlocks = 400;
const maxDrawnLength = 20_000;

/**
 * Returns the final HTML of a closed block. Recent ones are cached, because cards are unmounted and mounted again
 * during scrolling.
 */
function finalHtml(html: string): string {
  const known = drawn.get(html);
  if (known !== undefined) return known;
  const inColours = withHighlighting(html);
  if (inColours === undefined) return sanitizeHtml(html);
  const safe = sanitizeHtml(inColours);
  if (html.length > maxDrawnLength) return safe;
  const [oldest] = drawn.size >= maxDrawnBlocks ? drawn.keys() : [];
  if (oldest !== undefined) drawn.delete(oldest);
  drawn.set(html, safe);
  return safe;
}

function onActivate(event: Event): void {
  const target = event.target as HTMLElement;
  const place = target.closest<HTMLElement>('[data-file]')?.dataset;
  if (place?.file !== undefined) {
    event.preventDefault();
    event.stopPropagation();
    post({ type: 'open_file', path: place.file, ...(place.line !== undefined && { line: Number(place.line) }) });
    return;
  }
  const url = target.closest<HTMLElement>('[data-url]')?.dataset.url;
  const copied = target.closest('[data-copy]')?.closest('.code')?.querySelector('code')?.textContent;
  if (url === undefined && (copied == null || event.type === 'keydown')) return;
  event.preventDefault();
  event.stopPropagation();
  post(url === undefined ? { type: 'copy', text: copied ?? '' } : { type: 'open_link', url });
}
