import { drawGraph } from './drawGraph';
import { drawSequence } from './drawSequence';
import type { Drawing, Letters } from './drawing';
import { NotDrawn, type DiagramKind } from './readers/diagram';
import { readDiagram } from './readers/readDiagram';

/** A drawing with what it shows. `title`: that of the source, or the first names in it. */
export interface DrawnDiagram {
  readonly drawing: Drawing;
  readonly kind: DiagramKind;
  readonly title: string;
}

const maxNamed = 12;

/** Draws a Mermaid diagram, or returns the reason why it cannot be drawn. */
export function draw(source: string, letters: Letters): DrawnDiagram | NotDrawn {
  try {
    const diagram = readDiagram(source);
    const drawing = diagram.kind === 'sequence' ? drawSequence(diagram, letters) : drawGraph(diagram, letters);
    const things =
      diagram.kind === 'sequence'
        ? diagram.people.map(({ label }) => label)
        : diagram.nodes.map(({ sections }) => sections[0]!);
    const named = things.filter((label) => label !== '').map((label) => label.replaceAll('\n', ' '));
    const title = diagram.title || named.slice(0, maxNamed).join(', ') + (named.length > maxNamed ? ', …' : '');
    return { drawing, kind: diagram.kind, title };
  } catch (problem) {
    if (problem instanceof NotDrawn) return problem;
    // A bug in the drawing code: the block is displayed as code, and the panel continues.
    return new NotDrawn('kind');
  }
}
