import { useEffect } from 'preact/hooks';
import type { FigurePoint } from '../../../src/protocol/inspector/inspector';
import { formatDuration, formatMoney, formatTokens } from '../../base/format';
import { post } from '../../base/host';
import { BarChart, type Series } from './BarChart';
import { RunGraphView } from './RunGraphView';
import { figures } from '../state/store';
import { say } from '../state/words';

const formatCost = (n: number): string => (n > 0 && n < 0.01 ? `$${n.toFixed(4)}` : formatMoney(n));

/**
 * Time, tokens and cost per step, context size, and the graph of child sessions. Each chart has an equivalent table.
 */
export function Charts() {
  const known = figures.value;
  useEffect(() => {
    if (!known) post({ type: 'figures' });
  }, [known]);
  if (!known)
    return (
      <p class="nothing dim" role="status">
        {say('charts.loading')}
      </p>
    );
  if (known.points.length === 0) return <p class="nothing dim">{say('charts.none')}</p>;
  return (
    <div class="charts" data-testid="charts" tabIndex={0} role="region" aria-label={say('view.charts')}>
      <div class="chart-grid">
        <BarChart name={say('chart.time')} points={known.points} series={time} format={formatDuration} />
        {known.points.some(({ inputTokens, outputTokens }) => inputTokens !== null || outputTokens !== null) && (
          <BarChart name={say('chart.tokens')} points={known.points} series={tokenSeries} format={formatTokens} />
        )}
        {known.points.some((point) => (point.cost ?? 0) > 0) && (
          <BarChart name={say('chart.cost')} points={known.points} series={costs} format={formatCost} />
        )}
        <BarChart
          name={say('chart.context')}
          points={known.points}
          series={context}
          format={formatTokens}
          most={known.contextWindow}
          {...(known.contextWindow !== null && { note: say('chart.window', { n: formatTokens(known.contextWindow) }) })}
        />
      </div>
      <RunGraphView graph={known.graph} />
    </div>
  );
}

const time: readonly Series[] = [
  { name: say('series.model'), tone: 'blue', of: ({ modelMs }) => modelMs },
  { name: say('series.actions'), tone: 'yellow', of: ({ actionMs }) => actionMs },
];
const tokenSeries: readonly Series[] = [
  { name: say('series.cached'), tone: 'green', of: ({ cachedTokens }) => cachedTokens },
  { name: say('series.input'), tone: 'blue', of: ({ inputTokens }) => inputTokens },
  { name: say('series.output'), tone: 'yellow', of: ({ outputTokens }) => outputTokens },
];
const costs: readonly Series[] = [{ name: say('chart.cost'), tone: 'purple', of: (point: FigurePoint) => point.cost }];
const context: readonly Series[] = [
  { name: say('chart.context'), tone: 'green', of: (point: FigurePoint) => point.context },
];
