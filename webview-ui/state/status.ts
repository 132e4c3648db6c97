import type { Checkpoint } from '../../src/protocol/events/event';
import type { PanelFacts } from '../../src/protocol/panel/panel';
import { pendingRetry } from './rows';
import { events, facts, liveChildren, rows, stopping } from './store';
import { counted, text, type TextKey } from '../base/text';

interface StatusWords {
  readonly words: string;
  readonly icon: string;
  readonly tone: 'busy' | 'calm' | 'attention' | 'bad';
}

const say = (key: TextKey, icon: string, tone: StatusWords['tone'] = 'calm'): StatusWords => ({
  words: text(key),
  icon,
  tone,
});

/** Status of the run in one or two words. */
export function statusWords(): StatusWords {
  const known = facts.value;
  if (!known) return say('status.empty', 'circle-large-outline');
  if (known.elsewhere && known.status === 'ready') return say('status.elsewhere', 'sync', 'busy');
  // What another window asks is shown, too, and decided there.
  if (!known.writable && !known.running && !(known.elsewhere && known.status.startsWith('waiting')))
    return say('status.readOnly', 'lock');
  if (known.unkept !== undefined) return say('status.unkept', 'warning', 'attention');
  return restWords(known) ?? workWords(known);
}

/** Status of a run that does not work at the moment; undefined if it does. */
function restWords({ status, running, mode, model }: PanelFacts): StatusWords | undefined {
  switch (status) {
    case 'waiting_for_confirmation':
      return say('status.waiting_for_confirmation', 'shield', 'attention');
    case 'waiting_for_answer':
      return say('status.waiting_for_answer', 'question', 'attention');
    case 'paused':
      return say('status.paused', 'debug-pause');
    case 'finished':
      return endWords();
    case 'idle':
      if (running) return undefined;
      return mode === 'human' ? say('status.human', 'terminal') : say('status.idle', 'comment');
    case 'empty':
      return model ? say('status.empty', 'circle-large-outline') : say('status.noModel', 'plug');
    case 'ready':
      return running ? undefined : say('status.interrupted', 'debug-disconnect', 'attention');
  }
}

function endWords(): StatusWords {
  const end = events.value.findLast((event) => event.type === 'finished');
  if (end?.status === 'stopped') return say('status.stopped', 'debug-stop');
  if (end?.status === 'failed') return say('status.failed', 'error', 'bad');
  if (end?.status === 'limit_exceeded') return say('status.limit', 'dashboard', 'attention');
  return say('status.finished', 'pass');
}

function workWords({ pauseRequested }: PanelFacts): StatusWords {
  if (stopping.value) return say('status.stopping', 'loading', 'busy');
  if (pauseRequested) return say('status.pausing', 'loading', 'busy');
  const asking = subagentWait();
  if (asking) return say(`status.${asking}`, asking === 'waiting_for_answer' ? 'question' : 'shield', 'attention');
  return pendingRetry(events.value)
    ? say('status.retrying', 'debug-disconnect', 'attention')
    : say('status.working', 'loading', 'busy');
}

/** What a running subagent waits for, if the person is to decide. An approval comes before a question. */
function subagentWait(): 'waiting_for_confirmation' | 'waiting_for_answer' | undefined {
  const states = [...liveChildren.value.values()].map(({ status }) => status);
  return (['waiting_for_confirmation', 'waiting_for_answer'] as const).find((one) => states.includes(one));
}

/** True if something runs, or waits for a person and would then continue. */
export function canStop(): boolean {
  const known = facts.value;
  return (
    known !== undefined &&
    known.writable &&
    (known.running ||
      known.status === 'paused' ||
      known.status === 'waiting_for_confirmation' ||
      known.status === 'waiting_for_answer')
  );
}

/** True if the window or the program ended in the middle of a run. */
export function wasInterrupted(): boolean {
  const known = facts.value;
  return known !== undefined && known.writable && !known.running && known.status === 'ready';
}

/** True if an interrupted or paused run can be resumed. */
export function canResume(): boolean {
  const known = facts.value;
  return (
    known?.model !== undefined && (wasInterrupted() || (known.writable && !known.running && known.status === 'paused'))
  );
}

/** True if the run can be paused at its next checkpoint. In step mode it pauses there anyway. */
export function canPause(): boolean {
  const known = facts.value;
  return (
    known !== undefined &&
    known.writable &&
    known.running &&
    known.status === 'ready' &&
    !known.pauseRequested &&
    !known.stepping
  );
}

/** Describes where a run is paused: "Before acting: 2 actions wait". */
export function checkpointWords(checkpoint: Checkpoint): string {
  if (checkpoint === 'before_reasoning') return text('paused.before_reasoning');
  return counted(
    'paused.before_acting',
    rows.value.filter(
      (row) => (row.kind === 'step' || row.kind === 'approval') && !row.step.observation && !row.step.started,
    ).length,
  );
}
