import { secrets } from '../../secrets/secrets';
import { NotebookText, readNotebook, type NotebookOutput } from '../notebook/notebookCells';

const maxCharacters = 50_000;
const maxOutputLines = 20;
const maxOutputCharacters = 2000;

/**
 * Formats a Jupyter notebook cell by cell, with its last outputs in short. Returns undefined if the text is not a
 * notebook.
 */
export function notebookText(text: string): string | undefined {
  const cells = readNotebook(text)?.cells;
  if (!cells) return undefined;
  const lineAt = lineCounter(text);
  const places = cells.map(({ from, to }) => ({ from: lineAt(from), to: lineAt(to) }));
  const where = (index: number): string => `lines ${places[index]!.from}-${places[index]!.to}`;
  const shown: string[] = [];
  let characters = 0;
  for (const [index, { kind, source, outputs }] of cells.entries()) {
    const head = `[cell ${index + 1}: ${kind}, ${where(index)} of the file]`;
    const part = [head, source.trimEnd(), ...outputs.map((output) => formatOutput(output, where(index)))]
      .filter((each) => each !== '')
      .join('\n');
    characters += part.length;
    if (characters > maxCharacters && index > 0) break;
    shown.push(part.length <= maxCharacters ? part : cutCell(part, where(index)));
  }
  const left = cells.length - shown.length;
  const rest =
    left > 0
      ? [
          `[Cells ${shown.length + 1}-${cells.length} are omitted. Read them as JSON, from line ${places[shown.length]!.from} on.]`,
        ]
      : [];
  const note =
    '[A notebook. The file itself is JSON: read a range of its lines to see it. Edit cells with edit_notebook if it is offered; make other edits in the JSON.]';
  return [...shown, ...rest, note].join('\n\n');
}

/** The note says that a cell is truncated: replacing a cell based on the shown part would lose the rest. */
const cutCell = (part: string, where: string): string =>
  `${secrets.beginning(part, maxCharacters)}\n[The cell continues; see ${where} of the file. Do not replace it: edit its JSON.]`;

/** Returns a function that maps increasing positions to line numbers, from 1. */
function lineCounter(text: string): (place: number) => number {
  let [line, counted] = [1, 0];
  return (place) => {
    for (let at = text.indexOf('\n', counted); at !== -1 && at < place; at = text.indexOf('\n', at + 1)) {
      line++;
      counted = at + 1;
    }
    return line;
  };
}

function formatOutput(output: NotebookOutput, where: string): string {
  const words = outputText(output);
  if (words === '') return '';
  const lines = secrets.beginning(words, maxOutputCharacters).split('\n').slice(0, maxOutputLines);
  const short = lines.join('\n');
  const cut = short.length < words.length ? `\n[The output continues; see ${where}.]` : '';
  return `[output]\n${short}${cut}`;
}

/** Returns the visible part of an output: text unchanged, images and the like by their type. */
function outputText({ text, data = {}, ename, evalue }: NotebookOutput): string {
  if (ename !== undefined) return `${ename}: ${evalue ?? ''}`;
  if (text !== undefined) return withoutColors(text);
  const written = NotebookText.safeParse(data['text/plain']).data ?? '';
  const others = Object.keys(data).filter((type) => type !== 'text/plain' && type !== 'text/html');
  return [withoutColors(written), ...others.map((type) => `[${type}, not shown]`)]
    .filter((part) => part !== '')
    .join('\n');
}

/** Removes terminal color codes. */
const withoutColors = (text: string): string => text.replace(/\x1b\[[0-9;]*[A-Za-z]/g, '').trimEnd();
