import { useEffect, useRef, useState } from 'preact/hooks';
import type { Action } from '../../src/protocol/event';
import { post } from '../host';
import type { RowOf } from '../rows';
import { commandOf } from '../summary';
import { postOnce, sent } from '../store';
import { counted, text, type TextKey } from '../text';
import { visible } from '../visible';
import { Card } from './Card';
import { Icon } from './Icon';
import { InputView } from './InputView';
import { NoteForm } from './NoteForm';
import { RiskLine } from './RiskLine';

/** A click that was on its way to something else must not land on a button that just appeared. */
const deadTimeMs = 400;

/** What is known about undoing it: by what the tool declares, never by what its input looks like. */
const undoWords: Readonly<Record<NonNullable<Action['effect']>, TextKey>> = {
  executes: 'approval.undo.command', writes: 'approval.undo.edit',
  reads: 'approval.undo.none', notes: 'approval.undo.none', asks: 'approval.undo.none', ends: 'approval.undo.none', delegates: 'approval.undo.unknown',
};

/** The only loud thing: what will happen, exactly what runs, where, why it asks, what is known about undo, and then the choice. */
export function ApprovalCard({ row }: { row: RowOf<'approval'> }) {
  const { action, cwd, asked } = row.step;
  const hash = asked?.hashes?.[action.id];
  // As it was judged when it was asked, which may be later than when it was proposed.
  const risk = asked?.risks?.[action.id] ?? action.risk;
  const [alive, setAlive] = useState(false);
  const [noting, setNoting] = useState(false);
  const [enterPressed, setEnterPressed] = useState(false);
  const runOnce = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => setAlive(true), deadTimeMs);
    return () => clearTimeout(timer);
  }, []);
  // Asked again, it is another question.
  const question = hash ?? action.id;
  const done = sent.value.has(question);
  const off = !alive || done;
  const decide = (approved: boolean, comment?: string): void => { if (!off) postOnce(question, { type: 'decide', actionId: action.id, approved, ...(comment && { comment }), ...(hash !== undefined && { hash }) }); };
  const hidden = hiddenIn(action.input);
  const command = action.effect === 'executes' ? commandOf(action.input) : undefined;
  const folder = (action.input as { cwd?: unknown } | null)?.cwd;

  return (
    <Card row={row} class={`approval ${risk.level}`} label={`${text('approval.label')}: ${action.summary}`}>
      <div data-testid="approval" data-action={action.id} onKeyDown={event => { if (event.key === 'Escape' && noting) { event.stopPropagation(); setNoting(false); } }}>
        <div class="approval-head">
          <Icon name="shield" /><h3>{command !== undefined && action.summary.endsWith(command) ? text('approval.runs') : <InlineVisible words={action.summary} />}</h3>
          {row.count > 1 && <span class="meta">{text('approval.position', { n: row.position, count: row.count })}</span>}
        </div>
        <InputView input={action.input} effect={action.effect} culprit={risk.culprit} />
        {asked?.again?.includes(action.id) && <p class="warn-text" data-testid="again"><Icon name="warning" /> {text('approval.again')}</p>}
        {hidden > 0 && <p class="warn-text"><Icon name="eye" /> {counted('approval.hidden', hidden)}</p>}
        <dl class="facts">
          {command !== undefined && <div><dt>{text('approval.in')}</dt><dd class="code-font"><InlineVisible words={typeof folder === 'string' ? folder : cwd ?? text('unknown')} /></dd></div>}
          <div><dt>{text('approval.why')}</dt><dd><RiskLine risk={risk} />{risk.reasons.length === 0 && ` ${text('approval.whyNothing')}`}</dd></div>
          <div><dt>{text('approval.undo')}</dt><dd>{text(action.effect ? undoWords[action.effect] : 'approval.undo.unknown')}</dd></div>
        </dl>
        <div class="decision">
          {noting ? <NoteForm disabled={off} onCancel={() => setNoting(false)} onSend={note => decide(false, note)} /> : <>
            <div class="buttons first">
              <button type="button" ref={runOnce} class="primary" data-testid="run-once" aria-disabled={off} title="Alt+Enter" onClick={() => decide(true)} onKeyDown={event => { if (event.key === 'Enter' && !event.altKey) { event.preventDefault(); setEnterPressed(true); } }}>{done ? text('approval.sent') : text('approval.runOnce')}</button>
              <button type="button" class="secondary" data-testid="refuse" aria-disabled={off} title="Alt+Backspace" onClick={() => decide(false)}>{text('approval.refuse')}</button>
            </div>
            <div class="buttons">
              <button type="button" class="secondary" data-testid="refuse-note" aria-disabled={off} onClick={() => { if (!off) setNoting(true); }}>{text('approval.refuseNote')}</button>
              <button type="button" class="secondary" data-testid="always-allow" aria-disabled={off} onClick={() => { if (!off) post({ type: 'always_allow', actionId: action.id, ...(hash !== undefined && { hash }) }); }}>{text('approval.alwaysAllow')}</button>
            </div>
          </>}
          <div class="dim" role="status">{enterPressed && text('approval.enter')}</div>
        </div>
      </div>
    </Card>
  );
}

const InlineVisible = ({ words }: { words: string }) => <>{visible(words).map((piece, index) => (piece.escape === undefined ? <span key={index}>{piece.text}</span> : <span key={index} class="escape" title={text('approval.control', { name: piece.name ?? '' })}>{piece.escape}</span>))}</>;

/** Counts what is drawn by name; tabs and line breaks are no surprise. */
function hiddenIn(input: unknown): number {
  if (typeof input === 'string') return input.split('\n').reduce((sum, line) => sum + visible(line).filter(piece => piece.escape !== undefined && piece.text !== '\t').length, 0);
  return typeof input === 'object' && input !== null ? Object.values(input).reduce((sum: number, value) => sum + hiddenIn(value), 0) : 0;
}
