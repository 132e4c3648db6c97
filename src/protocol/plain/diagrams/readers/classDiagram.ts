import { NotDrawn, type EdgeEnd, type GraphDiagram, type GraphNode } from './diagram';
import { GraphBuilder, directionOf, unusedId } from './graphBuilder';
import { diagramLines, plainLabel } from './scanner';

const ends: Readonly<Record<string, EdgeEnd>> = {
  '<|': 'triangle',
  '|>': 'triangle',
  '<': 'arrow',
  '>': 'arrow',
  '*': 'fullDiamond',
  o: 'diamond',
  '()': 'circle',
};
const name = '[\\p{L}\\p{N}_]+(?:[.-][\\p{L}\\p{N}_]+)*(?:~[^~]*~)?|`[^`]*`';
const relation = new RegExp(
  `^(${name})(?: "([^"]*)")? *(<\\||<|\\*|o(?=[-.])|\\(\\))?(--|\\.\\.)(\\|>|>|\\*|o|\\(\\))? *(?:"([^"]*)" )?(${name})(?: ?:(.*))?$`,
  'u',
);
const declared = new RegExp(
  `^class (${name})(?:\\["([^"]*)"\\])?(?::::[\\w-]+)?(?: ?<<([\\w ]+)>>)? ?(\\{)?(\\})?$`,
  'u',
);
/** Matches only the exact Mermaid syntax, because a class may have any of these names. */
const ignored = /^(?:(?:classDef|cssClass|style|click|link|callback) [\p{L}\p{N}_"`]|acc(?:Title|Descr) ?:)/u;

/** Reads a "classDiagram". */
export function readClasses(text: string, firstLine: number): GraphDiagram {
  const [, ...lines] = diagramLines(text, firstLine);
  const builder = new GraphBuilder('class');
  let inside: GraphNode | undefined;
  for (const { text: line, number } of lines) {
    if (inside) {
      if (line === '}') inside = undefined;
      else addMember(inside, line);
      continue;
    }
    const [, written, label, kind, opens, closes] = declared.exec(line) ?? [];
    if (written !== undefined) {
      const node = classNamed(builder, written);
      if (label !== undefined) node.sections[0] = plainLabel(label);
      if (kind !== undefined) node.sections[0] = `«${kind}»\n${node.sections[0]}`;
      if (opens !== undefined && closes === undefined) inside = node;
    } else if (!readLine(builder, line)) throw new NotDrawn('line', number);
  }
  return builder.graph;
}

function readLine(builder: GraphBuilder, line: string): boolean {
  if (readRelation(builder, line) || ignored.test(line)) return true;
  const [, direction] = /^direction (TB|TD|BT|LR|RL)$/.exec(line) ?? [];
  if (direction !== undefined) {
    builder.direct(directionOf(direction));
    return true;
  }
  const [, space] = /^namespace ([\p{L}\p{N}_.-]+) ?\{$/u.exec(line) ?? [];
  if (space !== undefined) {
    const id = unusedId('namespace', space);
    if (builder.knownGroup(id)) return builder.reopenGroup(id);
    builder.openGroup(id, space);
    return true;
  }
  if (line === '}' && builder.depth > 0) {
    builder.closeGroup();
    return true;
  }
  const [, kind, of] = /^<<([\w ]+)>> ?([\p{L}\p{N}_.-]+)$/u.exec(line) ?? [];
  if (of !== undefined) {
    const node = classNamed(builder, of);
    node.sections[0] = `«${kind}»\n${node.sections[0]}`;
    return true;
  }
  const [, noted, words] = /^note (?:for ([\p{L}\p{N}_.-]+) )?"([^"]*)"$/u.exec(line) ?? [];
  if (words !== undefined) {
    const id = unusedId('note', builder.graph.nodes.length);
    builder.node(id, { shape: 'note', sections: [plainLabel(words)] });
    if (noted === undefined) return true;
    classNamed(builder, noted);
    builder.edge({ from: noted, to: id, label: '', line: 'dotted', start: 'none', end: 'none' });
    return true;
  }
  return readMember(builder, line);
}

function readRelation(builder: GraphBuilder, line: string): boolean {
  const [, from, fromLabel = '', start = '', body, end = '', toLabel = '', to, label = ''] = relation.exec(line) ?? [];
  if (from === undefined || to === undefined) return false;
  builder.edge({
    from: classNamed(builder, from).id,
    to: classNamed(builder, to).id,
    label: plainLabel(label),
    fromLabel: plainLabel(fromLabel),
    toLabel: plainLabel(toLabel),
    line: body === '..' ? 'dotted' : 'solid',
    start: ends[start] ?? 'none',
    end: ends[end] ?? 'none',
  });
  return true;
}

/** Reads "A : +int size". */
function readMember(builder: GraphBuilder, line: string): boolean {
  const [, of, member] = /^([\p{L}\p{N}_.-]+(?:~[^~]*~)?) ?:(?!:)(.+)$/u.exec(line) ?? [];
  if (of === undefined) return false;
  addMember(classNamed(builder, of), member!.trim());
  return true;
}

/** "List~int~" displays as List<int> and is the same class as "List". */
function classNamed(builder: GraphBuilder, written: string): GraphNode {
  const bare = written.startsWith('`') ? written.slice(1, -1) : written;
  const [id = '', ...of] = bare.split('~');
  const node = builder.node(id);
  if (of.length > 0 && node.sections[0] === id) node.sections[0] = genericName(bare);
  return node;
}

/** Fields are listed above methods. */
function addMember(node: GraphNode, written: string): void {
  const [, kind] = /^<<([\w ]+)>>$/.exec(written) ?? [];
  if (kind !== undefined) {
    node.sections[0] = `«${kind}»\n${node.sections[0]}`;
    return;
  }
  const [head = '', fields = '', methods = ''] = node.sections;
  const member = plainLabel(genericName(written.replace(/[$*]$/, '')));
  const isMethod = written.includes('(');
  const joined = (before: string): string => (before === '' ? member : `${before}\n${member}`);
  node.sections = isMethod ? [head, fields, joined(methods)] : [head, joined(fields), methods];
}

/** Converts "Map~a~" to "Map<a>". */
function genericName(written: string): string {
  let isOpen = false;
  return written.replace(/~/g, (sign, at: number) => {
    // A leading "~" is the package visibility.
    if (at === 0) return sign;
    isOpen = !isOpen;
    return isOpen ? '<' : '>';
  });
}
