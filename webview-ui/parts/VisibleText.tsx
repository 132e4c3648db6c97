import { text } from '../base/text';
import { hasHidden, visiblePieces, visibleLines, type Piece } from '../base/visible';

/** Text with line breaks marked, hidden characters shown by name, and the part that raised the risk highlighted. */
export function VisibleText({
  words,
  culprit,
  marks = false,
}: {
  words: string;
  culprit?: string | undefined;
  marks?: boolean;
}) {
  const lines = visibleLines(words, culprit);
  return (
    <>
      {lines.map((pieces, index) => (
        <span key={index} class={marks ? `exact-line ${sideOf(pieces)}` : 'exact-line'}>
          {pieces.map(drawn)}
          {index < lines.length - 1 && (
            <>
              <span class="line-break" aria-hidden="true">
                ↵
              </span>
              {'\n'}
            </>
          )}
        </span>
      ))}
    </>
  );
}

/** The same for a name or a single line, where a tab is displayed as a tab. */
export function Visible({ words }: { words: string }) {
  if (!hasHidden(words)) return <>{words}</>;
  return (
    <>
      {words.split('\n').map((line, at) => (
        <span key={at}>
          {at > 0 && '\n'}
          {visiblePieces(line).map((piece, index) => (piece.text === '\t' ? '\t' : drawn(piece, index)))}
        </span>
      ))}
    </>
  );
}

function drawn(piece: Piece, index: number) {
  const shown =
    piece.escape === undefined ? (
      piece.text
    ) : (
      <span
        class={piece.text === '\t' ? 'escape tab' : 'escape'}
        title={text('approval.control', { name: piece.name ?? '' })}
      >
        {piece.escape}
      </span>
    );
  return piece.culprit ? <mark key={index}>{shown}</mark> : <span key={index}>{shown}</span>;
}

const sideOf = (pieces: readonly Piece[]): string => {
  const first = pieces[0]?.text[0];
  if (first === '+') return 'added';
  return first === '-' ? 'removed' : '';
};
