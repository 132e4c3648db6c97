import type { SessionSummary } from '../../adapters/sessions/sessions';

/** Sessions as a person finds them. */
export interface SessionTree {
  /** The sessions that are below no other one, the most recently used first. */
  readonly roots: SessionSummary[];
  /** The sessions that worked for it or continue from it, in the order in which they began. */
  below(id: string): SessionSummary[];
}

/**
 * A session that went on from another, or worked for it, is below that one. Takes time proportional to their number.
 */
export function sessionTree(all: readonly SessionSummary[]): SessionTree {
  const known = new Map(all.map((session) => [session.id, session]));
  const above = ({ id, parent, fork }: SessionSummary): string | undefined =>
    [fork?.session, parent].find((name) => name !== undefined && name !== id && known.has(name));
  const children = new Map<string, SessionSummary[]>();
  for (const session of all) {
    const name = above(session);
    if (name !== undefined) children.set(name, [...(children.get(name) ?? []), session]);
  }
  for (const list of children.values()) list.sort((a, b) => (a.id < b.id ? -1 : 1));
  const latest = (session: SessionSummary): number =>
    (children.get(session.id) ?? []).reduce((most, child) => Math.max(most, latest(child)), session.updatedAt);
  const roots = all
    .filter((session) => above(session) === undefined)
    .map((session) => [latest(session), session] as const)
    .sort(([a], [b]) => b - a);
  return { roots: roots.map(([, session]) => session), below: (id) => children.get(id) ?? [] };
}

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
