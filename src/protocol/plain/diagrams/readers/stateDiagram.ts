import { NotDrawn, type GraphDiagram, type NodeShape } from './diagram';
import { GraphBuilder, directionOf, unusedId } from './graphBuilder';
import { diagramLines, plainLabel } from './scanner';

const special: Readonly<Record<string, NodeShape>> = { choice: 'diamond', fork: 'bar', join: 'bar' };
/** Matches only the exact Mermaid syntax, because a state may have any of these names. */
const ignored =
  /^(?:hide empty description$|scale \d+(?: width)?$|acc(?:Title|Descr) ?:|(?:classDef|class|style) [\p{L}\p{N}_]|click [^\s:]+ (?:href )?")/u;

/** Reads a "stateDiagram-v2". */
export function readStates(text: string, firstLine: number): GraphDiagram {
  const [, ...lines] = diagramLines(text, firstLine);
  const builder = new GraphBuilder('state');
  /** Concurrent regions of a state each have their own start and end. */
  let part = 0;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const note = /^note (?:left|right) of ([\p{L}\p{N}_.-]+)(?: ?:(.*))?$/u.exec(line.text);
    if (note) {
      const [, state = '', words] = note;
      const noteLines: string[] = words === undefined ? [] : [words];
      if (words === undefined)
        while (lines[++index] && lines[index]!.text !== 'end note') noteLines.push(lines[index]!.text);
      addNote(builder, state, noteLines.join('\n'));
    } else if (line.text === '--') part++;
    else if (!readLine(builder, line.text, part)) throw new NotDrawn('line', line.number);
  }
  return builder.graph;
}

function readLine(builder: GraphBuilder, line: string, part: number): boolean {
  if (ignored.test(line) && !line.includes('-->')) return true;
  if (line === '}') {
    if (builder.depth === 0) return false;
    builder.closeGroup();
    return true;
  }
  const [, direction] = /^direction (TB|TD|BT|LR|RL)$/.exec(line) ?? [];
  if (direction !== undefined) {
    builder.direct(directionOf(direction));
    return true;
  }
  if (line.startsWith('state ')) return readState(builder, line.slice('state '.length).trim());

  const arrow = line.indexOf('-->');
  if (arrow < 0) return readDescription(builder, line);
  const [target = '', ...words] = line.slice(arrow + '-->'.length).split(':');
  const from = withoutClass(line.slice(0, arrow));
  const to = withoutClass(target);
  if (!isState(from) || !isState(to)) return false;
  builder.edge({
    from: startOrEndNode(builder, from, 'start', part),
    to: startOrEndNode(builder, to, 'end', part),
    label: plainLabel(words.join(':')),
    line: 'solid',
    start: 'none',
    end: 'arrow',
  });
  return true;
}

/** Reads "state "words" as A", "state A <<choice>>" or "state A {". */
function readState(builder: GraphBuilder, rest: string): boolean {
  const opens = rest.endsWith('{');
  const declaration = (opens ? rest.slice(0, -1) : rest).trim();
  const [, words, alias] = /^"([^"]*)" as ([\p{L}\p{N}_.-]+)$/u.exec(declaration) ?? [];
  const [, bare, kind] = /^([\p{L}\p{N}_.-]+)(?: (?:<<|\[\[)(choice|fork|join)(?:>>|\]\]))?$/u.exec(declaration) ?? [];
  const id = alias ?? bare;
  if (id === undefined) return false;
  const title = words === undefined ? undefined : plainLabel(words);
  const group = builder.knownGroup(id);
  if (group && title !== undefined) group.title = title;
  if (group) return !opens || builder.reopenGroup(id);
  if (opens) {
    // Keeps the description that it had before it became a group.
    builder.openGroup(id, title ?? (builder.knownNode(id)?.sections[0] || id));
    return true;
  }
  const node = builder.node(id, { shape: 'round' });
  if (title !== undefined) node.sections = [title];
  if (kind !== undefined) {
    node.shape = special[kind]!;
    node.sections = [''];
  }
  return true;
}

/** Reads "A" or "A : words". */
function readDescription(builder: GraphBuilder, line: string): boolean {
  const colon = line.indexOf(':');
  const id = withoutClass(colon < 0 ? line : line.slice(0, colon));
  if (!isState(id) || id === '[*]') return false;
  const words = colon < 0 || line.startsWith(':::', colon) ? undefined : plainLabel(line.slice(colon + 1));
  const group = builder.knownGroup(id);
  if (group) {
    group.title = words ?? group.title;
    return true;
  }
  const node = builder.node(id, { shape: 'round' });
  if (words !== undefined) node.sections = [words];
  return true;
}

function addNote(builder: GraphBuilder, state: string, words: string): void {
  builder.end(state, { shape: 'round' });
  const id = unusedId('note', builder.graph.nodes.length);
  builder.node(id, { shape: 'note', sections: [plainLabel(words)] });
  builder.edge({ from: state, to: id, label: '', line: 'dotted', start: 'none', end: 'none' });
}

/** Returns the node of "[*]", the start or the end of the enclosing state. */
function startOrEndNode(builder: GraphBuilder, id: string, shape: 'start' | 'end', part: number): string {
  const isPoint = id === '[*]';
  const name = isPoint ? `${shape} of ${builder.group ?? ''}/${part}` : id;
  builder.end(name, isPoint ? { shape, sections: [''] } : { shape: 'round' });
  return name;
}

const withoutClass = (written: string): string => written.split(':::')[0]!.trim();
const isState = (id: string): boolean => id === '[*]' || /^[\p{L}\p{N}_.-]+$/u.test(id);
