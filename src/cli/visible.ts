/** Text of a model or a program for a terminal: control characters and invisible letters are shown instead of obeyed. Line ends and tabs stay. */
export const visible = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, letter => `\\u{${letter.codePointAt(0)!.toString(16)}}`);
