/**
 * Reads elements as models write them: tags around unescaped text. The caller says which elements contain other
 * elements. All others contain text, in which `a < b`, `&&` and whole HTML pages are literal.
 */

export interface Element {
  /** Name as written in the tag. */
  readonly name: string;
  /** Text between the tags, without nested elements. */
  readonly text: string;
  readonly children: readonly Element[];
  /** Index after the element. */
  readonly end: number;
}

/** Thrown if the tags do not match up. `at` is an index into the text. */
export class MarkupProblem extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
    this.name = 'MarkupProblem';
  }
}

const opening = /<([A-Za-z_][\w.-]*)(?:\s[^<>]*?)?(\/?)>/y;
const space = /\s*/y;
const maxDepth = 20;

type Holds = (name: string, parent: string) => boolean;

/**
 * Reads the element whose opening tag is at `from`. `holds` returns whether an element with this name inside `parent`
 * contains elements.
 */
export function readElement(text: string, from: number, holds: Holds): Element {
  return elementAt(text, from, holds, ['']);
}

/** Returns all top-level elements of a text in order. Text between them is skipped. */
export function readElements(text: string, holds: Holds): Element[] {
  return contentFrom(text, 0, holds, ['']).children;
}

function elementAt(text: string, from: number, holds: Holds, parents: readonly string[]): Element {
  const [tag, name, empty] = matchAt(opening, text, from) as unknown as [string, string, string];
  const start = from + tag.length;
  if (empty) return { name, text: '', children: [], end: start };
  if (parents.length > maxDepth) throw new MarkupProblem(`<${name}> is nested too deeply.`, from);
  if (holds(name, parents[0]!)) return { name, ...contentFrom(text, start, holds, [name, ...parents]) };
  const end = endOfText(text, start, name, parents[0]!);
  if (!end) throw new MarkupProblem(`<${name}> is not closed.`, from);
  return { name, text: decodeText(text.slice(start, end.start)), children: [], end: end.after };
}

/**
 * Reads the content of an element, up to its closing tag. The outermost element may lack one, for example because
 * `</…>` was a stop sequence.
 */
function contentFrom(
  text: string,
  from: number,
  holds: Holds,
  parents: readonly string[],
): Omit<Element, 'name'> & { children: Element[] } {
  const children: Element[] = [];
  const outermost = parents.length <= 2;
  let between = '';
  for (let at = from; ;) {
    const next = text.indexOf('<', at);
    if (next === -1) {
      if (outermost) return { children, text: between + text.slice(at), end: text.length };
      throw new MarkupProblem(`<${parents[0]}> is not closed.`, from);
    }
    between += text.slice(at, next);
    const close = matchAt(/<\/([\w.-]+)\s*>/y, text, next);
    if (close && sameName(close[1]!, parents[0]!)) return { children, text: between, end: next + close[0].length };
    if (close) throw new MarkupProblem(`</${close[1]}> closes an element that is not open.`, next);
    if (text.startsWith('<!--', next)) at = endAfter('-->', text, next);
    else if (text.startsWith('<?', next)) at = endAfter('?>', text, next);
    else if (matchAt(opening, text, next)) {
      const element = elementAt(text, next, holds, parents);
      children.push(element);
      at = element.end;
    } else {
      at = text.startsWith('<![CDATA[', next) ? endAfter(']]>', text, next) : next + 1;
      between += text.slice(next, at);
    }
  }
}

/** Where a tag starts and the position after it. */
interface Tag {
  readonly start: number;
  readonly after: number;
}

/**
 * Finds the end of an element's text. Chooses the first closing tag that is followed by more of the parent or by the
 * parent's end, and before which tags of this name are balanced. Otherwise the first closing tag that is followed so.
 * Closing tags inside CDATA do not count.
 */
function endOfText(text: string, start: number, name: string, parent: string): Tag | undefined {
  const parentEnd = new RegExp(`</${escaped(parent)}\\s*>`, 'iy');
  let depth = 0;
  let first: Tag | undefined;
  for (const { isClosing, ...tag } of tagsOf(text, start, name)) {
    if (!isClosing) {
      depth++;
      continue;
    }
    const afterSpace = tag.after + matchAt(space, text, tag.after)![0].length;
    const parentEnds = parent !== '' && matchAt(parentEnd, text, afterSpace) !== null;
    const isLastOfAll = parent === '' && depth === 0;
    if (parentEnds || isLastOfAll || startsMarkup(text, afterSpace)) {
      if (depth === 0) return tag;
      first ??= tag;
      if (parentEnds) return first;
    }
    if (depth > 0) depth--;
  }
  return first;
}

/** Yields the tags of a name that open or close an element, but for those inside CDATA. */
function* tagsOf(text: string, start: number, name: string): Generator<Tag & { readonly isClosing: boolean }> {
  const tags = new RegExp(`<!\\[CDATA\\[|<(/?)${escaped(name)}(?:\\s[^<>]*?)?>`, 'gi');
  const inCdata = matchAt(/\s*<!\[CDATA\[/y, text, start) !== null;
  tags.lastIndex = start;
  for (let tag = tags.exec(text); tag; tag = tags.exec(text)) {
    const slash = tag[1];
    if (slash === undefined) {
      const end = inCdata ? text.indexOf(']]>', tag.index) : tags.lastIndex;
      if (end === -1) return;
      tags.lastIndex = end;
    } else if (slash === '/' || !tag[0].endsWith('/>'))
      yield { start: tag.index, after: tag.index + tag[0].length, isClosing: slash === '/' };
  }
}

/** Returns whether an element or a comment starts there, or the text ends. */
const startsMarkup = (text: string, at: number): boolean =>
  at === text.length || matchAt(opening, text, at) !== null || text.startsWith('<!--', at);

/**
 * Returns the text that the writer meant. CDATA is taken literally. Entities are decoded only if nothing else shows
 * that the text is unescaped.
 */
function decodeText(raw: string): string {
  const section = /<!\[CDATA\[([\s\S]*?)(\]\]>|$)/g;
  const sections = [...raw.matchAll(section)];
  const isOnlySections =
    sections.length > 0 && sections.every(([, , end]) => end !== '') && raw.replace(section, '').trim() === '';
  if (isOnlySections) return sections.map(([, inner]) => inner).join('');
  const text = unframed(raw);
  if (/<|&(?!(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i.test(text)) return text;
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d+)|#x([\da-f]+));/gi,
    (entity: string, name?: string, decimal?: string, hex?: string) => {
      if (name) return { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }[name.toLowerCase()]!;
      const point = decimal ? Number(decimal) : parseInt(hex!, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : entity;
    },
  );
}

/**
 * Removes the line breaks that only separate the text from its tags. If the text has several lines, its final line
 * break is kept.
 */
function unframed(raw: string): string {
  const framed = /^[ \t]*\r?\n([\s\S]*?)(\r?\n)[ \t]*$/.exec(raw);
  if (!framed) return raw;
  return framed[1]!.includes('\n') ? framed[1]! + framed[2]! : framed[1]!.trim();
}

function endAfter(end: string, text: string, from: number): number {
  const at = text.indexOf(end, from);
  if (at === -1) throw new MarkupProblem(`${text.slice(from, from + 4)} has no ${end}.`, from);
  return at + end.length;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const escaped = (name: string): string => name.replace(/[.\\-]/g, '\\$&');
const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
