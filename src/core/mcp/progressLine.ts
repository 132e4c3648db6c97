import { withoutInvisible } from '../text/spotlight';

/** How far a call is, as its server says it: one line for a person. */
export function progressLine({
  progress,
  total,
  message,
}: {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}): string {
  const far =
    total === undefined || total <= 0 ? String(rounded(progress)) : `${rounded(progress)} / ${rounded(total)}`;
  const words = withoutInvisible(message ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
  return words === '' ? far : `${words} (${far})`;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
