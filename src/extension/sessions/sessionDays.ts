import type { SessionSummary } from '../../adapters/sessions/sessions';

/** The sessions of one day. */
export interface SessionDay {
  /** Days before today: 0 is today. */
  readonly ago: number;
  /** Milliseconds since 1970 of one of them. */
  readonly at: number;
  readonly sessions: readonly SessionSummary[];
}

const dayOf = (at: number): number => {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
};

/** Sessions by the day on which they were worked on last, in the order in which they come. */
export function sessionDays(sessions: readonly SessionSummary[], now: number): SessionDay[] {
  const days = new Map<number, SessionSummary[]>();
  for (const session of sessions) {
    const ago = Math.max(0, dayOf(now) - dayOf(session.updatedAt));
    days.set(ago, [...(days.get(ago) ?? []), session]);
  }
  return [...days].map(([ago, of]) => ({ ago, at: of[0]!.updatedAt, sessions: of }));
}

const mostTitle = 34;

/** A title as a row of a narrow list shows it, so that what stands behind it is seen too. Cut at a word. */
export function shortTitle(title: string): string {
  const letters = [...title];
  if (letters.length <= mostTitle) return title;
  const cut = letters.slice(0, mostTitle - 1).join('');
  const blank = cut.lastIndexOf(' ');
  return `${(blank > mostTitle / 2 ? cut.slice(0, blank) : cut).trimEnd()}…`;
}
