import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RunPlace } from '../../../src/protocol/events/confirmation';
import type { Action } from '../../../src/protocol/events/event';
import type { RuleScope } from '../../../src/protocol/panel/panel';
import { post } from '../../base/host';
import { approveAction, keyOfQuestion, postOnce, refuseAction, rules as offeredRules, sent } from '../../state/store';
import { text } from '../../base/text';
import { useIgnoreClicks } from '../../base/hooks';
import { AlwaysAllow } from './AlwaysAllow';
import { CommandEditor } from './CommandEditor';
import { AllowingButtons, DecidingButtons, LeavingButtons, type Desk, type Doing } from './DecisionButtons';
import { Icon } from '../../parts/Icon';
import { Visible } from '../../parts/VisibleText';

/** Button that regains the focus after each state. Below: button to focus if a state has nothing to type or choose. */
const openedBy: Readonly<Record<Doing, string | undefined>> = {
  deciding: undefined,
  noting: 'refuse-note',
  allowing: 'always-allow',
  leaving: 'run-outside',
  editing: 'edit-command',
};
const focusAfterLeaving: Readonly<Record<Doing, string | undefined>> = {
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
  const [doing, setDoing] = useState<Doing>('deciding');
  const [scope, setScope] = useState<RuleScope>('exact');
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [enterPressed, setEnterPressed] = useState(false);
  const known = offeredRules.value;
  const rules = known?.actionId === action.id && known.hash === (hash ?? '') ? known : undefined;
  const box = useRef<HTMLDivElement>(null);
  useFocusOnChange(box, doing, rules !== undefined);
  const about = { actionId: action.id, ...(hash !== undefined && { hash }) };
  const question = keyOfQuestion(about);
  useEffect(() => {
    setDoing('deciding');
    setMenuOpen(false);
  }, [question]);
  const buttons = `${question} ${doing} ${isMenuOpen}`;
  useEffect(() => setEnterPressed(false), [buttons]);
  const isReady = useIgnoreClicks(buttons);

  const done = sent.value.has(question);
  const off = done || (doing !== 'noting' && !isReady);
  const desk: Desk = {
    off,
    label: (usual) => (done ? text('approval.sent') : usual),
    approve(options) {
      if (!off) approveAction(about, options);
    },
    refuse(comment) {
      if (!off) refuseAction(about, comment);
    },
    allow(keep) {
      if (!off) postOnce(question, { type: 'always_allow', scope, keep, ...about });
    },
    offerRules() {
      if (off) return;
      setScope('exact');
      setDoing('allowing');
      post({ type: 'offer_rules', ...about });
    },
    go(next) {
      if (!off) setDoing(next);
    },
    back: () => setDoing('deciding'),
    warnOfEnter: () => setEnterPressed(true),
  };
  const backByEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || (doing === 'deciding' && !isMenuOpen)) return;
    event.stopPropagation();
    if (doing !== 'deciding') desk.back();
    else setMenuOpen(false);
  };
  const yesLabel = command === undefined ? yes : runLabel(place);

  return (
    <div onKeyDown={backByEscape} class="decision-area">
      {doing !== 'deciding' && children}
      {doing === 'allowing' && <AlwaysAllow action={action} rules={rules} chosen={scope} onChoose={setScope} />}
      <div class="decision" ref={box}>
        {place && doing !== 'leaving' && doing !== 'deciding' && <PlaceLine place={place} />}
        {doing === 'noting' && (
          <NoteForm disabled={off} onCancel={desk.back} onSend={(note) => desk.refuse(note || undefined)} />
        )}
        {doing === 'editing' && command !== undefined && (
          <CommandEditor
            command={command}
            runLabel={desk.label(yesLabel)}
            disabled={off}
            onCancel={desk.back}
            onRun={(edited) => desk.approve(edited === command ? {} : { edited })}
          />
        )}
        {doing === 'leaving' && <LeavingButtons desk={desk} words={place?.outsideWords ?? ''} />}
        {doing === 'allowing' && (
          <AllowingButtons
            desk={desk}
            isOffered={rules !== undefined && !rules.refusal}
            isEdit={action.effect === 'writes' && !action.from}
          />
        )}
        {doing === 'deciding' && (
          <DecidingButtons
            desk={desk}
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

/** Moves the focus of keyboard users with the state of the card. `hasRules`: there is something to choose from. */
function useFocusOnChange(box: { readonly current: HTMLElement | null }, doing: Doing, hasRules: boolean): void {
  const before = useRef<Doing>(doing);
  useLayoutEffect(() => {
    const hasOwnFocus = doing === 'allowing' && hasRules;
    const leaving = hasOwnFocus ? undefined : focusAfterLeaving[doing];
    const target = doing === 'deciding' ? openedBy[before.current] : leaving;
    before.current = doing;
    if (target) box.current?.querySelector<HTMLElement>(`[data-testid="${target}"]`)?.focus({ preventScroll: true });
  }, [doing]);
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
  onSend: (note: string) => void;
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
            onSend(note.trim());
          }
        }}
      />
      <div class="buttons">
        <button
          type="button"
          class="primary"
          data-testid="send-note"
          aria-disabled={disabled}
          onClick={() => onSend(note.trim())}
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
