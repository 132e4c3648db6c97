import type { AgentResult } from '../../src/protocol/events/event';
import { text } from '../base/text';
import { Icon } from './Icon';

/** Results of a task, one line per action. `detailed`: with the tool name and the changed files. */
export function ResultList({ results, detailed = false }: { results: readonly AgentResult[]; detailed?: boolean }) {
  if (results.length === 0) return null;
  return (
    <section data-testid="results">
      {detailed ? <h2 class="name">{text('finished.results')}</h2> : <h3>{text('finished.results')}</h3>}
      <ul class="plain-list">
        {results.map(({ id, action, summary, files, state }) => (
          <li key={id}>
            <Icon name={state === 'ok' ? 'check' : 'circle-small'} class={state === 'ok' ? 'good' : 'dim'} />
            <span class="file" title={files.join(', ') || summary}>
              {summary}
            </span>
            {detailed && <span class="meta code-font">{[action, ...files].join(', ')}</span>}
            <span class="meta">{text(`finished.state.${state}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
