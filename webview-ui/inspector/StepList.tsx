import { useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { memo } from 'preact/compat';
import { VList, type VListHandle } from 'virtua';
import type { StepRow } from '../../src/protocol/inspector/inspector';
import { focusWhenThere, listenToMoves, moveToSeq } from './state/moves';
import { Nothing } from './Nothing';
import { RowLine } from './RowLine';
import { StepView } from './StepView';
import { focused, isOpen, opened, runs, setOpen, shownRows, stepToReveal } from './state/store';
import { say } from './state/words';

/** The steps of a run. Only those near the viewport are rendered. */
export function StepList() {
  const list = useRef<VListHandle>(null);
  const rows = shownRows.value;

  useLayoutEffect(
    () =>
      listenToMoves({
        count: () => shownRows.value.length,
        focusedIndex: () => shownRows.value.findIndex(({ seq }) => seq === focused.value),
        seqAt: (index) => shownRows.value[index]?.seq,
        isOpen: (index) => isOpen(0, shownRows.value[index]!.seq),
        setOpen: (index, open) => setOpen(0, shownRows.value[index]!.seq, open),
        go(index, start) {
          const row = shownRows.value[index];
          if (!row) return;
          focused.value = row.seq;
          list.current?.scrollToIndex(index, { align: start ? 'start' : 'nearest' });
          focusWhenThere(`.row-line[data-seq="${row.seq}"]`, () => focused.peek() === row.seq);
        },
        scroll: (pixels) => list.current?.scrollBy(pixels),
      }),
    [],
  );

  // The step that the host wants to show may be among rows that are still loading.
  useSignalEffect(() => {
    const { value } = stepToReveal;
    if (value?.run !== 0 || !shownRows.value.some(({ seq }) => seq === value.seq)) return;
    requestAnimationFrame(() => {
      if (stepToReveal.peek() === value && moveToSeq(value.seq)) stepToReveal.value = undefined;
    });
  });

  if (rows.length === 0) return <Nothing />;
  const at = rows.findIndex(({ seq }) => seq === focused.value);
  const [run] = runs.value;
  return (
    <>
      <Columns />
      <VList
        ref={list as never}
        class="steps"
        role="feed"
        aria-label={say('list.label')}
        aria-busy={(run?.rows.length ?? 0) < (run?.total ?? 0)}
        data={rows as StepRow[]}
        bufferSize={300}
        keepMounted={at >= 0 ? [at] : []}
      >
        {(row: StepRow, index: number) => (
          <Slot
            key={row.seq}
            row={row}
            index={index}
            size={rows.length}
            current={row.seq === focused.value || (at < 0 && index === 0)}
            open={opened.value.has(`0:${row.seq}`)}
          />
        )}
      </VList>
    </>
  );
}

interface SlotProps {
  readonly row: StepRow;
  readonly index: number;
  readonly size: number;
  readonly current: boolean;
  readonly open: boolean;
}

const Slot = memo(function Slot({ row, index, size, current, open }: SlotProps) {
  return (
    <article
      class={open ? 'step open' : 'step'}
      aria-posinset={index + 1}
      aria-setsize={size}
      aria-label={row.line || row.kind}
    >
      <RowLine
        row={row}
        open={open}
        current={current}
        onFocus={() => {
          focused.value = row.seq;
        }}
        onToggle={() => {
          focused.value = row.seq;
          setOpen(0, row.seq, !isOpen(0, row.seq));
        }}
      />
      {open && <StepView run={0} row={row} />}
    </article>
  );
});

/** Headings of the columns; for screen readers, each row names its own values. */
const Columns = () => (
  <div class="columns" aria-hidden="true">
    <span class="row-words">{say('column.step')}</span>
    <span class="row-figure time">{say('column.time')}</span>
    <span class="row-figure tokens">{say('column.tokens')}</span>
    <span class="row-figure cost">{say('column.cost')}</span>
  </div>
);
