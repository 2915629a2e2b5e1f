/** Whose unsent words this browser has in the clear, and the public key that seals them. */
export const OWNER_KEY = 'words-of'
/** Set while there are sealed words. */
export const SEALED_KEY = 'sealed-words'
