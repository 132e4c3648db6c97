/**
 * Converts one edit of `edit_file` to the arguments of a tool that makes one replacement per call. Only the first edit
 * is used.
 */
export function oneReplacement(input: Record<string, unknown>, all: string): Record<string, unknown> {
  const [edit] = input['edits'] as readonly {
    readonly old_text: string;
    readonly new_text: string;
    readonly all?: boolean;
  }[];
  return {
    file_path: input['path'],
    old_string: edit?.old_text,
    new_string: edit?.new_text,
    ...(edit?.all && { [all]: true }),
  };
}
