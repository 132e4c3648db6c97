const widths = [58, 13, 13, 13, 7, 10];

function fractionDigits(number) {
  if (Math.abs(number) >= 100) return 0;
  return Math.abs(number) >= 10 ? 1 : 2;
}
function withUnit(number, unit) {
  if (number === undefined) return '–';
  const maximumFractionDigits = fractionDigits(number);
  const minimumFractionDigits = unit === 'bytes' ? 0 : maximumFractionDigits;
  return `${number.toLocaleString('en', { maximumFractionDigits, minimumFractionDigits })} ${unit}`;
}
function verdictOf(value, aim) {
  if (aim === undefined) return '';
  if (value === undefined) return '  not measured';
  return value <= aim ? '  met' : '  MISSED';
}
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
    console.log(
      line([
        measure,
        withUnit(value, unit),
        withUnit(floor, unit),
        durable === undefined ? '' : withUnit(durable, unit),
        ratio,
        aim === undefined ? '' : `≤ ${aim.toLocaleString('en', { maximumFractionDigits: 1 })}`,
        verdictOf(value, aim),
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
    const wanted = aim === undefined ? '' : `≤ ${withUnit(aim, unit)}${isMissed(row) ? ', missed' : ''}`;
    const cells = [value, floor, durable].map((number) => (number === undefined ? '' : withUnit(number, unit)));
    return `| ${measure} | ${cells.join(' | ')} | ${wanted} |`;
  });
  return [...head, ...body].join('\n');
}
