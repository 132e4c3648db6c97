import { text } from '../text';
import { visibleLines, type Piece } from '../visible';

/** Text as it is: line breaks marked, characters that hide drawn as their names, the part that raised the risk highlighted. */
export function VisibleText({ words, culprit, marks = false }: { words: string; culprit?: string | undefined; marks?: boolean }) {
  const lines = visibleLines(words, culprit);
  return <>{lines.map((pieces, index) => (
    <span key={index} class={marks ? `exact-line ${sideOf(pieces)}` : 'exact-line'}>
      {pieces.map(drawn)}
      {index < lines.length - 1 && <><span class="line-break" aria-hidden="true">↵</span>{'\n'}</>}
    </span>
  ))}</>;
}

function drawn(piece: Piece, index: number) {
  const shown = piece.escape === undefined ? piece.text : <span class={piece.text === '\t' ? 'escape tab' : 'escape'} title={text('approval.control', { name: piece.name ?? '' })}>{piece.escape}</span>;
  return piece.culprit ? <mark key={index}>{shown}</mark> : <span key={index}>{shown}</span>;
}

const sideOf = (pieces: readonly Piece[]): string => {
  const first = pieces[0]?.text[0];
  return first === '+' ? 'added' : first === '-' ? 'removed' : '';
};
