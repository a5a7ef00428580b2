/** A map that knows which of its rows were put or taken away since somebody last asked, so that finding them costs nothing for the others. */
export class WatchedMap<Key, Row> extends Map<Key, Row> {
  /** The rows that were touched, as they were before; undefined where there was none. */
  readonly #before = new Map<Key, Row | undefined>();

  /** A watched map with the same rows, none of which counts as touched. */
  static of<Key, Row>(rows: ReadonlyMap<Key, Row>): WatchedMap<Key, Row> {
    const map = new WatchedMap<Key, Row>();
    for (const [key, row] of rows) map.set(key, row);
    map.takeTouched();
    return map;
  }

  /** The rows that were touched since the last call, with what they were before. */
  takeTouched(): ReadonlyMap<Key, Row | undefined> {
    const touched = new Map(this.#before);
    this.#before.clear();
    return touched;
  }

  override set(key: Key, row: Row): this {
    this.#touch(key);
    return super.set(key, row);
  }

  override delete(key: Key): boolean {
    this.#touch(key);
    return super.delete(key);
  }

  override clear(): void {
    for (const key of this.keys()) this.#touch(key);
    super.clear();
  }

  #touch(key: Key): void {
    if (!this.#before.has(key)) this.#before.set(key, this.get(key));
  }
}
