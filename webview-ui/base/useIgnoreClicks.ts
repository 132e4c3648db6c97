import { useEffect, useState } from 'preact/hooks';

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
