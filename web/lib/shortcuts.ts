/** Page-wide shortcuts, defined once for the handlers, the hints and the list of keys. */

interface Shortcut {
  /** `code` is a physical key, which works in any keyboard layout; `key` is a character, on whichever key it is. */
  code?: string
  key?: string
  hasShift?: boolean
  /** As it is shown. */
  character: string
}

export const shortcuts = {
  newChat: { code: 'KeyO', hasShift: true, character: 'O' },
  search: { code: 'KeyK', character: 'K' },
  find: { code: 'KeyF', character: 'F' },
  save: { code: 'KeyS', character: 'S' },
  keys: { key: '?', character: '?' },
} as const satisfies Record<string, Shortcut>

export type ShortcutName = keyof typeof shortcuts

type Pressed = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** A shortcut with `key` is pressed alone, one with `code` together with Ctrl or ⌘. */
export function isShortcut(name: ShortcutName, event: Pressed): boolean {
  const { code, key, hasShift = false }: Shortcut = shortcuts[name]
  const hasControl = event.ctrlKey || event.metaKey
  if (event.altKey) return false
  if (key !== undefined) return event.key === key && !hasControl
  return event.code === code && hasControl && event.shiftKey === hasShift
}

export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** «Ctrl + Shift + O», on a Mac «⇧⌘O». */
export function shortcutKeys(name: ShortcutName): string {
  const { key, hasShift, character }: Shortcut = shortcuts[name]
  if (key !== undefined) return character
  return isApple ? `${hasShift ? '⇧' : ''}⌘${character}` : withPluses(['Ctrl', hasShift ? 'Shift' : '', character])
}

const withPluses = (keys: string[]) => keys.filter(Boolean).join(' + ')

/** A touch screen usually has no keyboard, and hints about keys are in the way there. */
export const hasKeyboard = () => !matchMedia('(pointer: coarse)').matches

/** The label of a button with its keys, where there are keys to press. */
export function withShortcut(label: string, name: ShortcutName): string {
  return hasKeyboard() ? `${label} (${shortcutKeys(name)})` : label
}
