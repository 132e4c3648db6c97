import { LineCounter, parseDocument, isNode, type Document } from 'yaml';
import type { Position } from '../ports/skill';

export interface Span {
  readonly from: Position;
  readonly to: Position;
}

/** Parsed JSON with the positions of its parts. `problem`: why it is invalid. */
export interface PlacedJson {
  readonly value: unknown;
  readonly problem?: Span & { readonly message: string };
  at(path: readonly PropertyKey[]): Span;
}

const beginning: Span = { from: { line: 1, column: 1 }, to: { line: 1, column: 1 } };

/** Never throws. Uses a YAML parser for the positions, because JSON is YAML except for tabs between its parts. */
export function parseJsonWithPositions(source: string): PlacedJson {
  const text = source.replace(/^\uFEFF/, '');
  const lines = new LineCounter();
  const document = parseDocument(text.replaceAll('\t', ' '), {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
  });
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  try {
    return { value: JSON.parse(text) as unknown, at: (path) => spanOf(document, path, place) };
  } catch (thrown) {
    const said = (thrown as Error).message;
    const position = /position (\d+)/.exec(said)?.[1];
    const offset = document.errors[0]?.pos[0] ?? (position === undefined ? text.trimEnd().length : Number(position));
    const message =
      text.trim() === ''
        ? 'The file is empty.'
        : `The file is not JSON: ${said
            .replace(/,? (?:in JSON )?at position \d.*/s, '')
            .replace(/\s+/g, ' ')
            .replace(/[.:]?$/, '.')}`;
    return { value: undefined, problem: { message, from: place(offset), to: place(offset + 1) }, at: () => beginning };
  }
}

/** For a missing part, returns the position of the innermost part that exists. */
function spanOf(document: Document, path: readonly PropertyKey[], place: (offset: number) => Position): Span {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(
      path.slice(0, length).map((key) => (typeof key === 'symbol' ? String(key) : key)),
      true,
    );
    if (isNode(node) && node.range) return { from: place(node.range[0]), to: place(node.range[1]) };
  }
  return beginning;
}
