import { signal } from '@preact/signals';
import { createRef } from 'preact';
import type { VListHandle } from 'virtua';
import { isStreaming } from '../cards/StreamCard';
import type { Row } from '../state/rows';
import { keepSeen, search, seenOf, sessionId, shownRows } from '../state/store';

/** Distance from the bottom, in pixels, that still counts as the bottom. */
const nearBottom = 32;
/** Distance of a control from the buttons below it, in pixels. */
const nearEdge = 4;
/** Buttons that stay in view above the rest of the feed. */
const staysInView = '.answers, .decision>.buttons, .note-form, .jump';
/** Scroll movements within this time after the last touch count as those of the person, in ms. */
const touchMs = 1000;

/** True for rows to read from the top: an approval, a question, the end. */
const isReadFromTop = (row: Row): boolean =>
  row.kind === 'approval' ||
  (row.kind === 'question' && !row.step.observation) ||
  (row.kind === 'finished' && row.last);

/** The scroll position of the feed. It follows the newest item until the person scrolls away from it. */
export class FeedScroll {
  readonly list = createRef<VListHandle>();
  /** What the jump button leads to; undefined if it is in view. */
  readonly away = signal<'latest' | 'approval' | undefined>(undefined);
  private isFollowing = true;
  /** When the person last touched the feed, on the clock of `performance.now`. */
  private touchedAt = -Infinity;
  /** When the person last opened a part, if it has not been closed. */
  private heldAt = -Infinity;
  /** The row to read, and when it was first aligned. */
  private reading: { readonly key: string; readonly alignedAt: number } | undefined;
  private frame: number | undefined;
  private saving: ReturnType<typeof setTimeout> | undefined;

  /** The person uses the feed: scroll movements of the next second are theirs. */
  readonly touch = (): void => {
    this.touchedAt = performance.now();
  };

  /** While following: scrolls to the bottom, or to the top of a row to read that is taller than the view. */
  stick(): void {
    const { current: list } = this.list;
    if (!this.isFollowing || !list) return;
    this.toBottom();
    const index = shownRows.peek().findIndex(isReadFromTop);
    const key = shownRows.peek()[index]?.key;
    if (key === undefined) return;
    if (this.reading?.key !== key) this.reading = { key, alignedAt: performance.now() };
    // Not after the person scrolled within that row.
    if (this.touchedAt < this.reading.alignedAt && list.getItemOffset(index) < list.scrollSize - list.viewportSize)
      list.scrollToIndex(index, { align: 'start' });
  }

  /** Calls `stick` once per frame, before it is painted: each call makes the browser compute the layout. */
  readonly stickSoon = (): void => {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.stick();
    });
  };

  /**
   * The person opens or closes a part. What is opened stays where it is, also while it grows, until the person scrolls
   * to the end.
   */
  hold(isOpened: boolean): void {
    this.touch();
    this.heldAt = isOpened ? this.touchedAt : -Infinity;
    if (!isOpened) return;
    this.isFollowing = false;
    // Ends a movement to the bottom that waits for the sizes of new rows.
    const { current: list } = this.list;
    list?.scrollTo(list.scrollOffset);
  }

  /** Scrolls down to show what a button opened, but keeps the button in view. */
  revealOpened(toggle: Element): void {
    const [card, feed] = [toggle.closest('article'), toggle.closest('.feed')];
    if (!card || !feed) return;
    const before = card.clientHeight;
    // The list measures the opened card in the first frame.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const [button, view] = [toggle.getBoundingClientRect(), feed.getBoundingClientRect()];
        const hidden = button.bottom + card.clientHeight - before - view.bottom;
        if (hidden > 0) this.list.current?.scrollBy(Math.min(hidden, button.top - view.top));
      }),
    );
  }

  /** Scrolls on if a control that got the focus by keyboard is below buttons that stay in view, as in a low view. */
  uncover(control: Element): void {
    // The browser scrolls it into view first.
    requestAnimationFrame(() => {
      const feed = control.closest('.feed');
      if (!feed || !control.matches(':focus-visible')) return;
      const shown = control.getBoundingClientRect();
      // While it scrolls, the list takes no part in hit testing, so the places are compared.
      for (const one of document.querySelectorAll(staysInView)) {
        const { top, bottom } = one.getBoundingClientRect();
        if (one.contains(control) || top >= shown.bottom || bottom <= shown.top) continue;
        // Of what is taller than the rest of the view, the beginning stays visible.
        const room = shown.top - feed.getBoundingClientRect().top;
        return this.list.current?.scrollBy(Math.max(0, Math.min(shown.bottom - top + nearEdge, room)));
      }
    });
  }

  /** Follows from now on, although the person may have scrolled. */
  follow(): void {
    this.isFollowing = true;
    this.touchedAt = this.heldAt = -Infinity;
    this.away.value = undefined;
    requestAnimationFrame(() => this.toBottom());
  }

  /** Scrolls to the position saved for the session. Follows if there is none. */
  restore(): void {
    this.isFollowing = true;
    this.heldAt = -Infinity;
    this.away.value = undefined;
    const { top } = seenOf(sessionId.peek());
    const index = top ? shownRows.peek().findIndex(({ key }) => key === top.key) : -1;
    if (!top || index < 0) return;
    this.isFollowing = false;
    this.list.current?.scrollToIndex(index, { align: 'start', offset: top.above });
  }

  /** Saves the position when the feed has not been scrolled for a moment. */
  saveSoon(): void {
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.save(), 150);
  }

  /** Updates `away`, and whether the feed follows, after it was scrolled or its size changed. */
  readonly measure = (): void => {
    const { current: list } = this.list;
    if (!list) return;
    const isAway = list.scrollSize - list.viewportSize - list.scrollOffset > nearBottom;
    const isHeld = this.touchedAt <= this.heldAt && this.heldAt > -Infinity;
    if (!isAway) this.isFollowing ||= !isHeld;
    else if (performance.now() - this.touchedAt < touchMs) this.isFollowing = false;
    const inView = (index: number): boolean =>
      list.getItemOffset(index) < list.scrollOffset + list.viewportSize &&
      list.getItemOffset(index) + list.getItemSize(index) > list.scrollOffset;
    const shown = shownRows.peek();
    const waiting = shown.flatMap((row, index) => (row.kind === 'approval' ? [index] : []));
    // The button is hidden if a waiting card or the newest one is in view.
    if (waiting.length > 0) this.away.value = waiting.some(inView) ? undefined : 'approval';
    else {
      const isOutOfView = isAway && !this.isFollowing && (isStreaming() || !inView(shown.length - 1));
      this.away.value = isOutOfView ? 'latest' : undefined;
    }
  };

  /** Scrolls a row into view for the person. Follows only if it is the newest one. */
  showItem(index: number): void {
    this.touch();
    this.isFollowing = index === shownRows.value.length - 1;
    this.list.current?.scrollToIndex(index, { align: 'nearest' });
  }

  /** Scrolls to what is out of view. */
  readonly jump = (): void => {
    this.touch();
    const target = this.away.value;
    this.away.value = undefined;
    if (target === 'approval') {
      const index = shownRows.peek().findIndex((row) => row.kind === 'approval');
      this.list.current?.scrollToIndex(index, { align: 'start' });
      return;
    }
    this.isFollowing = true;
    this.heldAt = -Infinity;
    this.toBottom();
  };

  private toBottom(): void {
    this.list.current?.scrollToIndex(Number.MAX_SAFE_INTEGER, { align: 'end' });
  }

  private save(): void {
    const { current: list } = this.list;
    if (!list) return;
    const index = list.findItemIndex(list.scrollOffset);
    const row = shownRows.peek()[index];
    const isLeft = !this.isFollowing && row && !search.peek();
    keepSeen({ top: isLeft ? { key: row.key, above: list.scrollOffset - list.getItemOffset(index) } : undefined });
  }
}
