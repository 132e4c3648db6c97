import { useLayoutEffect, useRef } from 'preact/hooks';
import { post } from '../base/host';
import type { LiveOutput } from '../state/state';
import { counted, text } from '../base/text';

const linesWhenClosed = 8;

/**
 * What an action prints while it runs: the last lines, or all that is kept when the step is open.
 * `shell`: whether it runs in the terminal.
 */
export function LiveOutputBox({ live, open, shell }: { live: LiveOutput; open: boolean; shell: boolean }) {
  const box = useRef<HTMLPreElement>(null);
  const lines = live.text.replace(/\n$/, '').split('\n');
  const shown = open ? lines : lines.slice(-linesWhenClosed);
  const above = live.linesDropped + lines.length - shown.length;
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [live]);
  return (
    <div class="live">
      {(shell || above > 0) && (
        <div class="live-bar">
          <span>{above > 0 && (open ? counted('step.dropped', above) : counted('step.above', above))}</span>
          {shell && (
            <button type="button" class="link" onClick={() => post({ type: 'show_terminal' })}>
              {text('step.terminal')}
            </button>
          )}
        </div>
      )}
      <pre ref={box} class="output" tabIndex={open ? 0 : -1}>
        {live.cut && shown.length === lines.length && <span class="dim">{`${text('step.cut')}\n`}</span>}
        {shown.join('\n')}
      </pre>
    </div>
  );
}
