import { useEffect } from 'preact/hooks';
import type { RunGraphNode, RunGraph } from '../../../src/protocol/inspector/inspector';
import { arrow } from '../../steps/PlanGraph';
import { layoutScript, loadLayout } from '../../layout/loadLayout';
import { goToStep, askToOpenSession } from '../state/moves';
import { say, sayCounted } from '../state/words';
import { truncate } from '../../../src/protocol/plain/truncate';

const size = { width: 168, height: 40 };
const maxLabelLength = 23;
const shortened = (words: string): string => truncate(words, maxLabelLength);

/** Graph of the steps with several actions and the sessions that they started, with an equivalent table. */
export function RunGraphView({ graph }: { graph: RunGraph }) {
  useEffect(loadLayout, []);
  if (graph.nodes.length < 2) return <p class="dim chart">{say('graph.none')}</p>;
  const laid = layoutScript.value?.layout(graph.nodes.length, graph.edges, size);
  return (
    <figure class="chart run-graph" data-testid="run-graph">
      <figcaption class="chart-head">
        <h2>{say('graph.title')}</h2>
        {graph.more > 0 && <span class="dim">{sayCounted('graph.more', graph.more)}</span>}
      </figcaption>
      {laid && (
        <div class="plan-graph graph-box" aria-hidden="true">
          <svg width={laid.width} height={laid.height} viewBox={`0 0 ${laid.width} ${laid.height}`}>
            {laid.edges.map((points, index) => (
              <path key={index} class="plan-edge" d={arrow(points)} />
            ))}
            {graph.nodes.map((node, index) => {
              const { x, y } = laid.nodes[index]!;
              return (
                <g
                  key={index}
                  class={`plan-node opens is-${toneOf(node)} kind-${node.kind}`}
                  transform={`translate(${x - size.width / 2} ${y - size.height / 2})`}
                  onClick={() => openNode(node)}
                >
                  <title>{`${nodeTitle(node)} ${stateWords(node)}`}</title>
                  <rect width={size.width} height={size.height} rx="4" />
                  <text class="plan-title" x="8" y="17">
                    {shortened(nodeTitle(node))}
                  </text>
                  <text class="plan-state" x="8" y="32">
                    {stateWords(node)}
                  </text>
                </g>
              );
            })}
          </svg>
        </div>
      )}
      <details>
        <summary class="name">{say('chart.table')}</summary>
        <div class="chart-table" tabIndex={0} role="region" aria-label={say('graph.title')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{say('column.what')}</th>
                <th scope="col">{say('column.result')}</th>
                <th scope="col">{say('graph.after')}</th>
              </tr>
            </thead>
            <tbody>
              {graph.nodes.map((node, index) => (
                <tr key={index}>
                  <th scope="row">
                    <button type="button" class="link" onClick={() => openNode(node)}>
                      {nodeTitle(node)}
                    </button>
                  </th>
                  <td>{stateWords(node)}</td>
                  <td>
                    {graph.edges
                      .filter(([, to]) => to === index)
                      .map(([from]) => nodeTitle(graph.nodes[from]!))
                      .join(', ')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

const openNode = ({ seq, session }: RunGraphNode): void => (session ? askToOpenSession(session) : goToStep(seq));
const nodeTitle = ({ kind, words }: RunGraphNode): string =>
  kind === 'step' ? say('row.step', { n: words }) : words || say('row.task');
const states: Readonly<Record<string, [tone: string, words: string]>> = {
  ok: ['good', say('state.ok')],
  submitted: ['good', say('end.submitted')],
  answered: ['good', say('state.answered')],
  error: ['bad', say('row.error')],
  failed: ['bad', say('end.failed')],
  timeout: ['bad', say('row.timeout')],
  rejected: ['warn', say('row.rejected')],
  limit_exceeded: ['warn', say('end.limit_exceeded')],
  stopped: ['warn', say('end.stopped')],
  interrupted: ['warn', say('row.interrupted')],
  unknown: ['warn', say('row.unknown')],
  skipped: ['quiet', say('row.skipped')],
  not_run: ['quiet', say('row.skipped')],
  open: ['quiet', say('row.open')],
};
const toneOf = ({ state }: RunGraphNode): string => states[state]?.[0] ?? 'quiet';
function stateWords({ kind, state }: RunGraphNode): string {
  const words = states[state]?.[1];
  if (words !== undefined) return words;
  return kind === 'run' || kind === 'step' ? say(`graph.${kind}`) : '';
}
