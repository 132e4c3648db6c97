import { NotDrawn, limits, type NoteSide, type SequenceDiagram, type SequenceHead } from './diagram';
import { diagramLines, plainLabel } from './scanner';

const arrows: Readonly<Record<string, readonly [isDashed: boolean, start: SequenceHead, end: SequenceHead]>> = {
  '<<-->>': [true, 'arrow', 'arrow'],
  '<<->>': [false, 'arrow', 'arrow'],
  '-->>': [true, 'none', 'arrow'],
  '->>': [false, 'none', 'arrow'],
  '-->': [true, 'none', 'none'],
  '->': [false, 'none', 'none'],
  '--x': [true, 'none', 'cross'],
  '-x': [false, 'none', 'cross'],
  '--)': [true, 'none', 'open'],
  '-)': [false, 'none', 'open'],
};
const arrow = /<<--?>>|--?>>|--?>|--?x(?= ?[+-]?[\p{L}\p{N}_])|--?\)/u;
// A participant's name may begin with one of these words.
const opening = /^(loop|alt|opt|par|critical|break|rect)(?:\s(.*))?$/;
const next = /^(else|and|option)(?:\s(.*))?$/;
const ignored = /^(?:(?:links?|properties|details) ([^:]+):|acc(?:Title|Descr) ?:)/;

/** Reads a "sequenceDiagram". */
export function readSequence(text: string, firstLine: number): SequenceDiagram {
  const [, ...lines] = diagramLines(text, firstLine);
  const reader = new SequenceReader();
  for (const { text: line, number } of lines) if (!reader.read(line)) throw new NotDrawn('line', number);
  return reader.done();
}

class SequenceReader {
  private readonly diagram: SequenceDiagram = {
    kind: 'sequence',
    title: '',
    people: [],
    steps: [],
  };
  private readonly byId = new Map<string, number>();
  /** As with "autonumber", counting continues while numbers are hidden. */
  private numbers = { isShown: false, next: 1, step: 1 };
  /** Open blocks. A box around participants is not drawn. */
  private readonly open: ('frame' | 'box')[] = [];

  done(): SequenceDiagram {
    while (this.open.length > 0) this.close();
    return this.diagram;
  }

  read(line: string): boolean {
    if (this.diagram.steps.length > limits.steps) throw new NotDrawn('large');
    const skipped = ignored.exec(line);
    if (skipped) return !arrow.test(skipped[1] ?? '');
    return (
      this.readSettings(line) ||
      this.readParticipant(line) ||
      this.readFrame(line) ||
      this.readNote(line) ||
      this.readMessage(line)
    );
  }

  private readSettings(line: string): boolean {
    const [, title] = /^title(?: ?: ?| )(.*)$/.exec(line) ?? [];
    if (title !== undefined) this.diagram.title = plainLabel(title);
    const numbering = /^autonumber(?: +(off)| +(\d+(?:\.\d+)?)(?: +(\d+(?:\.\d+)?))?)?$/.exec(line);
    if (numbering) {
      const [, off, first, step] = numbering;
      const before = this.numbers;
      this.numbers = {
        isShown: off === undefined,
        next: Number(first) || before.next,
        step: Number(step ?? (first && 1)) || before.step,
      };
    }
    const [, verb, person] = /^(activate|deactivate) ([^:]+)$/.exec(line) ?? [];
    if (person !== undefined)
      this.diagram.steps.push({ type: verb as 'activate' | 'deactivate', person: this.person(person.trim()) });
    return title !== undefined || numbering !== null || person !== undefined || /^destroy [^:]+$/.test(line);
  }

  private readParticipant(line: string): boolean {
    const [, kind, rest] = /^(?:create )?(participant|actor) (.+)$/.exec(line) ?? [];
    if (rest === undefined) return false;
    const [name = '', ...label] = rest.split(' as ');
    // "A@{ "type": "database" }" is drawn as an ordinary participant.
    const person = this.diagram.people[this.person(name.split('@{')[0]!.trim())]!;
    if (label.length > 0) person.label = plainLabel(label.join(' as '));
    person.isActor = kind === 'actor';
    return true;
  }

  private readFrame(line: string): boolean {
    if (line === 'end') {
      if (this.open.length === 0) return false;
      this.close();
      return true;
    }
    if (/^box(?:\s|$)/.test(line)) {
      this.open.push('box');
      return true;
    }
    const [, word, words = ''] = opening.exec(line) ?? [];
    if (word !== undefined) {
      this.open.push('frame');
      // A "rect" sets a background color, which the theme overrides.
      const isGround = word === 'rect';
      this.diagram.steps.push({ type: 'open', word: isGround ? '' : word, text: isGround ? '' : plainLabel(words) });
      return true;
    }
    const [, nextWord, nextWords = ''] = next.exec(line) ?? [];
    if (nextWord === undefined || !this.open.includes('frame')) return false;
    this.diagram.steps.push({ type: 'next', word: nextWord, text: plainLabel(nextWords) });
    return true;
  }

  private readNote(line: string): boolean {
    const [, side, who, words] = /^note (left of|right of|over) ([^:]+):(.*)$/i.exec(line) ?? [];
    if (who === undefined) return false;
    const people = who.split(',').map((name) => this.person(name.trim()));
    this.diagram.steps.push({
      type: 'note',
      from: Math.min(...people),
      to: Math.max(...people),
      side: side!.toLowerCase().split(' ')[0] as NoteSide,
      text: plainLabel(words!),
    });
    return true;
  }

  private readMessage(line: string): boolean {
    const found = arrow.exec(line);
    if (!found) return false;
    const from = line.slice(0, found.index).trim();
    const [target = '', ...words] = line.slice(found.index + found[0].length).split(':');
    const [, sign = '', to = ''] = /^([+-]?)(.*)$/.exec(target.trim()) ?? [];
    if (from === '' || to.trim() === '') return false;
    const [isDashed, start, end] = arrows[found[0]]!;
    const { isShown, next: number, step } = this.numbers;
    this.numbers.next = Math.round((number + step) * 100) / 100;
    const [sender, receiver] = [this.person(from), this.person(to.trim())];
    this.diagram.steps.push({
      type: 'message',
      from: sender,
      to: receiver,
      text: plainLabel(words.join(':')),
      ...(isShown && { number }),
      isDashed,
      start,
      end,
    });
    if (sign === '+') this.diagram.steps.push({ type: 'activate', person: receiver });
    if (sign === '-') this.diagram.steps.push({ type: 'deactivate', person: sender });
    return true;
  }

  private person(id: string): number {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    if (this.diagram.people.length >= limits.people) throw new NotDrawn('large');
    this.diagram.people.push({ id, label: plainLabel(id), isActor: false });
    this.byId.set(id, this.diagram.people.length - 1);
    return this.diagram.people.length - 1;
  }

  private close(): void {
    if (this.open.pop() === 'frame') this.diagram.steps.push({ type: 'close' });
  }
}
