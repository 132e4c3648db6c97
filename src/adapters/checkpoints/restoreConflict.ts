/** Something prevents a restore; nothing was changed. The message is for people. */
export class RestoreConflict extends Error {
  constructor(
    message: string,
    readonly path: string,
  ) {
    super(message);
    this.name = 'RestoreConflict';
  }
}

/**
 * A command of the run may be changing the files. The restore is possible when the command has ended. The message is
 * for people.
 */
export class CommandAtWork extends RestoreConflict {
  constructor(message: string) {
    super(message, '');
    this.name = 'CommandAtWork';
  }
}
