import { useEffect, useState } from 'preact/hooks';

/** Returns the time in milliseconds since the epoch, and renders the component again every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Prevents a click that was meant for something else from hitting a button that just appeared. */
const ignoreClicksMs = 400;

/** Returns false for a moment after these buttons are first rendered. `buttons` identifies them. */
export function useIgnoreClicks(buttons: string): boolean {
  const [ready, setReady] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setReady(buttons), ignoreClicksMs);
    return () => clearTimeout(timer);
  }, [buttons]);
  return ready === buttons;
}
