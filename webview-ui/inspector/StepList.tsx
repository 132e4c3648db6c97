import { useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { memo } from 'preact/compat';
import { VList, type VListHandle } from 'virtua';
import type { StepRow } from '../../src/protocol/inspector';
import { listenToMoves, moveToSeq } from './moves';
import { RowLine } from './RowLine';
import { StepView } from './StepView';
import { find, focused, isOpen, opened, runs, setOpen, shownRows, tags, wanted, words } from './store';
import { say } from './words';

/** The steps of a run: only those near the view are in the document. */
export function StepList() {
  const list = useRef<VListHandle>(null);
  const rows = shownRows.value;

  useLayoutEffect(() => listenToMoves({
    go(index, start) {
      const row = shownRows.peek()[index];
      if (!row) return;
      list.current?.scrollToIndex(index, { align: start ? 'start' : 'nearest' });
      focusWhenThere(row.seq);
    },
    scroll: pixels => list.current?.scrollBy(pixels),
  }), []);

  // A step that the host wants to show may be among rows that are still on their way.
  useSignalEffect(() => {
    const { value } = wanted;
    if (value?.run !== 0 || !shownRows.value.some(({ seq }) => seq === value.seq)) return;
    requestAnimationFrame(() => { if (wanted.peek() === value && moveToSeq(value.seq)) wanted.value = undefined; });
  });

  if (rows.length === 0) return <Nothing />;
  const at = rows.findIndex(({ seq }) => seq === focused.value);
  return (
    <>
    <Columns />
    <VList ref={list as never} class="steps" role="feed" aria-label={say('list.label')} aria-busy={(runs.value[0]?.rows.length ?? 0) < (runs.value[0]?.total ?? 0)} data={rows as StepRow[]} bufferSize={300} keepMounted={at >= 0 ? [at] : []}>
      {(row: StepRow, index: number) => <Slot key={row.seq} row={row} index={index} size={rows.length} current={row.seq === focused.value || (at < 0 && index === 0)} open={opened.value.has(`0:${row.seq}`)} />}
    </VList>
    </>
  );
}

/** What the figures are; each row says it to those who hear it. */
const Columns = () => (
  <div class="columns" aria-hidden="true">
    <span class="row-words">{say('column.step')}</span><span class="row-figure time">{say('column.time')}</span><span class="row-figure tokens">{say('column.tokens')}</span><span class="row-figure cost">{say('column.cost')}</span>
  </div>
);

/** A row far away is drawn, then measured, and only then can it have the focus; unless the person has moved on by then. */
function focusWhenThere(seq: number, frames = 60): void {
  if (focused.peek() !== seq) return;
  const button = document.querySelector<HTMLButtonElement>(`.row-line[data-seq="${seq}"]`);
  button?.focus({ preventScroll: true });
  if (frames > 0 && (!button || document.activeElement !== button)) requestAnimationFrame(() => focusWhenThere(seq, frames - 1));
}

interface SlotProps { readonly row: StepRow; readonly index: number; readonly size: number; readonly current: boolean; readonly open: boolean }

const Slot = memo(function Slot({ row, index, size, current, open }: SlotProps) {
  return (
    <article class={open ? 'step open' : 'step'} aria-posinset={index + 1} aria-setsize={size} aria-label={row.line || row.kind}>
      <RowLine row={row} open={open} current={current} onFocus={() => { focused.value = row.seq; }} onToggle={() => { focused.value = row.seq; setOpen(0, row.seq, !isOpen(0, row.seq)); }} />
      {open && <StepView run={0} row={row} />}
    </article>
  );
});

function Nothing() {
  const run = runs.value[0];
  const filtered = words.value.trim() !== '' || tags.value.size > 0;
  if (!filtered) return <p class="nothing dim" data-testid="nothing">{say(run ? 'run.empty' : 'run.loading')}</p>;
  return <div class="nothing dim" data-testid="nothing"><p>{say('list.none')}</p><button type="button" class="link" onClick={() => { find(''); tags.value = new Set(); }}>{say('list.clear')}</button></div>;
}
