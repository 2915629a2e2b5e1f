/** Tools step back until one comes near with the mouse or the keyboard; under a finger they stay. */
export const quietTools =
  'opacity-0 transition-opacity group-hover/row:opacity-100 group-focus-within/row:opacity-100 pointer-coarse:opacity-100'
