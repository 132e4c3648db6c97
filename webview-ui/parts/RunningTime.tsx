import { useEffect, useState } from 'preact/hooks';
import { duration } from '../base/format';
import { text } from '../base/text';

/** Most actions end sooner, and a number that flashes up only distracts. */
const shownAfterMs = 3000;

/** How long something has been running, to the second. `since`: milliseconds since the epoch. */
export function RunningTime({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((now - since) / 1000);
  if (seconds * 1000 < shownAfterMs) return null;
  return (
    <span class="meta" role="timer" data-testid="running-time">
      {seconds < 10 ? text('seconds', { n: seconds }) : duration(seconds * 1000)}
    </span>
  );
}
