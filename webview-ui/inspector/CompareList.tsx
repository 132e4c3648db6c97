import { useLayoutEffect, useRef } from 'preact/hooks';
import { memo } from 'preact/compat';
import { VList, type VListHandle } from 'virtua';
import {
  focusedPair,
  openPair,
  shownPairs,
  type Pair,
  different,
  nextDifference,
  onlyDifferent,
} from './state/compareStore';
import { focusWhenThere, listenToMoves } from './state/moves';
import { Nothing } from './Nothing';
import { RowLine } from './RowLine';
import { StepView } from './StepView';
import { isOpen, opened, pairs, runs } from './state/store';
import { say, sayCounted } from './state/words';
import type { RunFacts } from '../../src/protocol/inspector/inspector';
import { Parts } from '../parts/Parts';
import { End, factsLine } from './Header';

const isPairOpen = ({ rows }: Pair): boolean => rows.some((row, run) => row !== undefined && isOpen(run, row.seq));

/** Two runs side by side, with common steps on the same line. */
export function CompareList() {
  const list = useRef<VListHandle>(null);
  const pairs = shownPairs.value;
  useLayoutEffect(() => {
    const go = (index: number, start: boolean): void => {
      const pair = shownPairs.value[index];
      if (!pair) return;
      focusedPair.value = pair.row;
      list.current?.scrollToIndex(index, { align: start ? 'start' : 'nearest' });
      focusWhenThere(`[data-pair="${pair.row}"] .row-line`, () => focusedPair.peek() === pair.row);
    };
    return listenToMoves({
      count: () => shownPairs.value.length,
      focusedIndex: () => shownPairs.value.findIndex(({ row }) => row === focusedPair.value),
      seqAt: (index) => shownPairs.value[index]?.rows[0]?.seq,
      isOpen: (index) => isPairOpen(shownPairs.value[index]!),
      setOpen: (index, open) => openPair(shownPairs.value[index]!, open),
      go,
      scroll: (pixels) => list.current?.scrollBy(pixels),
    });
  }, []);
  if (pairs.length === 0) return <Nothing />;
  const at = pairs.findIndex(({ row }) => row === focusedPair.value);
  return (
    <VList
      ref={list as never}
      class="steps"
      role="feed"
      aria-label={say('compare.label')}
      data={pairs as Pair[]}
      bufferSize={300}
      keepMounted={at >= 0 ? [at] : []}
    >
      {(pair: Pair, index: number) => (
        <Slot
          key={pair.row}
          pair={pair}
          index={index}
          size={pairs.length}
          current={index === Math.max(0, at)}
          open={isPairOpen(pair)}
          opened={opened.value}
        />
      )}
    </VList>
  );
}

interface SlotProps {
  readonly pair: Pair;
  readonly index: number;
  readonly size: number;
  readonly current: boolean;
  readonly open: boolean;
  readonly opened: ReadonlySet<string>;
}

const Slot = memo(function Slot({ pair, index, size, current, open }: SlotProps) {
  const lone = pair.rows[0] ? 0 : 1;
  return (
    <article
      class={`pair-row${pair.same ? '' : ' differs'}`}
      data-testid="pair"
      data-pair={pair.row}
      aria-posinset={index + 1}
      aria-setsize={size}
      aria-label={say(pair.same ? 'compare.same' : 'compare.differs')}
    >
      {pair.rows.map((row, run) => (
        <div key={run} class="side">
          {row ? (
            <RowLine
              row={row}
              open={open}
              current={current}
              reachable={run === lone}
              onFocus={() => {
                focusedPair.value = pair.row;
              }}
              onToggle={() => {
                focusedPair.value = pair.row;
                openPair(pair, !open);
              }}
            />
          ) : (
            <div class="row-gap" aria-label={say('compare.gap')} role="note" />
          )}
          {row && open && <StepView run={run} row={row} />}
        </div>
      ))}
    </article>
  );
});

/** Short description of both runs, and where they diverge. */
export function CompareHeader() {
  const first = pairs.value.findIndex(({ same }) => !same);
  return (
    <header class="run-head compare-head">
      {runs.value.map(({ facts }, run) => (
        <Side key={run} facts={facts} />
      ))}
      <p class="compare-line" data-testid="compare-line">
        <span>
          {different.value === 0
            ? say('compare.alike')
            : sayCounted('compare.different', different.value, { total: pairs.value.length })}
        </span>
        {first >= 0 && (
          <button type="button" class="link" data-testid="next-difference" title="d" onClick={nextDifference}>
            {say('compare.next')}
          </button>
        )}
        {first >= 0 && (
          <button
            type="button"
            class="chip"
            aria-pressed={onlyDifferent.value}
            onClick={() => {
              onlyDifferent.value = !onlyDifferent.value;
            }}
          >
            {say('compare.only')}
          </button>
        )}
      </p>
    </header>
  );
}

const Side = ({ facts }: { facts: RunFacts }) => (
  <div class="compare-side">
    <div class="run-title">
      <h1 title={facts.path}>{facts.title || facts.name}</h1>
      <End facts={facts} />
    </div>
    <p class="dim run-facts">{facts.path}</p>
    <p class="dim run-facts">
      <Parts words={factsLine(facts)} />
    </p>
    {facts.problems.map((words, index) => (
      <p key={index} class="warn-text">
        {words}
      </p>
    ))}
  </div>
);
