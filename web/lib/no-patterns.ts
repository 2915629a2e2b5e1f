/** The router's parser of patterns: the table of screens finds a screen, so that none is ever parsed. */
export function parse(): never {
  throw new Error('Шаблонов адресов нет: экран находит contract/screens.ts')
}
