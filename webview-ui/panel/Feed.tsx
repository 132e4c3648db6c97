import { computed } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { memo } from 'preact/compat';
import type { ComponentType } from 'preact';
import { VList, type VListHandle } from 'virtua';
import { cards } from '../cards';
import { Icon } from '../parts/Icon';
import { Place } from '../parts/place';
import { isReviewShown, ReviewCard } from '../cards/ReviewList';
import { isStreaming, StreamCard } from '../cards/StreamCard';
import type { Row } from '../state/rows';
import { listenToMoves } from '../state/moves';
import {
  focusedKey,
  keepSeen,
  loadEarlier,
  opened,
  search,
  seenOf,
  sends,
  sessionId,
  shownRows,
  state,
  stream,
} from '../state/store';
import { text } from '../base/text';

/** Items that are not events are at the end of the feed: the current reply, or the review list. */
type Item = Row | { readonly kind: 'stream'; readonly key: string } | { readonly kind: 'review'; readonly key: string };
const streamItem: Item = { kind: 'stream', key: 'stream' };
const reviewItem: Item = { kind: 'review', key: 'review' };
const nearBottom = 32;
/** Number of new items that are surely within the part beyond the view that the list draws. */
const fewItems = 8;
/** True for rows to read from the top: an approval, a question, the end. */
const toRead = (row: Row): boolean =>
  row.kind === 'approval' ||
  (row.kind === 'question' && !row.step.observation) ||
  (row.kind === 'finished' && row.last);

const streaming = computed(isStreaming);
const isReviewed = computed(isReviewShown);
const shownItems = computed((): readonly Item[] => [
  ...shownRows.value,
  ...(streaming.value ? [streamItem] : []),
  ...(isReviewed.value && !search.value ? [reviewItem] : []),
]);
const size = computed(() => shownItems.value.length);
const firstHeld = computed(() => state.value.from);
const replacements = computed(() => state.value.epoch);

/**
 * The conversation: one article per row. Only rows near the viewport are rendered. It stays scrolled to the bottom
 * unless the person scrolls up.
 */
export function Feed() {
  const list = useRef<VListHandle>(null);
  const wanted = useRef<string | undefined>(undefined);
  const stuck = useRef(true);
  const touched = useRef(-Infinity);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [away, setAway] = useState<'latest' | 'approval' | undefined>(undefined);
  const items = shownItems.value;
  const from = firstHeld.value;
  const epoch = replacements.value;
  const before = useRef({ from, epoch });
  const shift = before.current.epoch === epoch && from < before.current.from;
  useEffect(() => {
    before.current = { from, epoch };
  });

  const toBottom = useCallback(() => list.current?.scrollToIndex(Number.MAX_SAFE_INTEGER, { align: 'end' }), []);
  const asking = useRef<{ key: string; at: number }>(undefined);
  const stick = useCallback(() => {
    const { current } = list;
    if (!stuck.current || !current) return;
    toBottom();
    // A card to read that is taller than the view is aligned with its top, until the person scrolls.
    const index = shownRows.peek().findIndex(toRead);
    const key = shownRows.peek()[index]?.key;
    if (key === undefined) return;
    if (asking.current?.key !== key) asking.current = { key, at: performance.now() };
    if (touched.current < asking.current.at && current.getItemOffset(index) < current.scrollSize - current.viewportSize)
      current.scrollToIndex(index, { align: 'start' });
  }, [toBottom]);
  useLayoutEffect(() => {
    stuck.current = true;
    setAway(undefined);
    const { top } = seenOf(sessionId.peek());
    const index = top ? shownRows.peek().findIndex(({ key }) => key === top.key) : -1;
    if (!top || index < 0) return;
    stuck.current = false;
    list.current?.scrollToIndex(index, { align: 'start', offset: top.above });
  }, [epoch]);
  useLayoutEffect(stick, [epoch]);
  const drawing = useRef<number>(undefined);
  // Once per frame, before it is painted: each call makes the browser compute the layout.
  const stickSoon = useCallback(() => {
    drawing.current ??= requestAnimationFrame(() => {
      drawing.current = undefined;
      stick();
    });
  }, [stick]);
  const drawn = useRef(items.length);
  useLayoutEffect(() => {
    const added = items.length - drawn.current;
    drawn.current = items.length;
    // More may not all be drawn yet, and the list draws the rest only after it scrolled.
    if (added >= 0 && added <= fewItems) stickSoon();
    else stick();
  }, [items.length]);
  useEffect(() => stream.subscribe(stickSoon), [stickSoon]);
  useEffect(() => {
    let before = sends.peek();
    return sends.subscribe((count) => {
      if (count === before) return;
      before = count;
      stuck.current = true;
      touched.current = -Infinity;
      search.value = undefined;
      setAway(undefined);
      requestAnimationFrame(toBottom);
    });
  }, [toBottom]);
  useEffect(() => opened.subscribe(() => requestAnimationFrame(() => measureAway())), []);

  const measureAway = (): void => {
    const { current } = list;
    if (!current) return;
    const isAway = current.scrollSize - current.viewportSize - current.scrollOffset > nearBottom;
    if (!isAway) stuck.current = true;
    else if (performance.now() - touched.current < 1000) stuck.current = false;
    const inView = (index: number): boolean =>
      current.getItemOffset(index) < current.scrollOffset + current.viewportSize &&
      current.getItemOffset(index) + current.getItemSize(index) > current.scrollOffset;
    const shown = shownRows.peek();
    const waiting = shown.flatMap((row, index) => (row.kind === 'approval' ? [index] : []));
    // The button is hidden if a waiting card or the newest one is in view.
    if (waiting.length > 0) setAway(waiting.some(inView) ? undefined : 'approval');
    else setAway(isAway && !stuck.current && (isStreaming() || !inView(shown.length - 1)) ? 'latest' : undefined);
  };
  const keepPlace = (): void => {
    const { current } = list;
    if (!current) return;
    const index = current.findItemIndex(current.scrollOffset);
    const row = shownRows.peek()[index];
    const isLeft = !stuck.current && row && !search.peek();
    keepSeen({
      top: isLeft ? { key: row.key, above: current.scrollOffset - current.getItemOffset(index) } : undefined,
    });
  };
  const touch = (): void => {
    touched.current = performance.now();
  };
  const jump = (): void => {
    setAway(undefined);
    if (away === 'approval') {
      list.current?.scrollToIndex(
        shownRows.peek().findIndex((row) => row.kind === 'approval'),
        { align: 'start' },
      );
      return;
    }
    stuck.current = true;
    toBottom();
  };

  useEffect(
    () =>
      listenToMoves({
        keys: () => shownRows.value.map((row) => row.key),
        go(key, index) {
          touch();
          stuck.current = index === shownRows.value.length - 1;
          wanted.current = key;
          focusedKey.value = key;
          list.current?.scrollToIndex(index, { align: 'nearest' });
          const card = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
          if (!card) return;
          // The card exists already. A second focus later could take it from where the person is by then.
          wanted.current = undefined;
          card.focus({ preventScroll: true });
        },
      }),
    [],
  );

  const focusedIndex = shownRows.value.findIndex((row) => row.key === focusedKey.value);
  return (
    <main
      class="feed-frame"
      onWheel={touch}
      onTouchMove={touch}
      onPointerDown={touch}
      onPointerMove={(event) => {
        if (event.buttons) touch();
      }}
      onKeyDown={touch}
    >
      <VList
        ref={list as never}
        class="feed"
        role="feed"
        aria-label={text('feed.label')}
        aria-busy={streaming.value}
        tabIndex={0}
        data={items as Item[]}
        shift={shift}
        bufferSize={400}
        keepMounted={focusedIndex >= 0 ? [focusedIndex] : []}
        onResize={() => {
          stick();
          measureAway();
        }}
        onScroll={(offset) => {
          measureAway();
          clearTimeout(leaving.current);
          leaving.current = setTimeout(keepPlace, 150);
          if (offset < 600) loadEarlier();
        }}
      >
        {(item: Item, index: number) => <Slot key={item.key} item={item} index={index} wanted={wanted} />}
      </VList>
      {away && (
        <button
          type="button"
          class="jump"
          data-testid="jump-latest"
          onClick={() => {
            touch();
            jump();
          }}
        >
          <Icon name={away === 'approval' ? 'shield' : 'arrow-down'} />
          {text(away === 'approval' ? 'feed.jumpToApproval' : 'feed.jump')}
        </button>
      )}
    </main>
  );
}

/** Rendered again only if its item changed. */
const Slot = memo(function Slot({
  item,
  index,
  wanted,
}: {
  item: Item;
  index: number;
  wanted: { current: string | undefined };
}) {
  const place = useMemo(() => ({ index, size, wanted }), [index, wanted]);
  if (item.kind === 'stream') return <StreamCard />;
  if (item.kind === 'review') return <ReviewCard />;
  const Drawn = cards[item.kind] as ComponentType<{ row: Row }>;
  return (
    <Place.Provider value={place}>
      <Drawn row={item} />
    </Place.Provider>
  );
});
