import { useEffect, useRef } from 'preact/hooks';
import type { Completion } from '../../src/protocol/panel/panel';
import { Icon } from '../parts/Icon';
import { Visible } from '../parts/VisibleText';
import { offered } from '../state/completion';
import { text } from '../base/text';

export const optionId = (index: number): string => `completion-${index}`;

/** The completion list above the composer. The composer keeps the focus and handles the keys. */
export function Completions({ onTake }: { onTake(item: Completion): void }) {
  const list = useRef<HTMLDivElement>(null);
  const known = offered.value;
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [known?.chosen, known?.items]);
  if (!known) return null;
  return (
    <div
      class="completions"
      ref={list}
      id="completions"
      role="listbox"
      aria-label={text('composer.completions')}
      data-testid="completions"
    >
      {known.items.map((item, index) => (
        <div
          key={item.insert}
          id={optionId(index)}
          role="option"
          aria-selected={index === known.chosen}
          class="completion"
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(item);
          }}
        >
          <Icon name={item.icon} />
          <span class="completion-label">
            <Visible words={item.label} />
          </span>
          <span class="dim completion-detail">
            <Visible words={item.detail} />
          </span>
        </div>
      ))}
    </div>
  );
}
