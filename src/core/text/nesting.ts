import { CST, Lexer, Parser } from 'yaml';

/**
 * Returns whether YAML or JSON nests collections more than `most` levels deep. To be asked before a parser reads what
 * others wrote: it calls itself for each level and takes minutes for thousands. If the stack is full when a regular
 * expression is compiled, V8 ends the whole process. Reads the tokens of the parser, because only these tell what is a
 * text or a comment, and only up to the first that is too deep. The list of what the parser has open counts, too: it
 * puts what is invalid into more collections than the tokens show.
 */
export function nestsDeeper(yaml: string, most: number): boolean {
  if (!hasMoreIndicators(yaml, most)) return false;
  const levels = new OpenLevels();
  const parser = new Parser();
  const openCount = (): number => parser.stack.filter((each) => 'items' in each).length;
  let isText = false;
  for (const token of new Lexer().lex(yaml)) {
    for (const _ended of parser.next(token)); // runs it
    if (parser.stack.length > most && openCount() > most) return true;
    if (token === CST.SCALAR) isText = true;
    else {
      levels.read(token, isText ? 'scalar' : CST.tokenType(token));
      isText = false;
      if (levels.count > most) return true;
    }
  }
  return false;
}

/** Returns whether a text has more than `most` of the characters of which each collection needs one to begin. */
function hasMoreIndicators(yaml: string, most: number): boolean {
  let found = 0;
  for (const _each of yaml.matchAll(/[-?:[{]/g)) if (++found > most) return true;
  return false;
}

/** Tokens that have no characters in the text. */
const markers = new Set<string>([CST.DOCUMENT, CST.FLOW_END, CST.BOM]);

/** The collections that are open at one place of a text. */
class OpenLevels {
  /** The columns where the open collections of the block style begin, each further to the right than the one before. */
  private blocks: number[] = [];
  /** For each open bracket, the number of ":" and "?" since its last comma. All but one are collections of their own. */
  private brackets: number[] = [];
  /** Sum of those collections. */
  private pairs = 0;
  private column = 0;
  /** Column of the first part of the line that is not white space; -1 before it. */
  private lineBegin = -1;
  private hasIndicator = false;

  get count(): number {
    return this.blocks.length + this.brackets.length + this.pairs;
  }

  read(token: string, type: CST.TokenType | null): void {
    if (this.lineBegin < 0 && type !== 'space' && !markers.has(token)) this.lineBegin = this.column;
    if (type === 'seq-item-ind' || type === 'explicit-key-ind' || type === 'map-value-ind') this.indicator();
    else if (type === 'flow-map-start' || type === 'flow-seq-start') this.brackets.push(0);
    else if (type === 'flow-map-end' || type === 'flow-seq-end') this.endPairs(this.brackets.pop());
    else if (type === 'comma') this.endPairs(this.brackets.splice(-1, 1, 0)[0]);
    else if (type === 'flow-error-end') [this.brackets, this.pairs] = [[], 0];
    this.move(token);
  }

  private indicator(): void {
    const inner = this.brackets.length - 1;
    if (inner >= 0) {
      if (++this.brackets[inner]! > 1) this.pairs++;
      return;
    }
    // The first of a line may follow its key, where the collection begins.
    const begin = this.hasIndicator ? this.column : this.lineBegin;
    this.hasIndicator = true;
    while (this.blocks.length > 0 && this.blocks.at(-1)! >= begin) this.blocks.pop();
    this.blocks.push(begin);
  }

  private endPairs(ended = 0): void {
    this.pairs -= Math.max(0, ended - 1);
  }

  private move(token: string): void {
    if (markers.has(token)) return;
    this.column += token.length;
    // A text of several lines in quotes does not begin a line: what follows it belongs to its collection.
    if (!token.endsWith('\n')) return;
    this.column = 0;
    this.lineBegin = -1;
    this.hasIndicator = false;
  }
}
