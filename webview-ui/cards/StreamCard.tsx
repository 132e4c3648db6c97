import { formatBytes } from '../base/format';
import { Markdown } from '../markdown/Markdown';
import { commandRuns, facts, isOpen, rows, setOpen, stream } from '../state/store';
import { text } from '../base/text';
import { Spinner } from '../parts/Icon';
import { Visible } from '../parts/VisibleText';
import type { LiveOutput } from '../state/state';
import { ReasoningLine } from './ReplyCard';

const key = 'stream';

/** True if the current reply, or the wait for it, is shown below the last row. */
export function isStreaming(): boolean {
  if (!facts.value?.running || commandRuns.value || facts.value.mode === 'human') return false;
  const last = rows.value.at(-1)?.kind;
  return !['approval', 'question', 'finished', 'paused', 'retry'].includes(last ?? '') || stream.value.text !== '';
}

/** Says what the model is doing, by the latest kind of data that arrived. */
function doingWords({ text: words, reasoning, tool, progress }: (typeof stream)['value']): string {
  if (progress) return text(`reply.${progress.doing}`, { done: progress.done, of: progress.of });
  if (tool) return text('reply.preparing', { tool: tool.name });
  if (words) return text('reply.writing');
  return text(reasoning ? 'reply.thinking' : 'reply.waiting');
}

/** The current reply of the model. It is rendered from deltas until the log's event replaces it. */
export function StreamCard() {
  const { text: words, reasoning, tool } = stream.value;
  const doing = doingWords(stream.value);
  return (
    <article class="card reply streaming" data-testid="card-stream" aria-label={doing}>
      {reasoning && (
        <ReasoningLine
          label={words || tool ? text('reply.thought') : text('reply.thinking')}
          words={reasoning}
          open={isOpen(key)}
          onToggle={() => setOpen(key, !isOpen(key))}
        />
      )}
      {words && <Markdown source={words} streaming />}
      {(!words || tool) && (
        <div class="step-row dim">
          <Spinner />
          <span class="verb">{doing}</span>
          {tool?.path !== undefined && (
            <span class="target">
              <Visible words={tool.path} />
            </span>
          )}
          {tool && tool.bytes > 0 && <span class="meta">{formatBytes(tool.bytes)}</span>}
        </div>
      )}
      {tool?.written && <WrittenLines written={tool.written} />}
    </article>
  );
}

const linesShown = 8;
const maxLineLength = 300;

/** Last lines that the call writes, one row each, so that the height is constant once the box is full. */
function WrittenLines({ written }: { written: LiveOutput }) {
  const lines = written.text.replace(/\n$/, '').split('\n').slice(-linesShown);
  return (
    <div class="live written">
      <pre class="output">
        <Visible words={lines.map((line) => line.slice(0, maxLineLength)).join('\n')} />
      </pre>
    </div>
  );
}
