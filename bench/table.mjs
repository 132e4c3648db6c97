const widths = [58, 13, 13, 13, 7, 10];

const digits = (number) => (Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 10 ? 1 : 2);
const words = (number, unit) =>
  number === undefined
    ? '–'
    : `${number.toLocaleString('en', { maximumFractionDigits: digits(number), minimumFractionDigits: unit === 'bytes' ? 0 : digits(number) })} ${unit}`;
const line = ([first = '', ...rest]) =>
  `${first.padEnd(widths[0])}${rest.map((cell, index) => cell.padStart(widths[index + 1] ?? 0)).join('')}`;

/**
 * Prints rows: { measure, unit, value, floor, durable, aim }. The ratio is to the bare floor; a target is met at or
 * below it.
 */
export function printTable(rows, withHead) {
  if (withHead) console.log(line(['', 'Waymark', 'floor', 'durable', 'ratio', 'target', '']));
  for (const { measure, unit, value, floor, durable, aim } of rows) {
    const ratio = value !== undefined && floor ? `${(value / floor).toFixed(2)}` : '';
    const verdict =
      aim === undefined ? '' : value === undefined ? '  not measured' : value <= aim ? '  met' : '  MISSED';
    console.log(
      line([
        measure,
        words(value, unit),
        words(floor, unit),
        durable === undefined ? '' : words(durable, unit),
        ratio,
        aim === undefined ? '' : `≤ ${aim.toLocaleString('en', { maximumFractionDigits: 1 })}`,
        verdict,
      ]).trimEnd(),
    );
  }
}

/** Returns whether a row has a target that was missed or not measured. */
export const isMissed = ({ value, aim }) => aim !== undefined && !(value <= aim);

/** Returns rows as a Markdown table. */
export function markdownTable(rows) {
  if (rows.length === 0) return 'Nothing measured.';
  const head = ['| | Waymark | floor | durable floor | target |', '|---|---|---|---|---|'];
  const body = rows.map((row) => {
    const { measure, unit, value, floor, durable, aim } = row;
    const wanted = aim === undefined ? '' : `≤ ${words(aim, unit)}${isMissed(row) ? ', missed' : ''}`;
    const cells = [value, floor, durable].map((number) => (number === undefined ? '' : words(number, unit)));
    return `| ${measure} | ${cells.join(' | ')} | ${wanted} |`;
  });
  return [...head, ...body].join('\n');
}
