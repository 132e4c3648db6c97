import { NotDrawn, limits, type Diagram } from './diagram';
import { readClasses } from './classDiagram';
import { readEntities } from './entities';
import { readFlowchart } from './flowchart';
import { readSequence } from './sequence';
import { readStates } from './stateDiagram';

/** ★ Diagram types by their first line, with their readers. */
const readers: readonly (readonly [begins: RegExp, read: (text: string, firstLine: number) => Diagram])[] = [
  [/^(?:flowchart-elk|flowchart|graph)(?=[\s;]|$)/, readFlowchart],
  [/^sequenceDiagram(?=\s|$)/, readSequence],
  [/^stateDiagram(?:-v2)?(?=\s|$)/, readStates],
  [/^classDiagram(?:-v2)?(?=\s|$)/, readClasses],
  [/^erDiagram(?=\s|$)/, readEntities],
];

/** Parses a Mermaid diagram. Throws `NotDrawn`. */
export function readDiagram(source: string): Diagram {
  if (source.length > limits.characters) throw new NotDrawn('large');
  const { text, firstLine, title } = withoutFrontMatter(source.replace(/\r\n?/g, '\n'));
  const found = readers.find(([begins]) => begins.test(text));
  if (!found) throw new NotDrawn('kind');
  const diagram = found[1](text, firstLine);
  if (diagram.title === '') diagram.title = title;
  const things = diagram.kind === 'sequence' ? diagram.people : diagram.nodes;
  if (things.length === 0) throw new NotDrawn('line', firstLine);
  return diagram;
}

/** Removes everything before the diagram: front matter between "---", comments, directives. Only a title is used. */
function withoutFrontMatter(source: string): { text: string; firstLine: number; title: string } {
  const lines = source.split('\n').map((line) => line.trim());
  let title = '';
  let at = 0;
  const skipBlank = (): void => {
    while (at < lines.length && (lines[at] === '' || lines[at]!.startsWith('%%'))) {
      const isOpen = lines[at]!.startsWith('%%{') && !lines[at]!.includes('}%%');
      if (isOpen) while (at < lines.length && !lines[at]!.includes('}%%')) at++;
      at++;
    }
  };
  skipBlank();
  if (lines[at] === '---') {
    for (at++; at < lines.length && lines[at] !== '---'; at++)
      if (lines[at]!.startsWith('title:')) title = lines[at]!.slice('title:'.length).trim();
    at++;
    skipBlank();
  }
  return { text: lines.slice(at).join('\n'), firstLine: at + 1, title };
}
