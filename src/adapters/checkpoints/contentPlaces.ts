/** Where a content is stored: its group within a pack, and its position in the group. */
export interface CopyPlace {
  readonly pack: string;
  readonly group: number;
  readonly offset: number;
  readonly length: number;
}

/** Where contents are stored, by hash. Several processes may have stored the same content, each in its own pack. */
export class ContentPlaces {
  /** Lists only for the few contents with several places, because there may be a million contents. */
  readonly #byHash = new Map<string, CopyPlace | readonly CopyPlace[]>();

  has(hash: string): boolean {
    return this.#byHash.has(hash);
  }

  /** Returns all places of a content, in the order in which they were added. */
  of(hash: string): readonly CopyPlace[] {
    const places = this.#byHash.get(hash) ?? [];
    return 'pack' in places ? [places] : places;
  }

  /** Does nothing if the place is known. */
  add(hash: string, place: CopyPlace): void {
    const known = this.of(hash);
    if (known.length === 0) this.#byHash.set(hash, place);
    else if (!known.some((each) => isSamePlace(each, place))) this.#byHash.set(hash, [...known, place]);
  }

  forget(hash: string): void {
    this.#byHash.delete(hash);
  }

  /** Forgets places, and contents that have no other. */
  forgetPlaces(isToForget: (place: CopyPlace) => boolean): void {
    for (const hash of this.#byHash.keys()) {
      const known = this.of(hash);
      const left = known.filter((place) => !isToForget(place));
      if (left.length === 0) this.#byHash.delete(hash);
      else if (left.length < known.length) this.#byHash.set(hash, left);
    }
  }
}

const isSamePlace = (one: CopyPlace, other: CopyPlace): boolean =>
  one.pack === other.pack && one.group === other.group && one.offset === other.offset;
