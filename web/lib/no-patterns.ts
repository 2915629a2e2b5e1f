/** Replaces the router's pattern parser in the bundle: contract/screens.ts finds screens without patterns. */
export function parse(): never {
  throw new Error('Шаблонов адресов нет: экран находит contract/screens.ts')
}
