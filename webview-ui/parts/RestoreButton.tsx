import { callText } from '../base/callWords';
import { usePost } from '../base/posting';
import { Icon } from './Icon';

/** Puts files back to where they were after a step: `seq` is that of its reply. */
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
