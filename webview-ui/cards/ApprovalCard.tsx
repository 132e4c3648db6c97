import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Action } from '../../src/protocol/event';
import type { RuleScope } from '../../src/protocol/panel';
import { post } from '../host';
import type { RowOf } from '../rows';
import { shellCommandOf } from '../summary';
import { postOnce, sent, state } from '../store';
import { counted, text, type TextKey } from '../text';
import { visible } from '../visible';
import { AlwaysAllow } from './AlwaysAllow';
import { Card } from './Card';
import { Icon } from './Icon';
import { InputView } from './InputView';
import { NoteForm } from './NoteForm';
import { RiskLine } from './RiskLine';
import { Visible } from './VisibleText';

/** A click that was on its way to something else must not land on a button that just appeared. */
const deadTimeMs = 400;

/** What is known about undoing it: by what the tool declares, never by what its input looks like. */
const undoWords: Readonly<Record<NonNullable<Action['effect']>, TextKey>> = {
  executes: 'approval.undo.command', writes: 'approval.undo.edit',
  reads: 'approval.undo.none', notes: 'approval.undo.none', asks: 'approval.undo.none', ends: 'approval.undo.none', delegates: 'approval.undo.unknown',
};

/** What others give is known to nobody but them, unless it only reads. */
function undoOf({ effect, from }: Action): string {
  if (from && effect !== 'reads') return text('approval.undo.added', { source: from.source });
  return text(effect ? undoWords[effect] : 'approval.undo.unknown');
}

/** The only loud thing: what will happen, exactly what runs, where, why it asks, what is known about undo, and then the choice. */
export function ApprovalCard({ row }: { row: RowOf<'approval'> }) {
  const { action, cwd, asked } = row.step;
  const hash = asked?.hashes?.[action.id];
  // As it was judged when it was asked, which may be later than when it was proposed.
  const risk = asked?.risks?.[action.id] ?? action.risk;
  const [alive, setAlive] = useState(false);
  const [doing, setDoing] = useState<'deciding' | 'noting' | 'allowing'>('deciding');
  const [scope, setScope] = useState<RuleScope>('exact');
  const [enterPressed, setEnterPressed] = useState(false);
  const rules = state.value.rules?.actionId === action.id && state.value.rules.hash === (hash ?? '') ? state.value.rules : undefined;
  // Whoever uses the keys stays where they were.
  const decision = useRef<HTMLDivElement>(null);
  const before = useRef(doing);
  useLayoutEffect(() => {
    const from = { noting: 'refuse-note', allowing: 'always-allow', deciding: undefined }[before.current];
    const target = doing === 'allowing' && !rules ? 'allow-back' : doing === 'deciding' ? from : undefined;
    before.current = doing;
    if (target) decision.current?.querySelector<HTMLElement>(`[data-testid="${target}"]`)?.focus({ preventScroll: true });
  }, [doing]);
  // Buttons that take the place of others are dead for a moment too.
  useEffect(() => {
    setEnterPressed(false);
    if (doing === 'noting') return undefined;
    setAlive(false);
    const timer = setTimeout(() => setAlive(true), deadTimeMs);
    return () => clearTimeout(timer);
  }, [doing]);
  // Asked again, it is another question.
  const question = hash ?? action.id;
  useEffect(() => setDoing('deciding'), [question]);
  const done = sent.value.has(question);
  const off = !alive || done;
  const about = { actionId: action.id, ...(hash !== undefined && { hash }) };
  const decide = (approved: boolean, comment?: string): void => { if (!off) postOnce(question, { type: 'decide', approved, ...(comment && { comment }), ...about }); };
  const allow = (keep: 'session' | 'workspace'): void => { if (!off) postOnce(question, { type: 'always_allow', scope, keep, ...about }); };
  const offerRules = (): void => {
    if (off) return;
    setScope('exact');
    setDoing('allowing');
    post({ type: 'offer_rules', ...about });
  };
  /** Enter is for what a person types, never for consent. */
  const notByEnter = (event: KeyboardEvent): void => { if (event.key === 'Enter' && !event.altKey) { event.preventDefault(); setEnterPressed(true); } };
  const hidden = hiddenIn(action.input);
  const command = action.effect === 'executes' ? shellCommandOf(action) : undefined;
  const folder = (action.input as { cwd?: unknown } | null)?.cwd;

  return (
    <Card row={row} class={`approval ${risk.level}`} label={`${text('approval.label')}: ${action.summary}`}>
      <div data-testid="approval" data-action={action.id} onKeyDown={event => { if (event.key === 'Escape' && doing !== 'deciding') { event.stopPropagation(); setDoing('deciding'); } }}>
        <div class="approval-head">
          <Icon name="shield" /><h2>{command !== undefined && action.summary.endsWith(command) ? text('approval.runs') : <Visible words={action.summary} />}</h2>
          {row.count > 1 && <span class="meta">{text('approval.position', { n: row.position, count: row.count })}</span>}
        </div>
        <InputView input={action.input} effect={action.effect} from={action.from} culprit={risk.culprit} />
        {asked?.again?.includes(action.id) && <p class="warn-text" data-testid="again"><Icon name="warning" /> {text('approval.again')}</p>}
        {hidden > 0 && <p class="warn-text"><Icon name="eye" /> {counted('approval.hidden', hidden)}</p>}
        <dl class="facts">
          {command !== undefined && <div><dt>{text('approval.in')}</dt><dd class="code-font"><Visible words={typeof folder === 'string' ? folder : cwd ?? text('unknown')} /></dd></div>}
          <div><dt>{text('approval.why')}</dt><dd><RiskLine risk={risk} />{risk.reasons.length === 0 && ` ${text('approval.whyNothing')}`}</dd></div>
          <div><dt>{text('approval.undo')}</dt><dd><Visible words={undoOf(action)} /></dd></div>
        </dl>
        {doing === 'allowing' && <AlwaysAllow rules={rules} chosen={scope} onChoose={setScope} />}
        <div class="decision" ref={decision}>
          {doing === 'noting' && <NoteForm disabled={off} onCancel={() => setDoing('deciding')} onSend={note => decide(false, note)} />}
          {doing === 'allowing' && <div class="buttons first">
            {rules && !rules.refusal && <>
              <button type="button" class="primary" data-testid="allow-session" aria-disabled={off} onClick={() => allow('session')} onKeyDown={notByEnter}>{done ? text('approval.sent') : text('allow.session')}</button>
              <button type="button" class="secondary" data-testid="allow-workspace" aria-disabled={off} onClick={() => allow('workspace')} onKeyDown={notByEnter}>{text('allow.workspace')}</button>
            </>}
            <button type="button" class="secondary" data-testid="allow-back" onClick={() => setDoing('deciding')}>{text('allow.back')}</button>
          </div>}
          {doing === 'deciding' && <>
            <div class="buttons first">
              <button type="button" class="primary" data-testid="run-once" aria-disabled={off} title="Alt+Enter" onClick={() => decide(true)} onKeyDown={notByEnter}>{done ? text('approval.sent') : text('approval.runOnce')}</button>
              <button type="button" class="secondary" data-testid="refuse" aria-disabled={off} title="Alt+Backspace" onClick={() => decide(false)}>{text('approval.refuse')}</button>
            </div>
            <div class="buttons">
              <button type="button" class="secondary" data-testid="refuse-note" aria-disabled={off} onClick={() => { if (!off) setDoing('noting'); }}>{text('approval.refuseNote')}</button>
              <button type="button" class="secondary" data-testid="always-allow" aria-disabled={off} onClick={offerRules}>{text('approval.alwaysAllow')}</button>
            </div>
          </>}
          <div class="dim" role="status">{enterPressed && text('approval.enter')}</div>
        </div>
      </div>
    </Card>
  );
}

/** Counts what is drawn by name; tabs and line breaks are no surprise. */
function hiddenIn(input: unknown): number {
  if (typeof input === 'string') return input.split('\n').reduce((sum, line) => sum + visible(line).filter(piece => piece.escape !== undefined && piece.text !== '\t').length, 0);
  return typeof input === 'object' && input !== null ? Object.values(input).reduce((sum: number, value) => sum + hiddenIn(value), 0) : 0;
}
