import type { ChildState } from '../state/children';

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
