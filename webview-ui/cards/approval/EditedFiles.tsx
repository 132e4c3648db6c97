import type { FileChange } from '../../../src/protocol/events/details';
import type { Action } from '../../../src/protocol/events/event';
import { usePost } from '../../base/host';
import { counted, text } from '../../base/text';
import { Hunks } from '../../parts/DiffView';
import { Icon } from '../../parts/Icon';
import { LongText } from '../../parts/LongText';
import { Visible, VisibleText } from '../../parts/VisibleText';

const kindWords = {
  created: 'edit.created',
  modified: 'edit.modified',
  deleted: 'edit.deleted',
  moved: 'edit.moved',
} as const;
const kindIcons = { created: 'new-file', modified: 'edit', deleted: 'trash', moved: 'arrow-right' };

const changeKind = ({ kind, from }: FileChange): keyof typeof kindWords => (from === undefined ? kind : 'moved');

/** What an edit waiting for approval would change, file by file, with line numbers and context. */
export function EditedFiles({
  action,
  changes,
  culprit,
}: {
  action: Action;
  changes: readonly FileChange[];
  culprit?: string | undefined;
}) {
  // A single file is already named by the heading of the card.
  const isAlone = changes.length === 1;
  return (
    <div class="input" data-testid="edited-files">
      {changes.map((change) => (
        <EditedFile key={change.path} action={action} change={change} culprit={culprit} isAlone={isAlone} />
      ))}
    </div>
  );
}

interface EditedFileProps {
  readonly action: Action;
  readonly change: FileChange;
  readonly culprit: string | undefined;
  readonly isAlone: boolean;
}

function EditedFile({ action, change, culprit, isAlone }: EditedFileProps) {
  const post = usePost();
  const { path, from, added, removed, hunks } = change;
  const kind = changeKind(change);
  const shown = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const leftOut = added + removed - changedLines(change);
  return (
    <div class="diff" data-testid="edited-file">
      <div class="diff-bar">
        <span class="edited-name">
          {!isAlone && (
            <>
              <Icon name={kindIcons[kind]} />
              <span class="edit-kind">{text(kindWords[kind])}</span>
            </>
          )}
          <span class="code-font">
            <VisibleText words={from === undefined ? path : `${from} → ${path}`} culprit={culprit} />
          </span>
          <span class="counts">
            <span class="added">+{added}</span> <span class="removed">−{removed}</span>
          </span>
        </span>
        <button
          type="button"
          class="secondary small"
          data-testid="open-proposed-diff"
          aria-label={text('edit.openDiffOf', { path })}
          title={text('edit.openDiff')}
          onClick={() => post({ type: 'open_diff', actionId: action.id, path })}
        >
          <Icon name="diff" /> <span class="beside-icon">{text('edit.openDiff')}</span>
        </button>
      </div>
      {shown > 0 && (
        <LongText label={text('edit.linesOf', { path })} lines={shown} more={(n) => counted('approval.below', n)}>
          <Hunks hunks={hunks} culprit={culprit} />
        </LongText>
      )}
      {shown === 0 && <p class="dim">{text(wordsWithoutLines[kind])}</p>}
      {leftOut > 0 && (
        <p class="dim">
          <Visible words={counted('edit.leftOut', leftOut)} />
        </p>
      )}
    </div>
  );
}

const wordsWithoutLines = {
  created: 'edit.empty',
  modified: 'edit.empty',
  deleted: 'edit.emptyGone',
  moved: 'edit.sameText',
} as const;

const changedLines = ({ hunks }: FileChange): number =>
  hunks.flatMap(({ lines }) => lines).filter((line) => !line.startsWith(' ')).length;

/** Icon of the heading. */
export const editIcon = (changes: readonly FileChange[]): string =>
  changes.length === 1 ? kindIcons[changeKind(changes[0]!)] : 'edit';

/** Heading that describes the edit; for several files, its summary. */
export function editHeading(changes: readonly FileChange[], summary: string): string {
  const [first] = changes;
  if (changes.length > 1 || !first) return summary;
  return text(`edit.heading.${changeKind(first)}`, { path: first.path, from: first.from ?? '' });
}

/** Label of the approve button for an edit. */
export function editButton(changes: readonly FileChange[]): string {
  const kinds = new Set(changes.map(changeKind));
  if (kinds.size === 1 && kinds.has('created')) return counted('edit.create', changes.length);
  if (kinds.size === 1 && kinds.has('deleted')) return counted('edit.delete', changes.length);
  if (kinds.size === 1 && kinds.has('moved')) return counted('edit.move', changes.length);
  return text('edit.apply');
}
