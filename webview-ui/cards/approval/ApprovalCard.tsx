import { useEffect } from 'preact/hooks';
import type { LastingKind } from '../../../src/protocol/events/details';
import type { Action } from '../../../src/protocol/events/event';
import { post } from '../../base/host';
import { riskAtApproval, type RowOf, type Step } from '../../state/rows';
import { facts, previews } from '../../state/store';
import type { Preview } from '../../state/state';
import { shellCommandOf } from '../../base/summary';
import { counted, text } from '../../base/text';
import { visiblePieces } from '../../base/visible';
import { Card } from '../../parts/Card';
import { Decision } from './Decision';
import { EditedFiles, editButton, editHeading, editIcon } from './EditedFiles';
import { Icon } from '../../parts/Icon';
import { InputView } from '../../parts/InputView';
import { weightOf } from '../../../src/protocol/plain/riskWords';
import { FurtherReasons, RiskMark } from '../../parts/Reasons';
import { Visible } from '../../parts/VisibleText';

/** Effects that change no file. */
const unchanging: ReadonlySet<Action['effect']> = new Set(['reads', 'notes', 'asks', 'ends'] as const);

/**
 * Describes whether the action can be undone, based on the tool's declared effect and never on its input. For added
 * tools this is unknown unless they only read.
 */
function undoWords({ effect, from }: Action, preview: Preview | undefined): string {
  if (preview?.refused !== undefined || unchanging.has(effect)) return text('approval.undo.none');
  if (from) return text('approval.undo.added', { source: from.source });
  const undo = preview?.undo;
  if (!undo) return text('approval.undo.unknown');
  if (effect === 'writes') return text(undo.isCopied ? 'approval.undo.edit' : 'approval.undo.noCopy');
  if (effect !== 'executes') return text('approval.undo.unknown');
  return undo.isCopied ? commandUndoWords(undo.lasting) : text('approval.undo.noCopies');
}

function commandUndoWords(lasting: readonly LastingKind[]): string {
  const files = text('approval.undo.files');
  if (lasting.length === 0) return files;
  const list = lasting.map((kind) => text(`approval.undo.lasting.${kind}`)).join(', ');
  return `${files} ${text('approval.undo.lasting', { list })}`;
}

/**
 * Returns the host's additional data about the question. Requested when the card appears and when the question changes.
 */
function usePreview({ id }: Action, hash: string): Preview | undefined {
  useEffect(() => post({ type: 'preview', actionId: id, ...(hash !== '' && { hash }) }), [id, hash]);
  const preview = previews.value.get(id);
  return preview?.hash === hash ? preview : undefined;
}

/**
 * The only prominent card: what will happen, why that may matter, exactly what runs and where, whether it can be
 * undone, and the choice.
 */
export function ApprovalCard({ row }: { row: RowOf<'approval'> }) {
  const { step } = row;
  const { action, confirmation } = step;
  const hash = confirmation?.hashes?.[action.id];
  const risk = riskAtApproval(step);
  const preview = usePreview(action, hash ?? '');
  const command = action.effect === 'executes' ? shellCommandOf(action) : undefined;
  const [headline, ...further] = risk.reasons;

  return (
    <Card row={row} class={`approval ${weightOf(risk)}`} label={`${text('approval.label')}: ${action.summary}`}>
      <div data-testid="approval" data-action={action.id}>
        <Heading row={row} command={command} preview={preview} />
        <p class="headline" data-testid="headline">
          <RiskMark risk={risk} leads />{' '}
          <span class="headline-words">
            <Visible words={headline ?? text('approval.whyNothing')} />
          </span>
        </p>
        {preview?.changes ? (
          <EditedFiles action={action} changes={preview.changes} culprit={risk.culprit} />
        ) : (
          <InputView
            input={action.input}
            effect={action.effect}
            from={action.from}
            culprit={risk.culprit}
            named={action.effect === 'writes' ? action.summary : ''}
          />
        )}
        <Warnings step={step} preview={preview} />
        <FurtherReasons key={hash ?? action.id} reasons={further} />
        <Decision
          action={action}
          hash={hash}
          place={confirmation?.places?.[action.id]}
          command={command}
          canAllow={preview?.canAllow ?? false}
          yes={approveLabel(action, preview)}
          inShort={[
            ...(command === undefined ? [] : [commandFolder(step)]),
            `${text('approval.undo')}: ${undoWords(action, preview)}`,
          ]}
        >
          <dl class="facts">
            {command !== undefined && (
              <div>
                <dt>{text('approval.in')}</dt>
                <dd class="code-font">
                  <Visible words={commandFolder(step)} />
                </dd>
              </div>
            )}
            <div>
              <dt>{text('approval.undo')}</dt>
              <dd>
                <Visible words={undoWords(action, preview)} />
              </dd>
            </div>
          </dl>
        </Decision>
      </div>
    </Card>
  );
}

interface HeadingProps {
  readonly row: RowOf<'approval'>;
  readonly command: string | undefined;
  readonly preview: Preview | undefined;
}

/** What waits for approval, and which of several questions it is. */
function Heading({ row, command, preview }: HeadingProps) {
  const { action } = row.step;
  const files = preview?.changes?.length ?? 0;
  return (
    <div class="approval-head">
      <Icon name={headingIcon(action, command, preview)} />
      <h2>
        <Visible words={headingWords(action, command, preview)} />
      </h2>
      {files > 1 && <span class="meta">{counted('step.files', files)}</span>}
      {row.count > 1 && <span class="meta">{text('approval.position', { n: row.position, count: row.count })}</span>}
    </div>
  );
}

/** What is unusual about the action itself: it cannot be done, was asked before, or hides characters. */
function Warnings({ step: { action, confirmation }, preview }: { step: Step; preview: Preview | undefined }) {
  const hidden = countHidden(action.input);
  return (
    <>
      {preview?.refused !== undefined && (
        <p class="warn-text" data-testid="edit-refused">
          <Icon name="warning" /> {text('edit.refused')} <Visible words={preview.refused} />
        </p>
      )}
      {!facts.value?.trusted && !unchanging.has(action.effect) && (
        <p class="warn-text" data-testid="untrusted">
          <Icon name="workspace-untrusted" /> {text('approval.untrusted')}
        </p>
      )}
      {confirmation?.again?.includes(action.id) && (
        <p class="warn-text" data-testid="again">
          <Icon name="warning" /> {text(action.effect === 'writes' ? 'approval.againEdit' : 'approval.again')}
        </p>
      )}
      {hidden > 0 && (
        <p class="warn-text">
          <Icon name="eye" /> {counted('approval.hidden', hidden)}
        </p>
      )}
    </>
  );
}

/** Folder in which a command will run: the one in its arguments, else that of the shell. */
function commandFolder({ action, cwd }: Step): string {
  const folder = (action.input as { cwd?: unknown } | null)?.cwd;
  return typeof folder === 'string' ? folder : (cwd ?? text('unknown'));
}

function headingWords({ summary }: Action, command: string | undefined, preview: Preview | undefined): string {
  if (preview?.changes) return editHeading(preview.changes, summary);
  return command !== undefined && summary.endsWith(command) ? text('approval.runs') : summary;
}

function headingIcon({ effect }: Action, command: string | undefined, preview: Preview | undefined): string {
  if (preview?.changes) return editIcon(preview.changes);
  if (command !== undefined) return 'terminal';
  return effect === 'writes' ? 'edit' : 'shield';
}

/** Label of the approve button for actions that are not commands. Buttons for commands name the place instead. */
function approveLabel({ effect, from }: Action, preview: Preview | undefined): string {
  if (preview?.changes) return editButton(preview.changes);
  if (preview?.refused !== undefined) return text('edit.apply');
  return text(effect === 'writes' && !from && !preview ? 'edit.apply' : 'approval.run');
}

/** Counts hidden characters, except tabs and line breaks. */
function countHidden(input: unknown): number {
  if (typeof input === 'string')
    return input
      .split('\n')
      .reduce(
        (sum, line) =>
          sum + visiblePieces(line).filter((piece) => piece.escape !== undefined && piece.text !== '\t').length,
        0,
      );
  return typeof input === 'object' && input !== null
    ? Object.values(input).reduce((sum: number, value) => sum + countHidden(value), 0)
    : 0;
}
