import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RunPlace } from '../../../src/protocol/events/confirmation';
import type { Action } from '../../../src/protocol/events/event';
import type { RuleScope } from '../../../src/protocol/panel/panel';
import { post } from '../../base/host';
import {
  approveAction,
  isReadOnly,
  keyOfQuestion,
  postOnce,
  refuseAction,
  rules as offeredRules,
  sent,
} from '../../state/store';
import type { RuleOffers } from '../../state/state';
import { text } from '../../base/text';
import { useIgnoreClicks } from '../../base/hooks';
import { AlwaysAllow } from './AlwaysAllow';
import { CommandEditor } from './CommandEditor';
import {
  AllowingButtons,
  DecidingButtons,
  LeavingButtons,
  type DecisionControls,
  type CardMode,
} from './DecisionButtons';
import { Icon } from '../../parts/Icon';
import { Visible } from '../../parts/VisibleText';

/** Button that regains the focus after each state. Below: button to focus if a state has nothing to type or choose. */
const openedBy: Readonly<Record<CardMode, string | undefined>> = {
  deciding: undefined,
  noting: 'refuse-note',
  allowing: 'always-allow',
  leaving: 'run-outside',
  editing: 'edit-command',
};
const focusAfterLeaving: Readonly<Record<CardMode, string | undefined>> = {
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
  /** `children` in a few words, for one line of a low view. */
  readonly inShort: readonly string[];
  /** What to know before deciding. Stays visible with the buttons while nothing else is chosen or typed. */
  readonly children: ComponentChildren;
}

/** The buttons of an approval card. Only pressing a labeled button decides anything; Enter and Esc never do. */
export function Decision({ action, hash, place, command, canAllow, yes, inShort, children }: DecisionProps) {
  const [mode, setMode] = useState<CardMode>('deciding');
  const [scope, setScope] = useState<RuleScope>('exact');
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [enterPressed, setEnterPressed] = useState(false);
  const rules = rulesFor(action, hash);
  const box = useRef<HTMLDivElement>(null);
  useFocusOnChange(box, mode, rules !== undefined);
  const about = { actionId: action.id, ...(hash !== undefined && { hash }) };
  const question = keyOfQuestion(about);
  useEffect(() => {
    setMode('deciding');
    setMenuOpen(false);
  }, [question]);
  const buttons = `${question} ${mode} ${isMenuOpen}`;
  useEffect(() => setEnterPressed(false), [buttons]);
  const isReady = useIgnoreClicks(buttons);

  const isSent = sent.value.has(question);
  const isDisabled = isSent || isReadOnly.value || (mode !== 'noting' && !isReady);
  const controls: DecisionControls = {
    isDisabled,
    label: (usual) => (isSent ? text('approval.sent') : usual),
    approve(options) {
      if (!isDisabled) approveAction(about, options);
    },
    refuse(comment) {
      if (!isDisabled) refuseAction(about, comment);
    },
    allow(keep) {
      if (!isDisabled) postOnce(question, { type: 'always_allow', scope, keep, ...about });
    },
    offerRules() {
      if (isDisabled) return;
      setScope('exact');
      setMode('allowing');
      post({ type: 'offer_rules', ...about });
    },
    go(next) {
      if (!isDisabled) setMode(next);
    },
    back: () => setMode('deciding'),
    warnOfEnter: () => setEnterPressed(true),
  };
  const backByEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || (mode === 'deciding' && !isMenuOpen)) return;
    event.stopPropagation();
    if (mode !== 'deciding') controls.back();
    else setMenuOpen(false);
  };
  const yesLabel = command === undefined ? yes : runLabel(place);

  return (
    <div onKeyDown={backByEscape} class="decision-area">
      {mode !== 'deciding' && children}
      {mode === 'allowing' && <AlwaysAllow action={action} rules={rules} chosen={scope} onChoose={setScope} />}
      <div class="decision" ref={box}>
        {place && mode !== 'leaving' && mode !== 'deciding' && <PlaceLine place={place} />}
        {mode === 'noting' && (
          <NoteForm disabled={isDisabled} onCancel={controls.back} onSend={(note) => controls.refuse(note)} />
        )}
        {mode === 'editing' && command !== undefined && (
          <CommandEditor
            command={command}
            runLabel={controls.label(yesLabel)}
            disabled={isDisabled}
            onCancel={controls.back}
            onRun={(edited) => controls.approve(edited === command ? {} : { edited })}
          />
        )}
        {mode === 'leaving' && <LeavingButtons controls={controls} words={place?.outsideWords ?? ''} />}
        {mode === 'allowing' && (
          <AllowingButtons
            controls={controls}
            isOffered={rules !== undefined && !rules.refusal}
            isEdit={action.effect === 'writes' && !action.from}
          />
        )}
        {mode === 'deciding' && (
          <DecidingButtons
            controls={controls}
            place={place}
            yesLabel={yesLabel}
            canEdit={place?.editable === true && command !== undefined}
            canAllow={canAllow}
            isMenuOpen={isMenuOpen}
            onMenu={setMenuOpen}
            circumstances={<Circumstances key={question} place={place} inShort={inShort} whole={children} />}
          />
        )}
        <div class="dim" role="status">
          {enterPressed && text('approval.enter')}
        </div>
      </div>
    </div>
  );
}

/** Returns the permanent permissions that the host offered for this question, if it has. */
function rulesFor({ id }: Action, hash: string | undefined): RuleOffers | undefined {
  const latest = offeredRules.value;
  return latest?.actionId === id && latest.hash === (hash ?? '') ? latest : undefined;
}

/** Moves the focus of keyboard users with the state of the card. `hasRules`: there is something to choose from. */
function useFocusOnChange(box: { readonly current: HTMLElement | null }, mode: CardMode, hasRules: boolean): void {
  const before = useRef<CardMode>(mode);
  useLayoutEffect(() => {
    const hasOwnFocus = mode === 'allowing' && hasRules;
    const leaving = hasOwnFocus ? undefined : focusAfterLeaving[mode];
    const target = mode === 'deciding' ? openedBy[before.current] : leaving;
    before.current = mode;
    if (target) box.current?.querySelector<HTMLElement>(`[data-testid="${target}"]`)?.focus({ preventScroll: true });
  }, [mode]);
}

/** Label of a plain approval of a command: where it runs, as far as known. */
function runLabel(place: RunPlace | undefined): string {
  if (place?.runs !== 'inside') return text('approval.run');
  return text(place.outside === 'first' ? 'approval.runInsideAgain' : 'approval.runInside');
}

const placeIcons: Readonly<Record<RunPlace['runs'], string>> = {
  inside: 'shield',
  unconfined: 'unlock',
  nowhere: 'circle-slash',
};

interface CircumstancesProps {
  readonly place: RunPlace | undefined;
  readonly inShort: readonly string[];
  readonly whole: ComponentChildren;
}

/** Where the action runs and what can be undone. In a low view, one line that opens the rest. */
function Circumstances({ place, inShort, whole }: CircumstancesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="in-short"
        data-testid="circumstances"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} class="chevron" />
        <span>
          <Visible words={[...(place ? [place.words] : []), ...inShort].join(' · ')} />
        </span>
      </button>
      <div class={`circumstances ${isOpen ? 'open' : ''}`} tabIndex={isOpen ? 0 : undefined}>
        {whole}
        {place && <PlaceLine place={place} />}
      </div>
    </>
  );
}

/** Where a command will run and what it can access there, on one line. */
const PlaceLine = ({ place }: { place: RunPlace }) => (
  <p class={`place ${place.runs}`} data-testid="place">
    <Icon name={placeIcons[place.runs]} /> <Visible words={place.words} />
  </p>
);

/** Form for a reason and an alternative, sent to the model with the refusal. */
function NoteForm({
  disabled,
  onSend,
  onCancel,
}: {
  disabled: boolean;
  /** `note`: undefined if nothing was typed. */
  onSend: (note: string | undefined) => void;
  onCancel: () => void;
}) {
  const [note, setNote] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);
  // Immediately, because the next key is already meant for the text box.
  useLayoutEffect(() => box.current?.focus(), []);
  return (
    <div class="note-form">
      <textarea
        ref={box}
        class="grow"
        rows={2}
        aria-label={text('approval.note')}
        placeholder={text('approval.note')}
        value={note}
        onInput={(event) => setNote(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.isComposing) {
            event.preventDefault();
            onSend(note.trim() || undefined);
          }
        }}
      />
      <div class="buttons">
        <button
          type="button"
          class="primary"
          data-testid="send-note"
          aria-disabled={disabled}
          onClick={() => onSend(note.trim() || undefined)}
        >
          {text('approval.sendNote')}
        </button>
        <button type="button" class="secondary" onClick={onCancel}>
          {text('cancel')}
        </button>
      </div>
    </div>
  );
}
