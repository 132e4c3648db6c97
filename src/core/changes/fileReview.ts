import { transferChanges, changedBlocks, inverseBlock, withBlocks, withoutBlocks, type LineBlock } from './lineChanges';
import { isSameSnapshot, linesIn, permissionsOf, shownText, textSnapshot, type Snapshot } from './snapshot';

/**
 * Review of one file: the content without the agent's changes (`base`) and the current content. Changes by a person are
 * applied to both sides, so they differ only by the agent's changes. Keeping a hunk changes `base`, undoing it changes
 * `current`. The difference waits for review.
 */
export interface FileReview {
  readonly path: string;
  /** Content without the agent's changes, but with those that a person made or kept. */
  readonly base: Snapshot;
  readonly current: Snapshot;
  readonly marks: readonly Mark[];
  /** True if a person kept hunks of it. */
  readonly hasKept: boolean;
  /** True if marks of finished changes may be left, because some were kept, undone or changed by a person. */
  readonly hasOldMarks?: boolean;
  /** Both sides after the agent's last change of the file. Absent before its first. */
  readonly agentLeft?: { readonly base: Snapshot; readonly current: Snapshot };
}

/** Used in place of an action id: something changed the file between two actions. */
const betweenActions = Symbol('between actions');

/** Lines [from, to) of the current text that an action changed. `by: null`: a person changed lines of the agent. */
interface Mark {
  readonly by: string | typeof betweenActions | null;
  readonly from: number;
  readonly to: number;
}

/**
 * Author of a change: an action, something that ran between two actions, a person, or nobody new if a change is undone
 * or redone.
 */
export type Author = { readonly action: string } | 'between' | 'person' | 'undo' | 'redo';

/** A part of a changed file that a person keeps or undoes as a whole. */
export interface ReviewedHunk {
  /** Stable while these lines stay the same, even if they move. */
  readonly id: string;
  readonly path: string;
  /** `lines` covers some lines of a text file. The others cover the whole file. */
  readonly kind: 'lines' | 'mode' | 'created' | 'deleted' | 'replaced';
  /** 0-based line ranges in both texts. */
  readonly block: LineBlock;
  /** Lines for display, without line breaks. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Ids of the actions that made it, in order. */
  readonly actions: readonly string[];
  /** True if part of it changed between two actions, by a process of the run or by another program. */
  readonly isBetween: boolean;
  /** True if a person changed these lines after the agent. Undoing the hunk would lose that change. */
  readonly isContested: boolean;
}

const wholeText = { from: 0, to: Infinity };
const noBlock: LineBlock = { oldFrom: 0, oldTo: 0, newFrom: 0, newTo: 0 };

export const newReview = (path: string, state: Snapshot): FileReview => ({
  path,
  base: state,
  current: state,
  marks: [],
  hasKept: false,
});

/** Returns the review without marks of finished changes, because a later change to the same lines is a new one. */
async function withoutOldMarks(review: FileReview): Promise<FileReview> {
  const { base, current, marks, hasOldMarks } = review;
  if (!hasOldMarks || marks.length === 0) return review;
  if (isSameSnapshot(base, current)) return { ...review, marks: [], hasOldMarks: false };
  if (!isText(base) || !isText(current) || permissionsOf(base) !== permissionsOf(current)) return review;
  const waiting = await changedBlocks(linesIn(base), linesIn(current));
  const left = marks.filter(({ from, to }) => waiting.some((block) => from <= block.newTo && to >= block.newFrom));
  return { ...review, marks: left, hasOldMarks: false };
}

/**
 * Returns the review after a change of the file. Differences between `review.current` and `before` count as a person's.
 */
export async function reviewAfter(
  review: FileReview,
  author: Author,
  before: Snapshot,
  after: Snapshot,
): Promise<FileReview> {
  if (!isSameSnapshot(review.current, before))
    return reviewAfter(await reviewAfter(review, 'person', review.current, before), author, before, after);
  if (isSameSnapshot(before, after)) return review;
  // An undo can be reverted, which needs its marks.
  if (author === 'undo' || author === 'redo') return changedBy(review, author, before, after);
  return changedBy(await withoutOldMarks(review), author, before, after);
}

async function changedBy(review: FileReview, author: Author, before: Snapshot, after: Snapshot): Promise<FileReview> {
  const blocks = isText(before) && isText(after) ? await changedBlocks(linesIn(before), linesIn(after)) : null;
  const moved = blocks ? review.marks.map((mark) => movedMark(mark, blocks)) : review.marks;
  if (typeof author === 'object' || author === 'between') {
    const by = author === 'between' ? betweenActions : author.action;
    const places = blocks ? blocks.map(({ newFrom, newTo }) => ({ from: newFrom, to: newTo })) : [wholeText];
    const isModeAlone = blocks?.length === 0;
    const marks = (isModeAlone ? [wholeText] : places).map((place): Mark => ({ by, ...place }));
    const agentLeft = { base: review.base, current: after };
    return { ...review, current: after, marks: [...moved, ...marks], agentLeft };
  }
  if (author === 'redo') return { ...review, current: after, marks: moved };
  // Undoing moves the file toward `base`. Only hunks kept before are part of `base`, too, and are removed from it.
  if (author === 'undo' && !review.hasKept) return { ...review, current: after, marks: moved, hasOldMarks: true };
  const { base, untransferred } = await baseAfter(review.base, before, after);
  if (author === 'undo') return { ...review, base, current: after, marks: moved, hasOldMarks: true };
  const marks = [...moved, ...untransferred.map((place) => ({ by: null, ...place }))];
  return { ...review, base, current: after, marks, hasOldMarks: true };
}

/** Returns the review after a person kept something. `before` and `after` are versions of `base`. */
export async function reviewAfterKeeping(review: FileReview, before: Snapshot, after: Snapshot): Promise<FileReview> {
  const { base } = await baseAfter(review.base, before, after);
  const { agentLeft } = review;
  const withBase = { ...review, base, hasKept: true, hasOldMarks: true };
  if (!agentLeft) return withBase;
  const left = await baseAfter(agentLeft.base, before, after);
  return { ...withBase, agentLeft: { ...agentLeft, base: left.base } };
}

interface BaseAfter {
  readonly base: Snapshot;
  /** Lines of the changed text that could not be transferred. */
  readonly untransferred: readonly { readonly from: number; readonly to: number }[];
}

/** Returns `base` after a change by a person. */
async function baseAfter(base: Snapshot, before: Snapshot, after: Snapshot): Promise<BaseAfter> {
  if (isSameSnapshot(base, before) || after.state === null) return { base: after, untransferred: [] };
  if (isSameSnapshot(base, after)) return { base, untransferred: [] };
  if (!isText(base) || !isText(before) || !isText(after)) return { base, untransferred: [wholeText] };
  const { lines, untransferred } = await transferChanges(linesIn(base), linesIn(before), linesIn(after), {
    applyAdjacent: true,
  });
  const mode = permissionsOf(base) === permissionsOf(before) ? permissionsOf(after) : permissionsOf(base);
  return { base: textSnapshot(lines.join(''), mode ?? 0o644), untransferred };
}

/** Returns the hunks that wait for review, in the order of the file. */
export async function hunksOf({ path, base, current, marks }: FileReview): Promise<ReviewedHunk[]> {
  if (isSameSnapshot(base, current)) return [];
  const known = new Map<string, number>();
  const hunk = (
    kind: ReviewedHunk['kind'],
    block: LineBlock,
    removed: readonly string[],
    added: readonly string[],
  ): ReviewedHunk => {
    const words = [path, kind, removed.join(''), added.join('')].join('\0');
    const nth = known.get(words) ?? 0;
    known.set(words, nth + 1);
    const from = kind === 'lines' ? block.newFrom : 0;
    const to = kind === 'lines' ? block.newTo : Infinity;
    const meeting = marks.filter((mark) => mark.from <= to && mark.to >= from);
    const actions = [...new Set(meeting.flatMap(({ by }) => (typeof by === 'string' ? by : [])))];
    return {
      id: shortHash(`${words}\0${nth}`),
      path,
      kind,
      block,
      removed: removed.map(shownLine),
      added: added.map(shownLine),
      actions,
      isBetween: meeting.some(({ by }) => by === betweenActions),
      isContested: meeting.some(({ by }) => by === null),
    };
  };
  if (isText(base) && isText(current)) {
    const [old, now] = [linesIn(base), linesIn(current)];
    const hunks = (await changedBlocks(old, now)).map((block) =>
      hunk('lines', block, old.slice(block.oldFrom, block.oldTo), now.slice(block.newFrom, block.newTo)),
    );
    const isModeSame = permissionsOf(base) === permissionsOf(current);
    return isModeSame ? hunks : [hunk('mode', noBlock, [octal(base)], [octal(current)]), ...hunks];
  }
  const old = linesIn(base);
  const now = linesIn(current);
  const block: LineBlock = { oldFrom: 0, oldTo: old.length, newFrom: 0, newTo: now.length };
  if (base.state === null) return [hunk('created', block, [], now)];
  return [hunk(current.state === null ? 'deleted' : 'replaced', block, old, now)];
}

const octal = (snapshot: Snapshot): string => (permissionsOf(snapshot) ?? 0).toString(8);

const shownLine = (line: string): string => shownText(line.endsWith('\n') ? line.slice(0, -1) : line);

/** Returns the file with some hunks undone, as it will be on disk. */
export function withoutHunks({ base, current }: FileReview, hunks: readonly ReviewedHunk[]): Snapshot {
  if (!isText(base) || !isText(current)) return hunks.length > 0 ? base : current;
  const { blocks, hasMode } = chosen(hunks);
  const lines = withoutBlocks(linesIn(base), linesIn(current), blocks);
  return textSnapshot(lines.join(''), permissionsOf(hasMode ? base : current) ?? 0o644);
}

/** Returns `base` with some hunks kept. */
export function baseWithHunks({ base, current }: FileReview, hunks: readonly ReviewedHunk[]): Snapshot {
  if (!isText(base) || !isText(current)) return hunks.length > 0 ? current : base;
  const { blocks, hasMode } = chosen(hunks);
  const lines = withBlocks(linesIn(base), linesIn(current), blocks);
  return textSnapshot(lines.join(''), permissionsOf(hasMode ? current : base) ?? 0o644);
}

function chosen(hunks: readonly ReviewedHunk[]): { blocks: LineBlock[]; hasMode: boolean } {
  const blocks = hunks.filter(({ kind }) => kind === 'lines').map(({ block }) => block);
  blocks.sort((a, b) => a.oldFrom - b.oldFrom || a.newFrom - b.newFrom);
  return { blocks, hasMode: hunks.some(({ kind }) => kind === 'mode') };
}

/** The three texts of a merge. One character per byte. */
interface MergeSides {
  /** Content after the agent's last change. */
  readonly agent: string;
  /** Current content, with later changes by a person. */
  readonly now: string;
  /** `agent` without the hunks. */
  readonly without: string;
}

/**
 * Returns the input of a merge if a person changed lines of the agent. Undefined if the file cannot be merged line by
 * line.
 */
export async function mergeSides(
  { current, agentLeft }: FileReview,
  hunks: readonly ReviewedHunk[],
): Promise<MergeSides | undefined> {
  if (!agentLeft || !isText(agentLeft.base) || !isText(agentLeft.current) || !isText(current)) return undefined;
  const old = linesIn(agentLeft.base);
  const agent = linesIn(agentLeft.current);
  const toNow = await changedBlocks(agent, linesIn(current));
  const backwards = toNow.map(inverseBlock);
  const chosenPlaces = hunks
    .filter(({ kind }) => kind === 'lines')
    .map(({ block }) => ({
      from: movedStart(block.newFrom, backwards),
      to: movedEnd(block.newTo, backwards),
    }));
  const byAgent = await changedBlocks(old, agent);
  const taken = byAgent.filter(({ newFrom, newTo }) =>
    chosenPlaces.some(({ from, to }) => newFrom <= to && newTo >= from),
  );
  const without = withoutBlocks(old, agent, taken).join('');
  return { agent: agentLeft.current.text, now: current.text, without };
}

const isText = (snapshot: Snapshot): snapshot is Snapshot & { readonly text: string } => snapshot.text !== undefined;

/** Returns the position of a mark after some blocks were changed. Replaced lines move to their replacement. */
function movedMark({ by, from, to }: Mark, blocks: readonly LineBlock[]): Mark {
  const end = movedEnd(to, blocks);
  return { by, from: Math.min(movedStart(from, blocks), end), to: end };
}

function movedStart(place: number, blocks: readonly LineBlock[]): number {
  let shift = 0;
  for (const { oldFrom, oldTo, newFrom, newTo } of blocks) {
    if (oldTo <= place) shift = newTo - oldTo;
    else return oldFrom <= place ? newFrom : place + shift;
  }
  return place + shift;
}

function movedEnd(place: number, blocks: readonly LineBlock[]): number {
  let shift = 0;
  for (const { oldFrom, oldTo, newTo } of blocks) {
    if (oldFrom >= place) break;
    if (oldTo > place) return newTo;
    shift = newTo - oldTo;
  }
  return place + shift;
}

/** 52-bit hash in hexadecimal, enough to distinguish the hunks of a run. */
function shortHash(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  const bits = 4294967296 * (2097151 & low) + (high >>> 0);
  return bits.toString(16).padStart(14, '0').slice(-12);
}
