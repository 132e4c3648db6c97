import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { memo } from 'preact/compat';
import { post } from '../base/host';
import { growBlocks, noBlocks } from './blocks';
import { clean } from './clean';
import { highlightBlocks } from './highlight';

/** Words of a model. While they stream, closed blocks stay as they are and only the last is drawn again. */
export function Markdown({ source, streaming = false }: { source: string; streaming?: boolean }) {
  const before = useRef(noBlocks);
  const blocks = useMemo(() => (before.current = growBlocks(before.current, source)), [source]);
  return (
    <div
      class="markdown"
      onClick={activate}
      onKeyDown={(event) => {
        if (event.key === 'Enter') activate(event);
      }}
    >
      {blocks.closed.map((html, index) => (
        <Block key={index} html={html} closed />
      ))}
      <Block key={blocks.closed.length} html={blocks.open} closed={!streaming} />
    </div>
  );
}

const Block = memo(function Block({ html, closed }: { html: string; closed: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  const safe = useMemo(() => ({ __html: clean(html) }), [html]);
  useLayoutEffect(() => {
    if (closed && element.current) highlightBlocks(element.current);
  }, [html, closed]);
  return <div ref={element} dangerouslySetInnerHTML={safe} />;
});

function activate(event: Event): void {
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
