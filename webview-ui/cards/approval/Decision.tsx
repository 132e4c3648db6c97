import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RunPlace } from '../../../src/protocol/events/confirmation';
import type { Action } from '../../../src/protocol/events/event';
import type { RuleScope } from '../../../src/protocol/panel/panel';
import { post } from '../../base/host';
import { postOnce, rules as offeredRules, sent } from '../../state/store';
import { text } from '../../base/text';
import { AlwaysAllow } from './AlwaysAllow';
import { CommandEditor } from './CommandEditor';
import { Icon } from '../../parts/Icon';
import { NoteForm } from './NoteForm';
import { Visible } from '../../parts/VisibleText';

/** Prevents a click that was meant for something else from hitting a button that just appeared. */
const deadTimeMs = 400;

/**
 * State of the card: decide, write a reason, choose what to allow, read about leaving the sandbox, or edit the command.
 */
type Doing = 'deciding' | 'noting' | 'allowing' | 'leaving' | 'editing';

/** Button that regains the focus after each state. Below: button to focus if a state has nothing to type or choose. */
const openedBy: Readonly<Record<Doing, string | undefined>> = {
  deciding: undefined,
  noting: 'refuse-note',
  allowing: 'always-allow',
  leaving: 'run-outside',
  editing: 'edit-command',
};
const leftBy: Readonly<Record<Doing, string | undefined>> = {
  deciding: undefined,
  noting: undefined,
  allowing: 'allow-back',
  leaving: 'leave-back',
  editing: undefined,
};

interface DecisionProps {
  readonly action: Action;
  /** Hash of the question; absent in logs of earlier versions. */
  readonly hash: string | undefined;
  readonly place: RunPlace | undefined;
  readonly command: string | undefined;
  readonly canAllow: boolean;
  /** Label of the approve button for actions that are not commands. */
  readonly yes: string;
}

/** The buttons of an approval card. Only pressing a labeled button decides anything; Enter and Esc never do. */
export function Decision({ action, hash, place, command, canAllow, yes }: DecisionProps) {
  /** Identifies the buttons that are enabled: those of one question in one state of the card. */
  const [ready, setReady] = useState('');
  const [doing, setDoing] = useState<Doing>('deciding');
  const [scope, setScope] = useState<RuleScope>('exact');
  const [enterPressed, setEnterPressed] = useState(false);
  const known = offeredRules.value;
  const rules = known?.actionId === action.id && known.hash === (hash ?? '') ? known : undefined;
  const box = useRef<HTMLDivElement>(null);
  const before = useRef<Doing>(doing);
  // Preserve the focus for keyboard users.
  useLayoutEffect(() => {
    const hasOwnFocus = doing === 'allowing' && rules !== undefined;
    const target = doing === 'deciding' ? openedBy[before.current] : hasOwnFocus ? undefined : leftBy[doing];
    before.current = doing;
    if (target) box.current?.querySelector<HTMLElement>(`[data-testid="${target}"]`)?.focus({ preventScroll: true });
  }, [doing]);
  // A repeated request is a new question.
  const question = hash ?? action.id;
  useEffect(() => setDoing('deciding'), [question]);
  // Buttons that replace others are disabled for a moment after they are first rendered.
  const buttons = `${question} ${doing}`;
  useEffect(() => {
    setEnterPressed(false);
    const timer = setTimeout(() => setReady(buttons), deadTimeMs);
    return () => clearTimeout(timer);
  }, [buttons]);

  const done = sent.value.has(question);
  const alive = doing === 'noting' || ready === buttons;
  const off = !alive || done;
  const about = { actionId: action.id, ...(hash !== undefined && { hash }) };
  const decide = (approved: boolean, more: { comment?: string; outside?: true; edited?: string } = {}): void => {
    if (!off) postOnce(question, { type: 'decide', approved, ...more, ...about });
  };
  const allow = (keep: 'session' | 'workspace'): void => {
    if (!off) postOnce(question, { type: 'always_allow', scope, keep, ...about });
  };
  const go = (next: Doing): void => {
    if (!off) setDoing(next);
  };
  const offerRules = (): void => {
    if (off) return;
    setScope('exact');
    setDoing('allowing');
    post({ type: 'offer_rules', ...about });
  };
  /** Enter never approves anything; it is reserved for text input. */
  const notByEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.altKey) return;
    event.preventDefault();
    setEnterPressed(true);
  };
  const back = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || doing === 'deciding') return;
    event.stopPropagation();
    setDoing('deciding');
  };
  const words = (usual: string): string => (done ? text('approval.sent') : usual);
  const button = (
    id: string,
    kind: 'primary' | 'secondary',
    label: ComponentChildren,
    press: () => void,
    more: { title?: string; consents?: boolean } = {},
  ) => (
    <button
      type="button"
      class={kind}
      data-testid={id}
      aria-disabled={off}
      onClick={press}
      {...(more.title !== undefined && { title: more.title })}
      {...(more.consents && { onKeyDown: notByEnter })}
    >
      {label}
    </button>
  );

  const isEdit = action.effect === 'writes' && !action.from;
  const cannotRun = place?.runs === 'nowhere';
  const mayLeave = place?.outside !== undefined;
  const leavesFirst = place?.outside === 'first';
  const yesLabel = command === undefined ? yes : runWords(place);
  const runOutside = button(
    'run-outside-now',
    'secondary',
    <>
      <Icon name="unlock" /> {words(text('approval.runOutside'))}
    </>,
    () => decide(true, { outside: true }),
    { consents: true },
  );

  return (
    <div onKeyDown={back} class="decision-area">
      {doing === 'allowing' && <AlwaysAllow action={action} rules={rules} chosen={scope} onChoose={setScope} />}
      <div class="decision" ref={box}>
        {place && doing !== 'leaving' && <PlaceLine place={place} />}
        {doing === 'noting' && (
          <NoteForm
            disabled={off}
            onCancel={() => setDoing('deciding')}
            onSend={(note) => decide(false, note ? { comment: note } : {})}
          />
        )}
        {doing === 'editing' && command !== undefined && (
          <CommandEditor
            command={command}
            runLabel={words(yesLabel)}
            disabled={off}
            onCancel={() => setDoing('deciding')}
            onRun={(edited) => decide(true, edited === command ? {} : { edited })}
          />
        )}
        {doing === 'leaving' && (
          <>
            <p class="warn-text" data-testid="outside-words">
              <Icon name="unlock" /> <Visible words={place?.outsideWords ?? ''} />
            </p>
            <div class="buttons first">
              {runOutside}
              <button type="button" class="secondary" data-testid="leave-back" onClick={() => setDoing('deciding')}>
                {text('allow.back')}
              </button>
            </div>
          </>
        )}
        {doing === 'allowing' && (
          <div class="buttons first">
            {rules && !rules.refusal && (
              <>
                {button(
                  'allow-session',
                  'primary',
                  words(text(isEdit ? 'allow.session.edit' : 'allow.session')),
                  () => allow('session'),
                  { consents: true },
                )}
                {button(
                  'allow-workspace',
                  'secondary',
                  text(isEdit ? 'allow.workspace.edit' : 'allow.workspace'),
                  () => allow('workspace'),
                  { consents: true },
                )}
              </>
            )}
            <button type="button" class="secondary" data-testid="allow-back" onClick={() => setDoing('deciding')}>
              {text('allow.back')}
            </button>
          </div>
        )}
        {doing === 'deciding' && (
          <>
            {leavesFirst && (
              <div class="leaving">
                <p class="dim" data-testid="outside-words">
                  <Visible words={place.outsideWords ?? ''} />
                </p>
                <div class="buttons">{runOutside}</div>
              </div>
            )}
            <div class="buttons first">
              {!cannotRun &&
                button('run-once', leavesFirst ? 'secondary' : 'primary', words(yesLabel), () => decide(true), {
                  title: 'Alt+Enter',
                  consents: true,
                })}
              {button('refuse', 'secondary', text('approval.refuse'), () => decide(false), { title: 'Alt+Backspace' })}
            </div>
            <div class="buttons">
              {button('refuse-note', 'secondary', text('approval.refuseNote'), () => go('noting'))}
              {place?.editable &&
                command !== undefined &&
                button('edit-command', 'secondary', text('approval.edit'), () => go('editing'), {
                  title: text('approval.editTitle'),
                })}
              {canAllow && button('always-allow', 'secondary', text('approval.alwaysAllow'), offerRules)}
              {mayLeave &&
                !leavesFirst &&
                button(
                  'run-outside',
                  'secondary',
                  <>
                    <Icon name="unlock" /> {text('approval.leave')}
                  </>,
                  () => go('leaving'),
                )}
            </div>
          </>
        )}
        <div class="dim" role="status">
          {enterPressed && text('approval.enter')}
        </div>
      </div>
    </div>
  );
}

/** Label of a plain approval of a command: where it runs, as far as known. */
function runWords(place: RunPlace | undefined): string {
  if (place?.runs !== 'inside') return text('approval.run');
  return text(place.outside === 'first' ? 'approval.runInsideAgain' : 'approval.runInside');
}

const placeIcons: Readonly<Record<RunPlace['runs'], string>> = {
  inside: 'shield',
  unconfined: 'unlock',
  nowhere: 'circle-slash',
};

/** Where a command will run and what it can access there, on one line. */
const PlaceLine = ({ place }: { place: RunPlace }) => (
  <p class={`place ${place.runs}`} data-testid="place">
    <Icon name={placeIcons[place.runs]} /> <Visible words={place.words} />
  </p>
);
