import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RunPlace } from '../../../src/protocol/events/confirmation';
import { text } from '../../base/text';
import type { ApprovalOptions } from '../../state/store';
import { Icon } from '../../parts/Icon';
import { Visible } from '../../parts/VisibleText';

/**
 * State of the card: decide, write a reason, choose what to allow, read about leaving the sandbox, or edit the command.
 */
export type Doing = 'deciding' | 'noting' | 'allowing' | 'leaving' | 'editing';

/** What the parts of the card share: whether their buttons are enabled, and what these do. */
export interface Desk {
  /** True if the buttons do nothing: they just appeared, or the decision was sent. */
  readonly off: boolean;
  /** Label of a button that decides. After a decision it says that it was sent. */
  label(usual: string): string;
  approve(options?: ApprovalOptions): void;
  refuse(comment?: string): void;
  allow(keep: 'session' | 'workspace'): void;
  offerRules(): void;
  go(next: Doing): void;
  back(): void;
  /** Called when Enter is pressed on a button that approves. */
  warnOfEnter(): void;
}

interface DeskButtonProps {
  readonly desk: Desk;
  readonly id: string;
  readonly kind?: 'primary' | 'secondary';
  readonly title?: string;
  /** True for a button that approves. Enter does not press it: Enter is reserved for text input. */
  readonly consents?: boolean;
  readonly children: ComponentChildren;
  press(): void;
}

function DeskButton({ desk, id, kind = 'secondary', title, consents, children, press }: DeskButtonProps) {
  const notByEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.altKey) return;
    event.preventDefault();
    desk.warnOfEnter();
  };
  return (
    <button
      type="button"
      class={kind}
      data-testid={id}
      aria-disabled={desk.off}
      onClick={press}
      {...(title !== undefined && { title })}
      {...(consents && { onKeyDown: notByEnter })}
    >
      {children}
    </button>
  );
}

/** Goes back to the other buttons. Enabled at all times, because it decides nothing. */
const BackButton = ({ desk, id }: { desk: Desk; id: string }) => (
  <button type="button" class="secondary" data-testid={id} onClick={desk.back}>
    {text('allow.back')}
  </button>
);

const RunOutsideButton = ({ desk }: { desk: Desk }) => (
  <DeskButton desk={desk} id="run-outside-now" consents press={() => desk.approve({ outside: true })}>
    <Icon name="unlock" /> {desk.label(text('approval.runOutside'))}
  </DeskButton>
);

/** Says what a command may access outside the sandbox, before it is approved to run there. */
export const LeavingButtons = ({ desk, words }: { desk: Desk; words: string }) => (
  <>
    <p class="warn-text" data-testid="outside-words">
      <Icon name="unlock" /> <Visible words={words} />
    </p>
    <div class="buttons first">
      <RunOutsideButton desk={desk} />
      <BackButton desk={desk} id="leave-back" />
    </div>
  </>
);

interface AllowingButtonsProps {
  readonly desk: Desk;
  /** False if there is no rule to allow. */
  readonly isOffered: boolean;
  readonly isEdit: boolean;
}

export const AllowingButtons = ({ desk, isOffered, isEdit }: AllowingButtonsProps) => (
  <div class="buttons first">
    {isOffered && (
      <>
        <DeskButton desk={desk} id="allow-session" kind="primary" consents press={() => desk.allow('session')}>
          {desk.label(text(isEdit ? 'allow.session.edit' : 'allow.session'))}
        </DeskButton>
        <DeskButton desk={desk} id="allow-workspace" consents press={() => desk.allow('workspace')}>
          {text(isEdit ? 'allow.workspace.edit' : 'allow.workspace')}
        </DeskButton>
      </>
    )}
    <BackButton desk={desk} id="allow-back" />
  </div>
);

interface DecidingButtonsProps {
  readonly desk: Desk;
  readonly place: RunPlace | undefined;
  readonly yesLabel: string;
  readonly canEdit: boolean;
  readonly canAllow: boolean;
  readonly isMenuOpen: boolean;
  readonly onMenu: (open: boolean) => void;
  /** What to know before deciding. In a low view it stays visible with the buttons. */
  readonly circumstances: ComponentChildren;
}

export function DecidingButtons(props: DecidingButtonsProps) {
  const { desk, place, yesLabel, isMenuOpen, onMenu, circumstances, ...offered } = props;
  const leavesFirst = place?.outside === 'first' || place?.needsNetwork === true;
  const rarer = rarerButtons(desk, place, offered);
  const isMenu = rarer.length > 1;
  return (
    <>
      {leavesFirst && (
        <div class="leaving">
          <p class="dim" data-testid="outside-words">
            <Visible words={place.outsideWords ?? ''} />
          </p>
          <div class="buttons">
            <RunOutsideButton desk={desk} />
          </div>
        </div>
      )}
      <div class="answers">
        {circumstances}
        <div class="buttons first">
          {place?.runs !== 'nowhere' && (
            <DeskButton
              desk={desk}
              id="run-once"
              kind={leavesFirst ? 'secondary' : 'primary'}
              title="Alt+Enter"
              consents
              press={() => desk.approve()}
            >
              {desk.label(yesLabel)}
            </DeskButton>
          )}
          <DeskButton desk={desk} id="refuse" title="Alt+Backspace" press={() => desk.refuse()}>
            {text('approval.refuse')}
          </DeskButton>
          {isMenu && (
            <button
              type="button"
              class="secondary more-answers"
              data-testid="more-answers"
              aria-expanded={isMenuOpen}
              aria-label={text('approval.more')}
              title={text('approval.more')}
              onClick={() => onMenu(!isMenuOpen)}
            >
              <Icon name="ellipsis" />
            </button>
          )}
        </div>
      </div>
      <RarerButtons isMenu={isMenu} isOpen={isMenuOpen}>
        {rarer}
      </RarerButtons>
    </>
  );
}

/** The rarer answers. Each leads to something to type, choose or read, and none decides by itself. */
function rarerButtons(
  desk: Desk,
  place: RunPlace | undefined,
  { canEdit, canAllow }: Pick<DecidingButtonsProps, 'canEdit' | 'canAllow'>,
): ComponentChildren[] {
  return [
    <DeskButton key="note" desk={desk} id="refuse-note" press={() => desk.go('noting')}>
      {text('approval.refuseNote')}
    </DeskButton>,
    canEdit && (
      <DeskButton
        key="edit"
        desk={desk}
        id="edit-command"
        title={text('approval.editTitle')}
        press={() => desk.go('editing')}
      >
        {text('approval.edit')}
      </DeskButton>
    ),
    canAllow && (
      <DeskButton key="allow" desk={desk} id="always-allow" press={desk.offerRules}>
        {text('approval.alwaysAllow')}
      </DeskButton>
    ),
    place?.outside === 'possible' && !place.needsNetwork && (
      <DeskButton key="leave" desk={desk} id="run-outside" press={() => desk.go('leaving')}>
        <Icon name="unlock" /> {text('approval.leave')}
      </DeskButton>
    ),
  ].filter(Boolean);
}

interface RarerButtonsProps {
  readonly isMenu: boolean;
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}

/** A row of buttons; in a narrow panel, a menu that opens below the others. */
function RarerButtons({ isMenu, isOpen, children }: RarerButtonsProps) {
  const box = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    if (isOpen === wasOpen.current) return;
    wasOpen.current = isOpen;
    const buttons = isOpen ? box.current : box.current?.previousElementSibling;
    buttons?.querySelector<HTMLElement>(isOpen ? 'button' : '.more-answers')?.focus({ preventScroll: true });
  }, [isOpen]);
  const moves = (event: KeyboardEvent): void => {
    if (!isOpen || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    const step = event.key === 'ArrowDown' ? 1 : -1;
    event.preventDefault();
    event.stopPropagation();
    const all = [...(box.current?.querySelectorAll('button') ?? [])];
    all.at((all.indexOf(event.target as HTMLButtonElement) + step) % all.length)?.focus({ preventScroll: true });
  };
  return (
    <div ref={box} class={`buttons${isMenu ? ' rarer' : ''}${isOpen ? ' open' : ''}`} onKeyDown={moves}>
      {children}
    </div>
  );
}
