import { Parser } from 'htmlparser2';
import { plainText } from '../../core/context/plainText';

interface Element {
  readonly tagName: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parent: Element | undefined;
  readonly childNodes: Node[];
}
type Node = Element | string;

/** Maximum nesting depth. Pages for people are never this deep, and deeper ones can take a parser very long. */
const maxDepth = 300;
/** Maximum number of elements for which the main part is searched. If a page has more, all of its text is returned. */
const maxElements = 300_000;
/** Minimum length of the main part. A shorter part of the page is not its whole content. */
const minMainLength = 200;
/** Number of characters parsed between two checks of the depth. */
const parsePieceCharacters = 16_384;
/** Maximum nesting of lists, quotes, headings and cells that is kept: each level copies its text once more. */
const maxWrapped = 12;

const isElement = (node: Node): node is Element => typeof node !== 'string';
const isText = (node: Node): node is string => typeof node === 'string';

/** Elements without readable text, regardless of their context. */
const wordless = new Set(
  'script style noscript template svg math canvas iframe object embed head button input select textarea dialog nav footer aside'.split(
    ' ',
  ),
);
const asideRoles = new Set(
  'navigation banner contentinfo complementary search dialog alertdialog menu menubar tablist'.split(' '),
);
const blockTags = new Set(
  'address article blockquote body center dd details div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 header hgroup hr html li main ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);

const attribute = ({ attributes }: Element, name: string): string | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;

/** Hidden text is left out: it is a common way to hide instructions for an agent in a page. */
function isLeftOut(element: Element): boolean {
  if (wordless.has(element.tagName) || asideRoles.has(attribute(element, 'role') ?? '')) return true;
  if (attribute(element, 'hidden') !== undefined || attribute(element, 'aria-hidden') === 'true') return true;
  const style = (attribute(element, 'style') ?? '').replace(/\s/g, '').toLowerCase();
  return style.includes('display:none') || style.includes('visibility:hidden') || style.includes('font-size:0');
}

/** Parses a page. Returns undefined if it has more elements, or is more deeply nested, than pages for people. */
function parsePage(html: string): Element | undefined {
  const root: Element = { tagName: '#page', attributes: {}, parent: undefined, childNodes: [] };
  let at = root;
  let depth = 0;
  let count = 0;
  let isTooMuch = false;
  const parser = new Parser({
    onopentag(tagName, attributes) {
      const element: Element = { tagName, attributes, parent: at, childNodes: [] };
      at.childNodes.push(element);
      at = element;
      depth++;
      count++;
      isTooMuch ||= depth > maxDepth || count > maxElements;
    },
    onclosetag() {
      at = at.parent ?? root;
      depth--;
    },
    ontext(words) {
      at.childNodes.push(words);
    },
  });
  for (let from = 0; from < html.length; from += parsePieceCharacters) {
    parser.write(html.slice(from, from + parsePieceCharacters));
    if (isTooMuch) return undefined;
  }
  parser.end();
  return root;
}

/** Facts about an element and its descendants. */
interface Facts {
  /** Number of characters of text, and how many of them are inside links. */
  readonly text: number;
  readonly linked: number;
  /** True if it contains a block, which begins a new paragraph. */
  readonly hasBlock: boolean;
  /** True if it contains a table. */
  readonly holdsTable: boolean;
}
type FactsOf = ReadonlyMap<Element, Facts>;

/** Returns the main content of a page as Markdown, without menus, forms, scripts and hidden text. */
export function pageText(html: string, address: string): { readonly title?: string; readonly text: string } {
  const root = parsePage(html);
  if (!root) return { text: plainText(html) };
  const title = firstNamed(root, 'title');
  const heading = title && plainWords(title);
  const body = firstNamed(root, 'body') ?? root;
  const facts = measure(body);
  const writer = new MarkdownWriter(baseOf(root, address), facts);
  const text = writer.blocksOf(mainPart(body, facts)).join('\n\n');
  return { ...(heading && { title: heading }), text };
}

function baseOf(root: Element, address: string): string {
  const base = firstNamed(root, 'base');
  const href = base && attribute(base, 'href');
  return href !== undefined && URL.canParse(href, address) ? new URL(href, address).href : address;
}

/** Yields the elements of a page in document order, without the descendants of skipped elements. */
function* elementsOf(root: Element, isSkipped: (element: Element) => boolean = () => false): Generator<Element> {
  const waiting = [root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    yield element;
    const children = element.childNodes.filter(isElement).filter((child) => !isSkipped(child));
    for (const child of children.reverse()) waiting.push(child);
  }
}

function firstNamed(root: Element, name: string): Element | undefined {
  for (const element of elementsOf(root)) if (element.tagName === name) return element;
  return undefined;
}

const plainWords = (element: Element): string => element.childNodes.filter(isText).join('').replace(/\s+/g, ' ').trim();

function measure(body: Element): FactsOf {
  const facts = new Map<Element, Facts>();
  // Children come after their parents, so in reverse order the facts of all descendants are known first.
  for (const element of [...elementsOf(body, isLeftOut)].reverse()) {
    let text = 0;
    let linked = 0;
    let hasBlock = blockTags.has(element.tagName);
    let holdsTable = false;
    for (const child of element.childNodes) {
      if (isText(child)) text += child.trim().length;
      const below = isElement(child) ? facts.get(child) : undefined;
      if (!below) continue;
      text += below.text;
      linked += below.linked;
      hasBlock ||= below.hasBlock;
      holdsTable ||= below.holdsTable || (isElement(child) && child.tagName === 'table');
    }
    facts.set(element, { text, linked: element.tagName === 'a' ? text : linked, hasBlock, holdsTable });
  }
  return facts;
}

/** Returns the element with the main content, or the whole page if that cannot be determined. */
function mainPart(body: Element, facts: FactsOf): Element {
  const all = facts.get(body)?.text ?? 0;
  const isMost = (element: Element, part: number): boolean => {
    const { text } = facts.get(element)!;
    return text >= minMainLength && text >= all * part;
  };
  const named = [...facts.keys()].filter((each) => each.tagName === 'main' || attribute(each, 'role') === 'main');
  const main = named.find((each) => isMost(each, 0.2));
  if (main) return main;
  const articles = [...facts.keys()].filter(({ tagName }) => tagName === 'article');
  if (articles.length === 1 && isMost(articles[0]!, 0.3)) return articles[0]!;
  const best = bestByParagraphs(facts);
  return best && isMost(best, 0.5) ? best : body;
}

/** Scores like reader views do: each paragraph adds to the score of its ancestors, and links reduce it. */
function bestByParagraphs(facts: FactsOf): Element | undefined {
  const scores = new Map<Element, number>();
  for (const [element, { text }] of facts) {
    if (!['p', 'pre', 'blockquote', 'li', 'dd'].includes(element.tagName) || text < 25) continue;
    const score = 1 + Math.min(text / 100, 3);
    const { parent } = element;
    const grandparent = parent?.parent;
    if (parent && facts.has(parent)) scores.set(parent, (scores.get(parent) ?? 0) + score);
    if (grandparent && facts.has(grandparent)) scores.set(grandparent, (scores.get(grandparent) ?? 0) + score / 2);
  }
  const weighed = [...scores].map(([element, score]) => {
    const { text, linked } = facts.get(element)!;
    return { element, score: score * (1 - linked / Math.max(text, 1)) };
  });
  return weighed.sort((a, b) => b.score - a.score)[0]?.element;
}

/** Writes elements as Markdown. Paragraphs, items and cells are blocks; everything else is inline. */
class MarkdownWriter {
  private wrapped = 0;

  constructor(
    private readonly base: string,
    private readonly facts: FactsOf,
  ) {}

  /** The blocks inside an element, in document order. */
  blocksOf(element: Element): string[] {
    const blocks: string[] = [];
    this.write(element, blocks);
    return blocks;
  }

  /** Appends the blocks inside an element to `blocks`. */
  private write(element: Element, blocks: string[]): void {
    let line = '';
    const endLine = (): void => {
      const words = tidyLine(line);
      if (words !== '') blocks.push(words);
      line = '';
    };
    for (const child of element.childNodes) {
      if (isText(child)) line += child.replace(/\s+/g, ' ');
      const facts = isElement(child) ? this.facts.get(child) : undefined;
      if (!isElement(child) || !facts) continue;
      if (facts.hasBlock) {
        endLine();
        this.writeBlock(child, blocks);
      } else line += this.inline(child);
    }
    endLine();
  }

  private writeBlock(element: Element, blocks: string[]): void {
    if (this.wrapped >= maxWrapped) return this.write(element, blocks);
    this.wrapped++;
    const wrapped = this.wrappedBlocks(element);
    this.wrapped--;
    if (!wrapped) return this.write(element, blocks);
    for (const block of wrapped) blocks.push(block);
  }

  /** The blocks of an element that formats its contents, or undefined if it is only a container. */
  private wrappedBlocks(element: Element): string[] | undefined {
    const { tagName } = element;
    if (/^h[1-6]$/.test(tagName)) {
      const words = this.blocksOf(element).join(' ');
      return words === '' ? [] : [`${'#'.repeat(Number(tagName[1]))} ${words}`];
    }
    switch (tagName) {
      case 'hr':
        return ['---'];
      case 'pre':
        return this.code(element);
      case 'ul':
      case 'ol':
        return this.list(element, tagName === 'ol');
      case 'blockquote':
        return [prefixLines(this.blocksOf(element).join('\n\n'), '> ', '> ')];
      case 'dt':
        return this.blocksOf(element).map((words) => `**${words}**`);
      case 'table':
        return this.table(element);
      default:
        return undefined;
    }
  }

  private code(element: Element): string[] {
    const text = wholeText(element, this.facts).replace(/^\n/, '').trimEnd();
    const code = element.childNodes.filter(isElement).find(({ tagName }) => tagName === 'code') ?? element;
    const language = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]{1,20})/.exec(
      attribute(code, 'class') ?? '',
    )?.[1];
    const longest = [...text.matchAll(/`+/g)].reduce((most, [ticks]) => Math.max(most, ticks.length), 2);
    const fence = '`'.repeat(longest + 1);
    return text === '' ? [] : [`${fence}${language ?? ''}\n${text}\n${fence}`];
  }

  private list(element: Element, isNumbered: boolean): string[] {
    const items = element.childNodes.filter(isElement).filter((child) => this.facts.has(child));
    const lines = items.flatMap((item, index) => {
      const blocks = this.blocksOf(item);
      const mark = isNumbered ? `${index + 1}. ` : '- ';
      return blocks.length === 0 ? [] : [prefixLines(blocks.join('\n'), mark, ' '.repeat(mark.length))];
    });
    return lines.length === 0 ? [] : [lines.join('\n')];
  }

  /** The rows of a data table, or undefined for a table that is only used for layout. */
  private table(table: Element): string[] | undefined {
    if (this.facts.get(table)?.holdsTable) return undefined;
    const known = elementsOf(table, (each) => !this.facts.has(each));
    const rows = [...known].filter(({ tagName }) => tagName === 'tr').map((row) => this.cellsOf(row));
    const widest = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
    if (widest < 2) return undefined;
    const written = rows.map((cells) => `| ${cells.map((cell) => this.cellText(cell)).join(' | ')} |`);
    const rule = `|${' --- |'.repeat(rows[0]?.length ?? 0)}`;
    return [[written[0], rule, ...written.slice(1)].join('\n')];
  }

  private cellText(cell: Element): string {
    const words = this.blocksOf(cell).join(' ').replace(/\s+/g, ' ');
    return words.replaceAll('|', String.raw`\|`);
  }

  private cellsOf(row: Element): Element[] {
    const cells = row.childNodes.filter(isElement);
    return cells.filter((cell) => (cell.tagName === 'td' || cell.tagName === 'th') && this.facts.has(cell));
  }

  private inline(element: Element): string {
    const { tagName } = element;
    if (tagName === 'br') return '\n';
    if (tagName === 'img') {
      const words = (attribute(element, 'alt') ?? '').replace(/\s+/g, ' ').trim();
      return words === '' ? '' : `[picture: ${words}]`;
    }
    if (tagName === 'code' || tagName === 'kbd' || tagName === 'samp') {
      const text = wholeText(element, this.facts);
      return text.trim() === '' ? text : `\`${text}\``;
    }
    const words = element.childNodes
      .map((child) => {
        if (isText(child)) return child.replace(/\s+/g, ' ');
        return isElement(child) && this.facts.has(child) ? this.inline(child) : '';
      })
      .join('');
    if (words.trim() === '') return words === '' ? '' : ' ';
    return tagName === 'a' ? this.link(element, words) : words;
  }

  private link(element: Element, words: string): string {
    const href = attribute(element, 'href');
    if (href === undefined || href.startsWith('#') || !URL.canParse(href, this.base)) return words;
    const url = new URL(href, this.base);
    return /^https?:$/.test(url.protocol) ? `[${words.trim()}](${url.href})` : words;
  }
}

/** The text of an element with all its whitespace, as in a code listing. */
function wholeText(element: Element, facts: FactsOf): string {
  return element.childNodes
    .map((child) => {
      if (isText(child)) return child;
      if (!isElement(child) || !facts.has(child)) return '';
      return child.tagName === 'br' ? '\n' : wholeText(child, facts);
    })
    .join('');
}

const tidyLine = (line: string): string =>
  line
    .split('\n')
    .map((each) => each.replace(/[ \t\u00a0]+/g, ' ').trim())
    .join('\n')
    .trim();

const prefixLines = (text: string, first: string, others: string): string =>
  text
    .split('\n')
    .map((line, index) => (line === '' && index > 0 ? others.trimEnd() : (index === 0 ? first : others) + line))
    .join('\n');
