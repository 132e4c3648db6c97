import { Icon } from '../parts/Icon';

/** One dim line that expands to the full text. */
export function Reasoning({
  label,
  words,
  open,
  onToggle,
}: {
  label: string;
  words: string;
  open: boolean;
  onToggle: () => void;
}) {
  const line = words.trim().replace(/\s+/g, ' ');
  return (
    <div class="reasoning">
      <button type="button" class="step-row" data-toggle aria-expanded={open} tabIndex={-1} onClick={onToggle}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} class="chevron" />
        <span class="verb">{label}</span>
        {!open && <span class="target">{line.slice(0, 200)}</span>}
      </button>
      {open && <div class="step-body plain dim">{words.trim()}</div>}
    </div>
  );
}
