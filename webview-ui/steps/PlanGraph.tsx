import { useEffect } from 'preact/hooks';
import type { Delegation, ChildState } from '../state/children';
import { layoutScript, loadLayout } from '../layout/loadLayout';
import { text } from '../base/text';
import { truncate } from '../../src/protocol/plain/truncate';

const size = { width: 136, height: 40 };
const maxTitleLength = 18;

/** A plan as a graph. The list below it contains the same information. */
export function PlanGraph({
  plan: { children, edges },
  onOpen,
}: {
  plan: Delegation;
  onOpen: (session: string) => void;
}) {
  useEffect(loadLayout, []);
  const laid = layoutScript.value?.layout(children.length, edges, size);
  if (!laid) return null;
  return (
    <div class="plan-graph" data-testid="plan-graph" aria-hidden="true">
      <svg width={laid.width} height={laid.height} viewBox={`0 0 ${laid.width} ${laid.height}`}>
        {laid.edges.map((points, index) => (
          <path key={index} class="plan-edge" d={arrow(points)} />
        ))}
        {children.map(({ title, state, session }, index) => {
          const { x, y } = laid.nodes[index]!;
          const { tone, glyph } = childTone[state];
          return (
            <g
              key={index}
              class={`plan-node is-${tone}${session ? ' opens' : ''}`}
              transform={`translate(${x - size.width / 2} ${y - size.height / 2})`}
              onClick={() => session && onOpen(session)}
            >
              <title>{title}</title>
              <rect width={size.width} height={size.height} rx="4" />
              <text class="plan-title" x="8" y="17">
                {truncate(title, maxTitleLength)}
              </text>
              <text class="plan-state" x="8" y="32">{`${glyph} ${text(`child.${state}`)}`}</text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** Returns a line through the points with an arrowhead at its end. */
export function arrow(points: readonly { x: number; y: number }[]): string {
  const line = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join(' ');
  const [before, end] = points.slice(-2);
  if (!before || !end) return line;
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const wing = (turn: number): string =>
    `${round(end.x - 6 * Math.cos(angle + turn))} ${round(end.y - 6 * Math.sin(angle + turn))}`;
  return `${line} M${wing(0.5)} L${round(end.x)} ${round(end.y)} L${wing(-0.5)}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Color, icon and symbol of a child session; the text conveys the same. */
export const childTone: {
  readonly [State in ChildState]: {
    readonly tone: 'quiet' | 'running' | 'good' | 'warn' | 'bad';
    readonly icon: string;
    readonly glyph: string;
  };
} = {
  waiting: { tone: 'quiet', icon: 'circle-large-outline', glyph: '○' },
  working: { tone: 'running', icon: 'loading', glyph: '…' },
  needs_approval: { tone: 'warn', icon: 'bell-dot', glyph: '!' },
  needs_answer: { tone: 'warn', icon: 'question', glyph: '?' },
  paused: { tone: 'warn', icon: 'debug-pause', glyph: '‖' },
  submitted: { tone: 'good', icon: 'pass', glyph: '✓' },
  answered: { tone: 'good', icon: 'pass', glyph: '✓' },
  limit_exceeded: { tone: 'warn', icon: 'warning', glyph: '!' },
  failed: { tone: 'bad', icon: 'error', glyph: '✗' },
  stopped: { tone: 'warn', icon: 'debug-stop', glyph: '■' },
  not_run: { tone: 'quiet', icon: 'circle-slash', glyph: '–' },
  unknown: { tone: 'quiet', icon: 'question', glyph: '?' },
};
