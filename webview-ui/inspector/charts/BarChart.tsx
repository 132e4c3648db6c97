import type { FigurePoint } from '../../../src/protocol/inspector/inspector';
import { goToStep } from '../state/moves';
import { say } from '../state/words';

/** One row of bars. `of`: the height at a point; null if it is not known. */
export interface Series {
  readonly name: string;
  readonly tone: 'blue' | 'green' | 'purple' | 'yellow';
  of(point: FigurePoint): number | null;
}

interface Props {
  readonly name: string;
  readonly points: readonly FigurePoint[];
  readonly series: readonly Series[];
  format(value: number): string;
  /** Value of a reference line for the bars. */
  readonly most?: number | null;
  readonly note?: string;
}

const height = 100;

/** Bar chart over the steps; several series are stacked. */
export function BarChart(props: Props) {
  const { name, series, note } = props;
  return (
    <figure class="chart" data-testid="chart">
      <figcaption class="chart-head">
        <h2>{name}</h2>
        {series.length > 1 && (
          <span class="legend">
            {series.map((one) => (
              <span key={one.name} class="dim">
                <span class={`swatch tone-${one.tone}`} />
                {one.name}
              </span>
            ))}
          </span>
        )}
        {note && <span class="dim">{note}</span>}
      </figcaption>
      <Plot {...props} />
      <details>
        <summary class="name">{say('chart.table')}</summary>
        <ValueTable {...props} />
      </details>
    </figure>
  );
}

function Plot({ points, series, format, most = null }: Props) {
  const totals = points.map((point) => series.reduce((sum, { of }) => sum + (of(point) ?? 0), 0));
  const highest = Math.max(...totals, 0);
  const top = most !== null && highest > most / 4 ? Math.max(highest, most) : highest;
  const words = (point: FigurePoint): string =>
    series
      .map((one) => {
        const value = one.of(point);
        return series.length === 1 ? valueWords(value, format) : `${one.name} ${valueWords(value, format)}`;
      })
      .join(', ');
  return (
    <div class="plot">
      <span class="dim plot-top">{format(top)}</span>
      <svg viewBox={`0 0 ${points.length} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {points.map((point, index) => (
          <Bar
            key={point.seq}
            point={point}
            index={index}
            series={series}
            top={top}
            title={`${stepWords(point)}: ${words(point)}`}
          />
        ))}
        {most !== null && top >= most && top > 0 && (
          <line
            class="plot-line"
            x1="0"
            x2={points.length}
            y1={height - (most / top) * height}
            y2={height - (most / top) * height}
          />
        )}
      </svg>
      <span class="dim plot-ends">
        <span>{points[0] && say('row.step', { n: points[0].number })}</span>
        <span>{lastOf(points)}</span>
      </span>
    </div>
  );
}

/** The same values as a table, because the plot is hidden from screen readers. */
function ValueTable({ name, points, series, format }: Props) {
  return (
    <div class="chart-table" tabIndex={0} role="region" aria-label={name}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say('column.step')}</th>
            {series.map((one) => (
              <th key={one.name} scope="col">
                {one.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.seq}>
              <th scope="row">
                <button type="button" class="link" onClick={() => goToStep(point.seq)}>
                  {stepWords(point)}
                </button>
              </th>
              {series.map((one) => (
                <td key={one.name}>{valueWords(one.of(point), format)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Bar({
  point,
  index,
  series,
  top,
  title,
}: {
  point: FigurePoint;
  index: number;
  series: readonly Series[];
  top: number;
  title: string;
}) {
  let below = 0;
  return (
    <g class="bar" onClick={() => goToStep(point.seq)}>
      <title>{title}</title>
      <rect class="bar-ground" x={index} y={0} width={1} height={height} />
      {series.map((one) => {
        const size = top > 0 ? ((one.of(point) ?? 0) / top) * height : 0;
        below += size;
        return (
          size > 0 && (
            <rect
              key={one.name}
              class={`tone-${one.tone}`}
              x={index + 0.08}
              y={height - below}
              width={0.84}
              height={size}
            />
          )
        );
      })}
    </g>
  );
}

const valueWords = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value);
const lastOf = (points: readonly FigurePoint[]): number => {
  const point = points.at(-1);
  return point ? point.number + point.count - 1 : 0;
};
const stepWords = ({ number, count }: FigurePoint): string =>
  count === 1 ? say('row.step', { n: number }) : say('chart.steps', { from: number, to: number + count - 1 });
