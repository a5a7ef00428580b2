import type { LinkId } from './ids.ts';

/** Which bugs the cut-over closed, and what they were before, so that it can be taken back. */
export interface Farewells {
  get(link: LinkId): Farewell | null;
  save(farewell: Farewell): void;
  remove(link: LinkId): void;
  /** In the order of the links. */
  ofRoute(route: string): readonly Farewell[];
}

export interface Farewell {
  readonly link: LinkId;
  /** The open status that the bug had. */
  readonly was: string;
  readonly status: string;
  readonly resolution: string;
  /** False from the moment in which the request may leave until it is known that it was done. */
  readonly isDone: boolean;
}
