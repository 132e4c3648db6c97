import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { counted, text } from '../base/text';

const freeLines = 24;

/** A text of any length: it wraps, scrolls vertically, and states how many lines are below. Nothing is truncated. */
export function LongText({
  label,
  lines,
  more,
  children,
}: {
  label: string;
  lines: number;
  more: (below: number) => string;
  children: ComponentChildren;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [below, setBelow] = useState(0);
  const [whole, setWhole] = useState(false);
  const measure = (): void => {
    const { current } = box;
    if (!current) return;
    const height = Math.max(1, parseFloat(getComputedStyle(current).lineHeight) || 18);
    setBelow(Math.round(Math.max(0, current.scrollHeight - current.clientHeight - current.scrollTop) / height));
  };
  useLayoutEffect(() => {
    measure();
    if (!box.current) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [lines, whole]);
  const long = !whole && (lines > freeLines || below > 0);
  return (
    <div class="long">
      <div
        ref={box}
        class={whole ? 'long-text' : 'long-text limited'}
        role="group"
        aria-label={label}
        tabIndex={long ? 0 : undefined}
        onScroll={measure}
      >
        {children}
      </div>
      {!whole && below > 0 && (
        <button
          type="button"
          class="link long-more"
          onClick={() => setWhole(true)}
        >{`${more(below)} · ${text('approval.showAll')}`}</button>
      )}
    </div>
  );
}

/** Plain text of any length. */
export const Long = ({ label, words, class: more = '' }: { label: string; words: string; class?: string }) => (
  <LongText label={label} lines={words.split('\n').length} more={(n) => counted('approval.below', n)}>
    <div class={`plain ${more}`}>{words}</div>
  </LongText>
);
