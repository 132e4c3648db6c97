import type { PanelFacts } from '../../src/protocol/panel/panel';
import { post } from '../base/host';
import { text } from '../base/text';
import { Icon, Spinner } from '../parts/Icon';
import { editedMessage } from '../state/editing';
import { canStop } from '../state/status';
import { draftProblem } from './draft';
import { cancelEditing, isStillHeld } from './editMessage';

/** Replaces the composer if a session is read-only. */
export function ReadOnlyBanner({ problem: why, salvageable }: PanelFacts) {
  return (
    <div class="composer banner">
      <Icon name="lock" />
      <span>{why ?? text('banner.readOnly')}</span>
      {salvageable && (
        <button type="button" class="link" data-testid="salvage" onClick={() => post({ type: 'salvage' })}>
          {text('banner.salvage')}
        </button>
      )}
      <button type="button" class="link" onClick={() => post({ type: 'new_session' })}>
        {text('banner.newSession')}
      </button>
    </div>
  );
}

/** Shown above the composer until the session is open. `words` are the host's. */
export const LoadingBanner = ({ words }: { readonly words: string | undefined }) => (
  <div class="banner" role="status">
    <Spinner />
    <span>{words}</span>
  </div>
);

export function RestrictedBanner() {
  return (
    <div class="banner">
      <Icon name="workspace-untrusted" />
      <span>
        {text('banner.restricted')}{' '}
        <button type="button" class="link" onClick={() => post({ type: 'command', id: 'waymark.manageTrust' })}>
          {text('banner.manageTrust')}
        </button>
      </span>
    </div>
  );
}

/** Shown while events cannot be written to disk. `why` is the host's message. */
export function UnkeptBanner({ why }: { readonly why: string }) {
  return (
    <div class="banner warning" role="alert" data-testid="unkept">
      <Icon name="warning" />
      <span>{why}</span>
      <button type="button" class="link" data-testid="retry-log" onClick={() => post({ type: 'retry_now' })}>
        {text('retry.button')}
      </button>
      {canStop() && (
        <button type="button" class="link" onClick={() => post({ type: 'stop' })}>
          {text('banner.stopRun')}
        </button>
      )}
    </div>
  );
}

export function ProblemBanner() {
  if (!draftProblem.value) return null;
  return (
    <div class="banner warning" role="alert">
      <Icon name="warning" />
      <span>{draftProblem.value}</span>
      <button
        type="button"
        class="icon-button codicon codicon-close"
        aria-label={text('composer.dismiss')}
        onClick={() => {
          draftProblem.value = undefined;
        }}
      />
    </div>
  );
}

/** A task that waits for a model in this place. */
export function WaitingBanner({ task }: { readonly task: string }) {
  return (
    <div class="banner" role="alert" data-testid="waits-for-model">
      <Icon name="info" />
      <span>{text('banner.waitsForModel', { task })}</span>
      <button type="button" class="link" data-testid="cancel-waiting" onClick={() => post({ type: 'cancel_waiting' })}>
        {text('cancel')}
      </button>
    </div>
  );
}

export function EditingBanner() {
  const { value: edited } = editedMessage;
  if (!edited) return null;
  const whileWaiting = isStillHeld(edited) ? 'editing.waiting' : 'editing.gone';
  const words = edited.waiting ? whileWaiting : 'editing.title';
  return (
    <div class="banner" role="status" data-testid="editing">
      <Icon name="edit" />
      <span>{text(words)}</span>
      <button type="button" class="link" data-testid="cancel-edit" onClick={cancelEditing}>
        {text('editing.cancel')}
      </button>
    </div>
  );
}
