import { useComputed } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { memo } from 'preact/compat';
import type { ComponentType } from 'preact';
import { VList, type VListHandle } from 'virtua';
import { cards } from './cards';
import { Icon } from './cards/Icon';
import { Place } from './cards/place';
import { isStreaming, StreamCard } from './cards/StreamCard';
import type { Row } from './rows';
import { listenToMoves } from './moves';
import { focusedKey, loadEarlier, opened, shownRows, state, stream } from './store';
import { text } from './text';

type Item = Row | { readonly kind: 'stream'; readonly key: 'stream' };
const streamItem: Item = { kind: 'stream', key: 'stream' };
const nearBottom = 32;

/** The conversation: one article per row, only those near the view in the document, at the bottom unless the person went up. */
export function Feed() {
  const list = useRef<VListHandle>(null);
  const wanted = useRef<string | undefined>(undefined);
  const stuck = useRef(true);
  const touched = useRef(-Infinity);
  const [away, setAway] = useState(false);
  const streaming = useComputed(isStreaming).value;
  const rows = shownRows.value;
  const items: readonly Item[] = streaming ? [...rows, streamItem] : rows;

  const { from, epoch } = state.value;
  const before = useRef({ from, epoch });
  const shift = before.current.epoch === epoch && from < before.current.from;
  useEffect(() => { before.current = { from, epoch }; });

  const toBottom = useCallback(() => list.current?.scrollToIndex(Number.MAX_SAFE_INTEGER, { align: 'end' }), []);
  const asking = useRef<{ key: string; at: number }>(undefined);
  const stick = useCallback(() => {
    const { current } = list;
    if (!stuck.current || !current) return;
    toBottom();
    // An approval taller than the view is read from its top, until the person takes over.
    const index = shownRows.peek().findIndex(row => row.kind === 'approval');
    const key = shownRows.peek()[index]?.key;
    if (key === undefined) return;
    if (asking.current?.key !== key) asking.current = { key, at: performance.now() };
    if (touched.current < asking.current.at && current.getItemOffset(index) < current.scrollSize - current.viewportSize) current.scrollToIndex(index, { align: 'start' });
  }, [toBottom]);
  useLayoutEffect(() => { stuck.current = true; setAway(false); }, [epoch]);
  useLayoutEffect(stick, [items.length, epoch]);
  useEffect(() => stream.subscribe(() => requestAnimationFrame(stick)), [stick]);
  useEffect(() => opened.subscribe(() => requestAnimationFrame(() => measureAway())), []);

  const measureAway = (): void => {
    const { current } = list;
    if (!current) return;
    const isAway = current.scrollSize - current.viewportSize - current.scrollOffset > nearBottom;
    if (!isAway) stuck.current = true;
    else if (performance.now() - touched.current < 1000) stuck.current = false;
    setAway(isAway && (!stuck.current || shownRows.peek().some(row => row.kind === 'approval')));
  };
  const touch = (): void => { touched.current = performance.now(); };

  useEffect(() => listenToMoves({
    keys: () => shownRows.value.map(row => row.key),
    go(key, index) {
      touch();
      stuck.current = index === shownRows.value.length - 1;
      wanted.current = key;
      focusedKey.value = key;
      list.current?.scrollToIndex(index, { align: 'nearest' });
      const card = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
      if (!card) return;
      // A card that is there needs no second call later, when the person may already be elsewhere.
      wanted.current = undefined;
      card.focus({ preventScroll: true });
    },
  }), []);

  const focusedIndex = rows.findIndex(row => row.key === focusedKey.value);
  return (
    <main class="feed-frame" onWheel={touch} onTouchMove={touch} onPointerDown={touch} onPointerMove={event => { if (event.buttons) touch(); }} onKeyDown={touch}>
      <VList ref={list as never} class="feed" role="feed" aria-label={text('feed.label')} aria-busy={streaming} tabIndex={0} data={items as Item[]} shift={shift} bufferSize={400} keepMounted={focusedIndex >= 0 ? [focusedIndex] : []} onResize={() => { stick(); measureAway(); }}
        onScroll={offset => { measureAway(); if (offset < 600) loadEarlier(); }}>
        {(item: Item, index: number) => <Slot key={item.key} item={item} index={index} size={items.length} wanted={wanted} />}
      </VList>
      {away && <button type="button" class="jump" data-testid="jump-latest" onClick={() => { touch(); stuck.current = true; setAway(false); toBottom(); }}><Icon name="arrow-down" />{text('feed.jump')}</button>}
    </main>
  );
}

const Slot = memo(function Slot({ item, index, size, wanted }: { item: Item; index: number; size: number; wanted: { current: string | undefined } }) {
  if (item.kind === 'stream') return <StreamCard />;
  const Drawn = cards[item.kind] as ComponentType<{ row: Row }>;
  return <Place.Provider value={{ index, size, wanted }}><Drawn row={item} /></Place.Provider>;
});
