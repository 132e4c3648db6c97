import type { SessionSummary } from '../../adapters/sessions/sessions';
import { compareTexts } from '../../core/text/order';

/** Sessions as a tree. */
interface SessionTree {
  /** Pinned sessions, in the order of their IDs in `pinned`. */
  readonly pinned: SessionSummary[];
  /** Other top-level sessions, most recently used first. */
  readonly roots: SessionSummary[];
  /** Returns the sub-agent sessions and forks of a session, oldest first. */
  childrenOf(id: string): SessionSummary[];
}

/** Returns the tree. Sub-agent sessions and forks are below their origin, unless they are pinned. */
export function sessionTree(all: readonly SessionSummary[], pinned: readonly string[] = []): SessionTree {
  const known = new Map(all.map((session) => [session.id, session]));
  const originOf = ({ id, parent, fork }: SessionSummary): string | undefined =>
    pinned.includes(id)
      ? undefined
      : [fork?.session, parent].find((name) => name !== undefined && name !== id && known.has(name));
  const children = new Map<string, SessionSummary[]>();
  for (const session of all) {
    const name = originOf(session);
    if (name !== undefined) children.set(name, [...(children.get(name) ?? []), session]);
  }
  for (const list of children.values()) list.sort((a, b) => compareTexts(a.id, b.id));
  const latest = (session: SessionSummary): number =>
    (children.get(session.id) ?? []).reduce((most, child) => Math.max(most, latest(child)), session.updatedAt);
  const roots = all
    .filter((session) => originOf(session) === undefined && !pinned.includes(session.id))
    .map((session) => [latest(session), session] as const)
    .sort(([a], [b]) => b - a);
  return {
    pinned: pinned.flatMap((id) => known.get(id) ?? []),
    roots: roots.map(([, session]) => session),
    childrenOf: (id) => children.get(id) ?? [],
  };
}

/** The sessions of one day. */
export interface SessionDay {
  /** Days before today; 0 is today. */
  readonly ago: number;
  /** Time of one of its sessions, in ms since 1970. */
  readonly time: number;
  readonly sessions: readonly SessionSummary[];
}

const dayOf = (time: number): number => {
  const date = new Date(time);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
};

/** Groups sessions by the day of their last use, keeping their order. */
export function sessionDays(sessions: readonly SessionSummary[], now: number): SessionDay[] {
  const days = new Map<number, SessionSummary[]>();
  for (const session of sessions) {
    const ago = Math.max(0, dayOf(now) - dayOf(session.updatedAt));
    days.set(ago, [...(days.get(ago) ?? []), session]);
  }
  return [...days].map(([ago, of]) => ({ ago, time: of[0]!.updatedAt, sessions: of }));
}

const maxTitleLength = 34;

/** Shortens a title for a narrow list, at a word boundary, so that the text after it stays visible and in its place. */
export function shortTitle(title: string): string {
  const letters = [...title];
  if (letters.length <= maxTitleLength) return isolate(title);
  const cut = letters.slice(0, maxTitleLength - 1).join('');
  const blank = cut.lastIndexOf(' ');
  return isolate(`${(blank > maxTitleLength / 2 ? cut.slice(0, blank) : cut).trimEnd()}…`);
}

/** Encloses a text that contains letters from right to left, which would otherwise move the text after it. */
const isolate = (text: string): string =>
  /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u.test(text)
    ? `\u2068${text}\u2069`
    : text;
