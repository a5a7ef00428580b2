/**
 * JSON without raw characters beyond ASCII: 5.1 and 5.3 read those in a body as Latin-1. Escapes are read alike by
 * every version.
 */
export const asciiJson = (body: object): string =>
  JSON.stringify(body).replace(/[^\0-\x7f]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
