import type { Participant, SequenceDiagram, SequenceHead, SequenceStep } from './readers/diagram';
import { svgPath, rectangle, textSize, wrapText, type Drawing, type Letters, type Part } from './drawing';
import type { Point } from './layered';
import { arrowHeadParts } from './shapes';

type Message = Extract<SequenceStep, { type: 'message' }>;
type Note = Extract<SequenceStep, { type: 'note' }>;

const margin = 8;
const gap = 24;
const barWidth = 8;
const loopWidth = 30;

/** Draws a sequence diagram: participants side by side, with their messages below in order. */
export function drawSequence(diagram: SequenceDiagram, letters: Letters): Drawing {
  return new SequenceDrawing(diagram, letters).draw();
}

interface Frame {
  readonly top: number;
  readonly depth: number;
}

class SequenceDrawing {
  private readonly middles: number[];
  private readonly right: number;
  private readonly left: number;
  /** Lifelines, frames and bars, drawn below the messages. */
  private readonly below: Part[] = [];
  private readonly above: Part[] = [];
  private readonly frames: Frame[] = [];
  private readonly maxDepth: number;
  /** Start positions of each participant's activation bars. */
  private readonly active: number[][];
  private y = margin;

  constructor(
    private readonly diagram: SequenceDiagram,
    private readonly letters: Letters,
  ) {
    this.active = diagram.people.map(() => []);
    let depth = 0;
    let deepest = 0;
    for (const { type } of diagram.steps) {
      if (type === 'open') deepest = Math.max(deepest, ++depth);
      if (type === 'close') depth--;
    }
    this.maxDepth = deepest;
    const { middles, right, left } = this.columns();
    this.middles = middles;
    this.right = right;
    this.left = left;
  }

  draw(): Drawing {
    const { people, steps, title } = this.diagram;
    if (title !== '') {
      const lines = wrapText(title, this.letters, Math.max(200, this.right));
      this.write('diagram-title', this.right / 2, lines);
      this.y += 10;
    }
    const height =
      Math.max(...people.map((person) => textSize(this.wordsOf(person), this.letters).height)) +
      this.letters.size * 1.2;
    this.drawPeople(height);
    const lifeFrom = this.y;
    this.y += 14;
    for (const step of steps) this.draws(step);
    people.forEach((_, person) => {
      while (this.active[person]!.length > 0) this.endBar(person);
    });
    this.y += 10;
    const lives = this.middles.map((x): Part => ({
      type: 'path',
      className: 'diagram-life',
      d: svgPath`M${x} ${lifeFrom}V${this.y}`,
    }));
    this.drawPeople(height);
    return { width: this.right, height: this.y + margin, parts: [...lives, ...this.below, ...this.above] };
  }

  private draws(step: SequenceStep): void {
    switch (step.type) {
      case 'message':
        return this.drawMessage(step);
      case 'note':
        return this.drawNote(step);
      case 'activate':
        this.active[step.person]!.push(this.y - 6);
        return;
      case 'deactivate':
        return this.endBar(step.person);
      case 'open':
        this.y += 6;
        this.frames.push({ top: this.y, depth: this.frames.length });
        return this.drawFrameWords(step.word, step.text);
      case 'next': {
        this.below.push({
          type: 'path',
          className: 'diagram-frame is-dotted',
          d: svgPath`M${this.frameLeft()} ${this.y}H${this.frameRight()}`,
        });
        return this.drawFrameWords(step.word, step.text);
      }
      case 'close': {
        const left = this.frameLeft();
        const right = this.frameRight();
        const frame = this.frames.pop();
        if (!frame) return;
        this.below.unshift({
          type: 'path',
          className: 'diagram-frame',
          d: rectangle({ x: left, y: frame.top, width: right - left, height: this.y - frame.top, radius: 3 }),
        });
        this.y += 10;
      }
    }
  }

  private frameLeft = (): number => this.left + (this.frames.length - 1) * 6;
  private frameRight = (): number => this.right - margin - (this.frames.length - 1) * 6;

  private drawFrameWords(word: string, said: string): void {
    const words = [word === 'else' || word === 'and' || word === 'option' ? '' : word, said && `[${said}]`]
      .filter(Boolean)
      .join(' ');
    if (words === '') {
      this.y += 8;
      return;
    }
    const left = this.frameLeft() + 6;
    const lines = wrapText(words, this.letters, Math.max(60, this.frameRight() - left - 6));
    this.y += 4;
    this.write('diagram-frame-words', left, lines, 'start');
    this.y += 10;
  }

  private drawMessage(message: Message): void {
    const { from, to, text, number, isDashed } = message;
    const isToSelf = from === to;
    const [start, end] = [this.middles[from]!, this.middles[to]!];
    const numbered = number === undefined ? text : `${number}. ${text}`;
    const widest = isToSelf ? this.widestOwn() : Math.max(this.letters.size * 8, Math.abs(end - start) - gap);
    const lines = numbered === '' ? [] : wrapText(numbered, this.letters, widest);
    if (lines.length > 0) {
      if (isToSelf) this.write('diagram-label', start + 10, lines, 'start');
      else this.write('diagram-label', (start + end) / 2, lines);
      this.y += 5;
    }
    const className = `diagram-edge is-${isDashed ? 'dotted' : 'solid'}`;
    if (isToSelf) {
      const out = start + loopWidth;
      const [edge, back] = [start + this.bar(from), this.y + 14];
      this.above.push({ type: 'path', className, d: svgPath`M${edge} ${this.y}H${out}V${back}H${edge}` });
      this.head(message.end, { x: edge, y: back }, { x: out, y: back });
      this.y += 14 + 16;
      return;
    }
    const side = start < end ? 1 : -1;
    const [first, last] = [
      { x: start + side * this.bar(from), y: this.y },
      { x: end - side * this.bar(to), y: this.y },
    ];
    this.above.push({ type: 'path', className, d: svgPath`M${first.x} ${this.y}H${last.x}` });
    this.head(message.start, first, last);
    this.head(message.end, last, first);
    this.y += 16;
  }

  private head(head: SequenceHead, at: Point, from: Point): void {
    if (head === 'open') {
      const back = from.x < at.x ? -8 : 8;
      this.above.push({
        type: 'path',
        className: 'diagram-head',
        d: svgPath`M${at.x + back} ${at.y - 5}L${at.x} ${at.y}L${at.x + back} ${at.y + 5}`,
      });
    } else this.above.push(...arrowHeadParts(head, at, from));
  }

  private drawNote({ from, to, side, text }: Note): void {
    const lines = wrapText(text, this.letters, this.widestNote());
    const size = textSize(lines, this.letters);
    const [start, end] = [this.middles[from]!, this.middles[to]!];
    const across = end - start;
    const width = Math.max(size.width + 16, side === 'over' && across > 0 ? across + 40 : 0);
    const middles = { over: (start + end) / 2, left: start - 12 - width / 2, right: end + 12 + width / 2 };
    const x = middles[side];
    const height = size.height + 10;
    this.above.push({
      type: 'path',
      className: 'diagram-note-box',
      d: rectangle({ x: x - width / 2, y: this.y, width, height, radius: 2 }),
    });
    this.above.push({ type: 'text', className: 'diagram-words', x, y: this.y + height / 2, lines });
    this.y += height + 12;
  }

  private endBar(person: number): void {
    const top = this.active[person]!.pop();
    if (top === undefined) return;
    const x = this.middles[person]! - barWidth / 2 + this.active[person]!.length * 4;
    const end = Math.max(top + 12, this.y - 12);
    this.below.push({
      type: 'path',
      className: 'diagram-node',
      d: rectangle({ x, y: top, width: barWidth, height: end - top }),
    });
  }

  /** Returns the distance between the center of an active participant and the end of a line. */
  private bar(person: number): number {
    const count = this.active[person]!.length;
    return count === 0 ? 0 : barWidth / 2 + (count - 1) * 4;
  }

  private drawPeople(height: number): void {
    this.diagram.people.forEach((person, index) => {
      const lines = this.wordsOf(person);
      const width = this.widthOf(person);
      const x = this.middles[index]!;
      this.above.push({
        type: 'path',
        className: 'diagram-node',
        d: rectangle({ x: x - width / 2, y: this.y, width, height, radius: person.isActor ? height / 2 : 2 }),
      });
      this.above.push({ type: 'text', className: 'diagram-words is-head', x, y: this.y + height / 2, lines });
    });
    this.y += height;
  }

  private write(className: string, x: number, lines: readonly string[], anchor?: 'start'): void {
    const { height } = textSize(lines, this.letters);
    this.above.push({ type: 'text', className, x, y: this.y + height / 2, lines, ...(anchor && { anchor }) });
    this.y += height;
  }

  private wordsOf = ({ label }: Participant): string[] => wrapText(label, this.letters, this.letters.size * 11);
  private widthOf = (person: Participant): number =>
    textSize(this.wordsOf(person), this.letters).width + this.letters.size * 1.8;
  private widestOwn = (): number => this.letters.size * 13;
  private widestNote = (): number => this.letters.size * 15;

  /** Returns the positions of the participants, with enough space for the messages between them. */
  private columns(): { middles: number[]; left: number; right: number } {
    const { people, steps } = this.diagram;
    const widths = people.map((person) => this.widthOf(person));
    const gaps = people.slice(1).map((_, index) => (widths[index]! + widths[index + 1]!) / 2 + gap);
    const before: number[] = people.map(() => 0);
    const behind: number[] = people.map(() => 0);
    const needs = (from: number, to: number, width: number): void => {
      const now = gaps.slice(from, to).reduce((sum, one) => sum + one, 0);
      if (now < width) gaps[to - 1] = gaps[to - 1]! + width - now;
    };
    const widenRoom = (room: number[], person: number, width: number): void => {
      room[person] = Math.max(room[person]!, width);
    };
    const spans = steps.filter((step) => step.type === 'message' || step.type === 'note');
    for (const step of spans) {
      const widestMessage = step.from === step.to ? this.widestOwn() : this.letters.size * 18;
      const widest = step.type === 'note' ? this.widestNote() : widestMessage;
      const numbered =
        step.type === 'message' && step.number !== undefined ? `${step.number}. ${step.text}` : step.text;
      const { width } = textSize(wrapText(numbered, this.letters, widest), this.letters);
      const [first, last] = [Math.min(step.from, step.to), Math.max(step.from, step.to)];
      if (step.type === 'note' && step.side === 'left') widenRoom(before, first, width + 30);
      else if (step.type === 'note' && step.side === 'right') widenRoom(behind, last, width + 30);
      else if (first === last && step.type === 'message') widenRoom(behind, last, Math.max(width + 16, loopWidth + 10));
      else if (first === last) {
        widenRoom(before, first, width / 2 + 12);
        widenRoom(behind, first, width / 2 + 12);
      } else needs(first, last, width + gap + 8);
    }
    gaps.forEach((now, index) => {
      gaps[index] = Math.max(
        now,
        behind[index]! + before[index + 1]! + 8,
        behind[index]! + widths[index + 1]! / 2 + 8,
        widths[index]! / 2 + before[index + 1]! + 8,
      );
    });
    const frames = this.maxDepth * 6;
    const left = margin;
    const first = left + frames + Math.max(widths[0]! / 2, before[0]!);
    const middles = [first];
    for (const one of gaps) middles.push(middles.at(-1)! + one);
    const right = middles.at(-1)! + Math.max(widths.at(-1)! / 2, behind.at(-1)!) + frames + margin;
    return { middles, left, right };
  }
}
