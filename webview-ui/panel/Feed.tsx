import { computed } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { memo } from 'preact/compat';
import type { ComponentType } from 'preact';
import { VList } from 'virtua';
import { cards } from '../cards';
import { Icon } from '../parts/Icon';
import { FeedPosition } from '../parts/Card';
import { isReviewShown, ReviewCard } from '../cards/ReviewList';
import { isStreaming, StreamCard } from '../cards/StreamCard';
import type { Row } from '../state/rows';
import { listenToMoves } from '../state/moves';
import { focusedKey, loadEarlier, opened, search, sends, shownRows, state, stream } from '../state/store';
import { text } from '../base/text';
import { FeedScroll } from './feedScroll';
import { useSearchMarks } from './searchMarks';

/** Items that are not events are at the end of the feed: the current reply, or the review list. */
type Item = Row | { readonly kind: 'stream'; readonly key: string } | { readonly kind: 'review'; readonly key: string };
const streamItem: Item = { kind: 'stream', key: 'stream' };
const reviewItem: Item = { kind: 'review', key: 'review' };
/** Number of new items that are surely within the part beyond the view that the list draws. */
const fewItems = 8;
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
  const scroll = useMemo(() => new FeedScroll(), []);
  const wanted = useRef<string | undefined>(undefined);
  const items = shownItems.value;
  const shift = useEarlierAdded();
  useFollowing(scroll, items.length);
  useMoves(scroll, wanted);
  const frame = useRef<HTMLElement>(null);
  useSearchMarks(() => frame.current);
  const focusedIndex = shownRows.value.findIndex((row) => row.key === focusedKey.value);
  return (
    <main
      ref={frame}
      class="feed-frame"
      onWheel={scroll.touch}
      onTouchMove={scroll.touch}
      onPointerDown={scroll.touch}
      onPointerMove={(event) => {
        if (event.buttons) scroll.touch();
      }}
      onKeyDown={scroll.touch}
      onFocusIn={({ target }) => scroll.uncover(target as Element)}
      onClickCapture={({ target, detail }) => {
        // The menu of an approval opens below its button, and may have to be scrolled into view.
        const toggle = (target as Element).closest('[aria-expanded]:not(.more-answers), summary');
        if (!toggle) return;
        const isOpened = toggle.matches('[aria-expanded="false"], details:not([open]) > summary');
        scroll.hold(isOpened);
        // Opened by mouse, it stays under the pointer. The keyboard has no other way to see what is below the view.
        if (isOpened && detail === 0) scroll.revealOpened(toggle);
      }}
    >
      <VList
        ref={scroll.list as never}
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
          scroll.stick();
          scroll.measure();
        }}
        onScroll={(offset) => {
          scroll.measure();
          scroll.saveSoon();
          if (offset < 600) loadEarlier();
        }}
      >
        {(item: Item, index: number) => <Slot key={item.key} item={item} index={index} wanted={wanted} />}
      </VList>
      <JumpButton scroll={scroll} />
    </main>
  );
}

/** True if the rows on top were loaded since the last render, so that the list keeps the visible rows in place. */
function useEarlierAdded(): boolean {
  const from = firstHeld.value;
  const epoch = replacements.value;
  const before = useRef({ from, epoch });
  const isAdded = before.current.epoch === epoch && from < before.current.from;
  useEffect(() => {
    before.current = { from, epoch };
  });
  return isAdded;
}

/** Scrolls when another session is shown, items or text are added, and the person sends a message. */
function useFollowing(scroll: FeedScroll, count: number): void {
  const epoch = replacements.value;
  useLayoutEffect(() => {
    scroll.restore();
    scroll.stick();
  }, [epoch]);
  const drawn = useRef(count);
  useLayoutEffect(() => {
    const added = count - drawn.current;
    drawn.current = count;
    // More may not all be drawn yet, and the list draws the rest only after it scrolled.
    if (added >= 0 && added <= fewItems) scroll.stickSoon();
    else scroll.stick();
  }, [count]);
  useEffect(() => stream.subscribe(scroll.stickSoon), []);
  useEffect(() => {
    let before = sends.peek();
    return sends.subscribe((sent) => {
      if (sent === before) return;
      before = sent;
      scroll.follow();
      search.value = undefined;
    });
  }, []);
  useEffect(() => opened.subscribe(() => requestAnimationFrame(scroll.measure)), []);
}

/** Lets the keyboard move between the cards. `wanted`: the key of a card to focus as soon as it is drawn. */
function useMoves(scroll: FeedScroll, wanted: { current: string | undefined }): void {
  useEffect(
    () =>
      listenToMoves({
        keys: () => shownRows.value.map((row) => row.key),
        go(key, index) {
          wanted.current = key;
          focusedKey.value = key;
          scroll.showItem(index);
          const card = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
          if (!card) return;
          // The card exists already. A second focus later could take it from where the person is by then.
          wanted.current = undefined;
          card.focus({ preventScroll: true });
        },
      }),
    [],
  );
}

/** Leads to what is out of view: a waiting approval or the newest item. */
function JumpButton({ scroll }: { scroll: FeedScroll }) {
  const away = scroll.away.value;
  if (!away) return null;
  return (
    <button type="button" class="jump" data-testid="jump-latest" onClick={scroll.jump}>
      <Icon name={away === 'approval' ? 'shield' : 'arrow-down'} />
      {text(away === 'approval' ? 'feed.jumpToApproval' : 'feed.jump')}
    </button>
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
    <FeedPosition.Provider value={place}>
      <Drawn row={item} />
    </FeedPosition.Provider>
  );
});
