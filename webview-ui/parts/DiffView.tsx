import type { FileChange, Hunk } from '../../src/protocol/events/details';
import { usePost } from '../base/host';
import { counted, text } from '../base/text';
import { LongText } from './LongText';
import { Visible, VisibleText } from './VisibleText';

/** The recorded line changes of one file. */
export function DiffView({ change, onOpenDiff }: { change: FileChange; onOpenDiff: () => void }) {
  const post = usePost();
  const lines = change.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  return (
    <div class="diff">
      <div class="diff-bar">
        <button
          type="button"
          class="link file"
          title={text('step.openFile')}
          onClick={() =>
            post({ type: 'open_file', path: change.path, line: Math.max(1, change.hunks[0]?.newStart ?? 1) })
          }
        >
          <Visible words={change.from === undefined ? change.path : `${change.from} → ${change.path}`} />
        </button>
        <button
          type="button"
          class="icon-button codicon codicon-diff"
          title={text('step.openDiff')}
          aria-label={text('step.openDiff')}
          onClick={onOpenDiff}
        />
      </div>
      {(lines > 0 || change.from === undefined) && (
        <LongText label={change.path} lines={lines} more={(n) => counted('approval.below', n)}>
          <Hunks hunks={change.hunks} />
        </LongText>
      )}
    </div>
  );
}

/** Changed lines with their numbers. `culprit` is highlighted in changed lines. */
export const Hunks = ({ hunks, culprit }: { hunks: readonly Hunk[]; culprit?: string | undefined }) => (
  <>
    {hunks.map((hunk, index) => (
      <div key={index} class="hunk" role="group" aria-label={text('diff.from', { line: Math.max(1, hunk.newStart) })}>
        {numbered(hunk, culprit)}
      </div>
    ))}
  </>
);

const sides: Readonly<Record<string, string>> = { '+': 'line added', '-': 'line removed' };

function numbered(hunk: Hunk, culprit: string | undefined) {
  let before = hunk.oldStart;
  let after = hunk.newStart;
  return hunk.lines.map((line, index) => {
    const mark = line[0] ?? ' ';
    const words = line.slice(1);
    const number = mark === '-' ? before : after;
    if (mark !== '+') before++;
    if (mark !== '-') after++;
    return (
      <div key={index} class={sides[mark] ?? 'line'}>
        <span class="number" aria-hidden="true">
          {number}
        </span>
        <span class="mark">{mark === '-' ? '−' : mark}</span>
        <span class="words">
          {mark === ' ' || culprit === undefined ? (
            <Visible words={words} />
          ) : (
            <VisibleText words={words} culprit={culprit} />
          )}
        </span>
      </div>
    );
  });
}
