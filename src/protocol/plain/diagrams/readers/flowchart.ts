import type { EdgeEnd, GraphDiagram, GraphEdge, NodeShape } from './diagram';
import { GraphBuilder, directionOf } from './graphBuilder';
import { Scanner, plainLabel } from './scanner';

/** Opening and closing brackets of a node. Longer ones precede their prefixes. */
const brackets: readonly (readonly [open: string, close: string, shape: NodeShape])[] = [
  ['(((', ')))', 'doubleCircle'],
  ['((', '))', 'circle'],
  ['([', '])', 'stadium'],
  ['(', ')', 'round'],
  ['[[', ']]', 'subroutine'],
  ['[(', ')]', 'cylinder'],
  ['[', ']', 'box'],
  ['{{', '}}', 'hexagon'],
  ['{', '}', 'diamond'],
  ['>', ']', 'flag'],
];

/** Shape names in "A@{ shape: name }". */
const shapesByName: Readonly<Record<string, NodeShape>> = {
  rounded: 'round',
  event: 'round',
  stadium: 'stadium',
  pill: 'stadium',
  terminal: 'stadium',
  'fr-rect': 'subroutine',
  subprocess: 'subroutine',
  subroutine: 'subroutine',
  cyl: 'cylinder',
  cylinder: 'cylinder',
  database: 'cylinder',
  db: 'cylinder',
  circle: 'circle',
  circ: 'circle',
  'dbl-circ': 'doubleCircle',
  'double-circle': 'doubleCircle',
  diam: 'diamond',
  diamond: 'diamond',
  decision: 'diamond',
  question: 'diamond',
  hex: 'hexagon',
  hexagon: 'hexagon',
  prepare: 'hexagon',
  odd: 'flag',
  'lean-r': 'leanRight',
  'lean-right': 'leanRight',
  'in-out': 'leanRight',
  'lean-l': 'leanLeft',
  'lean-left': 'leanLeft',
  'out-in': 'leanLeft',
  'trap-b': 'trapezoid',
  trapezoid: 'trapezoid',
  'trap-t': 'trapezoidDown',
  'inv-trapezoid': 'trapezoidDown',
};

const identifier = /[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)*/uy;
/** Lines that only affect style or links; they are skipped. A node may have any of these names. */
const ignored =
  /(?:(?:classDef|class|style|linkStyle)[ \t]+[\p{L}\p{N}_]|click[ \t]+[^\s;]+[ \t]+["\p{L}]|acc(?:Title|Descr)[ \t]*:)[^\n;]*/uy;
const heads: Readonly<Record<string, EdgeEnd>> = { '<': 'arrow', '>': 'arrow', o: 'circle', x: 'cross' };

/** Reads "flowchart TD" and "graph LR". */
export function readFlowchart(text: string, firstLine: number): GraphDiagram {
  const scan = new Scanner(text, firstLine);
  const [, direction = 'TB'] = scan.match(/(?:flowchart-elk|flowchart|graph)(?:[ \t]+(TB|TD|BT|LR|RL))?/y) ?? [];
  const builder = new GraphBuilder('flowchart', directionOf(direction));
  for (;;) {
    scan.match(/(?:\s|;)+/y);
    if (scan.isAtEnd) return builder.graph;
    readStatement(scan, builder);
    scan.space();
    if (!scan.isAtEnd && !'\n;'.includes(scan.text[scan.position]!)) scan.fail();
  }
}

function readStatement(scan: Scanner, builder: GraphBuilder): void {
  if (scan.match(/%%[^\n]*/y)) return;
  if (scan.match(/accDescr[ \t]*\{/y)) {
    scan.upTo('}');
    return;
  }
  const [skipped] = scan.match(ignored) ?? [];
  if (skipped?.includes('-->') && /^(?:class|style|linkStyle)/.test(skipped)) scan.fail();
  if (skipped !== undefined) return;
  if (scan.match(/subgraph\b/y)) return readGroup(scan, builder);
  if (scan.match(/end(?=[ \t]*(?:[\n;]|$))/y)) {
    if (builder.depth === 0) scan.fail();
    return builder.closeGroup();
  }
  const [, direction] = scan.match(/direction[ \t]+(TB|TD|BT|LR|RL)\b/y) ?? [];
  if (direction !== undefined) return builder.direct(directionOf(direction));
  // "e1@{ animate: true }" refers to an edge.
  let from = readNodes(scan, builder);
  for (;;) {
    scan.space();
    const link = readLink(scan);
    if (!link) return;
    scan.match(/\s+/y);
    const to = readNodes(scan, builder);
    for (const one of from) for (const other of to) builder.edge({ ...link, from: one, to: other });
    from = to;
  }
}

function readGroup(scan: Scanner, builder: GraphBuilder): void {
  scan.space();
  const rest = scan.match(/[^\n;]*/y)![0].trim();
  const inner = new Scanner(rest);
  const id = inner.match(identifier)?.[0];
  inner.space();
  if (id !== undefined && inner.takes('[')) return builder.openGroup(id, inner.label(']'));
  const title = rest.startsWith('"') && rest.endsWith('"') ? rest.slice(1, -1) : rest;
  builder.openGroup(id === rest ? id : rest, plainLabel(title));
}

/** Reads "A & B" and returns the ids. Unknown nodes are created. */
function readNodes(scan: Scanner, builder: GraphBuilder): string[] {
  const ids = [readNode(scan, builder)];
  for (;;) {
    const before = scan.position;
    scan.space();
    if (!scan.takes('&')) {
      scan.position = before;
      return ids;
    }
    scan.space();
    ids.push(readNode(scan, builder));
  }
}

function readNode(scan: Scanner, builder: GraphBuilder): string {
  const id = scan.match(identifier)?.[0] ?? scan.fail();
  const written = readShape(scan);
  builder.end(id);
  if (written && !builder.graph.groups.some((group) => group.id === id)) {
    const node = builder.node(id);
    if (written.label !== undefined) node.sections = [written.label];
    if (written.shape) node.shape = written.shape;
  }
  scan.match(/:::[\w-]+/y);
  return id;
}

function readShape(scan: Scanner): { label?: string; shape?: NodeShape | undefined } | undefined {
  if (scan.takes('@{')) return readNamedShape(scan);
  if (scan.takes('[/')) return readSlantedShape(scan, ['/]', 'leanRight'], ['\\]', 'trapezoid']);
  if (scan.takes('[\\')) return readSlantedShape(scan, ['\\]', 'leanLeft'], ['/]', 'trapezoidDown']);
  const found = brackets.find(([open]) => scan.takes(open));
  return found && { label: scan.label(found[1]), shape: found[2] };
}

type Closing = readonly [bracket: string, shape: NodeShape];

/** Reads "[/a/]" or "[/a\]". The bracket that closes first determines the shape. */
function readSlantedShape(scan: Scanner, one: Closing, other: Closing): { label: string; shape: NodeShape } {
  const [end, otherEnd] = [scan.text.indexOf(one[0], scan.position), scan.text.indexOf(other[0], scan.position)];
  const isOther = otherEnd >= 0 && (end < 0 || otherEnd < end);
  const [bracket, shape] = isOther ? other : one;
  return { label: scan.label(bracket), shape };
}

/** Reads "A@{ shape: diam, label: "Is it?" }". */
function readNamedShape(scan: Scanner): { label?: string; shape?: NodeShape | undefined } {
  const found: { label?: string; shape?: NodeShape | undefined } = {};
  for (;;) {
    scan.match(/[\s,]+/y);
    if (scan.takes('}')) return found;
    const [, key] = scan.match(/([a-zA-Z]+)[ \t]*:[ \t]*/y) ?? scan.fail();
    const value = scan.takes('"') ? scan.upTo('"') : scan.match(/[^,}\n]+/y)?.[0].trim();
    if (value === undefined) scan.fail();
    if (key === 'shape') found.shape = Object.hasOwn(shapesByName, value) ? shapesByName[value] : 'box';
    if (key === 'label') found.label = plainLabel(value);
  }
}

type Link = Omit<GraphEdge, 'from' | 'to'>;

/** Reads a link: "-->", "-- words -->", "-->|words|", "<-.->", "o==o", "~~~". */
function readLink(scan: Scanner): Link | undefined {
  // An edge id: "e1@-->".
  scan.match(/[\p{L}\p{N}_]+@(?=[<ox]?[-=.~])/uy);
  if (scan.match(/~{3,}/y)) return { label: readPipedLabel(scan), line: 'hidden', start: 'none', end: 'none' };

  const whole = scan.match(/([<ox]?)(--+|==+|-\.+-)([>ox]?)/y);
  if (whole) {
    const [, start = '', body = '', end = ''] = whole;
    const isWhole = end !== '' || body.length > 2;
    const line = lineOf(body);
    if (isWhole) return { label: readPipedLabel(scan), line, start: edgeEndOf(start), end: edgeEndOf(end) };
    return {
      line,
      start: edgeEndOf(start),
      ...readLinkLabel(scan, body === '--' ? /(--+)([>ox]?)/g : /(==+)([>ox]?)/g),
    };
  }
  const dotted = scan.match(/([<ox]?)-\./y);
  return dotted && { line: 'dotted', start: edgeEndOf(dotted[1]!), ...readLinkLabel(scan, /(?<!\.)(\.+-)([>ox]?)/g) };
}

/** Reads the text of "-- words -->", up to the second half of the arrow. */
function readLinkLabel(scan: Scanner, ending: RegExp): { label: string; end: EdgeEnd } {
  const rest = scan.text.slice(scan.position, scan.position + 1000);
  const isQuoted = rest.trimStart().startsWith('"');
  ending.lastIndex = isQuoted ? rest.indexOf('"', rest.indexOf('"') + 1) + 1 : 0;
  const found = ending.exec(rest);
  const words = found && rest.slice(0, found.index);
  if (!found || words === null || (!isQuoted && words.includes('\n'))) scan.fail();
  scan.position += found.index + found[0].length;
  const bare = words.trim();
  return { label: plainLabel(isQuoted ? bare.slice(1, -1) : bare), end: edgeEndOf(found[2] ?? '') };
}

function readPipedLabel(scan: Scanner): string {
  const before = scan.position;
  scan.space();
  if (scan.takes('|')) return scan.label('|');
  scan.position = before;
  return '';
}

function lineOf(body: string): Link['line'] {
  if (body.startsWith('=')) return 'thick';
  return body.includes('.') ? 'dotted' : 'solid';
}
const edgeEndOf = (sign: string): EdgeEnd => heads[sign] ?? 'none';
