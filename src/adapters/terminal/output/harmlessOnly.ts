/** A whole control sequence or string, or what is left of one. In this order, so that nothing that goes makes a new one of its neighbours. */
const controls = new RegExp(
  [
    '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x18\\x1a\\x1b\\x90\\x98\\x9c-\\x9f]*(?:\\x07|\\x1b\\\\|[\\x18\\x1a\\x9c])',
    '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]',
    '\\x1b[ -/]*[0-~]',
    '[\\x00-\\x07\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]',
  ].join('|'),
  'g',
);

/** Colours, cursor moves, erasing, inserting, scrolling, the shape of the cursor. Not the lines that have scrolled away. */
const drawing = /^\x1b\[(?:[0-9;:]*m|[0-9;]*[A-IL-MPSXZ@`abdefgrs]|[0-9]?T|\??[012]?[JK]|[su]|[0-9]* q|!p|4[hl])$/;
/** Keys and paste for the program, line wrap, origin, the cursor, the other screen, drawing all at once. Not the mouse, not the focus. */
const modes = /^\x1b\[\?(?:(?:1|6|7|12|25|47|1047|1048|1049|2004|2026)(?:;(?=\d)|(?=[hl])))+[hl]$/;
const plainEscapes = /^\x1b(?:[78=>DEHM]|[()][0AB])$/;

/** What a program printed, without all that acts on the terminal that shows it or makes it answer: only what draws is let through. */
export const harmlessOnly = (text: string): string =>
  text.replace(controls, (found) =>
    drawing.test(found) || modes.test(found) || plainEscapes.test(found) ? found : '',
  );
