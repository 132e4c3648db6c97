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
export type CardMode = 'deciding' | 'noting' | 'allowing' | 'leaving' | 'editing';

/** What the parts of the card share: whether their buttons are enabled, and what these do. */
export interface DecisionControls {
  /** True if the buttons do nothing: they just appeared, the decision was sent, or the session is read-only. */
  readonly isDisabled: boolean;
  /** Label of a button that decides. After a decision it says that it was sent. */
  label(usual: string): string;
  approve(options?: ApprovalOptions): void;
  refuse(comment?: string): void;
  allow(keep: 'session' | 'workspace'): void;
  offerRules(): void;
  go(next: CardMode): void;
  back(): void;
  /** Called when Enter is pressed on a button that approves. */
  warnOfEnter(): void;
}

interface DecisionButtonProps {
  readonly controls: DecisionControls;
  readonly id: string;
  readonly kind?: 'primary' | 'secondary';
  readonly title?: string;
  /** True for a button that approves. Enter does not press it: Enter is reserved for text input. */
  readonly consents?: boolean;
  readonly children: ComponentChildren;
  press(): void;
}

function DecisionButton({ controls, id, kind = 'secondary', title, consents, children, press }: DecisionButtonProps) {
  const notByEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.altKey) return;
    event.preventDefault();
    controls.warnOfEnter();
  };
  return (
    <button
      type="button"
      class={kind}
      data-testid={id}
      aria-disabled={controls.isDisabled}
      onClick={press}
      {...(title !== undefined && { title })}
      {...(consents && { onKeyDown: notByEnter })}
    >
      {children}
    </button>
  );
}

/** Goes back to the other buttons. Enabled at all times, because it decides nothing. */
const BackButton = ({ controls, id }: { controls: DecisionControls; id: string }) => (
  <button type="button" class="secondary" data-testid={id} onClick={controls.back}>
    {text('allow.back')}
  </button>
);

const RunOutsideButton = ({ controls }: { controls: DecisionControls }) => (
  <DecisionButton controls={controls} id="run-outside-now" consents press={() => controls.approve({ outside: true })}>
    <Icon name="unlock" /> {controls.label(text('approval.runOutside'))}
  </DecisionButton>
);

/** Says what a command may access outside the sandbox, before it is approved to run there. */
export const LeavingButtons = ({ controls, words }: { controls: DecisionControls; words: string }) => (
  <>
    <p class="warn-text" data-testid="outside-words">
      <Icon name="unlock" /> <Visible words={words} />
    </p>
    <div class="buttons first">
      <RunOutsideButton controls={controls} />
      <BackButton controls={controls} id="leave-back" />
    </div>
  </>
);

interface AllowingButtonsProps {
  readonly controls: DecisionControls;
  /** False if there is no rule to allow. */
  readonly isOffered: boolean;
  readonly isEdit: boolean;
}

export const AllowingButtons = ({ controls, isOffered, isEdit }: AllowingButtonsProps) => (
  <div class="buttons first">
    {isOffered && (
      <>
        <DecisionButton
          controls={controls}
          id="allow-session"
          kind="primary"
          consents
          press={() => controls.allow('session')}
        >
          {controls.label(text(isEdit ? 'allow.session.edit' : 'allow.session'))}
        </DecisionButton>
        <DecisionButton controls={controls} id="allow-workspace" consents press={() => controls.allow('workspace')}>
          {text(isEdit ? 'allow.workspace.edit' : 'allow.workspace')}
        </DecisionButton>
      </>
    )}
    <BackButton controls={controls} id="allow-back" />
  </div>
);

interface DecidingButtonsProps {
  readonly controls: DecisionControls;
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
  const { controls, place, yesLabel, isMenuOpen, onMenu, circumstances, ...offered } = props;
  const leavesFirst = place?.outside === 'first' || place?.needsNetwork === true;
  const rarer = rarerButtons(controls, place, offered);
  const isMenu = rarer.length > 1;
  return (
    <>
      {leavesFirst && (
        <div class="leaving">
          <p class="dim" data-testid="outside-words">
            <Visible words={place.outsideWords ?? ''} />
          </p>
          <div class="buttons">
            <RunOutsideButton controls={controls} />
          </div>
        </div>
      )}
      <div class="answers">
        {circumstances}
        <div class="buttons first">
          {place?.runs !== 'nowhere' && (
            <DecisionButton
              controls={controls}
              id="run-once"
              kind={leavesFirst ? 'secondary' : 'primary'}
              title="Alt+Enter"
              consents
              press={() => controls.approve()}
            >
              {controls.label(yesLabel)}
            </DecisionButton>
          )}
          <DecisionButton controls={controls} id="refuse" title="Alt+Backspace" press={() => controls.refuse()}>
            {text('approval.refuse')}
          </DecisionButton>
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
  controls: DecisionControls,
  place: RunPlace | undefined,
  { canEdit, canAllow }: Pick<DecidingButtonsProps, 'canEdit' | 'canAllow'>,
): ComponentChildren[] {
  return [
    <DecisionButton key="note" controls={controls} id="refuse-note" press={() => controls.go('noting')}>
      {text('approval.refuseNote')}
    </DecisionButton>,
    canEdit && (
      <DecisionButton
        key="edit"
        controls={controls}
        id="edit-command"
        title={text('approval.editTitle')}
        press={() => controls.go('editing')}
      >
        {text('approval.edit')}
      </DecisionButton>
    ),
    canAllow && (
      <DecisionButton key="allow" controls={controls} id="always-allow" press={controls.offerRules}>
        {text('approval.alwaysAllow')}
      </DecisionButton>
    ),
    place?.outside === 'possible' && !place.needsNetwork && (
      <DecisionButton key="leave" controls={controls} id="run-outside" press={() => controls.go('leaving')}>
        <Icon name="unlock" /> {text('approval.leave')}
      </DecisionButton>
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
