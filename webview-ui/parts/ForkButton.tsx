import { callText } from '../base/callWords';
import { usePost } from '../base/posting';
import { Icon } from './Icon';

/** Goes on from a step in another session: `seq` is that of its reply. */
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
