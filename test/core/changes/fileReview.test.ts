import { strict as assert } from 'node:assert';
import {
  baseWithHunks,
  hunksOf,
  mergeSides,
  newReview,
  reviewAfter,
  reviewAfterKeeping,
  withoutHunks,
  type Author,
  type FileReview,
  type ReviewedHunk,
} from '../../../src/core/changes/fileReview';
import { changesIn } from '../../../src/core/changes/changesOf';
import { linesIn, textSnapshot, type Snapshot } from '../../../src/core/changes/snapshot';
import { undoPlan } from '../../../src/core/changes/undoPlan';
import { seededRandom } from '../../../src/core/model/sampling/seededRandom';

/**
 * Random sequences of edits by the agent and the user, of keep, undo and redo, checked against a model without diffs: a
 * file of slots between lines that never change.
 * HUNKS_SEED and HUNKS_RUNS choose other sequences.
 */
const seed = Number(process.env['HUNKS_SEED'] ?? 20261122);
const runs = Number(process.env['HUNKS_RUNS'] ?? 400);
const slotCount = 9;

/** Content of a slot without the agent, and its actual content. */
interface Slot {
  base: readonly string[];
  now: readonly string[];
  /** The agent's actions since the slot last had its content without the agent. */
  actions: string[];
  isContested: boolean;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join('\n') === b.join('\n');

class Model {
  readonly slots: Slot[];
  private made = 0;

  constructor(private readonly random: () => number) {
    this.slots = Array.from({ length: slotCount }, () => {
      const lines = this.lines();
      return { base: lines, now: lines, actions: [], isContested: false };
    });
  }

  /** Lines that are unique over the whole run. */
  lines(): string[] {
    return Array.from({ length: Math.floor(this.random() * 4) }, () => `line ${++this.made}`);
  }

  text(side: 'base' | 'now'): string {
    return this.slots.map((slot, at) => [`anchor ${at}`, ...slot[side]].map((line) => `${line}\n`).join('')).join('');
  }

  /** Indexes of the slots that differ, in order. */
  get pending(): number[] {
    return this.slots.flatMap(({ base, now }, at) => (isSame(base, now) ? [] : [at]));
  }

  some(places: readonly number[]): number[] {
    return places.filter(() => this.random() < 0.5);
  }

  /** Forgets slots that are no longer pending: kept, undone, or equal to their content without the agent. */
  settle(): void {
    for (const slot of this.slots)
      if (isSame(slot.base, slot.now)) Object.assign(slot, { actions: [], isContested: false });
  }
}

const snapshot = (text: string): Snapshot => textSnapshot(text, 0o644);

/** The model's file together with the review of the product. */
class World {
  review: FileReview;
  private acted = 0;
  readonly story: string[] = [];
  private undone: { readonly before: Snapshot; readonly after: Snapshot } | undefined;

  constructor(
    readonly model: Model,
    private readonly random: () => number,
  ) {
    this.review = newReview('file', snapshot(model.text('now')));
  }

  async edit(author: Author): Promise<void> {
    const after = snapshot(this.model.text('now'));
    this.review = await reviewAfter(this.review, author, this.review.current, after);
  }

  async agentEdits(): Promise<void> {
    const action = `a${++this.acted}`;
    const { model } = this;
    this.settleOld();
    const places = model.some(model.slots.map((_, at) => at)).slice(0, 3);
    for (const at of places) {
      const slot = model.slots[at]!;
      const now = model.lines();
      if (isSame(now, slot.now)) continue;
      slot.now = now;
      slot.actions.push(action);
    }
    this.story.push(`agent ${action}: ${places.join()}`);
    this.undone = undefined;
    await this.edit({ action });
  }

  /** The user sometimes edits lines of the agent: these then count as the user's and are never overwritten. */
  async personEdits(): Promise<void> {
    const { model } = this;
    this.settleOld();
    const isBold = this.random() < 0.3;
    const pending = new Set(model.pending);
    const open = model.slots.map((_, at) => at).filter((at) => isBold || !pending.has(at));
    const places = model.some(open).slice(0, 3);
    for (const at of places) {
      const slot = model.slots[at]!;
      const now = model.lines();
      if (isSame(now, slot.now)) continue;
      slot.now = now;
      if (pending.has(at)) slot.isContested = true;
      else slot.base = now;
    }
    this.story.push(`person: ${places.join()}`);
    this.undone = undefined;
    const { text } = this.review.current;
    await this.edit('person');
    this.hasOld ||= text !== this.review.current.text;
  }

  async keeps(): Promise<void> {
    const places = this.model.some(this.model.pending);
    this.story.push(`keep: ${places.join()}`);
    if (places.length === 0) return;
    const hunks = await this.hunksAt(places);
    const kept = baseWithHunks(this.review, hunks);
    this.review = await reviewAfterKeeping(this.review, this.review.base, kept);
    for (const at of places) this.model.slots[at]!.base = this.model.slots[at]!.now;
    this.hasOld = true;
    this.undone = undefined;
  }

  async undoes(): Promise<void> {
    const { model } = this;
    const places = model.some(model.pending).filter((at) => !model.slots[at]!.isContested);
    this.story.push(`undo: ${places.join()}`);
    if (places.length === 0) return;
    const before = this.review.current;
    const after = withoutHunks(this.review, await this.hunksAt(places));
    for (const at of places) model.slots[at]!.now = model.slots[at]!.base;
    assert.equal(after.text, model.text('now'), `exactly the undone hunks are gone\n${this.story.join('\n')}`);
    this.review = await reviewAfter(this.review, 'undo', before, after);
    this.undone = { before, after };
    this.hasOld = true;
    // A redo may restore what was undone, with its actions.
    this.beforeUndo = places.map((at) => ({ at, lines: this.linesBefore(before, at) }));
  }

  private hasOld = false;

  private settleOld(): void {
    if (this.hasOld) this.model.settle();
    this.hasOld = false;
  }

  private beforeUndo: readonly { readonly at: number; readonly lines: readonly string[] }[] = [];

  private linesBefore(before: Snapshot, at: number): string[] {
    const lines = before.text!.split('\n');
    const from = lines.indexOf(`anchor ${at}`) + 1;
    const to = at + 1 < slotCount ? lines.indexOf(`anchor ${at + 1}`) : lines.length - 1;
    return lines.slice(from, to);
  }

  async takesUndoBack(): Promise<void> {
    if (!this.undone) return;
    this.story.push('redo');
    this.review = await reviewAfter(this.review, 'redo', this.undone.after, this.undone.before);
    for (const { at, lines } of this.beforeUndo) this.model.slots[at]!.now = lines;
    this.undone = undefined;
  }

  private async hunksAt(places: readonly number[]): Promise<ReviewedHunk[]> {
    const hunks = await hunksOf(this.review);
    return hunks.filter((_, index) => places.includes(this.model.pending[index]!));
  }

  async check(): Promise<void> {
    const { model, review } = this;
    const story = this.story.join('\n');
    assert.equal(review.current.text, model.text('now'), story);
    assert.equal(review.base.text, model.text('base'), `what is kept, and the person's edits\n${story}`);
    const hunks = await hunksOf(review);
    assert.deepEqual(
      hunks.map(({ removed, added, isContested }) => ({ removed: [...removed], added: [...added], isContested })),
      model.pending.map((at) => {
        const { base, now, isContested } = model.slots[at]!;
        return { removed: [...base], added: [...now], isContested };
      }),
      story,
    );
    for (const [index, hunk] of hunks.entries())
      assert.deepEqual(hunk.actions, [...new Set(model.slots[model.pending[index]!]!.actions)], story);
  }
}

/** A file that the agent and the user edit anywhere, including the same lines. Every line is unique. */
class SharedFile {
  review: FileReview;
  readonly story: string[] = [];
  private made = 0;
  private acted = 0;
  private readonly gone = new Set<string>();
  private undone: { readonly before: Snapshot; readonly after: Snapshot } | undefined;

  constructor(private readonly random: () => number) {
    this.review = newReview('file', snapshot(this.newLines('line', 12).join('')));
  }

  private newLines(by: string, count = this.below(4)): string[] {
    return Array.from({ length: count }, () => `${by} ${++this.made}\n`);
  }

  private below(count: number): number {
    return Math.floor(this.random() * count);
  }

  /** Replaces up to three lines at a random place. */
  private edited(by: string): string[] {
    const lines = [...linesIn(this.review.current)];
    const from = this.below(lines.length + 1);
    const removed = lines.splice(from, this.below(4), ...this.newLines(by));
    if (by === 'person') for (const line of removed) this.gone.add(line);
    return lines;
  }

  async edits(by: 'agent' | 'person'): Promise<void> {
    const author: Author = by === 'agent' ? { action: `a${++this.acted}` } : 'person';
    const { current } = this.review;
    const after = snapshot(this.edited(by).join(''));
    this.story.push(`${by}: ${after.text!.replaceAll('\n', ', ')}`);
    this.review = await reviewAfter(this.review, author, current, after);
    this.undone = undefined;
  }

  private async someHunks(): Promise<ReviewedHunk[]> {
    return (await hunksOf(this.review)).filter(() => this.random() < 0.5);
  }

  async keeps(): Promise<void> {
    const hunks = await this.someHunks();
    this.story.push(`keep: ${hunks.map(({ added }) => added.join()).join(' | ')}`);
    this.review = await reviewAfterKeeping(this.review, this.review.base, baseWithHunks(this.review, hunks));
    this.undone = undefined;
  }

  /** Like the product: applies the plan, or nothing if it has a problem. */
  async undoes(): Promise<void> {
    const hunks = await this.someHunks();
    this.story.push(`undo: ${hunks.map(({ added }) => added.join()).join(' | ')}`);
    const before = this.review.current;
    const plan = undoPlan(await changesIn([this.review]), { hunks: hunks.map(({ id }) => id) });
    const story = this.story.join('\n');
    assert.equal(
      plan.problems.length > 0,
      hunks.some(({ isContested }) => isContested),
      story,
    );
    const [restore] = plan.restores;
    if (plan.problems.length > 0 || !restore) return;
    this.nothingIsLost(before, restore.after, story);
    this.review = await reviewAfter(this.review, 'undo', before, restore.after);
    this.undone = { before, after: restore.after };
  }

  async takesUndoBack(): Promise<void> {
    if (!this.undone) return;
    const { before, after } = this.undone;
    this.story.push('redo');
    this.review = await reviewAfter(this.review, 'redo', after, before);
    this.undone = undefined;
  }

  /**
   * Asserts that the user's lines are present and in order, with the lines that the agent had removed, and that lines
   * deleted by the user stay deleted.
   */
  private nothingIsLost(before: Snapshot, after: Snapshot, story: string): void {
    const written = linesIn(before).filter((line) => line.startsWith('person'));
    const left = linesIn(after).filter((line) => written.includes(line));
    assert.deepEqual(left, written, story);
    const back = linesIn(after).filter((line) => this.gone.has(line));
    assert.deepEqual(back, [], `a person deleted these\n${story}`);
  }
}

/** The lines after an undo of the agent's only hunk, or `contested`. `before`, `agent`, `user`: one after the other. */
async function withoutAgent(
  ...[before, agent, user]: [readonly string[], readonly string[], readonly string[]]
): Promise<string[] | 'contested'> {
  const text = (lines: readonly string[]): Snapshot => snapshot(lines.map((line) => `${line}\n`).join(''));
  const byAgent = await reviewAfter(newReview('file', text(before)), { action: 'a' }, text(before), text(agent));
  const review = await reviewAfter(byAgent, 'person', text(agent), text(user));
  const hunks = await hunksOf(review);
  assert.equal(hunks.length, 1);
  if (hunks[0]!.isContested) return 'contested';
  return withoutHunks(review, hunks).text!.trimEnd().split('\n');
}

describe('hunks of a file', function () {
  this.timeout(120_000);

  it(`are exactly the pending changes after any keeps, undos and edits (${runs} sequences, seed ${seed})`, async () => {
    for (let run = 0; run < runs; run++) {
      const random = seededRandom(seed + run);
      const world = new World(new Model(random), random);
      world.story.push(`seed ${seed + run}`);
      for (let turn = 0; turn < 14; turn++) {
        const choices = [
          () => world.agentEdits(),
          () => world.agentEdits(),
          () => world.personEdits(),
          () => world.keeps(),
          () => world.undoes(),
          () => world.takesUndoBack(),
        ];
        await choices[Math.floor(random() * choices.length)]!();
        await world.check();
      }
    }
  });

  it(`never undo the user’s edits, even in lines of the agent (${runs} sequences, seed ${seed})`, async () => {
    for (let run = 0; run < runs; run++) {
      const random = seededRandom(seed + run);
      const file = new SharedFile(random);
      file.story.push(`seed ${seed + run}`);
      for (let turn = 0; turn < 14; turn++) {
        const choices = [
          () => file.edits('agent'),
          () => file.edits('agent'),
          () => file.edits('person'),
          () => file.keeps(),
          () => file.undoes(),
          () => file.undoes(),
          () => file.takesUndoBack(),
        ];
        await choices[Math.floor(random() * choices.length)]!();
      }
    }
  });

  it('can be undone alone if the user changed only the lines next to them', async () => {
    const text = (...changed: readonly (readonly [number, string])[]): string =>
      Array.from({ length: 20 }, (_, at) => `${new Map(changed).get(at) ?? `line ${at}`}\n`).join('');
    const before = newReview('file', snapshot(text()));
    const agent = snapshot(text([5, 'agent 5'], [15, 'agent 15']));
    const byAgent = await reviewAfter(before, { action: 'a' }, before.base, agent);
    const now = (...more: readonly (readonly [number, string])[]): string =>
      text([4, 'hand 4'], [5, 'agent 5'], [6, 'hand 6'], [15, 'agent 15'], ...more);
    const review = await reviewAfter(byAgent, 'person', agent, snapshot(now()));
    const hunks = await hunksOf(review);
    assert.deepEqual(
      hunks.map(({ added, isContested }) => [added, isContested]),
      [
        [['agent 5'], false],
        [['agent 15'], false],
      ],
    );
    const undone = withoutHunks(review, hunks.slice(0, 1));
    assert.equal(undone.text, now([5, 'line 5']));
  });

  it('can be undone alone if the user only added lines above or below them', async () => {
    const before = ['a', 'b', 'c', 'd'];
    const inserted = ['a', 'agent 1', 'agent 2', 'b', 'c', 'd'];
    const replaced = ['a', 'agent 1', 'agent 2', 'c', 'd'];
    for (const [agent, user, undone] of [
      [inserted, ['a', 'hand', 'agent 1', 'agent 2', 'b', 'c', 'd'], ['a', 'hand', 'b', 'c', 'd']],
      [inserted, ['a', 'agent 1', 'agent 2', 'hand', 'b', 'c', 'd'], ['a', 'hand', 'b', 'c', 'd']],
      [inserted, ['a', 'up', 'agent 1', 'agent 2', 'down', 'b', 'c', 'd'], ['a', 'up', 'down', 'b', 'c', 'd']],
      [replaced, ['a', 'hand', 'agent 1', 'agent 2', 'c', 'd'], ['a', 'hand', 'b', 'c', 'd']],
      [replaced, ['a', 'agent 1', 'agent 2', 'hand', 'c', 'd'], ['a', 'b', 'hand', 'c', 'd']],
      // A line like one of the agent's or like the replaced one is still the user's.
      [replaced, ['a', 'agent 1', 'agent 2', 'agent 2', 'c', 'd'], ['a', 'b', 'agent 2', 'c', 'd']],
      [replaced, ['a', 'b', 'agent 1', 'agent 2', 'c', 'd'], ['a', 'b', 'b', 'c', 'd']],
      // Lines that the agent deleted, with a changed line below or above.
      [
        ['a', 'c', 'd'],
        ['a', 'hand', 'd'],
        ['a', 'b', 'hand', 'd'],
      ],
      [
        ['a', 'c', 'd'],
        ['hand', 'c', 'd'],
        ['hand', 'b', 'c', 'd'],
      ],
    ] as const)
      assert.deepEqual(await withoutAgent(before, agent, user), undone, user.join());
  });

  it('are contested if the user added lines among them, or where they deleted lines', async () => {
    const before = ['a', 'b', 'c', 'd'];
    for (const [agent, user] of [
      [
        ['a', 'agent 1', 'agent 2', 'c', 'd'],
        ['a', 'agent 1', 'hand', 'agent 2', 'c', 'd'],
      ],
      [
        ['a', 'c', 'd'],
        ['a', 'hand', 'c', 'd'],
      ],
    ] as const)
      assert.equal(await withoutAgent(before, agent, user), 'contested', user.join());
  });

  it('changed by the user are merged from the agent’s text, the current text, and the text without the hunk', async () => {
    const text = (...changed: readonly (readonly [number, string])[]): string =>
      Array.from({ length: 20 }, (_, at) => `${new Map(changed).get(at) ?? `line ${at}`}\n`).join('');
    const before = newReview('file', snapshot(text()));
    const agent = snapshot(text([5, 'agent 5'], [15, 'agent 15']));
    const byAgent = await reviewAfter(before, { action: 'a' }, before.base, agent);
    const now = snapshot(text([1, 'hand 1'], [5, 'agent 5'], [15, 'hand 15']));
    const review = await reviewAfter(byAgent, 'person', agent, now);
    const contested = (await hunksOf(review)).filter(({ isContested }) => isContested);
    assert.equal(contested.length, 1);
    assert.deepEqual(await mergeSides(review, contested), {
      agent: agent.text,
      now: now.text,
      without: text([5, 'agent 5']),
    });
  });

  it('do not depend on the clock', async () => {
    const before = Array.from({ length: 2000 }, (_, at) => `line ${at}\n`);
    const after = before.map((line, at) => (at % 4 === 0 ? `new ${at}\n` : line));
    const review = newReview('file', snapshot(before.join('')));
    const real = Date.now;
    let clock = real();
    // A machine on which a minute passes between any two clock readings.
    Date.now = () => (clock += 60_000);
    try {
      const changed = await reviewAfter(review, { action: 'a' }, review.base, snapshot(after.join('')));
      assert.equal((await hunksOf(changed)).length, 500);
    } finally {
      Date.now = real;
    }
  });
});
