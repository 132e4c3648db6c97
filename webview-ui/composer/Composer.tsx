import { computed } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Completion, PanelFacts } from '../../src/protocol/panel/panel';
import { post } from '../base/host';
import { giveBack, pictures } from '../base/pictures';
import { pastes } from '../base/pastes';
import { text, type TextKey } from '../base/text';
import { useIgnoreClicks } from '../base/hooks';
import { Icon } from '../parts/Icon';
import { PictureStrip } from '../parts/PictureStrip';
import { requestCompletions, close, move, offered as completions, whenListFits } from '../state/completion';
import { editedMessage, messageToEdit } from '../state/editing';
import type { Step } from '../state/rows';
import { events, facts, isReadOnly, question, sessionId, state } from '../state/store';
import {
  EditingBanner,
  LoadingBanner,
  ProblemBanner,
  ReadOnlyBanner,
  RestrictedBanner,
  UnkeptBanner,
  WaitingBanner,
} from './Banners';
import { Completions, optionId } from './Completions';
import { OpenChips, OptionsChip, PasteStrip } from './ContextChips';
import { draft, clearStartedTask, draftProblem, putPictures, takeKeptDraft, sendDraft, setDraft } from './draft';
import { canDrop, onDrop, onPaste } from './dropped';
import { editAgainAfterReload, leaveEditing } from './editMessage';
import { PlaceSelect } from './PlaceSelect';
import { ImplementPlan, Interrupted } from './RestingRun';
import { lastSentText, refusableStep, refuseWithDraft, send, typesCommands } from './send';

/** Text that the host puts into the composer, isolated from streaming updates. */
const offers = computed(() => state.value.draft);
const composed = computed(() => state.value.compose);
const inserted = computed(() => state.value.insert);

/** Inserts text from the host into the composer, such as a refused message. */
function useOfferedText(box: RefObject<HTMLTextAreaElement | null>): void {
  const offered = offers.value;
  const compose = composed.value;
  const insert = inserted.value;
  useEffect(() => {
    if (offered) takeKeptDraft(offered);
  }, [offered?.count]);
  useEffect(() => {
    if (!compose) return;
    draftProblem.value = compose.problem;
    messageToEdit.value = undefined;
    if (compose.text === '') return;
    giveBack(compose.text.trim());
    const typed = draft.value.trim();
    setDraft(typed && typed !== compose.text.trim() ? `${compose.text}\n\n${typed}` : compose.text);
  }, [compose?.count]);
  useEffect(() => {
    if (!insert) return;
    putPictures([...pictures.value, ...(insert.images ?? [])]);
    const needsBlank = draft.value !== '' && !/\s$/.test(draft.value) && insert.text !== '';
    if (insert.text !== '') setDraft(draft.value + (needsBlank ? ' ' : '') + insert.text);
    else sendDraft();
    box.current?.focus();
  }, [insert?.count]);
}

/** Switches the draft with the displayed session. */
function useDraftOfSession(box: RefObject<HTMLTextAreaElement | null>): void {
  const session = sessionId.value;
  const isKnown = facts.value !== undefined;
  useEffect(() => {
    if (isKnown && editedMessage.value && editedMessage.value.session !== session) leaveEditing(editedMessage.value);
  }, [session, isKnown]);
  useEffect(() => {
    if (isKnown) editAgainAfterReload();
  }, [isKnown]);

  const isShown = facts.value?.writable === true;
  const hasModel = facts.value?.model !== undefined;
  useEffect(() => {
    // Whatever had the focus is gone, such as the offer of the model that was just chosen.
    if (document.hasFocus() && document.activeElement === document.body) box.current?.focus();
  }, [isShown, hasModel]);

  const first = events.value[0];
  const begun = first?.type === 'task_started' ? first.task.trim() : undefined;
  useEffect(() => {
    if (begun !== undefined) clearStartedTask(begun);
  }, [session, begun]);
}

/** Current purpose of the composer. */
interface Purpose {
  /** True if a run is active or waits for an answer, so that messages are queued. */
  readonly isBusy: boolean;
  /** True if the person types commands, which run exactly as written. */
  readonly typesCommands: boolean;
  /** True if a task or message is typed, which can include files, images and editor context. */
  readonly talks: boolean;
  /** True if a message may reach the agent at its next step. */
  readonly steers: boolean;
}

function purposeOf(known: PanelFacts): Purpose {
  const typing = typesCommands();
  const talks = !typing && !question.value;
  return {
    isBusy: known.running || known.status === 'waiting_for_confirmation',
    typesCommands: typing,
    talks,
    steers: known.running && talks,
  };
}

function placeholderOf(purpose: Purpose, { model }: PanelFacts): TextKey {
  if (!model) return 'composer.noModel';
  if (question.value) return 'composer.answer';
  if (purpose.typesCommands) return 'composer.command';
  if (purpose.isBusy) return 'composer.queue';
  return events.value.length > 0 ? 'composer.reply' : 'composer.task';
}

function sendButtonOf(purpose: Purpose): readonly [word: TextKey, icon: string, help: TextKey] {
  if (question.value) return ['composer.answerButton', 'reply', 'composer.answerButton'];
  if (purpose.typesCommands) return ['composer.commandButton', 'play', 'composer.commandButton'];
  if (purpose.isBusy) return ['composer.queueButton', 'clock', 'composer.queueHelp'];
  return ['composer.send', 'send', 'composer.send'];
}

/** Input for tasks, messages, answers and commands. */
export function Composer() {
  const box = useRef<HTMLTextAreaElement>(null);
  useOfferedText(box);
  useDraftOfSession(box);
  const known = facts.value;
  if (!known) return null;
  // The box stays while a session loads, because letters typed meanwhile must not be lost.
  if (isReadOnly.value) return <ReadOnlyBanner {...known} />;
  const purpose = purposeOf(known);
  return (
    <div class="composer">
      {!known.trusted && <RestrictedBanner />}
      {known.unkept !== undefined && <UnkeptBanner why={known.unkept} />}
      {known.loading && <LoadingBanner words={known.problem} />}
      {known.waitsForModel !== undefined && <WaitingBanner task={known.waitsForModel} />}
      <ProblemBanner />
      <Interrupted />
      <ImplementPlan />
      <EditingBanner />
      <Completions
        onTake={(item) => {
          if (box.current) insertCompletion(box.current, item);
        }}
      />
      {purpose.talks && <PictureStrip />}
      <PasteStrip
        onExpand={(words) => {
          setDraft(draft.value === '' ? words : `${draft.value}\n${words}`);
          box.current?.focus();
        }}
      />
      {purpose.talks && <OpenChips />}
      <div class="composer-box tall">
        <Box box={box} purpose={purpose} placeholder={placeholderOf(purpose, known)} />
        {events.value.length === 0 && <OptionsChip next={known.next} />}
        <PlaceSelect />
        <Actions purpose={purpose} canSend={!known.loading} />
      </div>
    </div>
  );
}

interface BoxParts {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly purpose: Purpose;
  readonly placeholder: TextKey;
}

function Box({ box, purpose: { talks, steers, typesCommands: isCode }, placeholder }: BoxParts) {
  const list = completions.value;
  return (
    <textarea
      ref={box}
      id="composer"
      class={isCode ? 'grow code-font' : 'grow'}
      data-testid="composer"
      rows={1}
      aria-label={text('composer.label')}
      placeholder={text(placeholder)}
      value={draft.value}
      onInput={({ currentTarget }) => {
        setDraft(currentTarget.value);
        if (talks) requestCompletions(currentTarget.value.slice(0, currentTarget.selectionStart));
      }}
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-controls={list ? 'completions' : undefined}
      aria-activedescendant={list && optionId(list.chosen)}
      onBlur={close}
      onClick={close}
      onPaste={(event) => {
        if (talks) onPaste(event);
      }}
      onDragOver={(event) => {
        if (canDrop(event.dataTransfer)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (talks) onDrop(event);
      }}
      onKeyDown={(event) => onKey(event, event.currentTarget, steers)}
    />
  );
}

function onKey(event: KeyboardEvent, box: HTMLTextAreaElement, steers: boolean): void {
  const isComposing = event.isComposing || event.keyCode === 229;
  if (isComposing || event.altKey || onListKey(event, box)) return;
  if (/^(?:Arrow(?:Left|Right)|Home|End|Page)/.test(event.key)) close();
  if (event.key === 'Enter' && !event.shiftKey) {
    event.preventDefault();
    send(steers && (event.ctrlKey || event.metaKey) ? 'steer' : undefined);
  }
  const last = event.key === 'ArrowUp' && draft.value === '' ? lastSentText() : undefined;
  if (last) {
    event.preventDefault();
    setDraft(last);
  }
}

/** Appears where "Send now" was, possibly under the pointer, so it does nothing for a moment. */
function RefuseAndSend({ refused }: { readonly refused: Step }) {
  const isReady = useIgnoreClicks(refused.action.id);
  return (
    <button
      type="button"
      class="secondary small"
      data-testid="refuse-with-draft"
      aria-disabled={!isReady}
      onClick={() => isReady && refuseWithDraft(refused)}
    >
      <Icon name="close" />
      {text('approval.sendNote')}
    </button>
  );
}

function Actions({ purpose, canSend }: { readonly purpose: Purpose; readonly canSend: boolean }) {
  const hasPastes = pastes.value.length > 0 && !purpose.typesCommands;
  const isEmpty = !draft.value.trim() && !hasPastes;
  const isOff = !canSend || isEmpty;
  const [word, icon, help] = sendButtonOf(purpose);
  const refused = purpose.talks && !isEmpty ? refusableStep() : undefined;
  return (
    <div class="composer-actions">
      {purpose.talks && (
        <button
          type="button"
          class="icon-button codicon codicon-attach"
          data-testid="attach"
          aria-label={text('composer.attach')}
          title={text('composer.attach')}
          onClick={() => post({ type: 'command', id: 'waymark.attachFiles' })}
        />
      )}
      {purpose.talks && (
        <button
          type="button"
          class="icon-button codicon codicon-eye"
          data-testid="show-context"
          aria-label={text('composer.showContext')}
          title={text('composer.showContext')}
          onClick={() => {
            sendDraft();
            post({ type: 'command', id: 'waymark.showContext' });
          }}
        />
      )}
      {refused && <RefuseAndSend refused={refused} />}
      {purpose.steers && !refused && (
        <button
          type="button"
          class="secondary small"
          data-testid="send-now"
          aria-disabled={isOff}
          title={text('composer.sendNowHelp')}
          onClick={() => send('steer')}
        >
          <Icon name="send" />
          {text('composer.sendNow')}
        </button>
      )}
      <button
        type="button"
        class="primary small"
        data-testid="send"
        aria-disabled={isOff}
        title={text(help)}
        onClick={() => send()}
      >
        <Icon name={icon} />
        {text(word)}
      </button>
    </div>
  );
}

/** Replaces the typed part with the completion. */
function insertCompletion(box: HTMLTextAreaElement, { insert, goesOn }: Completion): void {
  const { value } = completions;
  if (!value) return;
  const at = box.selectionStart;
  close();
  box.focus();
  // Immediately, with the caret behind it, so that keys typed before the next frame follow it.
  box.setRangeText(goesOn ? insert : `${insert} `, value.from, box.value[at] === ' ' && !goesOn ? at + 1 : at, 'end');
  setDraft(box.value);
  if (goesOn) requestCompletions(box.value.slice(0, box.selectionStart));
}

/** Handles the keys of the open list. Returns true if the key was handled. */
function onListKey(event: KeyboardEvent, box: HTMLTextAreaElement): boolean {
  const { value } = completions;
  if (!value || event.shiftKey || event.ctrlKey || event.metaKey) return false;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
  else if (event.key === 'Enter' || event.key === 'Tab')
    whenListFits(() => {
      const { items, chosen } = completions.value!;
      insertCompletion(box, items[chosen]!);
    });
  else if (event.key === 'Escape') close();
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}
