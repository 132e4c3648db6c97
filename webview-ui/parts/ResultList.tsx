import type { AgentResult } from '../../src/protocol/events/event';
import { text } from '../base/text';
import { Icon } from './Icon';

/** Icon and class for each outcome, as in the list of commands. */
function markOf(state: AgentResult['state']): readonly [icon: string, name: string] {
  if (state === 'ok') return ['check', 'good'];
  return state === 'error' || state === 'timeout' ? ['error', 'bad'] : ['circle-small', 'dim'];
}

/** Results of a task, one line per action. `detailed`: with the tool name and the changed files. */
export function ResultList({ results, detailed = false }: { results: readonly AgentResult[]; detailed?: boolean }) {
  if (results.length === 0) return null;
  return (
    <section data-testid="results">
      {detailed ? <h2 class="name">{text('finished.results')}</h2> : <h3>{text('finished.results')}</h3>}
      <ul class="plain-list">
        {results.map(({ id, action, summary, files, state }) => {
          const [icon, name] = markOf(state);
          return (
            <li key={id}>
              <Icon name={icon} class={name} />
              <span class="file" title={files.join(', ') || summary}>
                {summary}
              </span>
              {detailed && <span class="meta code-font">{[action, ...files].join(', ')}</span>}
              <span class="meta">{text(`finished.state.${state}`)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
