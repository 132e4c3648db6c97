import { NotDrawn, type EdgeEnd, type GraphDiagram, type GraphNode } from './diagram';
import { GraphBuilder, directionOf } from './graphBuilder';
import { diagramLines, plainLabel } from './scanner';

/** Cardinalities, as written on the left and right of the line. */
const counts: Readonly<Record<string, EdgeEnd>> = {
  '|o': 'maybeOne',
  'o|': 'maybeOne',
  '||': 'one',
  '}o': 'maybeMany',
  'o{': 'maybeMany',
  '}|': 'many',
  '|{': 'many',
};
const name = '[\\p{L}\\p{N}_.-]+|"[^"]*"';
const relation = new RegExp(
  `^(${name}) ?(\\|o|\\|\\||\\}o|\\}\\|)(--|\\.\\.)(o\\||\\|\\||o\\{|\\|\\{) ?(${name})(?: ?:(.*))?$`,
  'u',
);
const entity = new RegExp(`^(${name})(?:\\["?([^"\\]]*)"?\\])?(?::::[\\w-]+)? ?(\\{)?(\\})?$`, 'u');

/** Matches only the exact Mermaid syntax, because an entity may have any of these names. */
const ignored = /^(?:(?:classDef|class|style) [\p{L}\p{N}_]|acc(?:Title|Descr) ?:)/u;

/** Reads an "erDiagram". */
export function readEntities(text: string, firstLine: number): GraphDiagram {
  const [, ...lines] = diagramLines(text, firstLine);
  const builder = new GraphBuilder('er');
  let inside: GraphNode | undefined;
  for (const { text: line, number } of lines) {
    if (inside) {
      if (line === '}') inside = undefined;
      else addField(inside, line);
      continue;
    }
    const [, direction] = /^direction (TB|TD|BT|LR|RL)$/.exec(line) ?? [];
    if (direction !== undefined) {
      builder.direct(directionOf(direction));
      continue;
    }
    if (readRelation(builder, line) || ignored.test(line)) continue;
    const [, id, label, opens, closes] = entity.exec(line) ?? [];
    if (id === undefined) throw new NotDrawn('line', number);
    const node = builder.node(unquote(id));
    if (label !== undefined) node.sections[0] = plainLabel(label);
    if (opens !== undefined && closes === undefined) inside = node;
  }
  return builder.graph;
}

function readRelation(builder: GraphBuilder, line: string): boolean {
  const [, from, start = '', body, end = '', to, label = ''] = relation.exec(line) ?? [];
  if (from === undefined || to === undefined) return false;
  const words = label.trim();
  builder.edge({
    from: builder.node(unquote(from)).id,
    to: builder.node(unquote(to)).id,
    label: plainLabel(unquote(words)),
    line: body === '..' ? 'dotted' : 'solid',
    start: counts[start]!,
    end: counts[end]!,
  });
  return true;
}

function addField(node: GraphNode, written: string): void {
  const [head = '', fields = ''] = node.sections;
  // A quoted comment would make the box wide, so it is dropped.
  const comment = written.indexOf('"');
  const field = plainLabel(comment < 0 ? written : written.slice(0, comment));
  node.sections = [head, fields === '' ? field : `${fields}\n${field}`];
}

const unquote = (written: string): string =>
  written.length > 1 && written.startsWith('"') && written.endsWith('"') ? written.slice(1, -1) : written;
