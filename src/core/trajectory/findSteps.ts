import type { History } from '../log/history';
import { stepsOf } from './steps';

/**
 * The rows, by `seq`, whose events hold all the words, whatever their case. Every text of an event is
 * looked at, in arguments and reasoning too.
 */
export function findSteps(history: History, words: string): number[] {
  const { rows, owner } = stepsOf(history);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return rows.map(({ seq }) => seq);
  /** By row, the words that were found in it. */
  const found = new Map<number, Set<string>>();
  history.forEach((event, index) => {
    const place = owner[index]!;
    const known = found.get(place) ?? new Set<string>();
    if (known.size === wanted.length) return;
    visit(event, (text) => {
      const lower = text.toLowerCase();
      for (const word of wanted) if (!known.has(word) && lower.includes(word)) known.add(word);
    });
    if (known.size > 0) found.set(place, known);
  });
  return rows.filter((_row, place) => found.get(place)?.size === wanted.length).map(({ seq }) => seq);
}

function visit(value: unknown, look: (text: string) => void, left = 300): void {
  if (typeof value === 'string') look(value);
  else if (left === 0) return;
  else if (Array.isArray(value)) for (const part of value) visit(part, look, left - 1);
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value))
      if (name !== 'images' && name !== 'type' && name !== 'hashes') visit(part, look, left - 1);
}
