import { callText } from '../base/callWords';
import { usePost } from '../base/host';
import { Icon } from './Icon';

/** Forks a session from a step: `seq` is that of its reply. */
export function ForkButton({ seq }: { seq: number }) {
  const post = usePost();
  return (
    <button
      type="button"
      class="link"
      data-testid="fork"
      title={callText('call.fork.help')}
      onClick={() => post({ type: 'fork', seq })}
    >
      <Icon name="repo-forked" /> {callText('call.fork')}
    </button>
  );
}

/** Restores files to their state after a step: `seq` is that of its reply. */
export function RestoreButton({ seq }: { seq: number }) {
  const post = usePost();
  return (
    <button
      type="button"
      class="link"
      data-testid="restore"
      title={callText('call.restore.help')}
      onClick={() => post({ type: 'restore', seq })}
    >
      <Icon name="history" /> {callText('call.restore')}
    </button>
  );
}
