/** `fetch` that tells the status of every answer, and null for every request that got none. */
export function countedFetch(answered: (status: number | null) => void): typeof fetch {
  return async (address, init) => {
    try {
      const response = await fetch(address, init);
      answered(response.status);
      return response;
    } catch (failure) {
      answered(null);
      throw failure;
    }
  };
}
