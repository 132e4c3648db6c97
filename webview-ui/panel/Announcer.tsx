import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Event, EventOf } from '../../src/protocol/events/event';
import { approvals, events, rows, state, waiting as waitingMessages } from '../state/store';
import { checkpointWords } from '../state/status';
import { riskAtApproval, type RowOf } from '../state/rows';
import { text } from '../base/text';
import { spokenLine } from '../../src/protocol/plain/withoutMarkup';

const announcement = signal('');
let waiting: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
const batchMs = 700;

function announceNow(words: string): void {
  announcement.value = ''; // the same words twice in a row would not be a change
  waiting.push(words);
  timer ??= setTimeout(() => {
    timer = undefined;
    const shown = waiting.slice(0, 3);
    announcement.value = [...shown, ...(waiting.length > 3 ? [text('live.more', { n: waiting.length - 3 })] : [])].join(
      ' ',
    );
    waiting = [];
  }, batchMs);
}

/**
 * Announces what a person must know to screen readers, politely and in batches: approval needed, question, finished,
 * failed.
 */
export function Announcer() {
  useEffect(() => {
    let lastSeq = -1;
    let epoch = -1;
    return events.subscribe((list) => {
      const first = epoch !== state.peek().epoch;
      epoch = state.peek().epoch;
      for (const event of list.slice(
        lastSeq + 1 - (list[0]?.seq ?? 0) > 0 && !first ? lastSeq + 1 - (list[0]?.seq ?? 0) : 0,
      ))
        if (!first) announceEvent(event);
      if (first) for (const row of approvals.peek()) announceNow(approvalWords(row));
      lastSeq = list.at(-1)?.seq ?? -1;
    });
  }, []);
  return (
    <div class="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
      {announcement.value}
    </div>
  );
}

/** Describes what waits for approval, with the most important reason. */
function approvalWords({ step }: RowOf<'approval'>): string {
  const { reasons } = riskAtApproval(step);
  return text('live.approval', { what: [step.action.summary, ...reasons.slice(0, 1)].join('. ') });
}

function changeWords({ change, message }: EventOf<'message_changed'>): string {
  if (change !== 'moved') return text(change === 'held' ? 'live.held' : 'live.takenBack');
  const { value: all } = waitingMessages;
  return text('live.moved', { n: all.findIndex(({ event }) => event.seq === message) + 1, total: all.length });
}

const endWords = {
  submitted: 'live.finished',
  failed: 'live.failed',
  stopped: 'live.stopped',
  limit_exceeded: 'live.limit',
} as const;

function announceEvent(event: Event): void {
  // What no longer waits is not read again by a person who explores the page.
  if (event.type === 'confirmation_resolved' || event.type === 'user_message') announcement.value = '';
  if (event.type === 'confirmation_requested')
    for (const row of approvals.peek())
      if (event.actionIds.includes(row.step.action.id)) announceNow(approvalWords(row));
  if (event.type === 'message_changed') announceNow(changeWords(event));
  if (event.type === 'question_asked' && rows.peek().some((row) => row.kind === 'question' && !row.step.observation))
    announceNow(text('live.question', { what: event.question }));
  if (event.type === 'finished')
    announceNow(text(endWords[event.status], { what: event.problem?.what ?? spokenLine(event.summary, 300) }));
  if (event.type === 'paused' && event.checkpoint)
    announceNow(text('live.paused', { what: checkpointWords(event.checkpoint) }));
}
